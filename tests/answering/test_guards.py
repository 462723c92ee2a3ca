"""A guard that says no is told to each item that it holds up, and on its ladder."""

import pytest

import explainkit as ek
from explainkit.answering import CheckResult, MajorityReviewer, Recovery, split
from explainkit.store.integrity import doctor
from tests.answering.flow_parts import PASSED, codes, copied, ends, failed, link_rows, run


def rungs(results, item, what="guard"):
    return [
        (rung.round, rung.text)
        for rung in results.ladder(item).ladders[0].rungs
        if rung.what == what
    ]


def reviewing(*, items, **_):
    return {entry.item.id: PASSED for entry in items}


def test_a_guard_that_says_no_before_generate_is_on_the_ladder_of_each_item_asked():
    allowed = iter([True, False])
    results = run(
        "ab",
        can_invoke=lambda context: next(allowed),
        check=lambda *, item, **_: failed() if item.id == "b" else PASSED,
    )
    assert rungs(results, "a") == []
    assert rungs(results, "b") == [(2, "can_invoke does not allow generate:2")]
    assert results.ladder("b").text().split("\n")[3] == (
        "  round 2  guard      can_invoke does not allow generate:2"
    )
    assert "guard" in results.ladder("b").to_html()


def test_a_guard_that_says_no_before_review_is_on_the_ladder():
    allowed = iter([True, False])
    results = run("a", can_invoke=lambda context: next(allowed), review=reviewing)
    assert rungs(results, "a") == [(1, "can_invoke does not allow review:1")]
    assert rungs(results, "a", "review") == [(1, "can_invoke does not allow review:1")]


def test_a_guard_that_raises_is_told_as_such():
    def can_invoke(context):
        raise OSError("no meter")

    results = run("a", can_invoke=can_invoke, fallback=lambda **_: Recovery(True, "Ask."))
    assert rungs(results, "a") == [(1, "can_invoke raised before generate:1: OSError: no meter")]
    assert codes(results["a"]) == ["GUARD_FAILED"]
    assert results["a"].reason.startswith("the guard raised, so no call is allowed")


def test_a_ladder_tells_the_guard_of_an_opened_file_too(tmp_path):
    results = run("a", can_invoke=lambda context: False)
    results.run.save(tmp_path / "run.ek.jsonl")
    from explainkit.view.ladder_rungs import ladders_of

    (ladder,) = ladders_of(ek.load(tmp_path / "run.ek.jsonl").recording)
    assert [rung.what for rung in ladder.rungs] == ["guard", "fallback", "blocked"]


def two_of(names, **ports):
    """A flow that splits its calls and allows two of them."""
    calls = []

    async def generate(*, items, **given):
        calls.append(1)
        return copied(items=items)

    guard = ports.pop("guard", lambda context: len(calls) < 2)
    port = split(generate, size=1, at_once=1, can_invoke=guard)
    return run(names, generate=port, **ports)


def test_a_call_of_split_that_is_not_allowed_is_a_budget_and_no_missing_value():
    results = two_of("abc", fallback=lambda **_: Recovery(True, "Ask."))
    assert ends(results) == {"a": "accepted", "b": "accepted", "c": "fallback"}
    assert codes(results["c"]) == ["BUDGET"]
    assert results["c"].issues[0].message == "can_invoke does not allow call 3 of 3"
    assert (results["c"].rounds, results["a"].rounds) == (0, 1)
    assert results["c"].reason.startswith("no further call is allowed")
    assert rungs(results, "c") == [(1, "can_invoke does not allow call 3 of 3")]
    assert rungs(results, "c", "no value") == []
    assert doctor(results.run.recording) == []


def test_a_budget_that_ends_within_a_repair_keeps_what_was_found():
    results = two_of("ab", check=lambda **_: failed())
    assert codes(results["b"]) == ["BAD", "BUDGET"]
    assert [each.rounds for each in results] == [1, 1]


def test_a_guard_of_split_that_raises_is_told_as_such():
    results = two_of("a", guard=lambda context: 1 / 0)
    assert codes(results["a"]) == ["GUARD_FAILED"]
    assert "ZeroDivisionError" in results["a"].issues[0].message
    assert "ZeroDivisionError" in rungs(results, "a")[0][1]


def test_a_call_of_split_that_fails_tells_its_items_why():
    def generate(*, items, **_):
        if items[0].id == "b":
            raise TimeoutError("rate limit")
        return copied(items=items)

    port = split(generate, size=1, at_once=2, can_invoke=lambda context: True)
    results = run("ab", generate=port)
    assert ends(results) == {"a": "accepted", "b": "blocked"}
    assert codes(results["b"]) == ["GENERATE_FAILED"]
    assert "TimeoutError: rate limit" in results["b"].issues[0].message
    assert [round_ for round_, _ in rungs(results, "b", "no value")] == [1, 2]
    assert "rate limit" in rungs(results, "b", "no value")[0][1]


def test_each_item_is_told_the_error_of_its_own_call_when_every_call_failed():
    def generate(*, items, **_):
        raise RuntimeError(f"invalid key of {items[0].id}")

    port = split(generate, size=1, at_once=2, can_invoke=lambda context: True)
    results = run("ab", generate=port, max_repairs=0)
    for name in "ab":
        assert codes(results[name]) == ["GENERATE_FAILED"]
        assert f"invalid key of {name}" in results[name].issues[0].message
        ((_, told),) = rungs(results, name, "no value")
        assert f"RuntimeError: invalid key of {name}" in told


def test_a_call_of_split_that_gives_no_mapping_is_told_what_to_give():
    port = split(lambda **_: "An hour.", size=1, at_once=1, can_invoke=lambda context: True)
    results = run("ab", generate=port, max_repairs=0)
    assert results["b"].issues[0].message == (
        "call 2 of 2 of generate failed: it gave 'An hour.'. Let it give a mapping from item ids."
    )


def test_votes_that_are_not_allowed_are_on_the_ladder():
    review = MajorityReviewer([reviewing] * 2, can_invoke=lambda context: False)
    results = run("a", review=review)
    assert [each.status for each in results["a"].reviews] == ["not-run"]
    assert [text for _, text in rungs(results, "a")] == [
        "can_invoke does not allow call 1 of 2",
        "can_invoke does not allow call 2 of 2",
    ]


def test_a_guard_that_says_yes_leaves_no_rung():
    results = run("a", review=reviewing)
    assert rungs(results, "a") == []
    assert len(link_rows(results.run, "guard")) == 2


@pytest.mark.parametrize("policy", ["optional", "required"])
def test_a_split_review_without_budget_is_told_and_settled_by_its_policy(policy):
    port = split(reviewing, size=1, at_once=1, can_invoke=lambda context: False)
    results = run("a", review=port, review_policy=policy)
    assert results["a"].reviews == (CheckResult("not-run", results["a"].reviews[0].issues),)
    assert codes(results["a"]) == ["BUDGET"]
    assert results["a"].status == ("accepted" if policy == "optional" else "blocked")
    assert [text for _, text in rungs(results, "a")] == ["can_invoke does not allow call 1 of 1"]
