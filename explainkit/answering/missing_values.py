"""Values of which some are missing for a known reason, which is told and not guessed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explainkit.flow.checks import Issue

BUDGET: Final = "BUDGET"
GUARD_FAILED: Final = "GUARD_FAILED"
GENERATE_FAILED: Final = "GENERATE_FAILED"


class PartValues(dict[str, Any]):
    """Values by item id, and why other items have none.

    Attributes:
        missing: The reason for each of them.
    """

    def __init__(self, values: Mapping[str, Any], missing: Mapping[str, Issue]) -> None:
        """Hold both."""
        super().__init__(values)
        self.missing = dict(missing)


class EveryCallFailedError(ExceptionGroup[Exception]):
    """No call gave values; each item has the reason of its own call.

    Attributes:
        missing: The reason for each of them.
    """

    missing: Mapping[str, Issue]

    @classmethod
    def of(
        cls, errors: Sequence[Exception], missing: Mapping[str, Issue]
    ) -> "EveryCallFailedError":
        """Make one of the errors of all calls."""
        group = cls("every call failed", errors)
        group.missing = dict(missing)
        return group

    def derive(self, excs: Sequence[Exception]) -> "ExceptionGroup[Exception]":  # type: ignore[override]
        """Some of the errors; they are not those of every call."""
        return ExceptionGroup(self.message, excs)


def reasons_in(found: Any) -> Mapping[str, Issue]:
    """Why items have no value, as far as what a port gave or raised says it."""
    return found.missing if type(found) in (PartValues, EveryCallFailedError) else {}


def is_refusal(reason: Issue) -> bool:
    """Whether a guard did not allow the call."""
    return reason.code in (BUDGET, GUARD_FAILED)


def refusal_words(reason: Issue) -> str:
    """Why an item goes no further, in words."""
    if reason.code == GUARD_FAILED:
        return "the guard raised, so no call is allowed"
    return "no further call is allowed"
