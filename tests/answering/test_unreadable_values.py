"""A value that breaks whoever looks at it ends its own item at most, and no batch."""

import pytest

from explainkit.answering import CheckResult, MajorityReviewer, OperationContext, Recovery, split
from explainkit.errors import AnswerPortError
from explainkit.store.integrity import doctor
from tests.answering.flow_parts import PASSED, awaited, ends, failed, items, run


class Unbound:
    """As a proxy outside of its context: not even its class can be asked for."""

    def __getattribute__(self, name):
        raise RuntimeError("working outside of context")


UNREADABLE = {
    "unbound": Unbound,
    "status-of-a-list": lambda: {"status": ["failed"]},
    "issue-of-a-text": lambda: CheckResult("failed", ["not good"]),
}


def unbound_for_a(*, items, **_):
    return {each.id: Unbound() if each.id == "a" else "An hour." for each in items}


def test_a_value_that_cannot_be_looked_at_ends_no_batch():
    results = run("ab", generate=unbound_for_a)
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert type(results["a"].value) is Unbound
    assert results["b"].value == "An hour."
    assert doctor(results.run.recording) == []


def test_a_check_may_put_such_a_value_in_place_and_a_fallback_may_supply_it():
    put = run("a", check=lambda **_: CheckResult("passed", value=Unbound()))
    supplied = run("a", check=lambda **_: failed(), fallback=lambda **_: Recovery(True, Unbound()))
    assert ends(put) == {"a": "accepted"}
    assert ends(supplied) == {"a": "fallback"}


@pytest.mark.parametrize("made", UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("port", ["alone", "votes", "split"])
def test_a_verdict_that_cannot_be_read_leaves_the_other_items_reviewed(made, port):
    def review(*, items, **_):
        return {each.item.id: made() if each.item.id == "a" else PASSED for each in items}

    ports = {
        "alone": review,
        "votes": MajorityReviewer([review] * 3, can_invoke=lambda context: True),
        "split": split(review, size=2, at_once=1, can_invoke=lambda context: True),
    }
    results = run("ab", review=ports[port])
    assert [each.reviews[-1].status for each in results] == ["unavailable", "passed"]
    assert doctor(results.run.recording) == []


def test_a_guard_that_gives_such_a_value_is_told_what_to_give():
    with pytest.raises(AnswerPortError, match="returns True or False"):
        run("a", can_invoke=lambda context: Unbound())


def test_the_guard_of_a_split_that_gives_such_a_value_is_told_what_to_give():
    port = split(unbound_for_a, size=1, at_once=1, can_invoke=lambda context: Unbound())
    with pytest.raises(AnswerPortError, match="returns True or False"):
        awaited(port(items=items("a"), repairs={}, previous={}, context=OperationContext()))
