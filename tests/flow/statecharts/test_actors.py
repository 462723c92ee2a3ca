"""Actors start and stop at the end of a macrostep, and live as long as their state is active."""

from explainkit.flow.statecharts import (
    Event,
    always,
    assign,
    final,
    invoke,
    machine,
    raise_,
    start,
    state,
    step,
    to,
)
from tests.flow.statecharts.casts import EFFECT

ACTORS = dict.fromkeys(("one", "two", "three"), EFFECT)
COUNT = assign({"n": lambda args: args.context["n"] + 1})


def seen(args):
    return args.context["n"]


def chart(states, **root):
    root = {"initial": next(iter(states)), "context": {"n": 0}, **root}
    return machine("m", actors=ACTORS, states=states, **root)


def ids(actors):
    return [actor.id for actor in actors]


def test_actors_start_outermost_first_and_as_written():
    built = chart(
        {"a": state(invoke=[invoke("two"), invoke("one")])}, invoke=invoke("three", id="top")
    )
    snapshot, steps = start(built)
    assert ids(steps.started) == ids(snapshot.actors) == ["top", "0.m.a", "1.m.a"]
    assert [actor.session for actor in snapshot.actors] == [1, 2, 3]


def test_leaving_a_state_stops_its_actors_and_coming_back_starts_others():
    built = chart({"a": state(invoke=invoke("one"), on={"go": to("b")}),
                   "b": state(on={"back": to("a")})})  # fmt: skip
    first, _ = start(built)
    left, steps = step(first, "go")
    assert (steps.stopped, left.actors) == (first.actors, ())
    back, _ = step(left, "back")
    assert [(actor.session, actor.id) for actor in back.actors] == [(2, "0.m.a")]


def test_entering_again_stops_one_and_starts_another_and_an_inner_move_does_neither():
    built = chart({"a": state(invoke=invoke("one"), initial="x", states={
        "x": state(), "y": state(),
    }, on={"in": to(".y"), "again": to("a", reenter=True)})})  # fmt: skip
    first, _ = start(built)
    inner, steps = step(first, "in")
    assert (steps.started, steps.stopped, inner.actors) == ((), (), first.actors)
    again, steps = step(inner, "again")
    assert steps.stopped == first.actors
    assert steps.started == again.actors
    assert [actor.session for actor in again.actors] == [2]


def test_an_actor_whose_state_is_left_in_the_same_macrostep_is_never_started():
    passing = {
        "always": state(always(to("b")), invoke=invoke("one")),
        "raised": state(invoke=invoke("one"), entry=raise_("on"), on={"on": to("b")}),
    }
    for passed in passing.values():
        built = chart({"wait": state(on={"go": to("a")}), "a": passed, "b": state()})
        snapshot, steps = step(start(built)[0], "go")
        assert snapshot.leaves == ("m.b",)
        assert (steps.started, steps.stopped, snapshot.actors) == ((), (), ())
        assert snapshot.sessions == 1


def test_input_is_computed_after_the_entry_actions_of_its_own_state_only():
    use = invoke("one", input={"n": seen, "fixed": 1})
    built = chart({"a": state(entry=COUNT, invoke=use, initial="x", states={
        "x": state(entry=COUNT, invoke=invoke("two", input=seen))})})  # fmt: skip
    snapshot, _ = start(built)
    assert [actor.input for actor in snapshot.actors] == [{"n": 1, "fixed": 1}, 2]


def test_input_sees_the_event_that_entered_the_state():
    use = invoke("one", input=lambda args: args.event.payload)
    built = chart({"wait": state(on={"go": to("a")}), "a": state(invoke=use)})
    snapshot, _ = step(start(built)[0], Event("go", 7))
    assert snapshot.actors[0].input == 7


def test_input_that_raises_is_a_fault_and_starts_nothing():
    def broken(_):
        raise ValueError("no")

    built = chart({"wait": state(invoke=invoke("one"), on={"go": to("a")}),
                   "a": state(invoke=invoke("two", input=broken))})  # fmt: skip
    before, _ = start(built)
    snapshot, steps = step(before, "go")
    assert (snapshot.status, snapshot.actors) == ("error", before.actors)
    assert (steps.started, steps.stopped) == ((), ())
    assert 'the input of the actor "0.m.a" raised ValueError: no' in str(snapshot.error)


def test_the_end_of_a_machine_stops_all_and_starts_none():
    built = chart({"a": state(invoke=invoke("one"), on={"go": to("b")}),
                   "b": state(invoke=invoke("two"), initial="f", on_done=to("end"),
                              states={"f": final()}),
                   "end": final()}, invoke=invoke("three"))  # fmt: skip
    first, _ = start(built)
    snapshot, steps = step(first, "go")
    assert snapshot.status == "done"
    assert (steps.started, steps.stopped, snapshot.actors) == ((), first.actors, ())


def test_the_actors_of_a_region_stop_with_it_and_the_others_stay():
    left = state(initial="x", states={
        "x": state(invoke=invoke("one"), on={"go": to("y")}),
        "y": state(invoke=invoke("three")),
    })  # fmt: skip
    regions = {"l": left, "r": state(invoke=invoke("two"))}
    built = chart({"p": state(parallel=True, states=regions)})
    first, _ = start(built)
    snapshot, steps = step(first, "go")
    assert (ids(steps.stopped), ids(steps.started)) == (["0.m.p.l.x"], ["0.m.p.l.y"])
    assert ids(snapshot.actors) == ["0.m.p.r", "0.m.p.l.y"]
