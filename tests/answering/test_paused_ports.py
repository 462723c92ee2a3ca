"""A port that pauses: the flow does not wait, and says so, wherever it stands."""

import asyncio

import pytest

from explainkit.answering import CheckResult, MajorityReviewer, Recovery, split
from explainkit.flow import (
    Answered,
    Parallel,
    Sequence,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.store.integrity import doctor
from tests.answering.flow_parts import codes, ends, failed, flow_of, items, link_rows, run

CANNOT = "and an answer flow cannot wait"


def waiting():
    ok = define_event("ok", "It is fine.", audience="external")
    stands = machine(
        "waiting",
        events=[ok],
        actors={"person": gate(ok)},
        initial="open",
        states={"open": state(invoke=invoke("person"), on={"ok": to("end")}), "end": final()},
    )
    return Sequence(lambda given: {}, stands)


def test_a_generate_that_pauses_has_failed_and_says_why():
    results = run("a", generate=waiting(), fallback=lambda **_: Recovery(True, "Ask."))
    assert (results["a"].status, results["a"].rounds) == ("fallback", 2)
    assert codes(results["a"]) == ["GENERATE_FAILED"]
    assert CANNOT in results["a"].issues[0].message
    assert CANNOT in results.ladder("a").text()
    assert doctor(results.run.recording) == []


@pytest.mark.parametrize(("policy", "end"), [("optional", "accepted"), ("required", "blocked")])
def test_a_review_that_pauses_is_unresolved(policy, end):
    results = run("a", review=waiting(), review_policy=policy)
    assert results["a"].status == end
    assert codes(results["a"]) == ["PAUSED"]
    assert results["a"].reviews[0].status == "unavailable"
    assert CANNOT in results["a"].issues[0].message


def test_a_fallback_that_pauses_did_not_handle_the_item():
    results = run("a", check=lambda **_: failed(), fallback=waiting(), max_repairs=0)
    assert results["a"].status == "blocked"
    assert CANNOT in results["a"].reason


def test_an_observer_that_pauses_changes_nothing():
    assert ends(run("a", observe=waiting())) == {"a": "accepted"}


def test_a_call_of_split_or_a_vote_that_pauses_says_so():
    def always(context):
        return True

    results = run("a", generate=split(waiting(), size=1, at_once=1, can_invoke=always))
    assert CANNOT in results["a"].issues[0].message
    review = MajorityReviewer([waiting()], can_invoke=always)
    results = run("a", review=review)
    assert results["a"].reviews[0].status == "unavailable"
    assert any(CANNOT in issue.message for issue in results["a"].issues)


@pytest.mark.parametrize("port", ["generate", "review"])
@pytest.mark.parametrize(
    "compose", [lambda flow: Sequence(flow), lambda flow: Parallel({"x": flow, "y": len})]
)
def test_a_flow_in_a_composition_answers_although_a_port_of_it_pauses(compose, port):
    batch = {"input_ids": ["in"], "items": items("a")}
    outcome = asyncio.run(compose(flow_of(**{port: waiting()})).outcome(batch))
    assert isinstance(outcome, Answered)


def test_the_machine_that_waited_is_on_record_as_paused():
    results = run("a", generate=waiting(), max_repairs=0)
    (link,) = link_rows(results.run, "generate")
    rows = {row["link"]: row["status"] for row in results.run.recording.rows("link_closed")}
    assert rows[link["seq"]] == "error"
    assert "paused" in rows.values()


def test_a_result_that_a_paused_review_left_is_a_plain_result():
    results = run("a", review=waiting())
    assert results["a"].reviews == (CheckResult("unavailable", results["a"].issues),)
