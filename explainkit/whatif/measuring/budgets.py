"""How much a what-if may cost, in calls, seconds or tokens."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from explainkit.errors import InterventionError
from explainkit.whatif.rerunning import Rerun

CALLS: Final = 200
"""Calls that a what-if may make when nothing else is said."""

_UNITS: Final = ("calls", "seconds", "tokens")
_NO_LIMIT: Final = 10**15
"""A limit that nothing reaches, infinity among them."""


@dataclass
class Spent:
    """What was used so far.

    Attributes:
        calls: Model links that ran (all links in a run without a model).
        seconds: Time of the re-runs, added up.
        tokens: Tokens, as far as models say.
        saved: Links whose recorded results were used instead.
        reruns: Re-runs.
    """

    calls: int = 0
    seconds: float = 0.0
    tokens: int = 0
    saved: int = 0
    reruns: int = 0

    def add(self, done: Rerun) -> None:
        """Count a re-run."""
        self.calls += done.calls
        self.seconds += done.seconds
        self.tokens += done.tokens
        self.saved += len(done.reused)
        self.reruns += 1


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be used; None is no limit.

    Attributes:
        calls: Calls.
        seconds: Seconds.
        tokens: Tokens.
    """

    calls: float | None = CALLS
    seconds: float | None = None
    tokens: float | None = None

    @classmethod
    def of(cls, given: "float | Mapping[str, float] | Budget | None") -> "Budget":
        """Read what a user gave: a number of calls, or limits by unit; None is the default.

        What nothing could reach, such as ``float("inf")``, is no limit.

        Raises:
            InterventionError: It is neither, or below zero.

        Example:
            >>> Budget.of({"seconds": 30})
            Budget(calls=None, seconds=30, tokens=None)
        """
        if given is None:
            return cls()
        if isinstance(given, Budget):
            return given
        limits: Mapping[Any, Any] = given if isinstance(given, Mapping) else {"calls": given}
        for unit, limit in limits.items():
            if unit not in _UNITS or isinstance(limit, bool) or not isinstance(limit, int | float):
                raise InterventionError(
                    f"budget={given!r:.60} is no budget. Give a number of calls, or limits such as "
                    'budget={"seconds": 60, "tokens": 10_000}.'
                )
            if not limit >= 0:
                raise InterventionError(f"budget={given!r:.60}: a limit is 0 or more.")
        kept = {unit: each for unit, each in limits.items() if each < _NO_LIMIT}
        return cls(**{unit: kept.get(unit) for unit in _UNITS})

    def is_used_up(self, spent: Spent) -> bool:
        """Whether nothing more may be started."""
        return (
            (self.calls is not None and spent.calls >= self.calls)
            or (self.seconds is not None and spent.seconds >= self.seconds)
            or (self.tokens is not None and spent.tokens >= self.tokens)
        )

    def room(self, spent: Spent) -> int | None:
        """How many more re-runs it has room for, going by those so far; None for any number.

        Example:
            >>> Budget.of(40).room(Spent(calls=15, reruns=1))
            2
        """
        rooms = []
        for unit in _UNITS:
            limit, used = getattr(self, unit), getattr(spent, unit)
            if limit is not None and used and spent.reruns:
                rooms.append(math.ceil((limit - used) * spent.reruns / used))
        return max(0, min(rooms)) if rooms else None

    def __str__(self) -> str:
        limits = {unit: getattr(self, unit) for unit in _UNITS}
        return ", ".join(f"{limit:g} {unit}" for unit, limit in limits.items() if limit is not None)
