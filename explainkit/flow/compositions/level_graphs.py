"""Nodes with edges between them, run level by level: a node starts when all before it answered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from explainkit.errors import ResumeError
from explainkit.flow.compositions.checkpoints import kept, restored, stated
from explainkit.flow.compositions.children import Ended
from explainkit.flow.compositions.composed import Composition, State, input_places
from explainkit.flow.compositions.gathering import (
    Ends,
    Reply,
    failure,
    gathered,
    joined_parts,
    kept_ends,
    listed,
    replies,
    restored_ends,
    together,
)
from explainkit.flow.compositions.naming import label_or
from explainkit.flow.compositions.planning import Plan, planned
from explainkit.flow.outcomes import Answered, Cancelled, Outcome, Paused
from explainkit.safety.pointers import token
from explainkit.tracing.current import Frame

Answers = dict[str, Ended]


class LevelGraph(Composition):
    """Nodes that depend on each other; made by `graph`."""

    kind: ClassVar[str] = "graph"

    def __init__(
        self, label: str, plan: Plan, on_exhausted: Callable[[Any], Any] | None = None
    ) -> None:
        super().__init__(label, on_exhausted)
        self._plan = plan

    def _parts(self) -> Sequence[str]:
        plan = self._plan
        return [
            f"{name}={child.label}<-{'+'.join(plan.before[name])}"
            for name, child in plan.nodes.items()
        ]

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        places = input_places(frame, input, state)
        answers: Answers = {}
        number, known, said = 1, dict[str, Any](), dict[str, Reply]()
        if state is not None:
            number, answers, known = self._resumed(state)
            waiting = [name for name, end in known.items() if isinstance(end, Paused)]
            said = replies(input, waiting, places=places, whole=self.label)
            input = restored(state["input"]) if "input" in state else None  # noqa: A001
            places = ()
        for level in range(number, len(self._plan.levels) + 1):
            starts: dict[str, Callable[[], Any]] = {
                name: (
                    partial(self._gone_on, name, known[name], said[name])
                    if name in said
                    else partial(self._node, name, input, places, answers)
                )
                for name in self._plan.levels[level - 1]
                if name in said or known.get(name) is None
            }
            ran = await gathered(starts, stops=lambda _name, _outcome: False)
            ends = {
                name: ran[name] if name in ran else Ended(known[name])
                for name in self._plan.levels[level - 1]
            }
            known, said = {}, {}
            stopped = self._stopped(frame, input, level, answers, ends)
            if stopped is not None:
                return stopped
            answers |= ends
        return Answered(self._values(answers))

    async def _gone_on(self, name: str, waiting: Paused, said: Reply) -> Ended:
        return await self._asked(
            self._plan.nodes[name],
            said.value,
            step=f"{self.label}.{name}",
            places=said.places,
            branch=name,
            resume=waiting.checkpoint,
        )

    async def _node(
        self, name: str, given: Any, places: Sequence[dict[str, Any]], answers: Answers
    ) -> Ended:
        """Run a node on what stands before it."""
        step, child = f"{self.label}.{name}", self._plan.nodes[name]
        before, value = self._plan.before[name], given
        if before:
            places = [place for each in before for place in answers[each].places]
            value = _value(answers[before[0]])
        if len(before) > 1:
            joined = {each: _value(answers[each]) for each in before}
            parts = joined_parts({f"/{token(each)}": answers[each].places for each in before})
            ended = await self._asked(
                self._plan.joins[name], joined, step=step, parts=parts, branch=f"join of {name}"
            )
            if not isinstance(ended.outcome, Answered):
                return ended
            value, places = ended.outcome.value, ended.places
        return await self._asked(child, value, step=step, places=places, branch=name)

    def _stopped(
        self, frame: Frame, given: Any, level: int, answers: Answers, ends: Ends
    ) -> Outcome[Any] | None:
        """How the whole ends at a level; None when all its nodes answered."""
        stands, failed = together(ends, needed=ends)
        if stands is None:
            return None
        if stands == "cancelled":
            return Cancelled()
        if stands == "paused":
            return self._waits(frame, **self._standing(given, level, answers, ends))
        later = [name for each in self._plan.levels[level:] for name in each]
        message = (
            f"{self.label}: {len(failed)} of {len(ends)} nodes of level {level} failed: "
            f"{listed(failed)}" + (f"; not started: {listed(later)}" if later else "")
        )
        results = self._values(answers | ends)
        return failure(ends, failed, place=self.label, message=message, results=results)

    def _values(self, ends: Mapping[str, Ended]) -> dict[str, Any]:
        """Answers by node, in the order in which the nodes were given."""
        return {
            name: _value(ends[name])
            for name in self._plan.nodes
            if name in ends and isinstance(ends[name].outcome, Answered)
        }

    def _standing(self, given: Any, level: int, answers: Answers, ends: Ends) -> dict[str, Any]:
        nodes = kept_ends(ends, place=self.label)
        state = {
            "level": level,
            "results": {n: kept(_value(e), f"the answer of {n}") for n, e in answers.items()},
            "nodes": nodes,
        }
        roots = [n for n in self._plan.levels[level - 1] if not self._plan.before[n]]
        if any("again" in nodes[name] for name in roots):
            state["input"] = kept(given, f"the input of {self.label}")
        return state

    def _resumed(self, state: State) -> tuple[int, Answers, dict[str, Any]]:
        number, results = stated(state, "level", int), stated(state, "results", dict)
        levels = self._plan.levels
        finished = [name for level in levels[: number - 1] for name in level]
        if not 1 <= number <= len(levels) or set(results) != set(finished):
            raise ResumeError(f"The checkpoint is damaged: level {number} does not fit.")
        answers = {name: Ended(Answered(restored(results[name]))) for name in finished}
        return number, answers, restored_ends(state.get("nodes"), levels[number - 1])


def _value(ended: Ended) -> Any:
    assert isinstance(ended.outcome, Answered)
    return ended.outcome.value


def graph(
    nodes: Any,
    edges: Iterable[tuple[str, str]] = (),
    *,
    joins: Mapping[str, Callable[[dict[str, Any]], Any]] | None = None,
    name: str | None = None,
    on_exhausted: Callable[[Any], Any] | None = None,
) -> LevelGraph:
    """Nodes that depend on each other, run level by level, their answers keyed by node.

    Nodes without a node before them are given the input; one with a single node before it is
    given its answer; one with several what its join makes of their answers by name. When nodes of
    a level fail, that is a `BranchesError` with the error of each; no later level starts, and
    what other nodes gave is its `.results`. A node that waits for a person lets its level finish.

    Args:
        nodes: Runners or functions by name; a mapping, or pairs.
        edges: Pairs of the node before and the node after.
        joins: For each node with several before it, a function of their answers by name.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a node that used up its budget, from its last value.

    Raises:
        CompositionError: A cycle, an unknown node, a node or an edge that is there twice, or
            several nodes before one without a join; names the offender.

    Example:
        >>> sizes = graph({"words": str.split, "count": len}, [("words", "count")])
        >>> sizes.run_sync("two words")
        {'words': ['two', 'words'], 'count': 2}
    """
    label = label_or(name, "graph")
    return LevelGraph(label, planned(nodes, edges, joins or {}, label=label), on_exhausted)
