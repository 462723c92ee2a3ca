"""Patterns from the same parts: the vote, the map with a reduction, the router."""

import pytest

from explainkit.errors import PolicyHaltError, UndecidedError
from explainkit.flow.compositions import map_reduce, router, self_consistency
from explainkit.flow.outcomes import Answered, Refused
from tests.flow.compositions.scripts import (
    HALT,
    Scripted,
    answers,
    decisions,
    echoes,
    outcome,
    path,
    played,
    reads,
    refuses,
    statuses,
)


def votes(*replies):
    return Scripted(*(Answered(reply) for reply in replies))


@pytest.mark.parametrize(
    ("replies", "winner"),
    [
        (["4", "5", "4"], "4"),
        (["5", "4", "4"], "4"),
        (["a", "b", "c"], "a"),
        ([{"x": 1}] * 3, {"x": 1}),
    ],
)
def test_most_votes_win_and_the_first_of_equals(replies, winner):
    assert outcome(self_consistency(votes(*replies), votes=3), "?") == Answered(winner)


def test_a_key_says_what_equal_answers_are():
    runner = votes("no", "Yes", "yes ")
    whole = self_consistency(runner, votes=3, key=lambda text: text.strip().lower())
    assert outcome(whole) == Answered("Yes")


def test_every_vote_is_given_the_same_input_and_is_on_the_record():
    runner = votes("4", "5", "4")
    _, recording = played(self_consistency(runner, votes=3, name="vote"), "2 + 2?")
    assert runner.given == ["2 + 2?"] * 3
    assert [name for name, _ in statuses(recording)] == ["vote", "Agent", "Agent", "Agent", "most"]


def test_answers_are_reduced_in_the_order_of_the_items():
    assert outcome(map_reduce(lambda n: n * 2, list), [3, 1, 2]) == Answered([6, 2, 4])
    assert outcome(map_reduce(echoes(), list), ()) == Answered([])


def test_each_item_says_where_in_the_input_it_stands():
    _, recording = played(map_reduce(echoes(), list), ["a text", "another"])
    came = [
        place.get("path")
        for row in recording.rows("link_opened")
        if row["name"] == "Agent"
        for place in row["inputs"][0]["from"]
    ]
    assert came == ["/0", "/1"]


def test_an_item_that_ends_on_a_verdict_fails_the_whole_with_its_number():
    each = Scripted(lambda n: Refused(HALT) if n == 2 else Answered(n))
    group = outcome(map_reduce(each, list), [1, 2, 3]).error
    assert group.failed == ("2",)
    assert isinstance(group.exceptions[0], PolicyHaltError)
    assert path(group.exceptions[0]) == "map_reduce.2 > Agent"


def test_the_route_is_given_the_input_and_the_choice_is_on_the_record():
    refund, other = echoes(), echoes()
    whole = router(answers("refund"), {"other": other, "refund": refund})
    found, recording = played(whole, "I want my money back")
    assert found == Answered("I want my money back")
    assert (refund.runs, other.runs) == (1, 0)
    assert decisions(recording) == [(("other", "refund"), (False, True), "refund")]
    assert reads(recording) == [[("", "refund")]]


@pytest.mark.parametrize("said", ["nothing", None, 3, ["refund"]])
def test_a_choice_that_names_no_route_is_told_or_takes_the_default(said):
    error = outcome(router(answers(said), {"refund": echoes()})).error
    assert isinstance(error, UndecidedError)
    assert "Routes: refund." in str(error)
    found, recording = played(router(answers(said), {"refund": echoes()}, default=answers("d")))
    assert found == Answered("d")
    assert decisions(recording) == [(("refund", "default"), (False, False), "default")]


def test_a_choice_that_ends_on_a_verdict_ends_the_whole():
    route = echoes()
    found = outcome(router(refuses(), {"a": route}))
    assert found == Refused(HALT)
    assert str(found.trace) == "router.choice > Agent"
    assert route.runs == 0
