"""The six ways in which a run ends on a verdict instead of an answer: plain, frozen, JSON."""

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from explainkit.errors import (
    AnswerValidationError,
    ConsentPendingError,
    MessageDeniedError,
    PolicyHaltError,
    ReliabilityFailFastError,
    UnsupportedValuesError,
    VerdictError,
)


class TerminalVerdict(BaseModel):
    """A verdict that ends a run; a kind of your own derives from it and is registered.

    Attributes:
        kind: The kind's word in the record.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")

    error_type: ClassVar[type[VerdictError]] = VerdictError
    rank: ClassVar[int] = 100
    """Which one stands when several do: the lowest; kinds of one's own come after the six."""

    kind: str

    def message(self) -> str:
        """A sentence for people: what happened and what to do next."""
        return f"The run ended on the verdict {self.kind}."

    def error(self) -> VerdictError:
        """The error that the run raises, here and inside of every composition."""
        return self.error_type(self.message(), self)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; `verdict_from_json` reads it back."""
        return self.model_dump(mode="json")


class ReliabilityFailFast(TerminalVerdict):
    """A reliability rule ended the run at once.

    Attributes:
        fail_kind: The rule's word for what went wrong.
        phase: Before the call, or after it was decided on.
        attempt: Which attempt it was, from 1.
        provider: Name of the model or provider.
        error_kind: Class of the error that led to it.
        error_message: Its text.
        reason: The rule's reason.
    """

    error_type = ReliabilityFailFastError
    rank = 10

    kind: Literal["reliability-fail-fast"] = "reliability-fail-fast"
    fail_kind: str
    phase: Literal["pre-check", "post-decide"]
    attempt: int = Field(ge=1)
    provider: str | None = None
    error_kind: str | None = None
    error_message: str | None = None
    reason: str = ""

    def message(self) -> str:
        """What failed, in which attempt, and why."""
        cause = f" ({self.error_kind}: {self.error_message})" if self.error_kind else ""
        return (
            f"A reliability rule stopped the run at {self.phase} of attempt {self.attempt}: "
            f"{self.fail_kind}{cause}. {self.reason}".rstrip()
        )


class PolicyHalt(TerminalVerdict):
    """A policy halted a proposed tool call.

    Attributes:
        reason: Why.
        tell_model: What the model would be told; None when it is told nothing.
        sequence: The calls that were dispatched, the proposed one last; that one did not run.
        iteration: Which call of the model proposed it, from 1.
        history: The messages, with a synthetic result for the call that did not run.
        checker: Id of the policy.
    """

    error_type = PolicyHaltError
    rank = 20

    kind: Literal["policy-halt"] = "policy-halt"
    reason: str
    tell_model: str | None = None
    sequence: tuple[dict[str, JsonValue], ...] = ()
    iteration: int = Field(default=1, ge=1)
    history: tuple[dict[str, JsonValue], ...] = ()
    checker: str | None = None

    def message(self) -> str:
        """Which call was halted, by whom, and why."""
        proposed = self.sequence[-1].get("name") if self.sequence else None
        what = f'the call of "{proposed}"' if proposed else "a call"
        by = f'The policy "{self.checker}"' if self.checker else "A policy"
        return f"{by} halted the run before {what}: {self.reason}"


class MessageDenied(TerminalVerdict):
    """A middleware denied a message; what it said is not kept.

    Attributes:
        reason: Why.
        phase: Whether the message came in or went out.
        middleware: Name of the middleware.
    """

    error_type = MessageDeniedError
    rank = 30

    kind: Literal["message-denied"] = "message-denied"
    reason: str
    phase: Literal["input", "output"]
    middleware: str

    def message(self) -> str:
        """Who denied which message, and why."""
        return f'The middleware "{self.middleware}" denied the {self.phase} message: {self.reason}'


class UnsupportedValues(TerminalVerdict):
    """The answer holds names or numbers that no evidence holds.

    Attributes:
        values: Those values.
        candidates: What the evidence holds that is nearest, by value.
        revised: Whether a revision had been asked for.
        explanation: The gate's sentence.
    """

    error_type = UnsupportedValuesError
    rank = 40

    kind: Literal["unsupported-values"] = "unsupported-values"
    values: tuple[str, ...]
    candidates: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    revised: bool = False
    explanation: str = ""

    def message(self) -> str:
        """Which values have no support."""
        after = " after a revision" if self.revised else ""
        listed = ", ".join(self.values[:10])
        return f"The answer holds values that no evidence holds{after}: {listed}. " + (
            self.explanation or "Give the evidence, or correct the answer."
        )


class CheckOutcome(BaseModel):
    """What one check of a validation said.

    Attributes:
        id: The check.
        status: Its status.
        issues: What it found.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    status: Literal["passed", "failed", "unavailable", "not-run", "not-applicable"]
    issues: tuple[dict[str, str | None], ...] = ()


class ValidationReport(BaseModel):
    """What a validator found.

    Attributes:
        validator: Its id.
        version: Its version.
        mode: Whether a failure ends the run (`required`) or is recorded only (`advisory`).
        status: passed, failed, or unverified when no answer was committed to it, or a check could
            not judge the answer.
        checked: How many checks judged.
        failed: How many of them failed.
        unreachable: How many could not judge.
        not_applicable: How many had nothing to judge.
        checks: Each check.
        candidate: Digest of the answer that was judged.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    validator: str
    version: str | None = None
    mode: Literal["required", "advisory"] = "required"
    status: Literal["passed", "failed", "unverified"]
    checked: int = 0
    failed: int = 0
    unreachable: int = 0
    not_applicable: int = 0
    checks: tuple[CheckOutcome, ...] = ()
    candidate: str | None = None


class AnswerValidation(TerminalVerdict):
    """The answer did not pass its validator, or none was committed to it.

    Attributes:
        report: What the validator found.
    """

    error_type = AnswerValidationError
    rank = 70

    kind: Literal["answer-validation"] = "answer-validation"
    report: ValidationReport

    def message(self) -> str:
        """What failed, in words."""
        report = self.report
        found = [issue.get("message") for check in report.checks for issue in check.issues]
        told = "; ".join(str(each) for each in found[:5])
        if report.status == "unverified":
            if not report.checks:
                return f'No answer was committed to the validator "{report.validator}".'
            told = told or "no check judged it"
            return f'The validator "{report.validator}" could not judge the answer: {told}.'
        checks = "1 check" if report.failed == 1 else f"{report.failed} checks"
        told = told or f"{checks} failed"
        return f'The validator "{report.validator}" did not pass the answer: {told}.'


class ConsentPending(TerminalVerdict):
    """Consent is demanded, and nobody can be asked.

    Attributes:
        waiting: What waits for it.
        whom: Whose consent it is.
    """

    error_type = ConsentPendingError
    rank = 50

    kind: Literal["consent-pending"] = "consent-pending"
    waiting: str
    whom: str | None = None

    def message(self) -> str:
        """What waits for whom."""
        of = f" of {self.whom}" if self.whom else ""
        return f"{self.waiting} waits for the consent{of}, and nobody can be asked here."
