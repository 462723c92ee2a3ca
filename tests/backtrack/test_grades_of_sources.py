"""What was only seen is never said to have been carried, whatever else came the same way."""

import pytest

import explainkit as ek


@ek.link(kind="model")
def ask(prompt):
    return "We close at 18:00 today."


def told(*, joined):
    with ek.trace("told", question="When do you close?") as run:
        memo = ek.context("memo", "The guest came last in 2024.", kind="memory")
        sign = ek.context("sign", "We close at 18:00 today.")
        ek.answer(ask(joined(memo, sign)))
    return run


def assembled(memo, sign):
    return ek.assemble("{memo}\n{sign}", memo=memo, sign=sign)


def plainly(memo, sign):
    return f"{memo}\n{sign}"


@pytest.mark.parametrize("joined", [assembled, plainly])
@pytest.mark.parametrize("grade", ["exposure", "order"])
@pytest.mark.parametrize("span", ["18:00", None])
def test_a_context_that_was_only_seen_is_not_among_those_that_gave_characters(joined, grade, span):
    back = told(joined=joined).backtrack(span=span, grade=grade)
    grades = {use.name: use.grade for use in back.contexts}
    assert grades["sign"] == "value"
    assert grades["memo"] in ("exposure", "order")
    found = back.text().split("Trail")[0]
    assert "sign" in found
    assert "memo" not in found


def test_the_reason_of_a_context_that_was_only_seen_says_no_more_than_that():
    back = told(joined=assembled).backtrack(span="18:00", grade="exposure")
    reasons = {row.actor: [each.word for each in row.reasons] for row in back.shortlist(5)}
    assert "introduced words of the answer: '18:00'" in reasons["sign"]
    assert all("could have mattered, at grade exposure" in word for word in reasons["memo"])


def test_a_hop_stands_below_the_hops_that_lead_to_it_and_each_is_shown_once():
    back = told(joined=assembled).backtrack(span="18:00", grade="exposure")
    for hop in back.hops:
        assert hop.target.label == "answer" or hop.target.label in {
            other.source.label for other in back.hops if other.depth < hop.depth
        }
    moves = [(hop.source, hop.target) for hop in back.hops]
    assert len(moves) == len(set(moves))
