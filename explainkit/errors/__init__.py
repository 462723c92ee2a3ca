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
├── InterventionError (ValueError)       a what-if cannot change what it was asked to change
├── RerunError (RuntimeError)            a recorded run cannot be run again
├── WorkspaceError (RuntimeError)        a workspace cannot be made or taken away
├── PromptError (TypeError)              a prompt is neither a text nor messages
└── ModelError (RuntimeError)            an embedded model cannot reply
    ├── ScriptExhaustedError             a scripted model has no reply left
    ├── NoTextError                      a text was asked for, a tool was called
    ├── ModelWaitsError                  the model awaits, the caller cannot
    └── ReplyError (TypeError)           what a function or a script gave is no reply
ChartWarning (UserWarning)               a part of a well built statechart never does anything
"""

from explainkit.errors.agents import AgentError, AgentFault, AgentStuckError, ToolCallError
from explainkit.errors.answers import AnswerBatchError, AnswerFlowError, AnswerPortError
from explainkit.errors.compositions import (
    BranchesError,
    CompositionError,
    HandOffError,
    UndecidedError,
)
from explainkit.errors.endings import ExhaustedError, PausedError
from explainkit.errors.family import ExplainkitError, MissingExtraError
from explainkit.errors.files import (
    DamagedFileError,
    DamagedValueError,
    ForeignNotesError,
    ManyRunsError,
    NewerFormatError,
    ReadError,
    UnknownFormatError,
    UnsafeFileError,
    UnsafePathError,
    WriteError,
)
from explainkit.errors.looking_up import SpanNotFoundError, UnknownRecordError
from explainkit.errors.machines import (
    ActionError,
    ChartError,
    ChartWarning,
    FaultError,
    GuardError,
    PayloadError,
    RefusedError,
    ResumeError,
    StalledError,
    StepError,
    UnsettledError,
    WorkspaceError,
)
from explainkit.errors.models import (
    ModelError,
    ModelWaitsError,
    NoTextError,
    PromptError,
    ReplyError,
    ScriptExhaustedError,
)
from explainkit.errors.recording import (
    NoAnswerError,
    NoRunError,
    TemplateError,
    TracingError,
    WeakSecretError,
)
from explainkit.errors.refusals import (
    AnswerValidationError,
    ConsentPendingError,
    MessageDeniedError,
    PolicyHaltError,
    ReliabilityFailFastError,
    UnsupportedValuesError,
    VerdictError,
    VerdictKindError,
)
from explainkit.errors.whatifs import InterventionError, RerunError

__all__ = [
    "ActionError",
    "AgentError",
    "AgentFault",
    "AgentStuckError",
    "AnswerBatchError",
    "AnswerFlowError",
    "AnswerPortError",
    "AnswerValidationError",
    "BranchesError",
    "ChartError",
    "ChartWarning",
    "CompositionError",
    "ConsentPendingError",
    "DamagedFileError",
    "DamagedValueError",
    "ExhaustedError",
    "ExplainkitError",
    "FaultError",
    "ForeignNotesError",
    "GuardError",
    "HandOffError",
    "InterventionError",
    "ManyRunsError",
    "MessageDeniedError",
    "MissingExtraError",
    "ModelError",
    "ModelWaitsError",
    "NewerFormatError",
    "NoAnswerError",
    "NoRunError",
    "NoTextError",
    "PausedError",
    "PayloadError",
    "PolicyHaltError",
    "PromptError",
    "ReadError",
    "RefusedError",
    "ReliabilityFailFastError",
    "ReplyError",
    "RerunError",
    "ResumeError",
    "ScriptExhaustedError",
    "SpanNotFoundError",
    "StalledError",
    "StepError",
    "TemplateError",
    "ToolCallError",
    "TracingError",
    "UndecidedError",
    "UnknownFormatError",
    "UnknownRecordError",
    "UnsafeFileError",
    "UnsafePathError",
    "UnsettledError",
    "UnsupportedValuesError",
    "VerdictError",
    "VerdictKindError",
    "WeakSecretError",
    "WorkspaceError",
    "WriteError",
]
