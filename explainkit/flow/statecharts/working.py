"""One macrostep while it runs: the only thing of the interpreter that changes, dropped after."""

from bisect import bisect_left
from collections import deque
from itertools import chain
from typing import Any

from explainkit.flow.statecharts.chains import Answer, Audience
from explainkit.flow.statecharts.nodes import ActionUse, Bounds, Node, Transition
from explainkit.flow.statecharts.performing import performed, said, started_with, valued
from explainkit.flow.statecharts.routing import entered
from explainkit.flow.statecharts.selecting import without_conflicts
from explainkit.flow.statecharts.snapshots import (
    LiveActor,
    Microstep,
    Said,
    Snapshot,
    StartTimer,
    StopTimer,
    TimerChange,
)
from explainkit.flow.statecharts.vocabulary import Event


class Working:
    """What changes during a macrostep.

    Args:
        snapshot: Where the machine stands; it is never changed.
        audience: Who hears an `answer`.
    """

    def __init__(self, snapshot: Snapshot, audience: Audience) -> None:
        self.chart = snapshot.machine.chart
        self.active = snapshot.active
        self.context = snapshot.context
        self.recorded = snapshot.recorded
        self.queue: deque[Event] = deque()
        self.microsteps: list[Microstep] = []
        self.done = False
        self.output: Any = None
        self.actors = snapshot.actors
        self.sessions = snapshot.sessions
        self._audience = audience
        self._said: list[Said] = []
        self._ran: list[ActionUse] = []
        self._raised: list[Event] = []
        self._timers: list[TimerChange] = []

    def take(self, transitions: list[Transition], event: Event) -> None:
        """Leave, act, enter: all exits, then all transition actions, then all entries.

        Raises:
            StepError: An action raised; what ran until then is kept as the last microstep.
        """
        if len(transitions) == 1:
            only = transitions[0]
            route = self.chart.routes[only.number]
            if route is not None:
                self._move([(only, route.bounds)], event)
                return
        self._move(without_conflicts(self.chart, transitions, self.active, self.recorded), event)

    def enter_first(self, numbers: tuple[int, ...], event: Event) -> None:
        """Enter the states with which a machine starts."""
        came: list[int] = []
        try:
            self._enter(numbers, event, came)
        finally:
            self._keep(event, (), (), came)

    def _move(self, taken: list[tuple[Transition, Bounds]], event: Event) -> None:
        left: list[int] = []
        came: list[int] = []
        try:
            self._leave([bounds for _, bounds in taken], event, left)
            for transition, _ in taken:
                self._act(transition.actions, event)
            self._enter(self._entries(taken), event, came)
        finally:
            self._keep(event, tuple(t for t, _ in taken), left, came)

    def _entries(self, taken: list[tuple[Transition, Bounds]]) -> tuple[int, ...]:
        found = [self._entries_of(transition, bounds) for transition, bounds in taken]
        return found[0] if len(found) == 1 else tuple(sorted(set(chain.from_iterable(found))))

    def _entries_of(self, transition: Transition, bounds: Bounds) -> tuple[int, ...]:
        route = self.chart.routes[transition.number]
        if route is not None:
            return route.entries
        return entered(self.chart, transition, bounds, self.recorded)

    def _leave(self, all_bounds: list[Bounds], event: Event, left: list[int]) -> None:
        active, nodes = self.active, self.chart.nodes
        staying: list[int] = []
        leaving: list[int] = []
        seen = 0
        for bounds in sorted(all_bounds, key=_low):  # what they leave never overlaps
            if bounds.low < bounds.high:
                low, high = bisect_left(active, bounds.low), bisect_left(active, bounds.high)
                staying += active[seen:low]
                leaving += active[low:high]
                seen = max(seen, high)
        leaving.reverse()
        if leaving:
            self._remember(leaving)
            for number in leaving:
                self._leave_one(nodes[number], event)
                left.append(number)
            self.active = (*staying, *active[seen:])

    def _leave_one(self, node: Node, event: Event) -> None:
        if node.exit:
            self._act(node.exit, event)
        for timer in node.timers:
            self._timers.append(StopTimer(node.id, timer.event))
        if node.invokes:
            self.actors = tuple(a for a in self.actors if a.number != node.number)

    def _remember(self, leaving: list[int]) -> None:
        nodes = self.chart.nodes
        recorded: dict[int, tuple[int, ...]] | None = None
        for number in leaving:
            node = nodes[number]
            for history in node.histories:
                low = bisect_left(self.active, number + 1)
                below = self.active[low : bisect_left(self.active, node.end)]
                if nodes[history].deep:
                    kept = tuple(n for n in below if not nodes[n].children)
                else:
                    kept = tuple(n for n in below if nodes[n].parent == number)
                recorded = dict(self.recorded) if recorded is None else recorded
                recorded[history] = kept
        if recorded is not None:
            self.recorded = recorded

    def _enter(self, numbers: tuple[int, ...], event: Event, came: list[int]) -> None:
        if not numbers:
            return
        nodes, present = self.chart.nodes, self.active
        self.active = tuple(sorted(present + numbers)) if present else numbers
        reached = set(present)
        finished: set[int] = set()
        for number in numbers:
            node = nodes[number]
            reached.add(number)
            came.append(number)
            if node.entry:
                self._act(node.entry, event)
            for timer in node.timers:
                self._timers.append(StartTimer(node.id, timer.event, timer.delay))
            if node.invokes:
                self._invoke(node, event)
            if node.kind == "final":
                self._finish(node, event, reached, finished)
        if self.done:
            for number in reversed(self.active):
                self._leave_one(nodes[number], event)

    def _invoke(self, node: Node, event: Event) -> None:
        for use in node.invokes:
            given = started_with(self.chart, use, self.context, event)
            self.sessions += 1
            born = LiveActor(self.sessions, use.id, use.src, node.id, given, use.holds, node.number)
            self.actors = (*self.actors, born)

    def _finish(self, node: Node, event: Event, reached: set[int], finished: set[int]) -> None:
        """Tell the parents of a final state, just entered, that they are done."""
        nodes = self.chart.nodes
        parent = nodes[node.parent]
        output = valued(self.chart, node, node.output, self.context, event)
        above = parent.number
        if parent.kind == "compound":
            self._tell_done(parent, output)
            above = parent.parent
        while (
            above >= 0
            and nodes[above].kind == "parallel"
            and above not in finished
            and self._is_finished(above, reached)
        ):
            finished.add(above)
            self._tell_done(nodes[above], None)
            above = nodes[above].parent
        if above < 0:
            self.done = True
            ended = output if parent.number == 0 and parent.kind == "compound" else None
            self.output = self._last_output(nodes[0], node, ended, event)

    def _last_output(self, root: Node, end: Node, output: Any, event: Event) -> Any:
        """What the machine is done with; the function that gives it sees how the end was done."""
        if root.output is None:
            return output
        ended = end if root.kind == "compound" else root
        done = Event(f"done.state.{ended.id}", {"output": output})
        return valued(self.chart, root, root.output, self.context, done)

    def _is_finished(self, number: int, reached: set[int]) -> bool:
        node = self.chart.nodes[number]
        if node.kind == "parallel":
            return all(self._is_finished(child, reached) for child in node.children)
        if node.kind == "compound":
            nodes = self.chart.nodes
            return any(nodes[c].kind == "final" and c in reached for c in node.children)
        return node.kind == "final"  # a region that is one

    def _tell_done(self, node: Node, output: Any) -> None:
        self._raise(Event(f"done.state.{node.id}", {"output": output}))

    def _raise(self, event: Event) -> None:
        self._raised.append(event)
        self.queue.append(event)

    def _act(self, actions: tuple[ActionUse, ...], event: Event) -> None:
        for action in actions:
            self._ran.append(action)
            run = action.run
            if isinstance(run, Answer):
                heard = said(self.chart, action, run, self.context, event, self._audience)
                self._said += heard
                continue
            self.context, raised = performed(self.chart, action, self.context, event)
            if raised is not None:
                self._raise(raised)

    def _keep(
        self,
        event: Event,
        transitions: tuple[Transition, ...],
        left: "list[int] | tuple[()]",
        came: list[int],
    ) -> None:
        nodes = self.chart.nodes
        step = Microstep(
            event,
            transitions,
            tuple([nodes[number].id for number in left]),
            tuple([nodes[number].id for number in came]),
            tuple(self._ran),
            tuple(self._raised),
            tuple(self._timers),
            tuple(self._said),
            self.done,
        )
        self.microsteps.append(step)
        self._ran, self._raised, self._timers, self._said = [], [], [], []


def _low(bounds: Bounds) -> int:
    return bounds.low
