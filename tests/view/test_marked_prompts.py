"""What the trail reads in a prompt is what is marked in it, however it came there."""

import json
import re

import pytest

import explainkit as ek
from explainkit.view.prompting import pane_of

SIGN = "We close at 18:00 today, says the sign."


@ek.link(kind="retrieval")
def search(query):
    return [SIGN, "Be kind to the guests."]


@ek.link(kind="tool")
def board():
    return {"hours": {"today": "18:00"}}


@ek.link(kind="model")
def ask(prompt):
    return "We close at 18:00 today."


@ek.link(kind="model")
def chat(messages, tools):
    return "We close at 18:00 today."


def joined():
    return ask("\n".join(search("q")))


def one_hit_in_a_template():
    return ask(ek.assemble("{hit}\nAnswer.", hit=search("q")[0]))


def joined_hits_in_a_template():
    return ask(ek.assemble("{hits}\nAnswer.", hits="\n".join(search("q"))))


def within_a_text():
    return ask(f"Known: {search('q')[0]}\nAnswer.")


def a_direct_context():
    return ask(ek.assemble("{sign}\nAnswer.", sign=ek.context("sign", SIGN)))


def a_tool_result():
    return ask(f"Known: {board()}")


def messages():
    told = "\n".join(search("q"))
    return chat([{"role": "system", "content": "Be brief."}, {"role": "user", "content": told}], [])


SHAPES = [
    joined,
    one_hit_in_a_template,
    joined_hits_in_a_template,
    within_a_text,
    a_direct_context,
    a_tool_result,
    messages,
]


def marked(pane):
    pieces = (piece for segment in pane.segments for piece in segment.passage.pieces)
    return [piece.text for piece in pieces if piece.mark == "span"]


def run_of(shape):
    with ek.trace("hours", question="When do you close?") as run:
        ek.answer(shape())
    return run


@pytest.mark.parametrize("shape", SHAPES)
def test_selected_words_are_marked_in_the_prompt_that_the_trail_read_them_in(shape):
    run = run_of(shape)
    back = run.backtrack(span="18:00")
    assert [hop.grade for hop in back.hops if hop.verb == "read"] == ["value"]
    pane = pane_of(run.prompt().prompt, back.walk)
    assert pane.carried
    assert marked(pane) == ["18:00"]


def test_the_words_of_a_whole_answer_are_marked_in_it_too():
    run = run_of(joined)
    pane = pane_of(run.prompt().prompt, run.backtrack().walk)
    assert marked(pane) == ["We close at 18:00 today"]


def test_every_copy_that_the_trail_read_is_marked():
    @ek.link(kind="model")
    def reply(messages):
        return "Ask at the pool."

    with ek.trace("pool", question="Where?") as run:
        hit = search("q")[0]
        system = {"role": "system", "content": f"The pool is open. {hit}"}
        ek.answer(reply([system, {"role": "user", "content": "Where is the pool?"}]))
    pane = pane_of(run.prompt().prompt, run.backtrack(span="the pool").walk)
    assert marked(pane) == ["The pool", "the pool"]


def test_nothing_is_marked_in_a_prompt_that_does_not_hold_the_words():
    run = run_of(joined)
    pane = pane_of(run.prompt().prompt, run.backtrack(span="close").walk)
    assert marked(pane) == ["close"]

    @ek.link(kind="model")
    def invent(prompt):
        return "Half past nine."

    with ek.trace("made up") as run:
        ek.answer(invent(SIGN))
    pane = pane_of(run.prompt().prompt, run.backtrack(span="nine").walk)
    assert not pane.carried
    assert marked(pane) == []


def test_json_of_one_origin_is_numbered_once_where_its_parts_stand_close():
    @ek.link(kind="tool")
    def lookup(parcel):
        return {"parcel": parcel, "place": "Linz", "at": "2026-03-09", "weight": "12.5 kilograms"}

    @ek.link(kind="model")
    def ask(prompt):
        return "It left Linz on 2026-03-09."

    with ek.trace("parcel") as run:
        rules = ek.context("rules", "Say the day and never promise an hour of the delivery.")
        found = json.dumps(lookup("RR-4711-AT"))
        ek.answer(ask(ek.assemble("{f}\n\n{r}\n\n{f}", f=found, r=rules)))
    html = run.prompt()._repr_html_()
    numbers = re.findall(r"<sup[^>]*>(\d+)</sup>", html)
    assert numbers == ["1", "2", "1"]
