"""What a segment put into a model's input was read, however short it is."""

import pytest

import explainkit as ek
from explainkit.flow import Agent, piece
from explainkit.flow.models import ScriptedModel

LONG = "A long piece of text that lands too."
TARIFF = "For a delay of an hour or more a quarter of the fare is paid back to the passenger."


@ek.link(kind="model")
def model(prompt):
    return "Yes."


@ek.link
def note(text):
    return "noted"


def left_out(run):
    return [(each.name, each.how) for each in run.backtrack().left_out]


@pytest.mark.parametrize("words", ["Be kind.", "You water.", "Hi"])
def test_a_short_piece_of_an_agent_that_stands_in_its_prompt_was_read(words):
    Agent(ScriptedModel(["Yes."]), context=[piece("tone", words), piece("long", LONG)]).run_sync(
        "hi"
    )
    run = ek.last()
    assert left_out(run) == []
    assert "tone" in {segment.name for segment in run.prompt().segments}


def test_short_instructions_beside_other_pieces_were_read():
    Agent(ScriptedModel(["Yes."]), "You water.", context=[piece("long", LONG)]).run_sync("hi")
    assert left_out(ek.last()) == []


def test_a_short_context_that_was_assembled_was_read_and_one_beside_it_was_not():
    with ek.trace("t") as run:
        tone, long = ek.context("tone", "Be kind."), ek.context("long", LONG)
        ek.context("unseen", "Be dry.")
        ek.answer(model(ek.assemble("{tone}\n{long}", tone=tone, long=long)))
    assert left_out(run) == [("unseen", "never read")]


def test_what_reached_a_link_that_is_no_model_was_not_read():
    with ek.trace("t") as run:
        tone, long = ek.context("tone", "Be kind."), ek.context("long", LONG)
        note(tone)
        ek.answer(model(ek.assemble("{long}", long=long)))
    assert left_out(run) == [("tone", "never read")]


def test_what_was_only_made_from_a_short_context_is_not_the_context():
    made = ek.link(uses=["text"])(lambda text: "Answer in a warm and friendly voice, please.")
    with ek.trace("t") as run:
        ek.answer(model(made(ek.context("tone", "Be kind."))))
    assert left_out(run) == [("tone", "not read itself")]


def test_what_a_format_cut_off_is_still_told():
    with ek.trace("t") as run:
        tariff = ek.context("tariff", TARIFF)
        ek.answer(model(ek.assemble("{tariff:.30}", tariff=tariff)))
    (cut,) = run.backtrack().left_out
    assert cut.how == "truncated"
    assert cut.text.endswith("is paid back to the passenger.")
