"""Errors of statecharts and of the machines that run them."""

from collections.abc import Sequence

from explainkit.errors.family import ExplainkitError


class ChartError(ExplainkitError, ValueError):
    """A statechart is not well built; the message names machine, state and what is declared."""


class ChartWarning(UserWarning):
    """A part of a well built statechart never does anything."""


class StepError(ExplainkitError, RuntimeError):
    """A statechart's step ended in error; its configuration is the one before the event."""


class GuardError(StepError):
    """A guard raised."""


class ActionError(StepError):
    """An action raised, or a function that gives a context, a payload or an output."""


class UnsettledError(StepError):
    """One event led to more steps than allowed, so the machine never settles."""


class FaultError(StepError):
    """An actor's error without a route, an Agent's fault without a handler, or `fail()`."""


class PayloadError(ExplainkitError, ValueError):
    """What came with an event, or what a task was given, does not fit its schema."""


class RefusedError(ExplainkitError, ValueError):
    """A machine does not accept an event now.

    Attributes:
        accepted: Names of the events that it accepts.
    """

    def __init__(self, message: str, accepted: Sequence[str] = ()) -> None:
        """Keep what is accepted, so that code can choose."""
        super().__init__(message)
        self.accepted = tuple(accepted)


class ResumeError(ExplainkitError, RuntimeError):
    """A recorded run cannot be replayed or resumed."""


class StalledError(ExplainkitError, RuntimeError):
    """An Agent left before its Turn was over, and the machine can go no further."""


class WorkspaceError(ExplainkitError, RuntimeError):
    """A workspace cannot be made or taken away; the message holds the last lines of git."""
