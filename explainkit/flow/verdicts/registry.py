"""Kinds of terminal verdicts by name, those of users included, so that records can be read back."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import Field, JsonValue, ValidationError

from explainkit.errors import VerdictKindError
from explainkit.flow.verdicts.kinds import (
    AnswerValidation,
    ConsentPending,
    MessageDenied,
    PolicyHalt,
    ReliabilityFailFast,
    TerminalVerdict,
    UnsupportedValues,
)
from explainkit.safety import shorten
from explainkit.safety.described import repr_of

V = TypeVar("V", bound=TerminalVerdict)

_KINDS: dict[str, type[TerminalVerdict]] = {}


class UnknownVerdict(TerminalVerdict):
    """A terminal verdict of a kind that nobody registered here; kept as it is.

    Attributes:
        carries: What it carries.
    """

    carries: dict[str, JsonValue] = Field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """What was read."""
        return {"kind": self.kind, **self.carries}


def register_verdict(kind: type[V]) -> type[V]:
    """Make a kind of one's own known; a class decorator.

    Args:
        kind: A class that derives from `TerminalVerdict`, with a default for `kind`.

    Raises:
        VerdictKindError: Its word is missing, or taken by another class.

    Example:
        >>> from typing import Literal
        >>> @register_verdict
        ... class QuotaSpent(TerminalVerdict):
        ...     kind: Literal["quota-spent"] = "quota-spent"
        >>> verdict_from_json({"kind": "quota-spent"})
        QuotaSpent(kind='quota-spent')
    """
    word = kind.model_fields["kind"].default
    if not isinstance(word, str) or not word:
        raise VerdictKindError(
            f'{kind.__name__} has no word of its own. Write kind: Literal["..."] = "...".'
        )
    known = _KINDS.get(word)
    # A cell that is run again defines the same class again.
    if known is not None and (known.__module__, known.__qualname__) != (
        kind.__module__,
        kind.__qualname__,
    ):
        raise VerdictKindError(
            f'The kind "{shorten(word, 80)}" is registered by {known.__module__}.'
            f"{known.__qualname__}. Choose another word."
        )
    _KINDS[word] = kind
    return kind


def verdict_from_json(data: Mapping[str, Any]) -> TerminalVerdict:
    """Read a terminal verdict back.

    Args:
        data: What `to_json` gave.

    Returns:
        The verdict; one of an unregistered kind is an `UnknownVerdict`.

    Raises:
        VerdictKindError: It is no verdict, or does not have what its kind carries.
    """
    given: Any = data
    word = given.get("kind") if isinstance(given, Mapping) else None
    if not isinstance(word, str):
        raise VerdictKindError(
            f"{repr_of(given, limit=120).text} is no terminal verdict: it has no kind. Give what "
            "to_json() gave."
        )
    kind = _KINDS.get(word)
    try:
        if kind is None:
            carries = {key: value for key, value in data.items() if key != "kind"}
            return UnknownVerdict(kind=word, carries=carries)
        return kind.model_validate(dict(data))
    except ValidationError as problem:
        raise VerdictKindError(
            f'A verdict of the kind "{shorten(word, 80)}" does not fit: '
            f"{shorten(str(problem), 300)}"
        ) from problem


for _kind in (
    ReliabilityFailFast,
    PolicyHalt,
    MessageDenied,
    UnsupportedValues,
    ConsentPending,
    AnswerValidation,
):
    register_verdict(_kind)
