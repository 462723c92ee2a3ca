"""A chart told as plain JSON, its fingerprint, and what differs between two of them."""

import json
import re

import pytest
from pydantic import BaseModel

from explainkit.errors import ChartError, ChartWarning
from explainkit.flow.statecharts import (
    Machine,
    after,
    answer,
    assign,
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
from explainkit.flow.statecharts.drifting import drift
from tests.flow.statecharts.casts import AGENT, EFFECT, GATE


class Verdict(BaseModel):
    """What a reviewer says."""

    passed: bool
    why: str = ""


def say(_):
    return "well"


def rich(args):
    return args.context["sum"] > 3


EVENTS = (
    define_event("run_tests", "Run them.", audience="agent"),
    define_event("verdict", input=Verdict),
    define_event("ping", audience="external"),
)
ACTORS = {"coder": AGENT, "tests": EFFECT, "person": GATE, "plain": print}


def coding(**more):
    """A chart with an Agent; each of its parts can be replaced."""
    parts = {
        "ready": state(on={"run_tests": to("testing", guard=rich, do=assign({"sum": 1}))}),
        "testing": state(invoke=[
            invoke("tests", on_done=to("ready", do=[assign({"sum": 2}), answer(say)])),
            invoke("person", id="asking", holds=False)]),
        **more,
    }  # fmt: skip
    return machine("m", after(50, to(".done", reenter=True)), context={"sum": 5}, actors=ACTORS,
        events=EVENTS, initial="coding", on={"ping": to(do=answer(say))}, states={
        "coding": state(invoke=invoke("coder"), description="It works.", initial="ready",
            on={"verdict": to("done")}, states={**parts, "h": history("ready", deep=True)}),
        "done": final(),
    })  # fmt: skip


def rows(doc, what, **wanted):
    return [row for row in doc[what] if wanted.items() <= row.items()]


def test_states_are_told_in_document_order():
    doc = coding().doc()
    assert json.loads(json.dumps(doc)) == doc
    assert [row["id"] for row in doc["states"]] == list(coding().states)
    assert rows(doc, "states", id="m.coding") == [
        {
            "id": "m.coding",
            "key": "coding",
            "type": "compound",
            "description": "It works.",
            "parent": "m",
            "initial": "m.coding.ready",
        }
    ]
    (remembers,) = rows(doc, "states", key="h")
    assert (remembers["history"], remembers["leads"]) == ("deep", ["m.coding.ready"])


def test_transitions_are_told_with_the_names_of_guards_and_actions():
    doc = coding().doc()
    assert rows(doc, "transitions", event="run_tests") == [
        {
            "source": "m.coding.ready",
            "trigger": "on",
            "event": "run_tests",
            "targets": ["m.coding.testing"],
            "guard": "rich",
            "actions": ["assign"],
            "reenter": False,
            "delay": None,
        }
    ]
    (timer,) = rows(doc, "transitions", trigger="after")
    assert (timer["delay"], timer["reenter"], timer["targets"]) == (50, True, ["m.done"])
    (done,) = rows(doc, "transitions", trigger="actor_done")
    assert done["event"] == "done.actor.0.m.coding.testing"


def test_actors_are_told_with_their_kind_and_where_they_are_invoked():
    testing = "m.coding.testing"
    assert coding().doc()["actors"] == [
        {
            "key": "coder",
            "kind": "agent",
            "invoked": [{"state": "m.coding", "id": "0.m.coding", "holds": True}],
        },
        {
            "key": "tests",
            "kind": "effect",
            "invoked": [{"state": testing, "id": f"0.{testing}", "holds": True}],
        },
        {
            "key": "person",
            "kind": "gate",
            "invoked": [{"state": testing, "id": "asking", "holds": False}],
        },
        {"key": "plain", "kind": "function", "invoked": []},
    ]


def test_events_are_told_with_their_schema_and_the_menu_of_each_agent():
    doc = coding().doc()
    assert [(row["name"], row["audience"]) for row in doc["events"]] == [
        ("run_tests", "agent"),
        ("verdict", "any"),
        ("ping", "external"),
    ]
    assert doc["events"][1]["schema"]["required"] == ["passed"]
    # The state that waits for a person is the gate's own matter, `ping` is sent from outside.
    assert doc["menus"] == {"coder": ["verdict", "run_tests"]}


def test_every_answer_is_told_with_the_pick_that_it_speaks_to():
    with pytest.warns(ChartWarning) as caught:
        chart = machine("m", actors=ACTORS, entry=[assign({}), answer(say)], initial="a", states={
            "a": state(invoke=invoke("coder"), initial="b", states={
                "b": state(exit=answer(say), invoke=invoke("tests", on_error=to(do=answer(rich))))
            })}, on={"*": to(do=answer(say))})  # fmt: skip
    sites = {(row["state"], row["place"]): row for row in chart.doc()["answers"]}
    assert {key: row["scope"] for key, row in sites.items()} == {
        ("m", "entry"): {"none": str(caught[0].message)},
        ("m", "on.*[0]"): {"event": "the pick whose event took the transition"},
        ("m.a.b", "exit"): {"agent": "coder"},
        ("m.a.b", "invoke[0].on_error[0]"): {"agent": "coder"},
    }
    assert sites["m", "entry"]["index"] == 1
    assert sites["m.a.b", "invoke[0].on_error[0]"]["action"] == "answer rich"


def test_the_innermost_agent_is_the_one_that_an_answer_speaks_to():
    chart = machine("m", actors={**ACTORS, "critic": AGENT}, invoke=invoke("coder"), initial="a",
        entry=answer(say), states={
            "a": state(invoke=invoke("critic"), entry=answer(say))})  # fmt: skip
    assert [row["scope"] for row in chart.doc()["answers"]] == [
        {"agent": "coder"},
        {"agent": "critic"},
    ]


def test_a_fingerprint_is_hex_and_knows_no_functions_and_no_words():
    one = coding().fingerprint
    assert re.fullmatch("[0-9a-f]{64}", one)
    assert coding().doc()["fingerprint"] == one
    other = coding(
        ready=state(
            on={"run_tests": to("testing", guard=lambda _: True, do=[say, say])},
            entry=say,
            description="Other words.",
            meta=1,
        )
    )
    assert other.fingerprint == one


def small(**root):
    return {
        "id": "m",
        "initial": "a",
        "states": {
            "a": {"on": {"E": "b", "F": "a"}, "invoke": [{"src": "tests"}, {"src": "plain"}]},
            "b": {"after": {"5": "a"}},
            "c": {"initial": "x", "states": {"x": {}, "h": {"type": "history"}}},
        },
        **root,
    }


def read(shape):
    return Machine.from_dict(shape, actors=ACTORS)


def changed(path, value):
    shape = json.loads(json.dumps(small()))
    at = shape
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return shape


CHANGES = {
    "the id": (changed(["id"], "n"), ['the machine was "m" and is "n"']),
    "the initial state": (
        changed(["initial"], "b"),
        ['the initial state of "m" was m.a and is m.b'],
    ),
    "a target": (
        changed(["states", "a", "on", "E"], "c"),
        ['on "E" of "m.a" led to m.b and leads to m.c'],
    ),
    "a target less": (
        changed(["states", "a", "on", "E"], {"actions": []}),
        ['on "E" of "m.a" led to m.b and leads to nowhere'],
    ),
    "a candidate more": (
        changed(["states", "a", "on", "E"], ["b", "c"]),
        ['on "E" of "m.a" led to m.b and leads to m.b, else to m.c'],
    ),
    "entering again": (
        changed(["states", "a", "on", "F"], {"target": "a", "reenter": True}),
        ['on "F" of "m.a" led to m.a and leads to m.a, entering again'],
    ),
    "a delay": (
        changed(["states", "b", "after"], {"6": "a"}),
        ['on "after.5.m.b" of "m.b" is gone', 'on "after.6.m.b" of "m.b" is new'],
    ),
    "a handler more": (
        changed(["states", "b", "always"], {"target": "c", "guard": bool}),
        ['on "always" of "m.b" is new'],
    ),
    "the order of handlers": (
        changed(["states", "a", "on"], {"F": "a", "E": "b"}),
        ["the order of states, actors or handlers is another"],
    ),
    "an actor": (
        changed(["states", "a", "invoke", 1, "src"], "person"),
        ['the actor "1.m.a" of "m.a" was plain, holding and is person, holding'],
    ),
    "an actor's id": (
        changed(["states", "a", "invoke", 1, "id"], "x"),
        ['the actor "1.m.a" of "m.a" is gone', 'the actor "x" of "m.a" is new'],
    ),
    "holding": (
        changed(["states", "a", "invoke", 0, "holds"], False),
        ['the actor "0.m.a" of "m.a" was tests, holding and is tests, not holding'],
    ),
    "a state's kind": (
        changed(["states", "b"], {"type": "parallel", "after": {"5": "a"}, "states": {"x": {}}}),
        ['the type of "m.b" was atomic and is parallel', 'the state "m.b.x" is new'],
    ),
    "a state less": (
        changed(["states", "c"], None),
        ['the state "m.c" is gone', 'the state "m.c.x" is gone', 'the state "m.c.h" is gone'],
    ),
    "the depth of a history": (
        changed(["states", "c", "states", "h", "history"], "deep"),
        ['the depth of "m.c.h" was shallow and is deep'],
    ),
}


@pytest.mark.parametrize(("shape", "told"), CHANGES.values(), ids=CHANGES.keys())
def test_every_change_of_the_build_changes_the_fingerprint_and_is_told(shape, told):
    was, is_ = read(small()), read(shape)
    assert was.fingerprint != is_.fingerprint
    assert drift(json.loads(json.dumps(was.doc())), is_) == told


def test_two_machines_of_one_build_have_not_drifted():
    assert read(small()).fingerprint == read(small()).fingerprint
    assert drift(read(small()).doc(), read(small(description="other words"))) == []


@pytest.mark.parametrize(
    "damaged",
    [
        {"machine": "m"},
        {"machine": "m", "states": 5, "actors": [None, {"invoked": {}}]},
        {"machine": "m", "states": [{}, {"id": []}], "transitions": [{"targets": 1}]},
    ],
)
def test_a_damaged_description_is_told_as_what_is_missing(damaged):
    told = drift(damaged, read(small()))
    assert 'the state "m.a" is new' in told


def test_sentences_about_a_hostile_description_are_short():
    doc = read(small()).doc()
    doc["fingerprint"] = ""
    doc["states"].append({"id": "y" * 10_000})
    doc["transitions"][0]["targets"] = ["x"] * 10_000
    assert max(map(len, drift(doc, read(small())))) < 500
    assert max(map(len, drift({"machine": "x" * 10_000}, read(small())))) < 500


class Opaque:
    """A type that pydantic knows nothing of."""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (int, "is a JSON integer, not an object"),
        (list[str], "is a JSON array, not an object"),
        (Opaque, "has no JSON Schema"),
        (dict[str, Opaque], "has no JSON Schema"),
        ("Undefined", "has no JSON Schema"),
        ({"order": str}, "has no JSON Schema"),
    ],
)
def test_an_event_whose_input_is_no_json_object_is_refused(given, message):
    with pytest.raises(ChartError, match=f'Machine "m": the input of the event "go" {message}'):
        machine("m", events=[define_event("go", input=given)])


def test_what_is_told_of_a_chart_does_not_change_when_it_runs():
    chart = coding()
    doc = chart.doc()
    step(start(chart)[0], "run_tests")
    assert chart.doc() == doc
