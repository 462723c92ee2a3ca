"""Events per second of the interpreter beside a bare dict of states and events, in one run.

Run: python benchmarks/statecharts/events.py [events]
"""

import sys
import time

from explainkit.flow.statecharts import Machine, Snapshot, assign, start, step


def flat():
    """Three states in a ring."""
    return {
        "id": "flat",
        "initial": "a",
        "states": {"a": {"on": {"E": "b"}}, "b": {"on": {"E": "c"}}, "c": {"on": {"E": "a"}}},
    }


def nested():
    """Ten levels; the leaf moves, and every second event is taken by the root."""
    inner = {"initial": "a", "states": {"a": {"on": {"E": "b"}}, "b": {}}}
    for _ in range(9):
        inner = {"initial": "s", "states": {"s": inner}}
    path = "." + ".".join(["s"] * 9)
    return {"id": "nested", "on": {"E": f"{path}.a"}, **inner}


def parallel():
    """Eight regions that all move with every event."""
    ring = {"initial": "a", "states": {"a": {"on": {"E": "b"}}, "b": {"on": {"E": "a"}}}}
    return {"id": "parallel", "type": "parallel", "states": {f"r{i}": ring for i in range(8)}}


def guarded():
    """A ring with guards, an assign and an entry action."""
    stay = {"guard": "never", "target": "a"}
    return {
        "id": "guarded",
        "context": {"n": 0},
        "initial": "a",
        "states": {
            "a": {"entry": "log", "on": {"E": [stay, {"target": "b", "actions": "count"}]}},
            "b": {"entry": "log", "on": {"E": [stay, {"target": "a", "actions": "count"}]}},
        },
    }


GUARDS = {"never": lambda _: False}
ACTIONS = {
    "log": lambda _: None,
    "count": assign(lambda args: {"n": args.context["n"] + 1}),
}


def seconds(snapshot: Snapshot, events: int) -> float:
    began = time.perf_counter()
    for _ in range(events):
        snapshot, _ = step(snapshot, "E")
    spent = time.perf_counter() - began
    assert snapshot.status == "active"
    return spent


def dispatch_seconds(events: int, regions: int) -> float:
    """What the same moves cost with one dict lookup for each region."""
    table = {("a", "E"): "b", ("b", "E"): "c", ("c", "E"): "a"}
    states = ["a"] * regions
    began = time.perf_counter()
    for _ in range(events):
        for region, state in enumerate(states):
            states[region] = table[state, "E"]
    return time.perf_counter() - began


def main(events: int = 20_000) -> None:
    print(f"{events} events, best of 5\n")
    print("chart      events/s   dict dispatch/s   times dispatch")
    for chart, regions in ((flat, 1), (nested, 1), (guarded, 1), (parallel, 8)):
        machine = Machine.from_dict(chart(), guards=GUARDS, actions=ACTIONS)
        snapshot, _ = start(machine)
        ours = min(seconds(snapshot, events) for _ in range(5))
        bare = min(dispatch_seconds(events, regions) for _ in range(5))
        print(
            f"{machine.id:<9} {events / ours:>9,.0f} {events / bare:>17,.0f} {ours / bare:>16.1f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
