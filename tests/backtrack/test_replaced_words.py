"""Words that an override put in do not come from where the words came from that they replaced."""

import json

import pytest
from pydantic import BaseModel

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Issue,
    Recovery,
    define_answer_flow,
)
from explainkit.flow.agents import Agent
from explainkit.flow.models import ScriptedModel
from tests.session.test_machine_picks import set_answers

RENT = "The rent is 840 euros a month."
ASK = "Ask Mrs. Huber in the office."


def plain(new=ASK, *, old=RENT, **given):
    """A run that passes a document on as its answer, and replaces it."""
    with ek.trace("plain") as run:
        doc = ek.context("doc", RENT, kind="document")
        ek.context("roster", "In the office: Mrs. Huber, Mr. Maier.", kind="document")
        ek.answer(str(doc) if old == RENT else old)
        ek.override(new, by="clerk", reason="the rent changes", **given)
    return run


def flow_run(**parts):
    """The first value of an answer flow is its source, which the check refuses."""

    def check(*, value, **_):
        return (
            CheckResult("failed", [Issue("BAD", "no")]) if "840" in value else CheckResult("passed")
        )

    ports = {
        "max_items": 2, "max_repairs": 1, "can_invoke": lambda _: True, "check": check,
        "generate": lambda *, items, **_: {each.id: each.data for each in items},
        "fallback": lambda **_: Recovery(False),
    }  # fmt: skip
    flow = define_answer_flow(AnswerFlowDefinition(**ports | parts))
    return flow.run_sync(input_ids=["a"], items=[AnswerItem("a", ["a"], "ready", RENT)]).run


def repaired():
    def generate(*, items, repairs, **_):
        return {each.id: ASK if repairs else each.data for each in items}

    return flow_run(generate=generate)


def fallen_back():
    return flow_run(max_repairs=0, fallback=lambda **_: Recovery(True, ASK))


def texts(places):
    return [place.text for place in places]


def named(back):
    """Every text that the walk gives as a source of the words."""
    board = back.board()
    found = [place for use in back.contexts for place in use.places]
    found += [place for row in back.coverage for place in row.places]
    found += [*back.introducers, *back.carriers, *back.unsupported]
    found += [place for each in back.shortlist() for why in each.reasons for place in why.evidence]
    words = [board.headline, *(why.word for s in back.shortlist() for why in s.reasons)]
    return " | ".join(texts(found) + words)


@pytest.mark.parametrize(
    ("run", "slot", "by"),
    [
        (plain, "answer", "clerk"),
        (repaired, "item:a", "repair"),
        (fallen_back, "item:a", "fallback"),
    ],
)
def test_words_put_in_have_no_source_among_what_the_replaced_words_came_from(run, slot, by):
    back = run().backtrack(slot=slot, span="Mrs. Huber")
    assert "840" not in named(back)
    (over,) = [hop for hop in back.hops if hop.verb == "overridden"]
    assert (over.source.text, over.target.text, over.grade) == (
        RENT.removesuffix("."), "Mrs. Huber", "declared",
    )  # fmt: skip
    assert over.replaced
    assert over.note.startswith(f"replaced by {by}")
    assert [hop for hop in back.hops if hop.target == over.source] == []


def test_words_of_nowhere_are_introduced_by_their_override():
    back = plain("Ask Mr. Abel at noon.").backtrack(span="Mr. Abel")
    assert [(use.type, use.born) for use in back.contexts] == [("override", "put in by clerk")]
    assert texts(back.introducers) == ["Mr. Abel"]
    assert [place.label for place in back.introducers] == ["answer v2 by clerk"]
    assert [row.state for row in back.coverage] == ["nothing"]
    assert texts(back.unsupported) == ["Mr. Abel"]
    assert back.dominators == ()
    (suspect,) = back.shortlist()
    assert suspect.actor == "answer v2 by clerk"
    assert suspect.reasons[0].word == "put in words of the answer: 'Mr. Abel'"
    assert back.board().headline == (
        "“Mr. Abel” first appears in answer v2 by clerk (override, put in by clerk); "
        "no earlier text holds all of it."
    )


def test_words_put_in_lead_to_what_their_own_characters_show():
    back = plain().backtrack(span="Mrs. Huber")
    assert [(use.name, use.grade, texts(use.places)) for use in back.contexts] == [
        ("roster", "value", ["Mrs. Huber"])
    ]
    assert [place.label for place in back.introducers] == ["context roster"]
    assert "goes back to roster" in back.board().headline


def test_words_of_a_repair_lead_to_the_call_that_gave_them():
    back = repaired().backtrack(slot="item:a", span="Mrs. Huber")
    assert [use.name for use in back.contexts] == ["output of generate #2"]
    back = fallen_back().backtrack(slot="item:a", span="Mrs. Huber")
    assert [use.name for use in back.contexts] == ["output of fallback"]


def test_kept_words_go_on_to_their_source():
    run = plain("The rent is 950 euros a month.")
    kept = run.backtrack(span="euros a month")
    assert [(use.name, use.grade, texts(use.places)) for use in kept.contexts] == [
        ("doc", "value", ["euros a month"])
    ]
    assert not any(hop.replaced for hop in kept.hops)
    new = run.backtrack(span="950")
    assert [use.type for use in new.contexts] == ["override"]
    whole = run.backtrack()
    assert [use.name for use in whole.contexts] == ["doc", "answer v2 by clerk"]
    assert texts(whole.contexts[0].places) == ["The rent is ", " euros a month."]
    assert texts(whole.contexts[1].places) == ["950"]
    (row,) = whole.coverage
    assert (row.state, texts(row.places)) == ("partly", [" euros a month.", "The rent is "])
    assert row.disagree == ("950 euros, but upstream 840 euros",)
    assert row.words == "supported: rent, month; not: 950 euros"


def test_a_full_stop_that_two_versions_share_is_no_kept_word():
    back = plain("Ask Mr. Abel at noon.").backtrack()
    assert [use.type for use in back.contexts] == ["override"]
    assert [row.state for row in back.coverage] == ["nothing"]


def test_a_number_put_in_another_way_is_the_same_number():
    back = plain("It costs 1,234.5 euros.", old="It costs 1234.50 euros.").backtrack(span="1,234.5")
    assert {hop.source.text for hop in back.hops} == {"1234.50"}
    assert not any(hop.replaced for hop in back.hops)


def test_words_put_between_others_replaced_nothing():
    back = plain("The rent is about 840 euros a month.").backtrack(span="about")
    assert [(hop.source.text, hop.note) for hop in back.hops] == [
        ("", "put in by clerk: the rent changes")
    ]
    assert [use.type for use in back.contexts] == ["override"]


def test_given_ranges_say_what_was_replaced():
    run = plain("The rent is 950 euros a month.", ranges=[(12, 15, 12, 15)])
    assert [use.type for use in run.backtrack(span="950").contexts] == ["override"]
    assert [use.name for use in run.backtrack(span="rent is").contexts] == ["doc"]


def test_words_of_an_answer_of_another_shape_were_put_in_too():
    with ek.trace("shapes") as run:
        doc = ek.context("doc", RENT, kind="document")
        ek.answer(str(doc))
        ek.override({"text": RENT, "who": "Mr. Abel"}, by="former")
        ek.override({"text": RENT, "who": "Mrs. Brandt"}, by="clerk")
    new = run.backtrack(span="Mrs. Brandt")
    assert [(use.name, texts(use.places)) for use in new.contexts] == [
        ("answer v3 by clerk", ["Mrs. Brandt"])
    ]
    assert [use.name for use in run.backtrack(span="Mr. Abel", answer=2).contexts] == [
        "answer v2 by former"
    ]
    kept = run.backtrack(span="840 euros")
    assert [use.name for use in kept.contexts] == ["doc"]
    assert not any(hop.replaced for hop in kept.hops)


def test_what_was_replaced_is_exposure_where_exposure_is_asked_for():
    back = plain("Ask Mr. Abel at noon.").backtrack(span="Mr. Abel", grade="exposure")
    over = back.hops[0]
    assert (over.verb, over.grade, over.replaced) == ("overridden", "exposure", True)
    doc = next(use for use in back.contexts if use.name == "doc")
    assert doc.grade == "exposure"
    assert [row.state for row in back.coverage] == ["nothing"]
    assert "doc" not in back.board().headline
    reason = next(each for each in back.shortlist() if each.actor == "doc").reasons[0]
    assert reason.word.startswith("could have mattered, at grade exposure")


def test_text_that_was_replaced_goes_no_further():
    whole = plain("Ask Mr. Abel at noon.").backtrack().forward("doc")
    assert [place.label for place in whole] == ["answer v1"]
    kept = plain("The rent is 950 euros a month.").backtrack().forward("doc")
    assert [place.text for place in kept if place.label.startswith("answer v2")] == [
        "The rent is ", " euros a month.",
    ]  # fmt: skip


def test_the_hops_between_a_source_and_the_answer_are_those_of_kept_words():
    run = plain("The rent is 950 euros a month.")
    hops = run.backtrack().chop("doc")
    assert [hop.replaced for hop in run.backtrack().hops].count(True) == 1
    assert hops
    assert not any(hop.replaced for hop in hops)


def test_json_marks_the_hop_that_leads_no_further():
    said = json.loads(json.dumps(plain("Ask Mr. Abel at noon.").backtrack(span="Abel").to_json()))
    assert [hop["replaced"] for hop in said["hops"]] == [True]
    assert said["coverage"][0]["places"] == []
    kept = plain("The rent is 950 euros a month.").backtrack(span="euros").to_json()
    assert all("replaced" not in hop for hop in kept["hops"])


def test_the_nested_list_opens_no_words_that_were_replaced():
    (branch,) = plain("950 is the rent, 840 euros a month.").backtrack().board().branches
    for child in branch.children:
        if "".join(piece.text for piece in child.quote.pieces).startswith("The"):
            assert child.children == ()


class Claim(BaseModel):
    name: str = "Mrs. Brandt"
    euros: int


def test_what_a_validator_added_to_a_candidate_is_its_own():
    with ek.trace("agent") as run:
        Agent(ScriptedModel(['{"euros": 840}']), validator=Claim).run_sync("How much?")
    slot = next(slot for slot in run.evidence.answers if len(run.evidence.answers[slot]) == 2)
    new = run.backtrack(slot=slot, span="Mrs. Brandt")
    assert [use.type for use in new.contexts] == ["override"]
    assert "840" not in named(new)


def test_what_a_chart_answered_does_not_come_from_the_reply_it_replaced():
    run = set_answers("7", "See the notice board.")
    (slot,) = (each for each in run.evidence.answers if each.startswith("pick:"))
    back = run.backtrack(slot=slot, span="notice board")
    assert back.answer == "See the notice board."
    (over,) = [hop for hop in back.hops if hop.replaced]
    assert over.source.text == "7"
    assert [hop for hop in back.hops if hop.target.seq == over.source.seq] == []
    assert texts(back.introducers) == ["notice board"]


def visa(*styles):
    """A run whose answer is restyled by overrides, one after the other."""

    @ek.link(kind="model", deterministic=True)
    def asks(prompt):
        return "Bring 3 photos."

    @ek.traced("visa")
    def program(question):
        memo = ek.context("memo", "they want 3 photos now")
        rules = ek.context("rules", "The office opens at noon.")
        ek.answer(asks(ek.assemble("{m}\n{r}\n{q}", m=memo, r=rules, q=question)))
        for at, (old, new) in enumerate(styles):
            ek.override(lambda text, old=old, new=new: text.replace(old, new), by=f"styler {at}")

    program("What do I bring?")
    return ek.last()


@pytest.mark.parametrize("span", ["three photos", "three"])
def test_the_shortlist_names_what_gave_the_words_that_an_override_replaced(span):
    back = visa(("3", "three")).backtrack(span=span)
    assert "memo" not in [each.name for each in back.contexts]
    (memo,) = [each for each in back.shortlist() if each.actor == "memo"]
    (reason,) = memo.reasons
    words = span.replace("three", "3")
    assert reason.word == f"gave {words!r}, which styler 0 replaced"
    assert [each.text for each in reason.evidence] == [words]


def test_words_that_were_replaced_twice_are_followed_to_what_gave_the_first():
    back = visa(("3", "three"), ("three", "several")).backtrack(span="several photos")
    words = {each.actor: [one.word for one in each.reasons] for each in back.shortlist()}
    assert words["memo"] == ["gave '3 photos', which styler 0 replaced"]
    assert any("put in words" in each for each in words["answer v3 by styler 1"])


def test_words_that_nobody_replaced_have_no_such_reason():
    back = visa(("Bring", "Take")).backtrack(span="3 photos")
    reasons = [one.word for each in back.shortlist() for one in each.reasons]
    assert not any("replaced" in each for each in reasons)
