"""Every error that explainkit raises, because a user should be able to catch one family.

ExplainkitError
├── MissingExtraError (ImportError)      an optional dependency is not installed
├── TracingError (RuntimeError)          a tracing call was misused
│   ├── NoRunError                       called outside a run
│   └── NoAnswerError                    an override or verdict without its answer version
├── TemplateError (ValueError)           a template and its values do not fit
├── ReadError (ValueError)               a file cannot be read as what it should be
│   ├── UnknownFormatError               no known shape
│   ├── NewerFormatError                 written by a newer explainkit
│   ├── DamagedFileError                 not even a valid prefix
│   ├── UnsafeFileError                  a limit, a link, a bomb
│   ├── ForeignNotesError                notes about other content than the run beside them
│   └── ManyRunsError                    the file holds many runs and none was chosen
├── DamagedValueError (ValueError)       stored content does not decode or match its digest
├── UnsafePathError (ValueError)         a name leads out of its folder
├── WeakSecretError (ValueError)         a secret is too short to be looked for
├── UnknownRecordError (LookupError)     no such record, run, link or entry
├── SpanNotFoundError (LookupError)      the words are not in the answer
├── WriteError (OSError)                 a run file cannot be written
├── ChartError (ValueError)              a statechart is not well built
├── StepError (RuntimeError)             a statechart's step ended in error
│   ├── GuardError                       a guard raised
│   ├── ActionError                      an action, or a function of a value, raised
│   ├── UnsettledError                   one event led to more steps than allowed
│   └── FaultError                       an actor, an Agent or `fail()` ended the run
├── PayloadError (ValueError)            what an event or a task was given does not fit
├── RefusedError (ValueError)            a machine does not accept an event now
├── AgentFault (RuntimeError)            an Agent's Turn cannot go on
├── AgentError (ValueError)              an Agent is not well built
├── AgentStuckError (RuntimeError)       an Agent's model does nothing that leads on
├── ToolCallError (RuntimeError)         a tool call was not made, or gave nothing to tell
├── ResumeError (RuntimeError)           a recorded run cannot be replayed or resumed
├── StalledError (RuntimeError)          an Agent left, and a machine can go no further
├── PausedError (RuntimeError)           a run waits for a person; carries the checkpoint
├── ExhaustedError (RuntimeError)        a run used up its budget; carries the last value
├── AnswerFlowError (ValueError)         an answer flow, or a catalog, is not well built
├── AnswerBatchError (ValueError)        a batch of items is not what its flow takes
├── AnswerPortError (TypeError)          a port or a reader gave what it must not give
├── CompositionError (ValueError)        a composition is not well built
├── HandOffError (TypeError)             what a step handed on is not what the next one takes
├── UndecidedError (RuntimeError)        no branch was to be taken
├── BranchesError (ExceptionGroup)       branches or nodes failed; names them, and what finished
├── VerdictError (RuntimeError)          a run ended on a terminal verdict; carries it
│   ├── ReliabilityFailFastError         a reliability rule ended it at once
│   ├── PolicyHaltError                  a policy halted a proposed tool call
│   ├── MessageDeniedError               a middleware denied a message
│   ├── UnsupportedValuesError           the answer holds values that no evidence holds
│   ├── ConsentPendingError              consent is demanded, and nobody can be asked
│   └── AnswerValidationError            the answer did not pass its validator
├── VerdictKindError (ValueError)        a terminal verdict is of no kind, or does not fit it
├── WorkspaceError (RuntimeError)        a workspace cannot be made or taken away
├── PromptError (TypeError)              a prompt is neither a text nor messages
└── ModelError (RuntimeError)            an embedded model cannot reply
    ├── ScriptExhaustedError             a scripted model has no reply left
    ├── NoTextError                      a text was asked for, a tool was called
    ├── ModelWaitsError                  the model awaits, the caller cannot
    └── ReplyError (TypeError)           what a function or a script gave is no reply
ChartWarning (UserWarning)               a part of a well built statechart never does anything
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self


class ExplainkitError(Exception):
    """Base of every error of explainkit."""


class MissingExtraError(ExplainkitError, ImportError):
    """An optional dependency is not installed; the message names the command."""

    def __init__(self, extra: str, package: str) -> None:
        """Name the extra and the package that it brings."""
        super().__init__(
            f"{package} is not installed. Run: pip install 'explainkit-jupyter[{extra}]'"
        )
        self.extra = extra
        self.package = package


class TracingError(ExplainkitError, RuntimeError):
    """A tracing call was misused."""


class NoRunError(TracingError):
    """A recording call outside a run."""


class NoAnswerError(TracingError):
    """An override or a verdict on an answer version that does not exist."""


class TemplateError(ExplainkitError, ValueError):
    """A template and its values do not fit."""


class ReadError(ExplainkitError, ValueError):
    """A file cannot be read as what it should be."""


class UnknownFormatError(ReadError):
    """The content has no shape that any reader knows."""


class NewerFormatError(ReadError):
    """The file was written by a newer explainkit."""


class DamagedFileError(ReadError):
    """Not even a valid prefix could be read."""


class UnsafeFileError(ReadError):
    """The file breaks a limit of size, depth or ratio, or is not a plain file."""


class ForeignNotesError(ReadError):
    """The notes are about another run, or about other content of it."""


class ManyRunsError(ReadError):
    """The file holds many runs and none was chosen.

    Attributes:
        count: How many runs.
        ids: Their ids, in file order.
    """

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        """Keep the ids so that code can choose one."""
        super().__init__(message)
        self.ids = tuple(ids)
        self.count = len(self.ids)


class DamagedValueError(ExplainkitError, ValueError):
    """Stored content does not decode, or does not match its digest."""


class UnsafePathError(ExplainkitError, ValueError):
    """A name leads out of the folder that it should stay in."""


class WeakSecretError(ExplainkitError, ValueError):
    """A secret is too short to be looked for without hiding ordinary text."""


class UnknownRecordError(ExplainkitError, LookupError):
    """No such record, run or link, or no such entry of a catalog."""


class SpanNotFoundError(ExplainkitError, LookupError):
    """The words are not in the answer.

    Attributes:
        nearest: The phrases of the answer that come nearest.
    """

    def __init__(self, message: str, nearest: Sequence[str] = ()) -> None:
        """Keep the nearest phrases."""
        super().__init__(message)
        self.nearest = tuple(nearest)


class WriteError(ExplainkitError, OSError):
    """A run file cannot be written."""


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


class AgentFault(ExplainkitError, RuntimeError):  # noqa: N818 - it is the event `agent.fault`
    """An Agent's Turn cannot go on; the message is the reason, in plain words."""


class AgentError(ExplainkitError, ValueError):
    """An Agent is not well built; the message names the part and what it needs."""


class AgentStuckError(ExplainkitError, RuntimeError):
    """An Agent's model does nothing that leads on: useless calls, or no reply at all."""


class ToolCallError(ExplainkitError, RuntimeError):
    """A model's tool call was not made, ran out of time, or gave nothing that can be told."""


class ResumeError(ExplainkitError, RuntimeError):
    """A recorded run cannot be replayed or resumed."""


class StalledError(ExplainkitError, RuntimeError):
    """An Agent left before its Turn was over, and the machine can go no further."""


class PausedError(ExplainkitError, RuntimeError):
    """A run waits for a person.

    Attributes:
        checkpoint: Where it stands, plain JSON; give it back to resume.
    """

    def __init__(self, message: str, checkpoint: Any) -> None:
        """Keep the checkpoint."""
        super().__init__(message)
        self.checkpoint = checkpoint


class ExhaustedError(ExplainkitError, RuntimeError):
    """A run used up its budget.

    Attributes:
        last: The last value.
    """

    def __init__(self, message: str, last: Any) -> None:
        """Keep the last value."""
        super().__init__(message)
        self.last = last


class WorkspaceError(ExplainkitError, RuntimeError):
    """A workspace cannot be made or taken away; the message holds the last lines of git."""


class AnswerFlowError(ExplainkitError, ValueError):
    """An answer flow, a catalog or a check is not well built; the message names the field."""


class AnswerBatchError(ExplainkitError, ValueError):
    """A batch of items is not what its flow takes.

    Attributes:
        problems: Everything that is wrong with it, each in words.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        """Keep every problem, also those that the message only counts."""
        super().__init__(message)
        self.problems = tuple(problems)


class AnswerPortError(ExplainkitError, TypeError):
    """A port of an answer flow, or a reader, gave what it must not give."""


class CompositionError(ExplainkitError, ValueError):
    """A composition is not well built; the message names the place."""


class HandOffError(ExplainkitError, TypeError):
    """What a step handed on is not what the next one takes; the message names both ends."""


class UndecidedError(ExplainkitError, RuntimeError):
    """No branch was to be taken, and there is no default."""


class BranchesError(ExplainkitError, ExceptionGroup[Exception]):
    """Branches of a Parallel, or nodes of a graph, failed; it holds the error of each.

    Attributes:
        failed: Their names, in the order of the errors.
        results: What others gave meanwhile, by name.
    """

    failed: tuple[str, ...]
    results: Mapping[str, Any]

    def __new__(
        cls, message: str, failed: Mapping[str, Exception], results: Mapping[str, Any]
    ) -> Self:
        """Keep the names beside the errors."""
        group = super().__new__(cls, message, list(failed.values()))
        group.failed = tuple(failed)
        group.results = results
        return group

    def __init__(
        self, message: str, failed: Mapping[str, Exception], results: Mapping[str, Any]
    ) -> None:
        """Show it as every other group."""
        del results  # an attribute, and no part of what is printed
        super().__init__(message, list(failed.values()))


class VerdictError(ExplainkitError, RuntimeError):
    """A run ended on a terminal verdict.

    Attributes:
        verdict: The verdict; its fields are attributes of the error too.
    """

    def __init__(self, message: str, verdict: Any) -> None:
        """Keep the verdict."""
        super().__init__(message)
        self.verdict = verdict

    def __getattr__(self, name: str) -> Any:
        """Look a field up on the verdict."""
        verdict = self.__dict__.get("verdict")
        if verdict is not None and name in type(verdict).model_fields:
            return getattr(verdict, name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


class ReliabilityFailFastError(VerdictError):
    """A reliability rule ended the run at once."""


class PolicyHaltError(VerdictError):
    """A policy halted a proposed tool call."""


class MessageDeniedError(VerdictError):
    """A middleware denied a message; what it said is not kept."""


class UnsupportedValuesError(VerdictError):
    """The answer holds names or numbers that no evidence holds."""


class ConsentPendingError(VerdictError):
    """Consent is demanded, and nobody can be asked."""


class AnswerValidationError(VerdictError):
    """The answer did not pass its validator, or none was committed to it."""


class VerdictKindError(ExplainkitError, ValueError):
    """A terminal verdict is of no kind, or does not have what its kind carries."""


class PromptError(ExplainkitError, TypeError):
    """A prompt is neither a text nor a list of chat messages."""


class ModelError(ExplainkitError, RuntimeError):
    """An embedded model cannot reply."""


class ScriptExhaustedError(ModelError):
    """A scripted model was asked more often than it has replies."""


class NoTextError(ModelError):
    """A text was asked for, and the model called a tool."""


class ModelWaitsError(ModelError):
    """The model awaits something, and it was called without `await`."""


class ReplyError(ModelError, TypeError):
    """What a function or a script gave is nothing that a model can reply."""
