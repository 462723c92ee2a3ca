"""What is wrong with actors, events and answers is told when a chart is built."""

import warnings
from dataclasses import replace

import pytest

from explainkit.errors import ChartError, ChartWarning
from explainkit.flow.statecharts import (
    Machine,
    answer,
    define_event,
    final,
    history,
    invoke,
    machine,
    start,
    state,
    step,
    to,
)
from tests.flow.statecharts.casts import AGENT, EFFECT, GATE, Extra

ACTORS = {"coder": AGENT, "critic": AGENT, "tests": EFFECT, "person": GATE, "plain": print}


def say(_):
    """What an answer gives."""


def chart(a=None, b=None, *, events=(), actors=ACTORS, **root):
    states = {"a": a or state(), "b": b or state()}
    return machine("m", initial="a", states=states, events=events, actors=actors, **root)


def invoking(*uses, **more):
    return state(invoke=uses, **more)


BAD = {
    "unknown actor": (
        lambda: chart(invoking(invoke("tests"), invoke("lint"))),
        r'"m.a": invoke\[1\] names the actor "lint", which is unknown. Declared actors: coder, ',
    ),
    "no actors at all": (
        lambda: chart(invoking(invoke("tests")), actors=None),
        '"tests", which is unknown. Declared actors: none',
    ),
    "no invocation": (
        lambda: chart(state(invoke="tests")),
        r"\"m.a\": invoke\[0\] is no invocation: 'tests'. Use invoke",
    ),
    "an actor for its key": (
        lambda: chart(invoking(invoke(EFFECT))),
        r"invoke\[0\] names the actor Extra.*: write its key among the actors",
    ),
    "one id twice": (
        lambda: chart(invoking(invoke("tests", id="x")), invoking(invoke("tests", id="x"))),
        '"m.b": the invocation id "x" is used in "m.a" too: give each its own',
    ),
    "an id that another one has by its place": (
        lambda: chart(invoking(invoke("tests", id="0.m.b")), invoking(invoke("tests"))),
        'the invocation id "0.m.b" is used in "m.a" too',
    ),
    "an id with a star": (
        lambda: chart(invoking(invoke("tests", id="x.*"))),
        r"\"m.a\": invoke\[0\] has the id 'x.\*', which is part of the names of its events",
    ),
    "an id with a space": (
        lambda: chart(invoking(invoke("tests", id="x y"))),
        "a text without spaces and stars",
    ),
    "an empty id": (lambda: chart(invoking(invoke("tests", id=""))), "has the id ''"),
    "an agent of two states": (
        lambda: chart(invoking(invoke("coder")), invoking(invoke("coder"))),
        '"m.b": it invokes the Agent "coder", and so does "m.a": .* Declare a second actor',
    ),
    "an agent twice in one state": (
        lambda: chart(invoking(invoke("coder", id="x"), invoke("coder", id="y"))),
        '"m.a": it invokes the Agent "coder", twice',
    ),
    "an event without definition": (
        lambda: chart(invoking(invoke("coder"), on={"go": to("b")}), events=[define_event("no")]),
        '"m.a": it handles "go", which is not defined. .* Defined events: no',
    ),
    "an event without definition elsewhere": (
        lambda: chart(invoking(invoke("coder")), on={"go": to()}),
        '"m": it handles "go", which is not defined. .* Defined events: none',
    ),
    "a final state that invokes": (
        lambda: chart(rewritten(final(), invoke("tests"))),
        '"m.a": a final state invokes nothing',
    ),
    "a history that invokes": (
        lambda: chart(state(initial="x", states={
            "x": state(), "h": rewritten(history(), invoke("tests"))})),
        '"m.a.h": a history is never active',
    ),
}  # fmt: skip


def rewritten(written, use):
    """A state that Python's own builders cannot write."""
    return replace(written, invoke=(use,))


@pytest.mark.parametrize(("build", "message"), BAD.values(), ids=BAD.keys())
def test_a_bad_chart_is_refused_with_its_place(build, message):
    with pytest.raises(ChartError, match=message) as caught:
        build()
    assert str(caught.value).startswith('Machine "m", state "m')


@pytest.mark.parametrize("thing", [7, None, "tests", Extra("actor")])
def test_what_is_no_actor_is_refused_even_if_nothing_invokes_it(thing):
    with pytest.raises(ChartError, match=r'Machine "m": the actor "x" is .* no agent, effect'):
        machine("m", actors={"x": thing})


def test_mechanism_events_and_wildcards_need_no_definition():
    handled = ("agent.fault", "workspace.lost", "done.actor.x", "error.*", "after.5.m", "*")
    built = chart(invoking(invoke("coder")), on={name: to() for name in handled})
    assert tuple(built.to_dict()["on"]) == handled


def test_events_of_a_machine_without_invoked_agents_need_no_definition():
    built = chart(state(on={"go": to("b")}), invoking(invoke("tests"), on={"paid": to("a")}))
    assert step(start(built)[0], "go")[0].leaves == ("m.b",)


def test_two_states_may_invoke_one_effect_and_two_slots_one_agent():
    built = chart(invoking(invoke("tests"), invoke("coder")), invoking(invoke("tests")))
    built = chart(invoking(invoke("coder")), invoking(invoke("critic")))
    assert built.states == ("m", "m.a", "m.b")


def test_an_id_with_a_star_in_a_states_key_does_not_become_a_wildcard():
    built = machine("m", initial="a*", actors=ACTORS, states={
        "a*": state(invoke=invoke("tests", on_done=to("b"))), "b": state()})  # fmt: skip
    snapshot, _ = start(built)
    assert not step(snapshot, "done.actor.0.m.a")[1].handled
    assert step(snapshot, "done.actor.0.m.a*")[0].leaves == ("m.b",)


def test_a_wildcard_without_any_transition_handles_nothing():
    built = machine("m", initial="a", states={"a": state(on={"*": [], "go": []})})
    assert not step(start(built)[0], "go")[1].handled


@pytest.mark.parametrize("place", ["entry", "exit"])
def test_an_answer_on_an_entry_or_exit_below_no_agents_state_is_warned_about(place):
    with pytest.warns(ChartWarning) as caught:
        chart(state(**{place: answer(say)}), invoking(invoke("coder")))
    (warning,) = caught
    assert str(warning.message) == (
        f'an answer on the {place} of "m.a" is below no Agent\'s state, so it shapes no pick — an '
        f'{place} there is no transition an Agent\'s event takes; move it under "m.b", or onto a '
        "transition"
    )


def test_the_warning_names_the_first_agents_state_and_comes_once_for_each_place():
    with pytest.warns(ChartWarning) as caught:
        machine("m", initial="a", actors=ACTORS, entry=[answer(say), answer(say)],
            exit=answer(say), states={
                "a": invoking(invoke("coder")), "b": invoking(invoke("critic"))})  # fmt: skip
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 2
    assert all('move it under "m.a", or' in text for text in texts)


def test_without_an_agent_the_warning_names_no_state():
    with pytest.warns(ChartWarning, match=r"event takes; move it onto a transition$"):
        chart(state(entry=answer(say)))


@pytest.mark.parametrize(
    "build",
    [
        lambda: machine("m", entry=answer(say)),
        lambda: Machine.from_dict({"id": "m", "entry": "say"}, actions={"say": answer(say)}),
        lambda: Machine.from_definition("m", state(entry=answer(say))),
    ],
)
def test_a_warning_points_at_the_line_that_builds_the_machine(build):
    with pytest.warns(ChartWarning) as caught:
        build()
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (__file__, build.__code__.co_firstlineno)


def test_answers_that_can_speak_to_a_pick_are_not_warned_about():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        chart(
            invoking(
                invoke("coder", on_done=to("b", do=answer(say))),
                entry=answer(say),
                initial="x",
                states={"x": state(entry=answer(say), exit=answer(say))},
            ),
            state(on={"*": to("a", do=answer(say))}),
        )
    assert caught == []
