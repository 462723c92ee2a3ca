"""The shapes of a check: what it is given, what it finds, and what it may put in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias

from explainkit.flow.checks.signals import Signal

CheckStatus: TypeAlias = Literal["passed", "failed", "unavailable", "not-run"]


class Unset:
    """The type of `UNSET`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "UNSET"  # a copy is the one that everybody compares with


UNSET: Final = Unset()
"""No value was given; any value, `None` included, is one."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A problem that a check found.

    Attributes:
        code: A word for programs.
        message: A sentence for people.
        path: Where in the value, a JSON Pointer or a field's name.
    """

    code: str
    message: str
    path: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, the path only where there is one."""
        told: dict[str, Any] = {"code": self.code, "message": self.message}
        return told if self.path is None else told | {"path": self.path}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check says; `unavailable` and `not-run` are no verdicts on the value.

    Attributes:
        status: Passed, failed, unavailable (it could not judge) or not-run.
        issues: Problems found; none when passed.
        value: The checked or produced value, only when the check yields one.
    """

    status: CheckStatus
    issues: Sequence[Issue] = ()
    value: Any = UNSET


@dataclass(frozen=True, slots=True)
class OperationContext:
    """What a check, a port or a tool is given beside its value.

    Attributes:
        app: The caller's own object.
        logger: The caller's logger.
        diagnostics: Where the caller collects diagnostics.
        signal: Says that the run is to stop; always there.
    """

    app: Any = None
    logger: Any = None
    diagnostics: Mapping[str, Any] | None = None
    signal: Signal = field(default_factory=Signal)


class Checker(Protocol):
    """One named check of a value."""

    @property
    def id(self) -> str:
        """Its name, reported with what it finds."""
        ...

    def check(self, value: Any, context: OperationContext) -> CheckResult:
        """Judge a value."""
        ...
