"""What a check says is read strictly: one that breaks, awaits or mumbles could not judge."""

import pytest
from pydantic import BaseModel

from explainkit.flow.checks import UNSET, CheckResult, Issue, OperationContext
from explainkit.flow.checks.asking import read_result, result_by
from explainkit.flow.checks.model_checks import ModelCheck


class Check:
    id = "check"

    def __init__(self, given):
        self.given = given

    def check(self, value, context):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


def asked(given):
    result = result_by(Check(given), "text", OperationContext())
    return result.status, [each.code for each in result.issues]


async def later():
    return CheckResult("passed")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (CheckResult("passed"), ("passed", [])),
        (CheckResult("failed", [Issue("RUDE", "it is rude")]), ("failed", ["RUDE"])),
        (
            {"status": "failed", "issues": [{"code": "RUDE", "message": "it is"}]},
            ("failed", ["RUDE"]),
        ),
        ({"status": "not-run"}, ("not-run", [])),
        (ValueError("no"), ("unavailable", ["RAISED"])),
        (True, ("unavailable", ["NO_RESULT"])),
        (None, ("unavailable", ["NO_RESULT"])),
        (CheckResult("fine"), ("unavailable", ["NO_RESULT"])),
        ({"status": "passed", "score": 1}, ("unavailable", ["NO_RESULT"])),
        ({"issues": []}, ("unavailable", ["NO_RESULT"])),
        ({"status": "failed", "issues": "bad"}, ("unavailable", ["NO_RESULT"])),
        ({"status": "failed", "issues": [{"code": "X"}]}, ("unavailable", ["NO_RESULT"])),
        (
            {"status": "failed", "issues": [{"code": 1, "message": "x"}]},
            ("unavailable", ["NO_RESULT"]),
        ),
        ({"status": ["passed"]}, ("unavailable", ["NO_RESULT"])),
    ],
)
def test_what_a_check_gives_is_read_or_could_not_judge(given, expected):
    assert asked(given) == expected


def test_a_check_that_awaits_could_not_judge_and_is_closed():
    waiting = later()
    assert asked(waiting) == ("unavailable", ["AWAITS"])
    assert waiting.cr_frame is None


def test_a_mapping_keeps_its_value_and_none_is_one():
    assert read_result({"status": "passed", "value": None}).value is None
    assert read_result({"status": "passed"}).value is UNSET


def test_an_error_is_told_with_its_type():
    result = result_by(Check(TimeoutError("no reply in 30 s")), "", OperationContext())
    assert result.issues[0].message == "it raised TimeoutError: no reply in 30 s"
    silent = result_by(Check(TimeoutError()), "", OperationContext())
    assert silent.issues[0].message == "it raised TimeoutError"


class Claim(BaseModel):
    order: str
    euros: dict[str, int]


def test_a_model_reads_text_as_json_and_points_at_what_does_not_fit():
    check = ModelCheck(Claim)
    good = check.check('{"order": "A7", "euros": {"a": 1}}', OperationContext())
    assert good == CheckResult("passed", value=Claim(order="A7", euros={"a": 1}))
    bad = check.check({"order": "A7", "euros": {"a/b": "many"}}, OperationContext())
    assert (bad.status, bad.issues[0].path) == ("failed", "/euros/a~1b")
