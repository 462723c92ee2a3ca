"""What a newcomer does wrong is told with what to do instead."""

import re

import pytest

from explainkit.answering import (
    AnswerFlowDefinition,
    CheckResult,
    Issue,
    define_answer_check_catalog,
    define_answer_flow,
    non_empty,
)
from explainkit.answering.review_replies import read_reviews
from explainkit.errors import AnswerBatchError, AnswerFlowError, UnknownRecordError
from explainkit.flow import Agent
from explainkit.flow.models import ScriptedModel
from tests.answering.flow_parts import PASSED, codes, definition, failed, flow_of, items, run


def missing_key(**_):
    return {}["missing"]


HERE = re.compile(r"KeyError: 'missing' \(test_told_problems\.py:\d+ in missing_key\)")


@pytest.mark.parametrize(
    "ports",
    [
        {"generate": missing_key, "max_repairs": 0},
        {"check": missing_key},
        {"review": missing_key},
        {"can_invoke": lambda context: missing_key()},
        {"check": lambda **_: failed(), "max_repairs": 0, "fallback": missing_key},
    ],
    ids=["generate", "check", "review", "guard", "fallback"],
)
def test_what_a_port_raises_is_told_with_its_line(ports):
    results = run("a", **ports)
    told = " ".join(issue.message for issue in results["a"].issues) + results["a"].reason
    assert HERE.search(told)


def test_an_error_has_no_cause_that_is_none_of_its_own():
    seen = []

    def generate(**_):
        try:
            missing_key()
        except KeyError as error:
            seen.append(error)
            raise

    run("a", generate=generate)
    assert seen[0].__context__ is None


def test_ids_that_were_not_asked_for_are_named():
    results = run("a", generate=lambda **_: {"A": 1, 7: 2}, max_repairs=0)
    assert codes(results["a"]) == ["NO_VALUE"]
    assert results["a"].issues[0].message == (
        "generate gave no value for 'a'; it named 'A', 7, which it was not asked for"
    )


def test_an_agent_as_generate_is_told_what_is_missing():
    results = run("a", generate=Agent(ScriptedModel(["An hour."])), max_repairs=0)
    assert "Let it give a mapping from item ids to values" in results["a"].issues[0].message
    assert "step after an Agent" in results["a"].issues[0].message


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (True, 'True. Let it give CheckResult("passed"), or CheckResult("failed", [Issue('),
        (
            CheckResult("ok"),
            "'ok' as its status, which is none of passed, failed, unavailable, not",
        ),
        ({"status": ["failed"]}, "['failed'] as its status, which is none of"),
        (CheckResult("failed", "too short"), "'too short' as its issues, which is no list"),
        (CheckResult("failed", ["too short"]), "'too short' among its issues, which is no Issue("),
        (CheckResult("failed", [Issue("A", 7)]), "Issue(code='A', message=7, path=None) among"),
    ],
)
def test_what_is_no_result_is_told_with_what_is_wrong(given, told):
    results = run("a", check=lambda **_: given)
    assert f"check gave {told}" in results["a"].issues[0].message
    results = run("a", review=lambda **_: {"a": given})
    assert f"review gave for 'a' {told}" in results["a"].issues[0].message


def test_a_value_that_cannot_be_one_is_told_in_the_reason_and_on_the_ladder():
    typed = AnswerFlowDefinition[dict, int, None](
        **dict(definition(generate=lambda **_: {"a": "many"}, max_repairs=0))
    )
    results = define_answer_flow(typed).run_sync(input_ids=["in"], items=items("a"))
    assert results["a"].reason.startswith("the value cannot be one: ")
    assert "round 1  no value   generate gave what cannot be one: " in results.ladder("a").text()


@pytest.mark.parametrize(
    ("ports", "told"),
    [
        ({"can_invoke": lambda: True}, r"can_invoke=.* cannot be called so: .*it take \(context\)"),
        (
            {"generate": lambda items: {}},
            r"generate=.*Let it take \(\*, items, repairs, previous, c",
        ),
        ({"check": lambda value: PASSED}, r"check=.*Let it take \(\*, item, value, context\)"),
        ({"review": lambda *, items: {}}, r"review=.*Let it take \(\*, items, context\)"),
        ({"fallback": lambda item: None}, r"fallback=.*Let it take \(\*, item, issues, context\)"),
        (
            {"observe": lambda stage: None},
            r"observe=.*Let it take \(\*, stage_id, results, context",
        ),
        ({"check": non_empty()}, r"lambda \*, item, value, context: it.check\(value, context\)"),
        (
            {"check": define_answer_check_catalog([non_empty()])},
            r"it.check\(check_ids=\[\.\.\.\], value=value, context=context\)",
        ),
    ],
)
def test_a_port_that_could_never_be_called_is_refused_with_its_keywords(ports, told):
    with pytest.raises(AnswerFlowError, match=told):
        flow_of(**ports)


def test_a_dict_that_is_no_item_is_told_with_all_that_is_wrong_and_nothing_else():
    wrong = {"id": "a", "inputs": ["in"], "source_status": "ready", "data": 1}
    with pytest.raises(AnswerBatchError) as caught:
        run(batch=[wrong])
    assert caught.value.problems[0] == (
        "the item 'a' is no AnswerItem: input_ids: Field required; it has no field 'inputs'"
    )
    with pytest.raises(AnswerBatchError, match="it has no field 'extra'"):
        run(batch=[{"id": "a", "input_ids": ["in"], "source_status": "r", "data": 1, "extra": 2}])


def test_what_is_no_list_of_items_is_the_only_problem():
    with pytest.raises(AnswerBatchError) as caught:
        flow_of().run_sync(input_ids=["in"], items=None)
    assert caught.value.problems == ("items is None, and is to be a list",)


def test_what_is_no_entry_of_a_catalog_is_told_how_to_make_one():
    with pytest.raises(AnswerFlowError, match="Call it, if it makes a check; else give it in a"):
        define_answer_check_catalog([non_empty])


def test_a_reply_of_a_reviewer_is_told_by_its_own_words():
    found = read_reviews('{"a": {"status": "pass"}}', ["a"])["a"]
    assert "'passed', 'failed'" in found.issues[0].message
    assert "_" not in found.issues[0].message
    assert "begins 'Looks good'" in read_reviews("Looks good", ["a"])["a"].issues[0].message


def test_results_tell_which_ids_there_are():
    results = run("ab")
    assert "a" in results
    assert "zz" not in results
    assert results[0] in results
    with pytest.raises(KeyError, match="Known are: 'a', 'b'"):
        results["zz"]
    with pytest.raises(UnknownRecordError, match="Known are: 'a', 'b'"):
        results.ladder("zz")
