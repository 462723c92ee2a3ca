"""Ready-made checks: what passes, what fails and how it is told, what cannot be judged."""

import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from explainkit.answering import (
    UNSET,
    AnswerChecker,
    CheckResult,
    OperationContext,
    json_schema,
    length,
    names_and_numbers_from,
    no_secret,
    non_empty,
    pattern,
    pydantic_model,
    quotes_from,
)
from explainkit.errors import AnswerFlowError, WeakSecretError
from explainkit.flow import Agent, Refused
from explainkit.flow.checks.asking import result_by
from explainkit.flow.models import ScriptedModel

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
WITH_ID = {"$id": "b", "type": "null"}


def judged(checker, value, app=None):
    result = checker.check(value, OperationContext(app=app))
    return result.status, [each.code for each in result.issues]


PASSED, EMPTY = ("passed", []), ("failed", ["EMPTY"])


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: pattern(None), r"pattern\(None\): give a regular expression"),
        (lambda: pattern(b"a"), r"pattern\(b'a'\): give a regular expression"),
        (lambda: pattern(7), r"pattern\(7\): give a regular expression"),
        (lambda: json_schema(None), "None is no JSON Schema. Give a mapping"),
        (lambda: json_schema([1]), r"\[1\] is no JSON Schema. Give a mapping"),
        (lambda: json_schema({"$schema": 5}), "no valid JSON Schema"),
        (lambda: no_secret(None), "no_secret: a NoneType is no secret. Give each as a text"),
        (lambda: no_secret(["open-sesame-54"]), "no_secret: a list is no secret"),
        (lambda: length(at_most="3"), r"length\(at_most='3'\): give a whole number"),
        (lambda: length(at_least=float("nan")), r"length\(at_least=nan\): give a whole number"),
        (lambda: length(at_most=True), r"length\(at_most=True\): give a whole number"),
    ],
)
def test_a_check_that_cannot_be_made_of_what_is_given_says_what_to_give(made, told):
    with pytest.raises(AnswerFlowError, match=told):
        made()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", PASSED),
        (" \n\t", EMPTY),
        ("", EMPTY),
        ("\u200b\u2028\ufeff\x00", EMPTY),
        ("\u0301", PASSED),
        (None, EMPTY),
        ([], EMPTY),
        ({}, EMPTY),
        ([None], PASSED),
        (0, PASSED),
        (False, PASSED),
    ],
)
def test_non_empty(value, expected):
    assert judged(non_empty(), value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ab", PASSED),
        ("abcd", PASSED),
        ("a", ("failed", ["TOO_SHORT"])),
        ("abcde", ("failed", ["TOO_LONG"])),
        ([1, 2, 3], PASSED),
        (7, ("failed", ["NO_LENGTH"])),
    ],
)
def test_length(value, expected):
    assert judged(length(at_least=2, at_most=4), value) == expected


@pytest.mark.parametrize("bounds", [{}, {"at_least": -1}, {"at_least": 5, "at_most": 4}])
def test_a_length_that_bounds_nothing_is_refused(bounds):
    with pytest.raises(AnswerFlowError, match="bounds nothing"):
        length(**bounds)


def test_a_length_of_nothing_at_all_can_be_asked_for():
    assert judged(length(at_most=0), "") == PASSED
    assert judged(length(at_most=0), "a") == ("failed", ["TOO_LONG"])


FARE = {
    "type": "object",
    "required": ["euros"],
    "properties": {"euros": {"type": "integer"}, "a/b": {"$ref": "#/$defs/word"}},
    "$defs": {"word": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"euros": 54}, PASSED),
        ('{"euros": 54}', PASSED),
        ('{"euros": "54"}', ("failed", ["SCHEMA_TYPE"])),
        ({}, ("failed", ["SCHEMA_REQUIRED"])),
        ("no JSON", ("failed", ["NO_JSON"])),
        ('{"euros": NaN}', ("failed", ["NO_JSON"])),
        ("[" * 100_000, ("failed", ["NO_JSON"])),
        ({"euros": 1, "a/b": 7}, ("failed", ["SCHEMA_TYPE"])),
    ],
)
def test_json_schema(value, expected):
    assert judged(json_schema(FARE), value) == expected


def test_json_schema_points_at_the_place_and_gives_what_it_read():
    found = json_schema(FARE).check({"euros": 1, "a/b": 7}, OperationContext())
    assert found.issues[0].path == "/a~1b"
    assert json_schema(FARE).check('{"euros": 54}', OperationContext()).value == {"euros": 54}
    assert json_schema(FARE).check({"euros": 54}, OperationContext()).value is UNSET


def test_a_text_can_be_judged_as_it_is():
    check = json_schema({"type": "string", "maxLength": 3}, reads_text=False)
    assert judged(check, "{}") == PASSED
    assert judged(check, "long") == ("failed", ["SCHEMA_MAXLENGTH"])


def test_json_schema_says_that_there_are_more_problems():
    status, codes = judged(json_schema({"items": {"type": "string"}}), list(range(50)))
    assert (status, len(codes), codes[-1]) == ("failed", 21, "MORE")


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"$ref": "https://schemas.example/fare.json"}, "'https://schemas.example/fare.json'"),
        ({"properties": {"day": {"$ref": "#/$defs/day"}}}, "'#/$defs/day'"),
        ({"$defs": {"week": {"items": {"$ref": "#day"}}}}, "'#day'"),
        ({"$dynamicRef": "#node"}, "'#node'"),
        ({"$schema": DRAFT_7, "items": {"$ref": "#/definitions/day"}}, "'#/definitions/day'"),
        ({"then": {"$ref": "#/x/y"}, "x": {"y": {"$ref": "#/z"}}}, "'#/z'"),
        ({"$ref": "#/prefixItems/first", "prefixItems": [{}]}, "'#/prefixItems/first'"),
        ({"allOf": [{"$ref": "#/a"}, {"$ref": "#/b"}, {"$ref": "#/a"}]}, "'#/a', '#/b' leads"),
        ({"$ref": "#"}, "'#'"),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
            },
            "",
        ),
    ],
)
def test_a_reference_that_leads_to_no_schema_is_named_when_the_check_is_made(schema, named):
    with pytest.raises(AnswerFlowError, match=f"{re.escape(named)}.* to no schema.*never fetched"):
        json_schema(schema)


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"properties": {"of": {"$ref": "#"}}, "type": "object"}, {"of": {}}, {"of": 1}),
        ({"$ref": "#/$defs/a%25b", "$defs": {"a%b": {"type": "integer"}}}, 1, []),
        (
            {"items": {"$ref": "#day"}, "$defs": {"d": {"$anchor": "day", "type": "null"}}},
            [None],
            [1],
        ),
        (
            {"$id": "https://x.example/a", "items": {"$ref": "b"}, "$defs": {"b": WITH_ID}},
            [None],
            [1],
        ),
        ({"$ref": DRAFT_7}, {"type": "null"}, {"type": 3}),
        ({"const": {"$ref": "#/nowhere"}}, {"$ref": "#/nowhere"}, {}),
        ({"properties": {"$ref": {"type": "null"}}}, {"$ref": None}, {"$ref": 1}),
        (
            {"$schema": DRAFT_7, "definitions": {"n": {"type": "null"}}, "$ref": "#/definitions/n"},
            None,
            1,
        ),
    ],
)
def test_a_reference_into_the_schema_is_followed(schema, good, bad):
    check = json_schema(schema)
    assert judged(check, good)[0] == "passed"
    assert judged(check, bad)[0] == "failed"


def test_what_is_no_schema_is_refused():
    with pytest.raises(
        AnswerFlowError, match=r"json_schema\('json-schema'\).*no valid JSON Schema"
    ):
        json_schema({"type": "nonsense"})


class Fare(BaseModel):
    euros: int


def test_pydantic_model():
    check = pydantic_model(Fare)
    assert check.id == "Fare"
    assert check.check('{"euros": 54}', OperationContext()).value == Fare(euros=54)
    assert judged(check, '{"euros": "many"}') == ("failed", ["int_parsing"])
    assert judged(check, "no JSON") == ("failed", ["json_invalid"])
    with pytest.raises(AnswerFlowError, match="BaseModel"):
        pydantic_model(dict)


@pytest.mark.parametrize(
    ("expression", "value", "expected"),
    [
        (r"^[A-Z]\d+$", "A7", PASSED),
        (r"^[A-Z]\d+$", "A7\n", ("failed", ["NO_MATCH"])),
        (r"\d", "page 7 of 9", PASSED),
        (r"(?i)euro", "54 EURO", PASSED),
        (r"\d", 7, ("failed", ["NO_TEXT"])),
        (r".", "a\ud800", ("unavailable", ["BROKEN_TEXT"])),
        (r".", "a" * 1_000_001, ("unavailable", ["TOO_LONG"])),
        (r"^(a+)+$", "a" * 500_000 + "b", ("failed", ["NO_MATCH"])),
        (r"^(a|a)*b$", "a" * 500_000, ("failed", ["NO_MATCH"])),
    ],
)
def test_pattern(expression, value, expected):
    assert judged(pattern(expression), value) == expected


@pytest.mark.parametrize("expression", [r"a(", r"(?=a)b", r"(a)\1", r"x{1000}{1000}"])
def test_a_pattern_that_could_not_be_run_in_time_is_refused(expression):
    with pytest.raises(AnswerFlowError, match="look-around"):
        pattern(expression)


KEY = "sk-abcdefghij0123456789"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Half of the fare.", PASSED),
        (f"Use {KEY}.", ("failed", ["SECRET"])),
        ({"note": {"password": "hunter2x"}}, ("failed", ["SECRET"])),
        (["ok", f"Bearer {KEY}"], ("failed", ["SECRET"])),
        (f"{KEY} and ghp_{'a1' * 12}", ("failed", ["SECRET", "SECRET"])),
        ("The key is [redacted:api-key#1].", PASSED),
        ({"n": 7}, PASSED),
        (object(), ("unavailable", ["NOT_SEEN_WHOLE"])),
    ],
)
def test_no_secret(value, expected):
    assert judged(no_secret(), value) == expected


def test_no_secret_never_tells_it():
    result = no_secret("tulip-garden").check(f"{KEY} tulip-garden", OperationContext())
    assert [each.message for each in result.issues] == [
        "it holds a secret: api-key",
        "it holds a secret: secret",
    ]
    assert judged(no_secret("tulip-garden"), "dHVsaXAtZ2FyZGVu") == ("failed", ["SECRET"])
    with pytest.raises(WeakSecretError):
        no_secret("ab")


def test_names_and_numbers_stand_in_the_evidence():
    check = names_and_numbers_from(["Pay Mia Li 540 EUR.", {"days": 31}])
    assert judged(check, "Mia Li gets 540.00 EUR within 31 days.") == PASSED
    assert judged(check, {"total": 450, "to": "for Mia Lo"}) == ("failed", ["UNSUPPORTED"] * 2)
    assert judged(names_and_numbers_from([]), "It is 7.") == ("failed", ["UNSUPPORTED"])


def test_quotes_stand_in_a_source():
    check = quotes_from(["You get half\u00a0of the fare. It isn't much."])
    assert judged(check, "It says “half of the fare” and 'no' more.") == PASSED
    assert judged(check, 'It says "isn’t much".') == PASSED
    assert judged(check, "No quotation.") == PASSED
    assert judged(check, 'It says "half the fare".') == ("failed", ["MISQUOTED"])
    assert judged(check, {"said": ["“Half of the fare”"]}) == ("failed", ["MISQUOTED"])
    assert judged(check, 'It says "half of the fare.') == ("failed", ["UNCLOSED"])


def test_a_quotation_longer_than_a_line_is_checked_too():
    source = "The passenger is paid half of the fare. " * 30
    check = quotes_from([source])
    assert judged(check, f"“{source.strip()}”") == PASSED
    assert judged(check, f"“{source.replace('half', 'all', 1).strip()}”") == (
        "failed",
        ["MISQUOTED"],
    )


@pytest.mark.parametrize("made", [names_and_numbers_from, quotes_from])
def test_sources_can_come_from_the_context(made):
    check = made(lambda context: context.app["sources"])
    value = "It says “7 EUR”."
    assert judged(check, value, app={"sources": ["7 EUR"]}) == PASSED
    assert judged(check, value, app={"sources": ["8 EUR"]})[0] == "failed"
    missing = result_by(check, value, OperationContext(app={}))
    assert missing.status == "unavailable"
    one_text = result_by(check, value, OperationContext(app={"sources": "7 EUR"}))
    assert one_text.status == "unavailable"
    with pytest.raises(AnswerFlowError, match="give a list"):
        made("7 EUR")


READY = [
    non_empty(),
    length(at_least=1, at_most=9),
    json_schema({"type": "object"}),
    pydantic_model(Fare),
    pattern("a"),
    no_secret(),
    names_and_numbers_from(["Mia Li, 7"]),
    quotes_from(["half of the fare"]),
]
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("checker", READY, ids=lambda each: each.id)
@given(value=ANY)
def test_a_ready_made_check_judges_any_value_without_raising(checker, value):
    result = checker.check(value, OperationContext())
    assert isinstance(result, CheckResult)
    assert (result.status == "passed") == (not result.issues)


def test_an_id_of_your_own_is_kept():
    made = [
        non_empty(id="a"),
        length(at_most=1, id="b"),
        json_schema({}, id="c"),
        pydantic_model(Fare, id="d"),
        pattern("a", id="e"),
        no_secret(id="f"),
        names_and_numbers_from([], id="g"),
        quotes_from([], id="h"),
    ]
    assert "".join(each.id for each in made) == "abcdefgh"


def test_a_checker_is_a_validator_of_an_agent_too():
    checks = [non_empty(), length(at_most=5)]
    assert Agent(ScriptedModel(["short"]), validator=checks).run_sync("x") == "short"


def test_a_checker_says_what_it_is_not():
    with pytest.raises(ValueError, match="callable"):
        AnswerChecker("x", "no function")


def test_a_failed_checker_refuses_the_answer_of_an_agent():
    outcome = asyncio.run(
        Agent(ScriptedModel([f"Use {KEY}."]), validator=[no_secret()]).outcome("x")
    )
    assert isinstance(outcome, Refused)
