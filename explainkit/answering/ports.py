"""What each port of an answer flow is given and gives, for type checkers and readers."""

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from explainkit.answering.shapes import AnswerItem, AnswerResult, Data, Recovery, ReviewEntry, Value
from explainkit.flow.checks import CheckResult, Issue, OperationContext

Given = TypeVar("Given")
Judged_contra = TypeVar("Judged_contra", contravariant=True)
Soon: TypeAlias = Given | Awaitable[Given]


class CanInvoke(Protocol):
    """Says whether another call may be made."""

    def __call__(self, context: OperationContext) -> bool:
        """Asked before every call of `generate` and `review`."""
        ...


class Generate(Protocol[Data, Value]):
    """Makes values."""

    def __call__(
        self,
        *,
        items: Sequence[AnswerItem[Data]],
        repairs: Mapping[str, Sequence[Issue]],
        previous: Mapping[str, Value],
        context: OperationContext,
    ) -> Soon[Mapping[str, Value]]:
        """Values by item id."""
        ...


class Check(Protocol[Data, Judged_contra]):
    """Judges one value at once."""

    def __call__(
        self, *, item: AnswerItem[Data], value: Judged_contra, context: OperationContext
    ) -> CheckResult | Mapping[str, Any]:
        """What it found."""
        ...


class Review(Protocol[Data, Value]):
    """Judges the values of a round together."""

    def __call__(
        self, *, items: Sequence[ReviewEntry[Data, Value]], context: OperationContext
    ) -> Soon[Mapping[str, CheckResult]]:
        """One result for each item submitted."""
        ...


class Fallback(Protocol[Data]):
    """The last resort for one item."""

    def __call__(
        self, *, item: AnswerItem[Data], issues: Sequence[Issue], context: OperationContext
    ) -> Soon[Recovery | Mapping[str, Any]]:
        """A replacement, or none."""
        ...


class Observe(Protocol[Data, Value]):
    """Looks on."""

    def __call__(
        self,
        *,
        stage_id: str,
        results: Sequence[AnswerResult[Data, Value]],
        context: OperationContext,
    ) -> Soon[None]:
        """Told after each stage."""
        ...
