"""The shapes of an answer flow: what is asked, what a port may give, and what came of each item."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from pydantic import ConfigDict, Strict
from pydantic.dataclasses import dataclass as checked_dataclass

from explainkit.flow.checks import UNSET, CheckResult, Issue

Data = TypeVar("Data")
Value = TypeVar("Value")
App = TypeVar("App")

AnswerStatus: TypeAlias = Literal["accepted", "fallback", "blocked"]
READY = "ready"

_ANY = ConfigDict(arbitrary_types_allowed=True)


@checked_dataclass(frozen=True, slots=True, config=_ANY)
class AnswerItem(Generic[Data]):
    """One question of a batch, with the source that it is to be answered from.

    Attributes:
        id: Names it in the batch.
        input_ids: The inputs that it answers.
        source_status: `ready`, or any other word for a source that is not.
        data: The source, any object.

    Example:
        >>> AnswerItem("q1", ["input-1"], "ready", {"source": "Delays from 60 minutes."}).input_ids
        ('input-1',)
    """

    id: str
    input_ids: tuple[str, ...]
    source_status: str
    data: Data


@checked_dataclass(frozen=True, slots=True, config=_ANY)
class Recovery:
    """What a fallback gives.

    Attributes:
        handled: Whether it supplies a replacement.
        value: The replacement.
    """

    handled: Annotated[bool, Strict()]
    value: Any = UNSET


@dataclass(frozen=True, slots=True)
class ReviewEntry(Generic[Data, Value]):
    """A value that is to be reviewed.

    Attributes:
        item: The item.
        value: Its value, as the check left it.
    """

    item: AnswerItem[Data]
    value: Value


@dataclass(frozen=True, slots=True)
class AnswerResult(Generic[Data, Value]):
    """What came of one item.

    Attributes:
        item: The item.
        status: `accepted`, `fallback` or `blocked`.
        value: What is delivered; `UNSET` when the item is blocked.
        checks: What the checks said, one for each round in which there was a value.
        reviews: What the reviews said, one for each round that came so far.
        issues: What was found last and not put right; empty when all was well.
        rounds: In how many rounds it was generated for.
        reason: Why it ended so, in words.
    """

    item: AnswerItem[Data]
    status: AnswerStatus
    value: Value | Any
    checks: Sequence[CheckResult]
    reviews: Sequence[CheckResult]
    issues: Sequence[Issue]
    rounds: int
    reason: str
