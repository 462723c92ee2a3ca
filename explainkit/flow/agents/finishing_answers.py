"""Decides whether an answer is let out: evidence gate, validator, and the verdicts on record."""

from typing import Any

from explainkit.flow.agents.admissions import denial_of
from explainkit.flow.agents.agent_parts import Work
from explainkit.flow.agents.asking_models import Said
from explainkit.flow.agents.chat_messages import as_text
from explainkit.flow.agents.evidence_gates import Support, support_of
from explainkit.flow.agents.message_origins import Part
from explainkit.flow.agents.situations import RunEnd
from explainkit.flow.checks import UNSET
from explainkit.flow.models import Chunk
from explainkit.flow.outcomes import Answered, Outcome, Refused
from explainkit.flow.picks.json_forms import NoJsonForm
from explainkit.flow.verdicts import (
    AnswerValidation,
    UnsupportedValues,
    ValidationReport,
    first_standing,
)
from explainkit.safety.described import repr_of

GATE = "evidence gate"
_STATUS = {"passed": "passed", "failed": "failed", "unverified": "unavailable"}


class Finish:
    """Looks at the answers of one run.

    Args:
        work: The run.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._committed = False

    async def consider(self, said: Said) -> Outcome[Any] | None:
        """Look at an answer.

        Args:
            said: The reply that is to be the answer.

        Returns:
            How the run ends; None when the model is to revise its answer.
        """
        work = self._work
        value, text = await self._candidate(said)
        uses = [{"seq": said.seq, "slot": "output", "path": "/content"}] if said.seq >= 0 else []
        why = "values without evidence were revised"
        value = work.ledger.candidate(value, uses, by=GATE, why=why)
        support = None if work.parts.gate is None else support_of(value, work.standing.evidence)
        if support is not None and support.values and self._may_revise(said):
            self._judge_support(support)
            work.talk.say("user", Part(support.request))
            work.standing.revised = True
            return None
        return self._ended(value, text, support)

    def without_answer(self, outcome: Outcome[Any]) -> Outcome[Any]:
        """How a run ends that committed no answer to its validator."""
        validator = self._work.parts.validator
        if validator is None or self._committed or isinstance(outcome, Answered):
            return outcome
        report = validator.unverified()
        if validator.mode == "required":
            return first_standing([outcome, Refused(AnswerValidation(report=report))])
        reason = "no answer was committed"
        self._work.ledger.link_judged("not-run", judge=validator.id, reason=reason)
        return outcome

    async def _candidate(self, said: Said) -> tuple[Any, str]:
        """The answer and its text; a value that a rule fell back to must be admitted first."""
        if said.value is UNSET:
            return said.message["content"], said.message["content"]
        work = self._work
        try:
            text = as_text(said.value)
        except NoJsonForm:  # an answer may be any object
            text = repr_of(said.value, limit=2000).text
        message = {"role": "assistant", "content": text}
        denied = await denial_of(work.parts.middleware, message, "output")
        if denied is not None:
            link = work.ledger.parent
            work.ledger.lost(denied.loss, link=-1 if link is None else link, slot="output")
            raise RunEnd(Refused(denied.verdict))
        work.talk.add([message], -1, "", listed=False)
        return said.value, text

    def _may_revise(self, said: Said) -> bool:
        work = self._work
        asks = work.parts.gate in ("guard", "rails") and said.value is UNSET
        return asks and not work.standing.revised and not work.out_of_calls

    def _ended(self, value: Any, text: str, support: Support | None) -> Outcome[Any]:
        work = self._work
        report = None
        validator = work.parts.validator
        if validator is not None:
            self._committed = True
            digest = work.ledger.digest(value)
            report, checked = validator.judge(value, work.operation, digest=digest)
            if checked is not value or work.ledger.digest(checked) != digest:
                why = "what the checks made of it"
                checked = work.ledger.candidate(checked, (), by=validator.id, why=why)
                value = checked
        if support is not None:
            self._judge_support(support)
        ends: list[Outcome[Any]] = [Answered(value)]
        if report is not None:
            self._judge(report)
            if report.mode == "required" and report.status != "passed":
                ends.append(Refused(AnswerValidation(report=report)))
        if support is not None and support.values and work.parts.gate == "rails":
            ends.append(Refused(self._unsupported(support)))
        outcome = first_standing(ends)
        if isinstance(outcome, Answered):
            self._let_out(text)
        return outcome

    def _let_out(self, text: str) -> None:
        work = self._work
        if work.emit is None:
            return
        if work.parts.holds_back:
            work.emit(Chunk(text=text))
        work.emit(Chunk(usage=work.standing.spent.usage))

    def _unsupported(self, support: Support) -> UnsupportedValues:
        return UnsupportedValues(
            values=support.values,
            candidates=support.candidates,
            revised=self._work.standing.revised,
        )

    def _judge_support(self, support: Support) -> None:
        status = "failed" if support.values else "passed"
        reason = "values that no evidence holds" if support.values else None
        self._work.ledger.judged(status, judge=GATE, issues=support.issues or None, reason=reason)

    def _judge(self, report: ValidationReport) -> None:
        issues = [
            {key: text for key, text in issue.items() if text is not None}
            for check in report.checks
            for issue in check.issues
        ]
        self._work.ledger.judged(
            _STATUS[report.status],
            judge=report.validator,
            issues=issues or None,
            detail=report.model_dump(mode="json"),
        )
