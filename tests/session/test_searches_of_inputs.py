"""Searches try what the run itself was given: items of a batch, arguments, a runner's input."""

import pytest

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    Recovery,
    define_answer_flow,
    names_and_numbers_from,
)
from explainkit.errors import InterventionError
from explainkit.flow import Sequence
from explainkit.flow.agents import Agent
from explainkit.flow.models import CallableModel
from tests.whatif.test_places_in_inputs import LAW, MAIL, told

NOTHING = "I do not know."


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    if "?" not in prompt:
        raise ValueError("nothing is asked")
    return "It costs 5 euros." if "5 euros" in prompt else NOTHING


def desk(*, asks=True):
    """An answer flow that reads two texts for each item, and raises when nothing is asked."""

    def generate(*, items, **_):
        return {
            each.id: ask(f"{each.data['law']} {each.data['mail']} {each.data['asked']}")
            for each in items
        }

    checker = names_and_numbers_from([MAIL])
    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=2, max_repairs=0, can_invoke=lambda context: True, generate=generate,
            check=lambda *, item, value, context: checker.check(value, context),
            fallback=lambda **_: Recovery(True, "Ask us."),
        ),
        name="desk",
    )  # fmt: skip
    asked = "What does it cost?" if asks else 7
    data = {"law": LAW, "asked": asked}
    flow.run_sync(
        input_ids=["q1", "q2"],
        items=[
            AnswerItem("sauna", ["q2"], "ready", {**data, "mail": "It is warm."}),
            AnswerItem("pool", ["q1"], "ready", {**data, "mail": MAIL}),
        ],
    )
    return ek.last()


def test_the_item_of_a_batch_that_gave_the_words_is_found_and_named_as_a_board_names_it():
    run = desk()
    walk = run.backtrack(span="5 euros", slot="item:pool")
    assert "input.items[1]….mail of desk" in repr(walk)
    found = run.smallest_cause(span="5 euros", slot="item:pool")
    assert found.items == ("input.items[1]….mail of desk",)
    assert found.is_minimal
    assert (found.whatif.word, found.whatif.after) == ("cause", NOTHING)
    said = repr(found)
    assert "Without everything: 'generate' raised an error" in said
    assert "This is one such set; others were not tried: input.items[0]….law of desk" in said
    words = set(run.findings["word"])
    assert words <= {"cause", "not shown", "inconclusive"}


def test_what_breaks_the_run_is_neither_needed_nor_without_a_part():
    run = desk()
    roles = run.cause_roles(span="5 euros", slot="item:pool")
    assert roles.needed == ("input.items[1]….mail of desk",)
    assert "input.items[1]….asked of desk" in roles.unresolved
    said = "'generate' raised an error, which it did not in the recorded run. That is no other"
    assert said in repr(roles)


def test_what_a_what_if_says_of_an_item_that_breaks_the_run_is_left_to_the_user():
    run = desk()
    found = run.whatif(remove="input.items[1]….asked of desk", slot="item:pool")
    assert (found.word, found.after) == ("cause", "Ask us.")


def test_the_arguments_of_a_function_are_searched():
    found = told().smallest_cause()
    assert found.items == ("argument notes[1]",)
    assert "argument table.sauna alone" in repr(found)
    roles = told().cause_roles()
    assert roles.needed == ("argument notes[1]",)
    assert set(roles.bystanders) == {"argument notes[0]", "argument table.sauna"}
    shares = told().cause_shares().shares
    assert shares["argument notes[1]"] == (1.0, 1.0)


def test_arguments_stand_beside_contexts_and_come_behind_them():
    @ek.traced("both")
    def both(question, notes):
        return ask(ek.assemble("{l} {n} {q}", l=ek.context("law", LAW), n=str(notes), q=question))

    both("What does it cost?", [MAIL, LAW])
    run = ek.last()
    found = run.smallest_cause()
    assert found.items == ("argument notes[0]",)
    assert found.to_frame()["removed"].iloc[0] == ("law",)
    assert run.cause_roles().needed == ("argument notes[0]",)


def test_sentences_of_a_question_are_parts_and_a_single_one_is_not():
    @ek.traced("tell")
    def tell(question):
        return ask(question)

    tell(f"{MAIL} What does it cost? Be brief?")
    found = ek.last().smallest_cause()
    assert found.items == (f"{MAIL!r} in argument question",)
    tell("What does the 5 euros pool cost?")
    with pytest.raises(InterventionError, match=r"no context that can be removed.*edit={'tell'"):
        ek.last().smallest_cause()


def test_the_input_of_a_composition_and_of_an_agent_is_searched():
    Sequence(" ".join, ask, name="trip").run_sync([LAW, MAIL, "How much?"])
    assert ek.last().smallest_cause().items == ("input[1] of trip",)

    def reply(messages):
        return ask(str(messages[-1]["content"]))

    model = CallableModel(reply, deterministic=True)
    Agent(model, "Be kind.", name="planner").run_sync(f"{MAIL} {LAW} How much is it?")
    found = ek.last().smallest_cause()
    assert found.items == (f"{MAIL!r} in question (asked)",) or "5 euros" in found.items[0]


def test_what_nothing_else_can_be_given_is_not_searched():
    run = told()
    with pytest.raises(InterventionError, match="no context that can be removed"):
        run.smallest_cause(call=lambda: ask(f"? {MAIL}"))


def test_numbers_are_no_parts():
    found = desk(asks=False).smallest_cause(slot="item:pool")
    names = {name for one in found.to_frame()["removed"] for name in one}
    assert any("mail" in name for name in names)
    assert not any("asked" in name for name in names)
