"""A few selected words are looked for exactly; no sentence says that they stand nowhere else."""

import asyncio

import pytest

import explainkit as ek
from explainkit.flow import (
    Paused,
    Sequence,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)

APPROVE = define_event("approve", input=dict[str, str], audience="external")


def approval():
    return machine(
        "approval",
        context=lambda given: {"given": given},
        actors={"boss": gate(APPROVE)},
        initial="asked",
        states={
            "asked": state(invoke=invoke("boss"), on={"approve": to("done")}),
            "done": final(
                output=lambda args: f"{args.context['given']}: {args.event.payload['why']}"
            ),
        },
    )


def approved(why):
    whole = Sequence(approval(), lambda text: f"Result {text}")
    waiting = asyncio.run(whole.outcome("Ok"))
    assert isinstance(waiting, Paused)
    told = {"event": "approve", "payload": {"why": why}}
    asyncio.run(whole.outcome(told, resume=waiting.checkpoint))
    return ek.last()


@pytest.mark.parametrize("why", ["dry soil", "the soil is dry"])
def test_words_of_a_gate_are_followed_through_the_machine_however_short(why):
    back = approved(why).backtrack(span=why)
    assert [use.name for use in back.contexts] == ["approve"]
    assert "goes back to approve.why" in back.text()
    assert "no earlier text" not in back.text()


def test_words_too_few_for_a_function_to_have_them_from_its_input_are_named_where_they_stand():
    text = " ".join(approved("no").backtrack(span="no").text().split())
    assert "“no” goes back to output of <lambda> (function). The same words stand earlier" in text
    assert "event approve.why" in text
    assert "no earlier text" not in text


@ek.link
def look_up(city):
    return "12 km to Oslo"


def test_words_that_stand_earlier_are_named_where_nothing_shows_that_they_came_from_there():
    with ek.trace("way", question="How far is it to Oslo?") as run:
        ek.answer(look_up("Oslo"))
    text = " ".join(run.backtrack(span="Oslo").text().split())
    assert "no earlier text" not in text
    assert "“Oslo” goes back to output of look_up" in text
    assert "The same words stand earlier in question (asked) and city of look_up;" in text
    assert "nothing shows that they came from there" in text


def test_words_that_stand_nowhere_earlier_are_said_to():
    with ek.trace("way", question="How far is it?") as run:
        ek.answer(look_up("north"))
    text = " ".join(run.backtrack(span="Oslo").text().split())
    assert "“Oslo” first appears in output of look_up (function); no earlier text" in text


def test_a_few_words_that_a_function_has_from_inside_of_it_are_followed_there():
    @ek.link
    def report(city):
        way = look_up(city)
        return f"It is {way.split()[0]} by road"

    with ek.trace("way") as run:
        ek.answer(report("north"))
    assert [use.name for use in run.backtrack(span="12").contexts] == ["output of look_up"]
