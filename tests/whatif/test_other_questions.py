"""A run is asked something else: other arguments of its function, another input of its runner."""

import asyncio
from concurrent.futures import ProcessPoolExecutor

import pytest

import explainkit as ek
from explainkit.answering import AnswerItem
from explainkit.errors import InterventionError
from explainkit.flow import Agent, Sequence, final, machine
from explainkit.flow.models import CallableModel
from tests.whatif.importable_programs import importable
from tests.whatif.programs import recorded
from tests.whatif.test_runners import flow


def nights(prompt):
    return "Nine nights." if "9" in str(prompt) else "Two nights."


def desk():
    return Agent(CallableModel(nights, deterministic=True), name="desk")


def ran(runner, given):
    runner.run_sync(given)
    return ek.last()


@ek.traced("road trip")
def road(question, *, people=1):
    return desk().run_sync(ek.context("order", f"{question} For {people}."))


def test_a_runner_is_asked_something_else():
    for name in ("desk", "agent desk"):
        run = ran(desk(), "I want 2 nights.")
        found = run.whatif(edit={name: {"input": "I want 9 nights."}})
        assert str(found) == "cause 1/1 vs 0/2, deterministic"
        assert (found.after, found.run.question) == ("Nine nights.", "I want 9 nights.")
        assert found.interventions == (f"edit input of {name.rpartition(' ')[2]}",)


def test_the_same_question_is_no_change():
    run = ran(desk(), "I want 2 nights.")
    assert run.whatif(edit={"desk": {"input": "I want 2 nights."}}).word == "not applied"


def test_a_composition_is_asked_something_else_and_its_steps_are_not():
    run = ran(Sequence(str.strip, desk(), name="trip"), " 2 ")
    found = run.whatif(edit={"trip": {"input": " 9 "}}, times=5)
    assert (found.word, found.after) == ("cause", "Nine nights.")
    for step in ("strip", "desk"):
        with pytest.raises(InterventionError, match=f"{step}' .* comes from the step before it"):
            run.whatif(edit={step: {"input": "9"}})


def test_a_machine_is_given_something_else():
    chart = machine(
        "counter",
        context=lambda given: {"given": given},
        initial="done",
        states={"done": final(output=lambda args: args.context["given"])},
    )
    chart.run_sync("two")
    found = ek.last().whatif(edit={"counter": {"input": "nine"}})
    assert (found.before, found.after) == ("two", "nine")


def test_a_turn_of_a_chat_is_said_otherwise():
    chat = desk().chat()
    asyncio.run(chat.send("Good morning."))
    asyncio.run(chat.send("I want 2 nights."))
    found = chat[1].whatif(edit={"desk": {"input": "I want 9 nights."}})
    assert (found.word, found.after) == ("cause", "Nine nights.")
    assert "Good morning." in str(found.run.prompt().text)


def test_a_traced_function_is_given_other_arguments():
    run = recorded(road, "I want 2 nights.")
    by_function = run.whatif(edit={"road": {"question": "I want 9 nights."}})
    assert (by_function.word, by_function.after) == ("cause", "Nine nights.")
    by_default = run.whatif(edit={"road trip": {"people": 9}})
    assert (by_default.word, by_default.run.question) == ("cause", "I want 2 nights.")
    both = run.whatif(edit={"road": {"people": 9}}, replace={("order", "I want"): "We want"})
    assert (both.word, both.after) == ("cause", "Nine nights.")


def test_a_loaded_run_and_another_process_are_asked_something_else(tmp_path):
    run = recorded(importable, "We pay half too.")
    run.save(tmp_path / "run.ek.jsonl")
    loaded = ek.load(tmp_path / "run.ek.jsonl")
    asked = {"edit": {"importable": {"question": "?"}}, "remove": "note", "times": 5}
    assert loaded.whatif(**asked).word == "cause"
    with ProcessPoolExecutor(1) as pool:
        assert run.whatif(**asked, executor=pool).word == "cause"


def test_what_cannot_be_asked_otherwise_is_refused_before_anything_runs():
    run = recorded(road, "I want 2 nights.")
    with pytest.raises(InterventionError, match=r"takes no 'nights'.*'question', 'people'"):
        run.whatif(edit={"road": {"nights": 9}})
    with pytest.raises(InterventionError, match=r"takes no 'question'.*Give call= one that does"):
        run.whatif(edit={"road": {"question": "?"}}, call=lambda: road("2"))
    with pytest.raises(InterventionError, match=r"cannot be edited.*edit={'road trip'"):
        run.whatif(edit={"desk": {"input": "I want 9 nights."}})


def test_the_batch_of_an_answer_flow_is_another_one():
    items = [AnswerItem("q1", ["a"], "ready", "one"), AnswerItem("q2", ["a"], "ready", "two")]
    flow().run_sync(input_ids=["a"], items=items)
    run = ek.last()
    found = run.whatif(edit={"answers": {"items": items[:1]}})
    assert (found.word, len(found.before), len(found.after)) == ("cause", 2, 1)
    with pytest.raises(InterventionError, match=r"takes no 'input'.*It takes: 'input_ids', 'item"):
        run.whatif(edit={"answers": {"input": {}}})
