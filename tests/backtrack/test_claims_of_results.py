"""The whole results of a flow are walked from their values: an id or a status claims nothing."""

import pytest

from explainkit.answering import AnswerItem, Recovery
from tests.answering.flow_parts import PASSED, run

RENTS = {f"flat-{n}": f"The rent of flat {n} is {830 + n} euros a month." for n in range(6)}


def rents(**parts):
    items = [AnswerItem(key, ["in"], "ready", {"source": RENTS[key]}) for key in RENTS]
    return run(batch=items, **{"generate": read, "check": lambda **_: PASSED} | parts).run


def read(*, items, **_):
    return {each.id: each.data["source"] for each in items}


def test_no_hop_is_for_an_id_or_a_status():
    back = rents().backtrack()
    assert {hop.target.path for hop in back.hops if hop.depth == 1} == {
        f"/{n}/value" for n in range(6)
    }
    assert not {"accepted", "flat-1"} & {hop.source.text for hop in back.hops}
    assert [row.text for row in back.coverage] == list(RENTS.values())
    assert {use.name for use in back.contexts} == {"input of AnswerFlow"}
    assert "answer-flow" not in back.board().headline
    assert any("ids and status words" in line for line in back.walk.caps)


def test_an_id_or_a_status_that_is_selected_is_walked():
    back = rents().backtrack(span="accepted")
    assert {hop.target.path for hop in back.hops if hop.depth == 1} == {
        f"/{n}/status" for n in range(6)
    }
    assert not any("ids and status words" in line for line in back.walk.caps)


def test_facts_are_looked_for_in_values_only():
    suspects = rents(generate=lambda *, items, **_: {i.id: f"Flat {i.id[-1]}" for i in items})
    words = [why.word for each in suspects.backtrack().shortlist() for why in each.reasons]
    assert not any("flat-" in word or "accepted" in word for word in words)


def test_results_without_a_value_are_walked_as_they_are():
    back = rents(generate=lambda **_: {}, fallback=lambda **_: Recovery(False)).backtrack()
    assert {hop.source.text for hop in back.hops} >= {"blocked"}


@pytest.mark.parametrize("number", [0, 4])
def test_the_trail_of_an_item_says_which_item_it_is(number):
    back = rents().backtrack(slot=f"item:flat-{number}")
    assert f"input.items[{number}]….source of AnswerFlow" in back.board().headline
    assert f"input.items[{number}]….source of AnswerFlow" in back.text()


def test_the_headline_of_a_batch_is_short():
    def generate(*, items, repairs, **_):
        return {each.id: f"{each.data['source']} {len(repairs)}" for each in items}

    headline = rents(generate=generate).backtrack().board().headline
    assert len(headline) <= 260
