"""How branches run at once and are joined, whatever each of them is given."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from explainkit.flow.compositions.checkpoints import kept, restored
from explainkit.flow.compositions.children import Child, Ended
from explainkit.flow.compositions.composed import Composition, State, input_places
from explainkit.flow.compositions.gathering import (
    Ends,
    Reply,
    failure,
    gathered,
    has_failed,
    joined_parts,
    kept_ends,
    listed,
    replies,
    restored_ends,
    together,
)
from explainkit.flow.outcomes import Answered, Cancelled, Outcome, Paused
from explainkit.safety.pointers import token
from explainkit.tracing.current import Frame

Given = Callable[[str, Any], tuple[Any, Sequence[dict[str, Any]]]]
"""What a branch is given of the input, and where that stands in the record."""


class Branching(Composition):
    """A composition of branches that run at once.

    Args:
        label: Its word in paths and records.
        on_exhausted: Gives the answer of a branch that used up its budget.
        merge: Makes the answer.
        needed: Names of the branches that have to answer; None for all of them.
        fail_fast: Cancel the rest when a branch that has to answer fails.
    """

    def __init__(
        self,
        label: str,
        on_exhausted: Callable[[Any], Any] | None,
        *,
        merge: Child | None,
        needed: Iterable[str] | None = None,
        fail_fast: bool = False,
    ) -> None:
        super().__init__(label, on_exhausted)
        self._merge = merge
        self._needed = None if needed is None else frozenset(needed)
        self._fail_fast = fail_fast

    def _joined(self, outcomes: dict[str, Outcome[Any]]) -> Any:
        """What the merge is given."""
        return _answers(outcomes)

    def _pointer(self, name: str) -> str:
        """Where the answer of a branch stands in what the merge is given."""
        return f"/{token(name)}"

    async def _branched(
        self,
        frame: Frame,
        input: Any,  # noqa: A002 - the word of every runner
        state: State | None,
        *,
        children: Mapping[str, Child],
        given: Given,
    ) -> Outcome[Any]:
        """Run the branches that have not ended yet, and join them all."""
        places = input_places(frame, input, state)
        if state is not None and "merge" in state:
            return await self._merged(frame, input, state["merge"], places=places)
        known = {} if state is None else restored_ends(state.get("branches"), children)
        waiting = [name for name, end in known.items() if isinstance(end, Paused)]
        said = replies(input, waiting, places=places, whole=self.label)
        if state is not None and "input" in state:
            input = restored(state["input"])  # noqa: A001
        starts = {
            name: partial(self._branch, name, child, known.get(name), said.get(name), input, given)
            for name, child in children.items()
            if name in said or known.get(name) is None
        }
        ran = await gathered(starts, stops=self._stops)
        ends = {n: ran[n] if n in ran else Ended(_there(known[n])) for n in children}
        return await self._ended(frame, input, ends)

    async def _branch(
        self,
        name: str,
        child: Child,
        known: Outcome[Any] | None,
        said: Reply | None,
        whole: Any,
        given: Given,
    ) -> Ended:
        step = f"{self.label}.{name}"
        if isinstance(known, Paused) and said is not None:
            return await self._asked(
                child,
                said.value,
                step=step,
                places=said.places,
                branch=name,
                resume=known.checkpoint,
            )
        value, places = given(name, whole)
        return await self._asked(child, value, step=step, places=places, branch=name)

    def _stops(self, name: str, outcome: Outcome[Any]) -> bool:
        needed = self._needed is None or name in self._needed
        return self._fail_fast and needed and has_failed(outcome)

    async def _ended(self, frame: Frame, value: Any, ends: Ends) -> Outcome[Any]:
        needed = ends if self._needed is None else self._needed
        stands, failed = together(ends, needed=needed, at_once=self._fail_fast)
        if stands == "cancelled":
            return Cancelled()
        if stands == "failed":
            answers = _answers({name: ended.outcome for name, ended in ends.items()})
            message = (
                f"{self.label}: {len(failed)} of {len(ends)} branches failed: {listed(failed)}"
            )
            return failure(ends, failed, place=self.label, message=message, results=answers)
        if stands == "paused":
            return self._waits(frame, **self._standing(value, ends))
        joined = self._joined({name: ended.outcome for name, ended in ends.items()})
        parts = joined_parts({self._pointer(n): ended.places for n, ended in ends.items()})
        return await self._merged(frame, joined, None, parts=parts)

    def _standing(self, value: Any, ends: Ends) -> dict[str, Any]:
        branches = kept_ends(ends, place=self.label)
        if not any("again" in written for written in branches.values()):
            return {"branches": branches}
        return {"branches": branches, "input": kept(value, f"the input of {self.label}")}

    async def _merged(
        self,
        frame: Frame,
        joined: Any,
        resume: Any,
        *,
        places: Sequence[dict[str, Any]] = (),
        parts: Sequence[dict[str, Any]] = (),
    ) -> Outcome[Any]:
        if self._merge is None:
            return Answered(joined)
        ended = await self._asked(
            self._merge, joined, step=self.label, places=places, parts=parts, resume=resume
        )
        if isinstance(ended.outcome, Paused):
            return self._waits(frame, merge=ended.outcome.checkpoint)
        return ended.outcome


def _answers(outcomes: Mapping[str, Outcome[Any]]) -> dict[str, Any]:
    return {name: each.value for name, each in outcomes.items() if isinstance(each, Answered)}


def _there(outcome: Outcome[Any] | None) -> Outcome[Any]:
    assert outcome is not None, "a branch without an end runs"
    return outcome
