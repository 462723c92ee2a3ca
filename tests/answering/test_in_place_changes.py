"""A value that somebody changes in place: what is delivered is what the record holds."""

import pytest

from explainkit.answering import AnswerFlowDefinition, CheckResult, Recovery, define_answer_flow
from explainkit.store.integrity import doctor
from tests.answering.flow_parts import PASSED, codes, definition, ends, failed, items, run


def drafts(*, items, **_):
    return {each.id: {"text": each.id, "seen": []} for each in items}


def effective(results, item):
    """The last value of an item's slot as the record holds it."""
    record = results.run.recording
    rows = [row for row in record.rows("answer", "override") if row["slot"] == f"item:{item}"]
    return record.values.object(rows[-1]["value"])


def marked(by):
    def check(*, value, **_):
        value["seen"].append(by)
        return PASSED

    return check


def test_a_check_that_changes_a_value_in_place_and_passes_has_given_it():
    results = run("a", generate=drafts, check=marked("check"))
    assert results[0].value == {"text": "a", "seen": ["check"]} == effective(results, "a")
    overrides = results.run.overrides
    assert list(overrides["by"]) == ["check"]
    assert list(overrides["reason"]) == ["the check passed, and changed it in place"]
    assert (overrides["before"][0], overrides["after"][0]) == (
        '{"text":"a","seen":[]}',
        '{"text":"a","seen":["check"]}',
    )
    assert "round 1  value" in results.ladder("a").text()


def test_a_check_that_gives_the_object_that_it_changed_has_changed_it_once():
    def check(*, value, **_):
        value["seen"].append("check")
        return CheckResult("passed", value=value)

    results = run("a", generate=drafts, check=check)
    assert results[0].value["seen"] == ["check"]
    assert effective(results, "a") == results[0].value
    assert len(results.run.overrides) == 1


def test_a_check_that_changes_nothing_makes_no_version():
    results = run("a", generate=drafts, check=lambda *, value, **_: value and PASSED)
    assert len(results.run.overrides) == 0


def test_a_check_that_changes_a_value_in_place_and_fails_hands_on_what_is_recorded():
    asked = []

    def generate(*, items, repairs, previous, context):
        asked.append({each: dict(value) for each, value in previous.items()})
        return drafts(items=items)

    def check(*, value, **_):
        value["seen"].append("check")
        return failed()

    results = run("a", generate=generate, check=check)
    assert asked == [{}, {"a": {"text": "a", "seen": ["check"]}}]
    assert list(results.run.overrides["by"]) == ["check", "repair", "check"]
    assert list(results.run.overrides["before"])[1] == '{"text":"a","seen":["check"]}'
    assert results[0].status == "blocked"


def test_a_changed_value_of_a_wrong_type_is_not_delivered():
    def check(*, value, **_):
        value.append("two")
        return PASSED

    ports = dict(definition(generate=lambda **_: {"a": [1]}, check=check))
    flow = define_answer_flow(AnswerFlowDefinition[dict, list[int], None](**ports))
    results = flow.run_sync(input_ids=["in"], items=items("a"))
    assert (results[0].status, results[0].checks[0].status) == ("blocked", "unavailable")


@pytest.mark.parametrize("said", ["passed", "failed", "unavailable", "raises"])
@pytest.mark.parametrize("policy", ["optional", "required"])
def test_what_a_review_changes_in_place_is_not_accepted(policy, said):
    rounds = []

    def review(*, items, context):
        rounds.append(len(items))
        if len(rounds) == 1:
            items[0].value["seen"].append("review")
            if said == "raises":
                raise ValueError("no verdict")
            return {"a": CheckResult(said), "b": PASSED}
        return {entry.item.id: PASSED for entry in items}

    results = run("ab", generate=drafts, review=review, review_policy=policy)
    a = results["a"]
    assert (a.status, a.rounds, a.value["seen"]) == ("accepted", 2, [])
    assert effective(results, "a") == a.value
    assert [issue.code for issue in a.reviews[0].issues][-1] == "CHANGED_IN_PLACE"
    assert a.reviews[0].status == "failed"
    assert list(results.run.overrides["by"]) == ["review", "repair"]
    assert doctor(results.run.recording) == []


def test_a_review_that_changes_values_in_every_round_leads_to_the_fallback():
    def review(*, items, context):
        for entry in items:
            entry.value["seen"].append("review")
        return {entry.item.id: PASSED for entry in items}

    results = run("a", generate=drafts, review=review, fallback=lambda **_: Recovery(True, "Ask."))
    assert (results[0].status, results[0].value) == ("fallback", "Ask.")
    assert codes(results[0]) == ["CHANGED_IN_PLACE"]


def test_an_object_that_two_items_share_is_delivered_for_none_that_it_changed_after():
    def shared(*, items, repairs, **_):
        one = {"text": "both", "seen": []}
        return {each.id: one for each in items} if not repairs else drafts(items=items)

    def check(*, item, value, **_):
        value["seen"].append(item.id)
        return PASSED

    results = run("ab", generate=shared, check=check)
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert results["a"].value == {"text": "a", "seen": ["a"]}
    assert results["b"].value["seen"] == ["a", "b"]
    assert [each.rounds for each in results] == [2, 1]
    assert results["a"].value == effective(results, "a")


def test_what_an_observer_changes_after_the_end_is_recorded_and_said():
    def observe(*, stage_id, results, context):
        if stage_id == "done":
            results[0].value["seen"].append("observe")

    results = run("ab", generate=drafts, observe=observe)
    assert results["a"].value["seen"] == ["observe"]
    assert effective(results, "a") == results["a"].value
    assert codes(results["a"]) == ["CHANGED_IN_PLACE"]
    assert "changed in place after its end" in results["a"].reason
    assert (results["a"].status, codes(results["b"])) == ("accepted", [])
    assert "override   by unknown" in results.ladder("a").text()
    assert doctor(results.run.recording) == []


def test_a_value_that_reads_otherwise_each_time_was_changed_by_nobody():
    class Counting:
        def __init__(self):
            self.read = 0

        def __repr__(self):
            self.read += 1
            return f"read {self.read} times"

    results = run("a", generate=lambda **_: {"a": Counting()}, check=lambda **_: PASSED)
    assert (results[0].status, codes(results[0])) == ("accepted", [])
    assert len(results.run.overrides) == 0
