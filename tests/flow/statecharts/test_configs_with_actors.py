"""Actors, answers and notes of an author in the shape of an xstate config, there and back."""

import pytest

from explainkit.flow.statecharts import (
    Answer,
    Event,
    Machine,
    answer,
    define_event,
    final,
    invoke,
    machine,
    start,
    state,
    step,
    to,
)
from tests.flow.statecharts.casts import AGENT, EFFECT, GATE


def say(args):
    """What an answer gives."""
    return args.event.output


def rich(args):
    return args.context["sum"] > 3


def asked_for(args):
    return args.context["sum"]


ACTORS = {"coder": AGENT, "tests": EFFECT, "person": GATE}
EVENTS = (define_event("run_tests", "Run them."), define_event("finished", audience="agent"))


def both():
    """One chart written in both ways."""
    written = machine("m", context={"sum": 5}, actors=ACTORS, events=EVENTS, initial="coding",
        invoke=invoke("person", holds=False), description="Mends tests.", states={
        "coding": state(
            invoke=invoke("coder", input={"prompt": "go", "sum": asked_for}),
            on={"finished": to("done")}, initial="ready", tags=["busy"], states={
            "ready": state(on={"run_tests": to("testing")}, meta={"color": "green"}),
            "testing": state(description="They run.", invoke=[
                invoke("tests", on_done=to("ready", do=answer(say)), on_error=[
                    to("ready", guard=rich), to()]),
                invoke("tests", id="again", input=asked_for)]),
        }),
        "done": final(description="All is well.", tags=["end"], meta=7),
    })  # fmt: skip
    shape = {
        "id": "m",
        "context": {"sum": 5},
        "initial": "coding",
        "invoke": {"src": "person", "holds": False},
        "description": "Mends tests.",
        "states": {
            "coding": {
                "invoke": {"src": "coder", "input": {"prompt": "go", "sum": asked_for}},
                "on": {"finished": {"target": "done"}},
                "initial": "ready",
                "tags": ["busy"],
                "states": {
                    "ready": {
                        "on": {"run_tests": {"target": "testing"}},
                        "meta": {"color": "green"},
                    },
                    "testing": {
                        "description": "They run.",
                        "invoke": [
                            {
                                "src": "tests",
                                "onDone": {"target": "ready", "actions": ["answer say"]},
                                "onError": [{"target": "ready", "guard": "rich"}, {}],
                            },
                            {"src": "tests", "id": "again", "input": asked_for},
                        ],
                    },
                },
            },
            "done": {
                "type": "final",
                "description": "All is well.",
                "tags": ["end"],
                "meta": 7,
            },
        },
    }
    return written, shape


def again(chart, shape=None):
    return Machine.from_dict(
        shape or chart.to_dict(),
        guards=chart.guards,
        actions=chart.actions,
        actors=chart.actors,
        events=chart.events,
    )


def test_both_ways_of_writing_give_the_same_chart():
    written, shape = both()
    assert written.to_dict() == shape
    read = again(written, shape)
    assert read.to_dict() == shape
    assert (read.guards, read.actions) == (written.guards, written.actions)
    assert (read.actors, read.events) == (ACTORS, EVENTS)


def test_a_chart_that_was_read_starts_the_same_actors():
    written, shape = both()
    for chart in (written, again(written, shape)):
        snapshot, _ = step(start(chart)[0], "run_tests")
        assert [(a.session, a.id, a.src, a.holds, a.input) for a in snapshot.actors] == [
            (1, "0.m", "person", False, None),
            (2, "0.m.coding", "coder", True, {"prompt": "go", "sum": 5}),
            (3, "0.m.coding.testing", "tests", True, None),
            (4, "again", "tests", True, 5),
        ]


def test_an_answer_is_a_named_action():
    chart, _ = both()
    assert list(chart.actions) == ["answer say"]
    assert isinstance(chart.actions["answer say"], Answer)
    shape = {"id": "m", "on": {"E": {"actions": ["tell", answer(say)]}}}
    read = Machine.from_dict(shape, actions={"tell": answer(rich)})
    assert read.actions == {"tell": Answer(rich), "answer say": Answer(say)}
    assert again(read).to_dict() == read.to_dict()


def test_the_names_of_xstate_for_what_actors_give_lose_their_prefix():
    shape = {
        "id": "m",
        "initial": "a",
        "states": {
            "a": {
                "invoke": {"src": "tests"},
                "on": {"xstate.done.actor.0.m.a": "b", "xstate.error.actor.0.m.a": "c"},
            },
            "b": {},
            "c": {},
        },
    }
    chart = Machine.from_dict(shape, actors=ACTORS)
    snapshot, _ = start(chart)
    assert step(snapshot, "done.actor.0.m.a")[0].leaves == ("m.b",)
    assert step(snapshot, "error.actor.0.m.a")[0].leaves == ("m.c",)
    assert again(chart).to_dict() == chart.to_dict()


def test_what_an_actor_gives_is_seen_by_its_transition():
    chart = machine("m", actors=ACTORS, initial="a", states={
        "a": state(invoke=invoke("tests", on_done=to("b", guard=lambda a: a.event.output == 1),
                                 on_error=to("c", guard=lambda a: a.event.error == "no"))),
        "b": state(), "c": state()})  # fmt: skip
    snapshot, _ = start(chart)
    for name, payload, leaf in (
        ("done", {"output": 1}, "m.b"),
        ("done", {"output": 2}, "m.a"),
        ("error", {"error": "no"}, "m.c"),
    ):
        assert step(snapshot, Event(f"{name}.actor.0.m.a", payload))[0].leaves == (leaf,)


@pytest.mark.parametrize("tags", ["one", ["one", "two"], []])
def test_notes_of_the_author_are_given_back_unchanged(tags):
    shape = {
        "id": "m",
        "description": "",
        "tags": tags,
        "meta": {"@": [1]},
        "initial": "h",
        "states": {
            "h": {"type": "history", "target": "a", "description": "where it was"},
            "a": {"tags": tags, "meta": 0},
        },
    }
    assert Machine.from_dict(shape).to_dict() == shape


def ending(**root):
    return {
        "id": "m",
        "context": {"n": 1},
        "initial": "a",
        "states": {"a": {"on": {"E": "end"}}, "end": {"type": "final", "output": 7}},
        **root,
    }


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (None, 7),
        (8, 8),
        (lambda args: [args.event.name, args.event.output], ["done.state.m.end", 7]),
    ],
)
def test_a_machine_is_done_with_its_own_output_else_with_that_of_its_end(output, expected):
    snapshot, _ = step(start(Machine.from_dict(ending(output=output)))[0], "E")
    assert snapshot.status == "done"
    assert snapshot.output == expected


def test_the_output_of_a_parallel_machine_sees_that_all_regions_are_done():
    chart = machine("m", parallel=True, output=lambda args: (args.event.name, args.event.output),
        states={"l": state(initial="f", states={"f": final(output=1)})})  # fmt: skip
    assert start(chart)[0].output == ("done.state.m", None)
    assert again(chart).to_dict() == chart.to_dict()


def test_an_output_that_raises_leaves_the_machine_where_it_was():
    def broken(_):
        raise ValueError("no")

    chart = Machine.from_dict(ending(output=broken))
    snapshot, _ = step(start(chart)[0], "E")
    assert (snapshot.status, snapshot.leaves) == ("error", ("m.a",))
    assert 'the output of "m" raised ValueError: no' in str(snapshot.error)
