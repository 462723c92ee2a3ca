"""The same input for several branches at once, and their answers joined by name."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explainkit.errors import CompositionError
from explainkit.flow.compositions.branching import Branching
from explainkit.flow.compositions.children import as_child
from explainkit.flow.compositions.composed import State, input_places
from explainkit.flow.compositions.gathering import listed
from explainkit.flow.compositions.naming import by_name, label_or, shown
from explainkit.flow.outcomes import Outcome
from explainkit.tracing.current import Frame


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of a `Parallel` and whether it has to answer; made by `branch`."""

    runner: Any
    required: bool = False


def branch(runner: Any, *, required: bool = False) -> Branch:
    """A branch of a tolerant `Parallel`.

    Args:
        runner: What runs.
        required: The whole fails when this one does.
    """
    return Branch(runner, required)


class Parallel(Branching):
    """Gives its input to several branches at once and joins their answers by name.

    Strict, the default: it waits for all; when any failed, that is a `BranchesError`, an
    `ExceptionGroup` with the error of each of them, and the merge is not called. Tolerant: the
    merge is given how each branch ended, and decides. While a branch waits for a person the
    others finish, and nothing is merged until it was resumed. A branch that raised while another
    one waits runs again then.

    Args:
        branches: Runners, functions of one input or what `branch` gives, by name.
        merge: Makes the answer of the answers by name (tolerant: of the outcomes by name); these
            are the answer when it is not given. It runs as a child does.
        tolerant: The merge is given outcomes.
        required: Names of branches that have to answer all the same.
        fail_fast: Cancel the rest when a branch that has to answer fails.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a branch that used up its budget, from its last value.

    Raises:
        CompositionError: There is no branch, one cannot be run, a name is empty or there twice,
            or what is said about required branches says nothing.

    Example:
        >>> Parallel({"least": min, "most": max}).run_sync([3, 1, 2])
        {'least': 1, 'most': 3}
    """

    kind: ClassVar[str] = "parallel"

    def __init__(
        self,
        branches: Any,
        *,
        merge: Any = None,
        tolerant: bool = False,
        required: Iterable[str] = (),
        fail_fast: bool = False,
        name: str | None = None,
        on_exhausted: Callable[[Any], Any] | None = None,
    ) -> None:
        label = label_or(name, "Parallel")
        named = by_name(branches, place=label, what="branch")
        each = {n: b if isinstance(b, Branch) else Branch(b) for n, b in named.items()}
        needed = {*_names(required, label), *(n for n, b in each.items() if b.required)}
        super().__init__(
            label,
            on_exhausted,
            merge=None if merge is None else as_child(merge, place=f"{label}(merge=...)"),
            needed=needed if tolerant else None,
            fail_fast=fail_fast,
        )
        self._branches = {n: as_child(b.runner, place=f"{label}.{n}") for n, b in each.items()}
        self._tolerant = tolerant
        self._check(needed)

    def _check(self, required: set[str]) -> None:
        unknown = sorted(required - set(self._branches))
        if unknown:
            raise CompositionError(
                f"{self.label}(required=...): {shown(unknown[0])} is no branch. "
                f"Branches: {listed(self._branches)}."
            )
        if required and not self._tolerant:
            raise CompositionError(
                f"{self.label}: {listed(sorted(required))} is required, and without tolerant=True "
                "every branch is. Leave it out, or say tolerant=True."
            )
        if self._fail_fast and self._tolerant and not required:
            raise CompositionError(
                f"{self.label}(fail_fast=True): no branch has to answer, so none can fail the "
                "whole. Name those that have to in required=."
            )

    def _parts(self) -> Sequence[str]:
        return [f"{name}={child.label}" for name, child in self._branches.items()]

    def _joined(self, outcomes: dict[str, Outcome[Any]]) -> Any:
        return outcomes if self._tolerant else super()._joined(outcomes)

    def _pointer(self, name: str) -> str:
        whole = super()._pointer(name)
        return f"{whole}/value" if self._tolerant else whole

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        places = input_places(frame, input, None) if state is None else ()
        return await self._branched(
            frame,
            input,
            state,
            children=self._branches,
            given=lambda _name, whole: (whole, places),
        )


def _names(required: Iterable[str], label: str) -> list[str]:
    if isinstance(required, str) or not isinstance(required, Iterable):
        raise CompositionError(
            f"{label}(required={shown(required)}): give a list of names of branches."
        )
    return list(required)
