"""What can become of a command: it ended, it took too long, or it never ran."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Exited:
    """A command ran to its end, whatever it made of its task.

    Attributes:
        code: Its exit code; the negative number of the signal that ended it.
        tail: The end of what it wrote.
        outcome: Always `exited`.
    """

    code: int
    tail: str
    outcome: Literal["exited"] = field(default="exited", init=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data.

        Example:
            >>> Exited(1, "x").to_json()
            {'outcome': 'exited', 'code': 1, 'tail': 'x'}
        """
        return {"outcome": self.outcome, "code": self.code, "tail": self.tail}


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A command took longer than it may and was ended, with all that it had started.

    Attributes:
        tail: The end of what it wrote until then.
        outcome: Always `timed-out`.
    """

    tail: str
    outcome: Literal["timed-out"] = field(default="timed-out", init=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {"outcome": self.outcome, "tail": self.tail}


@dataclass(frozen=True, slots=True)
class NotRun:
    """A command was not run.

    Attributes:
        reason: Why, and what to do next.
        outcome: Always `not-run`.
    """

    reason: str
    outcome: Literal["not-run"] = field(default="not-run", init=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {"outcome": self.outcome, "reason": self.reason}


Outcome: TypeAlias = Exited | TimedOut | NotRun


def outcome_of(data: Mapping[str, Any]) -> Outcome:
    """The outcome that `to_json` told.

    Raises:
        ValueError: It is none.

    Example:
        >>> outcome_of({"outcome": "exited", "code": 1, "tail": "x"})
        Exited(code=1, tail='x')
    """
    match data:
        case {"outcome": "exited", "code": int(code), "tail": str(tail)}:
            return Exited(code, tail)
        case {"outcome": "timed-out", "tail": str(tail)}:
            return TimedOut(tail)
        case {"outcome": "not-run", "reason": str(reason)}:
            return NotRun(reason)
    raise ValueError(
        f"{str(data)[:120]!r} is no outcome of a command: expected what `to_json` of Exited, "
        "TimedOut or NotRun gives."
    )
