"""Whether an answer passes its validator: a pydantic model, or checks that are asked in order."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pydantic import BaseModel

from explainkit.errors import AgentError
from explainkit.flow.agents.fitting_functions import require_takes
from explainkit.flow.checks import UNSET, Checker, CheckResult, Issue, OperationContext
from explainkit.flow.checks.asking import result_by
from explainkit.flow.checks.model_checks import ModelCheck
from explainkit.flow.verdicts import CheckOutcome, ValidationReport
from explainkit.safety import shorten
from explainkit.safety.described import repr_of

if TYPE_CHECKING:
    from collections.abc import Sequence

ValidatorMode: TypeAlias = Literal["required", "advisory"]
VALIDATOR_MODES: tuple[ValidatorMode, ...] = ("required", "advisory")


@dataclass(frozen=True, slots=True)
class Validator:
    """The checks of an Agent's answer, as one.

    Attributes:
        checks: In the order in which they are asked.
        mode: Whether a failure ends the run.
    """

    checks: tuple[Checker, ...]
    mode: ValidatorMode

    @property
    def id(self) -> str:
        """The ids of the checks."""
        return ", ".join(each.id for each in self.checks)

    @property
    def version(self) -> str | None:
        """The versions of those that have one."""
        versions = [getattr(each, "version", None) for each in self.checks]
        found = [str(version) for version in versions if version is not None]
        return ", ".join(found) or None

    def judge(
        self, value: Any, context: OperationContext, *, digest: str | None
    ) -> tuple[ValidationReport, Any]:
        """Ask every check; a value that one yields is what the next ones see.

        Args:
            value: The answer.
            context: For the checks.
            digest: Digest of the answer in the record.

        Returns:
            The report, and the answer as the checks left it.
        """
        outcomes = []
        for each in self.checks:
            result = result_by(each, value, context)
            issues = tuple(_told(each, issue) for issue in _issues(result))
            outcomes.append(CheckOutcome(id=each.id, status=result.status, issues=issues))
            if result.status == "passed" and result.value is not UNSET:
                value = result.value
        return self._report(tuple(outcomes), digest), value

    def unverified(self) -> ValidationReport:
        """The report of a run that committed no answer."""
        return self._report((), None)

    def _report(self, checks: tuple[CheckOutcome, ...], digest: str | None) -> ValidationReport:
        words = [each.status for each in checks]
        judged = words.count("passed") + words.count("failed")
        status: Literal["passed", "failed", "unverified"] = "unverified"
        if "failed" in words:
            status = "failed"
        elif words and judged == len(words):
            status = "passed"
        return ValidationReport(
            validator=self.id,
            version=self.version,
            mode=self.mode,
            status=status,
            checked=judged,
            failed=words.count("failed"),
            unreachable=words.count("unavailable"),
            not_applicable=words.count("not-applicable"),
            checks=checks,
            candidate=digest,
        )


def _issues(result: CheckResult) -> tuple[Issue, ...]:
    """What a check found; one that failed without a word says at least that."""
    if result.status == "failed" and not result.issues:
        return (Issue("FAILED", "it failed and did not say why"),)
    return tuple(result.issues)


def _told(check: Checker, issue: Issue) -> dict[str, str | None]:
    """An issue as JSON; that of a pydantic model says of which field it is."""
    if isinstance(check, ModelCheck) and issue.path:
        place = issue.path.removeprefix("/").replace("/", ".")
        issue = replace(issue, message=f"{place}: {issue.message}")
    return issue.to_json()


def validator_of(given: Any, mode: Any) -> Validator | None:
    """What `Agent(validator=..., validator_mode=...)` stands for.

    Raises:
        AgentError: It is no validator.
    """
    if mode not in VALIDATOR_MODES:
        raise AgentError(
            f"validator_mode={shorten(repr(mode), 40)}: give 'required' or 'advisory'."
        )
    if given is None:
        return None
    listed: Sequence[Any] = given if isinstance(given, list | tuple) else (given,)
    checks = tuple(_checker(each) for each in listed)
    ids = [each.id for each in checks]
    if not checks or len(set(ids)) < len(ids):
        raise AgentError(
            f"validator={repr_of(given, limit=80).text}: give at least one check, each with its "
            "own id."
        )
    return Validator(checks, mode)


def _checker(given: Any) -> Checker:
    if isinstance(given, type) and issubclass(given, BaseModel):
        return ModelCheck(given)
    if isinstance(getattr(given, "id", None), str) and callable(getattr(given, "check", None)):
        checker: Checker = given
        part = f"Agent(validator=...): check of {shorten(checker.id, 80)}"
        require_takes(checker.check, "value", "context", part=part)
        return checker
    raise AgentError(
        f"validator={repr_of(given, limit=80).text}: give a pydantic model, or objects with id and "
        "check(value, context) -> CheckResult."
    )
