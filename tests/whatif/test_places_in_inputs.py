"""Words in what the run itself was given are changed with edit=; a refusal gives that form."""

import dataclasses

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
from explainkit.flow.agents import Agent
from explainkit.flow.models import CallableModel

MAIL = "The pool costs 5 euros."


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "It costs 5 euros." if "5 euros" in prompt else "I do not know."


def refused(walk, place):
    with pytest.raises(InterventionError) as error:
        walk.whatif(remove=place)
    return str(error.value)


def test_the_words_of_an_item_of_an_answer_flow_are_changed_with_its_items():
    def generate(*, items, **_):
        return {each.id: ask(f"{each.data['mail']} What does it cost?") for each in items}

    checker = names_and_numbers_from([MAIL])
    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=2, max_repairs=0, can_invoke=lambda context: True, generate=generate,
            check=lambda *, item, value, context: checker.check(value, context),
            fallback=lambda **_: Recovery(True, "Ask us."),
        ),
        name="pool",
    )  # fmt: skip
    items = [AnswerItem("pool", ["q1"], "ready", {"mail": MAIL})]
    flow.run_sync(input_ids=["q1"], items=items)
    run = ek.last()
    walk = run.backtrack(span="5 euros", slot="item:pool")
    said = refused(walk, walk.introducers[0])
    assert "edit={'pool': {'items': ...}}, with another text at '/0/data/mail'" in said
    other = [dataclasses.replace(items[0], data={"mail": MAIL.replace("5", "9")})]
    found = run.whatif(edit={"pool": {"items": other}}, slot="item:pool", span="5 euros")
    assert found.word == "cause"


def test_words_of_the_question_of_an_agent_are_changed_with_its_input():
    def reply(messages):
        last = str(messages[-1]["content"])
        return "In Stockholm." if "Stockholm" in last else "Elsewhere."

    Agent(CallableModel(reply, deterministic=True), "Be kind.", name="planner").run_sync(
        "Where in Stockholm?"
    )
    walk = ek.last().backtrack(span="Stockholm")
    assert "edit={'planner': {'input': ...}}" in refused(walk, walk.introducers[0])
    found = walk.whatif(edit={"planner": {"input": "Where in Oslo?"}})
    assert found.word == "cause"


def test_words_of_an_argument_of_a_function_are_changed_with_the_argument():
    @ek.traced("tell")
    def tell(question):
        return f"You asked: {question}"

    tell("When is the museum open?")
    walk = ek.last().backtrack(span="the museum open")
    assert "edit={'tell': {'question': ...}}" in refused(walk, walk.introducers[0])
    assert walk.whatif(edit={"tell": {"question": "Why?"}}).word == "cause"
