"""The menu of an Agent is read off the chart, and what of it is allowed off a configuration."""

import warnings

import pytest

from explainkit.errors import ChartError, ChartWarning
from explainkit.flow.statecharts import machine, start, state, step, to
from explainkit.flow.statecharts.builders import invoke
from explainkit.flow.statecharts.event_definitions import define_event
from explainkit.flow.statecharts.menu import allowed, menu_of
from tests.flow.statecharts.casts import AGENT, EFFECT, GATE

ACTORS = {"coder": AGENT, "critic": AGENT, "tests": EFFECT, "person": GATE}


def note(_):
    """Something that a transition does."""


def events(*names, **audiences):
    return [
        *(define_event(name) for name in names),
        *(define_event(name, audience=audience) for name, audience in audiences.items()),
    ]


def chart(*, on=None, ready=None, root=None, names=("a", "b", "c"), **more):
    """An Agent's state `coding` with a child `ready`, beside a state `done`."""
    return machine("m", events=events(*names), actors=ACTORS, initial="coding", on=root, states={
        "coding": state(invoke=invoke("coder"), on=on, initial="ready", states={
            "ready": state(on=ready), **more,
        }),
        "done": state(),
    })  # fmt: skip


def allowed_at(built, *, given=None, picked=()):
    snapshot, _ = start(built, given)
    for name in picked:
        snapshot, _ = step(snapshot, name)
    assert snapshot.status == "active"
    return allowed(snapshot, "coder")


def test_a_menu_is_what_is_handled_above_at_and_below_the_state_in_document_order():
    built = machine("m", events=events(*"abcdef"), actors=ACTORS, initial="outer",
        on={"b": to(".other")}, states={
        "outer": state(on={"a": to("other")}, initial="coding", states={
            "coding": state(invoke=invoke("coder"), on={"d": to("beside"), "a": to()},
                initial="x", states={"x": state(on={"c": to("y")}), "y": state()}),
            "beside": state(on={"e": to("coding")}),
        }),
        "other": state(on={"f": to("outer")}),
    })  # fmt: skip
    assert menu_of(built.chart, "coder") == ("b", "a", "d", "c")


def test_a_menu_holds_what_agents_may_send_and_neither_wildcards_nor_the_machines_own_events():
    defined = events(own="agent", all="any", theirs="external")
    handled = ("own", "all", "theirs", "*", "own.*", "agent.fault", "done.state.x")
    built = machine("m", events=defined, actors=ACTORS, invoke=invoke("coder"),
        on={name: to(do=note) for name in handled})  # fmt: skip
    assert menu_of(built.chart, "coder") == ("own", "all")


@pytest.mark.parametrize("apart", ["critic", "person"])
def test_what_is_below_a_gate_or_another_agent_is_no_matter_of_the_agent_above(apart):
    inside = state(invoke=invoke(apart), on={"b": to("ready")}, initial="x", states={
        "x": state(on={"c": to("#m.coding.ready")})})  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChartWarning)  # a Gate that hides an event is told
        built = chart(ready={"a": to("asking")}, asking=inside)
    assert menu_of(built.chart, "coder") == ("a",)


def test_an_effect_does_not_stop_the_walk_and_neither_does_a_gate_at_the_agents_own_state():
    working = state(invoke=invoke("tests"), on={"b": to("ready")})
    assert menu_of(chart(working=working).chart, "coder") == ("b",)
    built = machine("m", events=events("a", "b"), actors=ACTORS, on={"a": to()},
        invoke=[invoke("coder"), invoke("person")], initial="x", states={
            "x": state(on={"b": to()})})  # fmt: skip
    assert menu_of(built.chart, "coder") == ("a", "b")


def test_a_nested_agents_menu_reaches_up_through_the_outer_one():
    built = chart(on={"a": to("done")}, ready={"b": to("review")},
        review=state(invoke=invoke("critic"), on={"c": to("ready")}))  # fmt: skip
    assert menu_of(built.chart, "critic") == ("a", "c")


def test_an_unknown_agent_is_named_with_those_there_are():
    with pytest.raises(ChartError, match=r'"m" invokes no Agent "tests"\. Its Agents: coder'):
        menu_of(chart().chart, "tests")


def test_allowed_is_what_the_configuration_takes_now():
    built = chart(on={"a": to("done")}, ready={"b": to("busy")}, busy=state(on={"c": to("ready")}))
    assert allowed_at(built) == ("a", "b")
    assert allowed_at(built, picked=["b"]) == ("a", "c")


def test_a_machine_that_is_over_allows_nothing():
    def broken(_):
        raise ValueError("no")

    built = chart(on={"a": to("done", do=broken), "b": to("done")})
    snapshot, _ = step(start(built)[0], "a")
    assert snapshot.status == "error"
    assert allowed(snapshot, "coder") == ()


def test_a_guard_on_the_context_is_asked():
    rich = {"a": to("done", guard=lambda args: args.context["sum"] > 3)}
    built = machine("m", events=events("a"), actors=ACTORS, context=lambda given: given,
        invoke=invoke("coder"), initial="x", states={
            "x": state(on=rich), "done": state()})  # fmt: skip
    assert allowed_at(built, given={"sum": 5}) == ("a",)
    assert allowed_at(built, given={"sum": 1}) == ()


def caught(args):
    try:
        return args.event.payload["n"] > 3
    except Exception:
        return False


def throws(args):
    return args.context["missing"] > 3


@pytest.mark.parametrize(
    "guard",
    [
        lambda args: args.event.payload["n"] > 3,
        lambda args: bool(args.event.payload),
        lambda args: isinstance(args.event.payload, dict),
        lambda args: args.event.payload is not None and False,
        lambda args: "never" in repr(args.event),
        caught,
        throws,
    ],
)
def test_a_guard_that_reads_the_payload_or_raises_counts_as_allowed(guard):
    assert allowed_at(chart(ready={"a": to("#m.done", guard=guard)})) == ("a",)


def test_a_guard_that_reads_only_the_events_name_is_asked():
    guard = {"a": to("#m.done", guard=lambda args: args.event.name == "b")}
    assert allowed_at(chart(ready=guard)) == ()


def never(_):
    return False


def asks(args):
    return args.event.payload["n"] > 3


def test_an_exact_handler_whose_guards_fail_falls_to_the_wildcards_of_its_state():
    ready = {"a": to("#m.done", guard=never), "*": to(do=note)}
    assert allowed_at(chart(ready=ready)) == ("a",)
    blocked = {"a": to("#m.done", guard=never), "*": to()}
    assert allowed_at(chart(ready=blocked, on={"a": to("done")})) == ()


def test_a_wildcard_takes_an_event_whose_own_handler_is_elsewhere():
    built = chart(ready={"*": to(do=note)}, busy=state(on={"a": to("ready")}))
    assert allowed_at(built) == ("a",)


def test_a_handler_that_only_blocks_is_not_allowed_and_hides_the_handlers_above():
    assert allowed_at(chart(ready={"a": to()}, on={"a": to("done")})) == ()
    assert allowed_at(chart(ready={"a": to(do=note)})) == ("a",)


def test_a_blocker_that_may_not_hold_hides_nothing():
    assert allowed_at(chart(ready={"a": to(guard=asks)}, on={"a": to("done")})) == ("a",)
    assert allowed_at(chart(ready={"a": to(guard=never)}, on={"a": to("done")})) == ("a",)
    assert allowed_at(chart(ready={"a": to(guard=asks)})) == ()


def test_the_first_guard_that_holds_decides():
    assert allowed_at(chart(ready={"a": [to(), to("#m.done")]})) == ()
    assert allowed_at(chart(ready={"a": [to("#m.done", guard=asks), to()]})) == ("a",)


def regions(left, right, above=None):
    return machine("m", events=events("a"), actors=ACTORS, invoke=invoke("coder"), parallel=True,
        on=above, states={"l": state(on=left), "r": state(on=right)})  # fmt: skip


@pytest.mark.parametrize(
    ("left", "right", "above", "expected"),
    [
        ({}, {"a": to(do=note)}, {}, ("a",)),
        ({"a": to()}, {"a": to(do=note)}, {}, ("a",)),
        ({"a": to()}, {}, {"a": to(do=note)}, ()),
        ({"a": to(guard=never)}, {}, {"a": to(do=note)}, ("a",)),
        ({"a": to(guard=asks)}, {"a": to()}, {"a": to(do=note)}, ()),
        ({"a": to(guard=asks)}, {}, {"a": to(do=note)}, ("a",)),
    ],
)
def test_regions_are_asked_all_and_their_parent_only_if_none_took_it(left, right, above, expected):
    assert allowed_at(regions(left, right, above)) == expected


def test_asking_what_is_allowed_reaches_no_interrupt():
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        allowed_at(chart(ready={"a": to("#m.done", guard=stop)}))
