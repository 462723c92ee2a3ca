"""Parts of what the run itself was given are taken away and replaced, named as walks print them."""

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
from explainkit.flow import Sequence, final, machine
from explainkit.flow.agents import Agent
from explainkit.flow.models import CallableModel
from tests.whatif.importable_programs import importable
from tests.whatif.programs import recorded

MAIL, LAW = "The pool costs 5 euros.", "The law knows no prices."


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "It costs 5 euros." if "5 euros" in prompt else "I do not know."


def pool(data):
    """An answer flow that answered two items, the second with nothing."""

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
    items = [
        AnswerItem("pool", ["q1"], "ready", data),
        AnswerItem("sauna", ["q2"], "ready", {"mail": LAW}),
    ]
    flow.run_sync(input_ids=["q1", "q2"], items=items)
    return ek.last(), items


@ek.traced("tell")
def tell(question, notes, table):
    return ask(f"{question} {notes} {table}")


def told():
    tell("What does it cost?", [LAW, MAIL], {"sauna": "12 euros", "rooms": 3})
    return ek.last()


def test_a_place_of_a_walk_in_an_item_of_an_answer_flow_is_taken_away():
    run, items = pool({"mail": MAIL})
    walk = run.backtrack(span="5 euros", slot="item:pool")
    place = walk.introducers[0]
    found = walk.whatif(remove=place)
    assert (found.word, found.after) == ("cause", "I do not know.")
    assert found.interventions == ("remove '5 euros' in input.items[0]….mail of pool",)
    whole = walk.whatif(remove=walk.contexts[0])
    assert whole.word == "cause"
    assert whole.interventions == ("remove input.items[0]….mail of pool",)
    assert walk.whatif(replace={place: "5 dollars"}).word == "cause"
    assert items[0].data["mail"] == MAIL  # nothing that the caller holds is touched
    changed = list(run.findings["changed"])
    assert changed[0] == "remove “5 euros” from input.items[0]….mail of pool"
    assert "“input.items[0]….mail of pool”" in str(run.story())


@pytest.mark.parametrize(
    "name",
    ["input.items[0]….mail of pool", "input.items[0].data.mail of pool",
     ("input of pool", MAIL), ("input of pool", "/items/0/data/mail")],
)  # fmt: skip
def test_it_is_named_as_a_board_prints_it_whole_or_by_its_words(name):
    run, _ = pool({"mail": MAIL})
    assert run.whatif(remove=name, slot="item:pool", span="5 euros").word == "cause"
    other = run.whatif(remove="input.items[1]….mail of pool", slot="item:pool")
    assert other.word != "cause"


def test_parts_of_live_objects_are_changed_and_what_they_refuse_is_said():
    run, items = pool({"mail": MAIL, "more": [LAW, MAIL]})
    assert run.whatif(remove="input.items[0]…[1] of pool", slot="item:pool").word != "cause"
    assert items[0].data["more"] == [LAW, MAIL]
    with pytest.raises(InterventionError, match=r"input of pool: .* cannot be missing"):
        run.whatif(remove="input of pool", slot="item:pool")
    found = run.whatif(remove="input.items[0].id of pool", slot="item:sauna")
    assert "the item id '' is no text" in str(found)


def test_what_a_function_was_given_is_taken_away_in_parts():
    run = told()
    walk = run.backtrack(span="5 euros")
    found = walk.whatif(remove=walk.introducers[0])
    assert (found.word, found.after) == ("cause", "I do not know.")
    for name in ("argument notes", "argument notes[1]", ("argument notes", 1),
                 ("argument notes[1]", "5 euros"), "1 of argument notes"):  # fmt: skip
        assert run.whatif(remove=name).word == "cause", name
    assert run.whatif(remove="argument notes[0]").word == "not shown"
    assert run.whatif(replace={"argument notes[1]": "It is closed."}).word == "cause"
    assert run.whatif(reorder={"argument notes": [1, 0]}).word == "not shown"
    both = run.whatif(remove=["argument notes[0]", "argument notes[1]"])
    assert str(both.run.prompt().text).endswith("[] {'sauna': '12 euros', 'rooms': 3}")


def test_what_cannot_be_taken_away_is_refused_with_what_can():
    run = told()
    with pytest.raises(InterventionError, match=r"cannot be missing.*replace="):
        run.whatif(remove="argument table['rooms']")
    with pytest.raises(InterventionError, match=r"Two changes collide.*argument notes"):
        run.whatif(remove="argument notes[1]", edit={"tell": {"notes": []}})
    with pytest.raises(InterventionError, match=r"takes no 'notes'"):
        run.whatif(remove="argument notes[1]", call=lambda: tell("?", [], {}))
    assert run.whatif(remove="argument notes[1]", edit={"tell": {"table": {}}}).word == "cause"


def test_words_of_an_argument_that_is_not_on_record_whole_are_changed_with_the_argument():
    @dataclasses.dataclass
    class Mail:
        text: str

    @ek.traced("read")
    def read(question, mail):
        return ask(mail.text)

    read("What does it cost?", Mail(MAIL))
    walk = ek.last().backtrack(span="5 euros")
    with pytest.raises(InterventionError) as error:
        walk.whatif(remove=walk.introducers[0])
    assert "edit={'read': {'mail': ...}}" in str(error.value)
    found = walk.whatif(edit={"read": {"mail": Mail("Nothing.")}})
    assert found.word == "cause"


def test_words_of_the_question_are_taken_away_and_the_rest_of_it_is_asked():
    def reply(messages):
        last = str(messages[-1]["content"])
        return "In Stockholm." if "Stockholm" in last else "Elsewhere."

    model = CallableModel(reply, deterministic=True)
    Agent(model, "Be kind.", name="planner").run_sync("Where in Stockholm?")
    walk = ek.last().backtrack(span="Stockholm")
    found = walk.whatif(remove=walk.introducers[0])
    assert (found.word, found.run.question) == ("cause", "Where in ?")
    assert walk.whatif(edit={"planner": {"input": "Where in Oslo?"}}).word == "cause"


def test_the_input_of_a_composition_and_of_a_machine_is_taken_away_in_parts():
    def only(rows):
        return [each for each in rows if "pool" in each]

    Sequence(only, "; ".join, name="trip").run_sync([LAW, MAIL])
    found = ek.last().whatif(remove="input[1] of trip", times=5)
    assert (found.word, found.before, found.after) == ("cause", MAIL, "")
    chart = machine(
        "counter",
        context=lambda given: {"given": given},
        initial="done",
        states={"done": final(output=lambda args: args.context["given"]["a"])},
    )
    chart.run_sync({"a": "two", "b": "nine"})
    found = ek.last().whatif(remove="input.a of counter")
    assert (found.before, found.after) == ("two", "")


def test_a_copy_in_a_context_is_another_way_of_what_was_taken_away():
    @ek.traced("twice")
    def twice(question, notes):
        return ask(ek.assemble("{a} {b}", a=ek.context("note", MAIL), b="".join(notes)))

    twice("What does it cost?", [MAIL])
    found = ek.last().whatif(remove="argument notes[0]")
    assert str(found).startswith("not applied: 'The pool costs 5 euros.' still reached the model")
    assert "context 'note'" in str(found)


def test_a_loaded_run_is_given_something_else_in_part(tmp_path):
    run = recorded(importable, "We pay half too.")
    run.save(tmp_path / "run.ek.jsonl")
    loaded = ek.load(tmp_path / "run.ek.jsonl")
    asked = {"remove": [("argument question", "half too"), "note"], "times": 5}
    assert loaded.whatif(**asked).word == "cause"
