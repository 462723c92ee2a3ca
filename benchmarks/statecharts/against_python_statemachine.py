"""Steps per second of the core beside python-statemachine, sync and async, on the same charts.

Run: pip install python-statemachine && python benchmarks/statecharts/against_python_statemachine.py
"""

import asyncio
import statistics
import sys
import time

from explainkit.flow.statecharts import Machine, assign, start, step

try:
    from statemachine import State, StateChart
except ImportError:
    sys.exit("python-statemachine is not installed: pip install python-statemachine")


class Flat(StateChart):
    """Three states in a ring."""

    a = State(initial=True)
    b = State()
    c = State()
    go = a.to(b) | b.to(c) | c.to(a)


class AsyncFlat(StateChart):
    """The same, with one coroutine, which makes the library choose its async engine."""

    a = State(initial=True)
    b = State()
    c = State()
    go = a.to(b) | b.to(c) | c.to(a)

    async def on_enter_a(self):
        pass


class Guarded(StateChart):
    """A ring with a guard that fails, one that holds, and an action that counts."""

    a = State(initial=True)
    b = State()
    go = a.to(a, cond="never") | a.to(b, on="count") | b.to(b, cond="never") | b.to(a, on="count")
    n = 0

    def never(self):
        return False

    def count(self):
        self.n += 1


class AsyncGuarded(StateChart):
    """The same with coroutines."""

    a = State(initial=True)
    b = State()
    go = a.to(a, cond="never") | a.to(b, on="count") | b.to(b, cond="never") | b.to(a, on="count")
    n = 0

    def never(self):
        return False

    async def count(self):
        self.n += 1


class Two(StateChart):
    """Two regions that both move with every event."""

    class Both(State.Parallel):
        class Left(State.Compound):
            a = State(initial=True)
            b = State()
            go = a.to(b) | b.to(a)

        class Right(State.Compound):
            c = State(initial=True)
            d = State()
            go = c.to(d) | d.to(c)


class AsyncTwo(StateChart):
    """The same with a coroutine."""

    class Both(State.Parallel):
        class Left(State.Compound):
            a = State(initial=True)
            b = State()
            go = a.to(b) | b.to(a)

        class Right(State.Compound):
            c = State(initial=True)
            d = State()
            go = c.to(d) | d.to(c)

    async def on_enter_a(self):
        pass


def ring(*names):
    return {name: {"on": {"go": names[(i + 1) % len(names)]}} for i, name in enumerate(names)}


FLAT = {"id": "flat", "initial": "a", "states": ring("a", "b", "c")}
GUARDED = {
    "id": "guarded",
    "context": {"n": 0},
    "initial": "a",
    "states": {
        "a": {"on": {"go": [{"guard": "never"}, {"target": "b", "actions": "count"}]}},
        "b": {"on": {"go": [{"guard": "never"}, {"target": "a", "actions": "count"}]}},
    },
}
TWO = {
    "id": "two regions",
    "type": "parallel",
    "states": {
        "one": {"initial": "a", "states": ring("a", "b")},
        "two": {"initial": "c", "states": ring("c", "d")},
    },
}
GUARDS = {"never": lambda _: False}
ACTIONS = {"count": assign(lambda args: {"n": args.context["n"] + 1})}


def ours(shape, events):
    snapshot, _ = start(Machine.from_dict(shape, guards=GUARDS, actions=ACTIONS))
    began = time.perf_counter()
    for _ in range(events):
        snapshot, steps = step(snapshot, "go")
    spent = time.perf_counter() - began
    assert steps.handled
    return spent


def theirs(kind, events):
    chart = kind()
    before = set(chart.configuration)
    began = time.perf_counter()
    for _ in range(events):
        chart.send("go")
    spent = time.perf_counter() - began
    assert len(chart.configuration) == len(before)
    return spent


async def theirs_async(kind, events):
    chart = kind()
    await chart.activate_initial_state()
    began = time.perf_counter()
    for _ in range(events):
        await chart.send("go")
    return time.perf_counter() - began


def main(events=3_000, rounds=5):
    print(f"{events} events, medians of {rounds} rounds, the three taken in turn\n")
    print("chart          ours/s     sync/s  times    async/s  times")
    for shape, sync, coroutine in (
        (FLAT, Flat, AsyncFlat),
        (GUARDED, Guarded, AsyncGuarded),
        (TWO, Two, AsyncTwo),
    ):
        taken = [
            (
                ours(shape, events),
                theirs(sync, events),
                asyncio.run(theirs_async(coroutine, events)),
            )
            for _ in range(rounds)
        ]
        own, other, waiting = (statistics.median(column) for column in zip(*taken, strict=True))
        print(
            f"{shape['id']:<11} {events / own:>9,.0f} {events / other:>10,.0f} {other / own:>6.1f}"
            f" {events / waiting:>10,.0f} {waiting / own:>6.1f}"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
