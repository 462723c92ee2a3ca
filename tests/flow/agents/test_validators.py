"""Validators: a pydantic model or checks; what failed, what could not judge."""

import pytest
from pydantic import BaseModel, Field

from explainkit.errors import AnswerValidationError
from explainkit.flow.agents import Agent, after_call, fall_back, tool
from explainkit.flow.checks import CheckResult, Issue
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered, Failed, Refused
from explainkit.flow.verdicts import AnswerValidation, ValidationReport
from explainkit.store.folding import standing

from .agent_runs import Listening, call, ended, rows, terminal


class Claim(BaseModel):
    order: str
    euros: int


class Check:
    def __init__(self, id, result, version=None):  # noqa: A002
        self.id, self.result, self.version, self.seen = id, result, version, []

    def check(self, value, context):
        self.seen.append(value)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


PASSED, FAILED = CheckResult("passed"), CheckResult("failed", [Issue("RUDE", "it is rude", "/0")])
GOOD = '{"order": "A7", "euros": 90}'


def test_a_pydantic_model_reads_the_answer():
    outcome, run = ended(Agent(ScriptedModel([GOOD]), validator=Claim))
    assert outcome == Answered(Claim(order="A7", euros=90))
    (override,) = rows(run, "override")
    assert (override["by"], override["from_version"]) == ("Claim", 1)
    (verdict,) = rows(run, "verdict")
    assert (verdict["status"], verdict["version"], verdict["judge"]) == ("passed", 2, "Claim")
    assert standing(run.recording) == "passing"


def test_an_answer_that_does_not_read_ends_the_run():
    outcome, run = ended(
        Agent(ScriptedModel(['{"order": "A7", "euros": "many"}']), validator=Claim)
    )
    report = outcome.verdict.report
    assert (report.validator, report.mode, report.status) == ("Claim", "required", "failed")
    assert (report.checked, report.failed) == (1, 1)
    assert report.checks[0].issues[0]["path"] == "/euros"
    assert terminal(run) == [("answer-validation", "agent")]
    assert report.candidate == rows(run, "answer")[0]["value"]
    with pytest.raises(AnswerValidationError, match="Claim"):
        Agent(ScriptedModel(["{}"]), validator=Claim).run_sync("x")


def test_the_fields_that_do_not_read_are_named():
    class Trip(BaseModel):
        days: int = Field(gt=0)
        name: str
        stops: list[int]

    said = '{"days": -1, "stops": [1, "two"]}'
    outcome, _ = ended(Agent(ScriptedModel([said]), validator=Trip))
    assert outcome.verdict.message() == (
        'The validator "Trip" did not pass the answer: days: Input should be greater than 0; '
        "name: Field required; stops.1: Input should be a valid integer, unable to parse string as "
        "an integer."
    )
    [report] = outcome.verdict.report.checks
    assert [issue["path"] for issue in report.issues] == ["/days", "/name", "/stops/1"]


def test_an_answer_in_a_fence_is_not_json_and_the_model_is_not_asked_again():
    model = Listening(f"```json\n{GOOD}\n```", GOOD)
    outcome, _ = ended(Agent(model, validator=Claim))
    assert outcome.verdict.report.status == "failed"
    assert model.calls == 1


def test_a_check_that_failed_without_a_word_says_at_least_that():
    outcome, _ = ended(Agent(ScriptedModel(["x"]), validator=Check("c", CheckResult("failed"))))
    assert outcome.verdict.message() == (
        'The validator "c" did not pass the answer: it failed and did not say why.'
    )
    assert outcome.verdict.report.checks[0].issues[0]["code"] == "FAILED"


def test_in_advisory_mode_a_failure_is_recorded_only():
    agent = Agent(ScriptedModel(["no"]), validator=Claim, validator_mode="advisory")
    outcome, run = ended(agent)
    assert outcome == Answered("no")
    (verdict,) = rows(run, "verdict")
    assert (verdict["status"], verdict["version"]) == ("failed", 1)
    assert run.status == "answered"


def test_checks_are_asked_in_order_and_see_what_came_before():
    first = Check("parse", CheckResult("passed", value=["a"]), version="2")
    second = Check("polite", PASSED)
    outcome, run = ended(Agent(ScriptedModel(["text"]), validator=[first, second]))
    assert outcome == Answered(["a"])
    assert (first.seen, second.seen) == (["text"], [["a"]])
    (verdict,) = rows(run, "verdict")
    assert verdict["detail"]["validator"] == "parse, polite"
    assert verdict["detail"]["version"] == "2"


@pytest.mark.parametrize(
    ("results", "status", "checked", "failed", "unreachable"),
    [
        ([PASSED, PASSED], "passed", 2, 0, 0),
        ([PASSED, FAILED], "failed", 2, 1, 0),
        ([CheckResult("unavailable"), FAILED], "failed", 1, 1, 1),
        ([PASSED, CheckResult("unavailable")], "unverified", 1, 0, 1),
        ([CheckResult("not-run")], "unverified", 0, 0, 0),
        ([ValueError("broken")], "unverified", 0, 0, 1),
        ([True], "unverified", 0, 0, 1),
    ],
)
def test_the_report_counts_what_judged(results, status, checked, failed, unreachable):
    checks = [Check(f"c{n}", result) for n, result in enumerate(results)]
    agent = Agent(ScriptedModel(["x"]), validator=checks, validator_mode="advisory")
    _, run = ended(agent)
    detail = rows(run, "verdict")[0]["detail"]
    assert detail["status"] == status
    assert (detail["checked"], detail["failed"], detail["unreachable"]) == (
        checked,
        failed,
        unreachable,
    )


def test_a_check_that_gives_a_bool_is_told_of_and_an_answer_was_committed():
    outcome, run = ended(Agent(ScriptedModel(["x"]), validator=Check("polite", False)))
    assert outcome.verdict.report.status == "unverified"
    told = (
        'The validator "polite" could not judge the answer: it gave False, which is no CheckResult.'
    )
    assert outcome.verdict.message() == told
    assert run.ended_by.message == told


@pytest.mark.parametrize(
    ("failed", "told"), [(1, "1 check failed"), (2, "2 checks failed"), (0, "0 checks failed")]
)
def test_checks_that_failed_without_issues_are_counted(failed, told):
    report = ValidationReport(validator="v", status="failed", failed=failed)
    message = AnswerValidation(report=report).message()
    assert message == f'The validator "v" did not pass the answer: {told}.'


def test_a_check_that_did_not_run_could_not_judge():
    outcome, _ = ended(Agent(ScriptedModel(["x"]), validator=Check("c", CheckResult("not-run"))))
    assert outcome.verdict.message() == (
        'The validator "c" could not judge the answer: no check judged it.'
    )


def test_a_check_that_awaits_could_not_judge():
    class Later:
        id = "later"

        async def check(self, value, context):
            return PASSED

    outcome, _ = ended(Agent(ScriptedModel(["x"]), validator=Later()))
    assert outcome.verdict.report.status == "unverified"
    assert outcome.verdict.report.checks[0].issues[0]["code"] == "AWAITS"


def test_a_run_that_commits_no_answer_is_unverified():
    model = Listening(*[call("look", n=n) for n in range(9)])
    agent = Agent(model, tools=[look], validator=Claim, max_calls=2)
    outcome, run = ended(agent)
    assert isinstance(outcome, Refused)
    assert outcome.verdict.report.status == "unverified"
    assert "No answer was committed" in outcome.verdict.message()
    assert terminal(run) == [("answer-validation", "agent")]


def look(n: int):
    return n


def test_in_advisory_mode_that_is_recorded_as_not_run():
    model = Listening(*[call("look", n=n) for n in range(9)])
    agent = Agent(
        model, tools=[tool(look)], validator=Claim, validator_mode="advisory", max_calls=2
    )
    outcome, run = ended(agent)
    assert type(outcome).__name__ == "Exhausted"
    assert [row["status"] for row in rows(run, "verdict")] == ["not-run"]


def test_an_error_stands_above_a_missing_validation():
    error = TimeoutError("slow")
    assert ended(Agent(Listening(error), validator=Claim))[0] == Failed(error)


def test_without_a_validator_the_answer_stands():
    outcome, run = ended(Agent(ScriptedModel(["x"])))
    assert outcome == Answered("x")
    assert rows(run, "verdict") == []


def test_a_value_that_a_rule_fell_back_to_is_validated_too():
    rules = [after_call(TimeoutError, fall_back({"order": "A", "euros": 1}))]
    agent = Agent(Listening(TimeoutError()), rules=rules, validator=Claim)
    assert ended(agent)[0] == Answered(Claim(order="A", euros=1))


def test_an_answer_that_looks_like_a_refusal_is_an_answer():
    class Looks(BaseModel):
        kind: str
        reason: str

    said = '{"kind": "policy-halt", "reason": "no"}'
    outcome, run = ended(Agent(ScriptedModel([said]), validator=Looks))
    assert outcome == Answered(Looks(kind="policy-halt", reason="no"))
    assert run.status == "answered"
