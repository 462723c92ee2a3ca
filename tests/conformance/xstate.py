"""Runs recorded charts of xstate and compares every step, so that our order is xstate's order.

Run: python -m tests.conformance.xstate FILE
"""

import heapq
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explainkit.flow.statecharts import (
    Machine,
    Snapshot,
    StartTimer,
    Steps,
    assign,
    raise_,
    start,
    step,
)

GUARDS = {
    "const": lambda args: args.params,
    "even": lambda args: args.context[args.params] % 2 == 0,
}


def translated(cfg: Any) -> Any:
    """A recorded config with its guards as `{type, params}`, the form that xstate itself has."""
    if isinstance(cfg, list):
        return [translated(item) for item in cfg]
    if not isinstance(cfg, dict):
        return cfg
    found = {key: translated(item) for key, item in cfg.items()}
    if isinstance(cfg.get("guard"), dict):
        ((name, params),) = cfg["guard"].items()
        found["guard"] = {"type": name, "params": params}
    return found


def implementations(cfg: Any) -> dict[str, Any]:
    """What each recorded action does; a marker does nothing but stand in the order."""
    return {name: _implementation(name) for name in _action_names(cfg)}


class Clock:
    """The simulated clock of the traces: earliest timer first, ties by which was started first."""

    def __init__(self) -> None:
        self.now = 0
        self._waiting: list[tuple[int, int, str]] = []
        self._current: dict[str, int] = {}
        self._count = 0

    def follow(self, steps: Steps) -> None:
        """Start and stop what a step says."""
        for change in steps.timers:
            self._count += 1
            self._current.pop(change.event, None)
            if isinstance(change, StartTimer):
                self._current[change.event] = self._count
                due = self.now + change.delay
                heapq.heappush(self._waiting, (due, self._count, change.event))

    def due(self, until: int) -> str | None:
        """The next event up to a moment, with the clock set to when it is due."""
        while self._waiting and self._waiting[0][0] <= until:
            moment, count, event = heapq.heappop(self._waiting)
            if self._current.get(event) == count:
                del self._current[event]
                self.now = moment
                return event
        self.now = until
        return None


def run(case: dict[str, Any]) -> Iterator[tuple[Snapshot, list[Steps]]]:
    """Where the machine stands after the start and after each event, with what was done."""
    cfg = translated(case["cfg"])
    machine = Machine.from_dict(cfg, guards=GUARDS, actions=implementations(cfg))
    clock = Clock()
    snapshot, steps = start(machine)
    clock.follow(steps)
    yield snapshot, [steps]
    for event in case["events"]:
        done: list[Steps] = []
        if isinstance(event, str):
            snapshot, steps = step(snapshot, event)
            clock.follow(steps)
            done.append(steps)
        else:
            until = clock.now + event["advance"]
            while (name := clock.due(until)) is not None:
                snapshot, steps = step(snapshot, name)
                clock.follow(steps)
                done.append(steps)
        yield snapshot, done


def differences(case: dict[str, Any]) -> Iterator[str]:
    """What differs from the recording: actions, configuration, context, status, step by step."""
    followed: set[str] = set()
    for number, (snapshot, done) in enumerate(run(case)):
        if snapshot.error is not None:
            yield f"step {number}: {snapshot.error}"
        actions = [action.name for steps in done for action in steps.actions]
        if actions != case["trace"][number]:
            yield f"step {number}: actions {actions}, recorded {case['trace'][number]}"
        configuration = sorted(snapshot.configuration)
        if snapshot.status == "active":
            followed = _followed(followed, case["trace"][number])
            if configuration != sorted(followed):
                yield f"step {number}: {configuration}, by entries and exits {sorted(followed)}"
        if "config" in case and configuration != case["config"][number]:
            yield f"step {number}: {configuration}, recorded {case['config'][number]}"
        if "context" in case and [snapshot.context[k] for k in "nk"] != case["context"][number]:
            yield f"step {number}: {snapshot.context}, recorded {case['context'][number]}"
        if "status" in case and snapshot.status != case["status"][number]:
            yield f"step {number}: {snapshot.status}, recorded {case['status'][number]}"


def main(path: str) -> int:
    """Print how many cases are equal, and the first difference of each that is not."""
    cases = json.loads(Path(path).read_text("utf-8"))["cases"]
    equal = 0
    for number, case in enumerate(cases):
        difference = next(differences(case), None)
        equal += difference is None
        if difference is not None:
            print(f"case {number}: {difference}")
    print(f"{equal} of {len(cases)} equal")
    return int(equal != len(cases))


def _followed(active: set[str], markers: list[str]) -> set[str]:
    for marker in markers:
        if marker.startswith("+"):
            active = active | {marker[1:]}
        elif marker.startswith("-"):
            active = active - {marker[1:]}
    return active


def _implementation(name: str) -> Any:
    if name.startswith("raise:"):
        return raise_(name.removeprefix("raise:"))
    if name.endswith("+=1"):
        key = name.removesuffix("+=1")
        return assign(lambda args: {key: args.context[key] + 1})
    return lambda _: None


def _action_names(cfg: Any) -> Iterator[str]:
    if isinstance(cfg, list):
        for item in cfg:
            yield from _action_names(item)
    elif isinstance(cfg, dict):
        for key, item in cfg.items():
            if key in ("entry", "exit", "actions") and isinstance(item, list):
                yield from item
            else:
                yield from _action_names(item)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
