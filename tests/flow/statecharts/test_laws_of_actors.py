"""Laws of actors and of what is allowed that hold on every chart, whatever its author wrote."""

import json

from hypothesis import given

from explainkit.flow.statecharts import Event
from explainkit.flow.statecharts.menu import allowed
from explainkit.flow.statecharts.selecting import selected
from tests.flow.statecharts.random_charts import build, charts, configs, events
from tests.flow.statecharts.test_laws import driven, settled


@given(charts(), events())
def test_actors_live_exactly_while_their_state_is_active(machine, names):
    nodes = machine.chart.nodes
    for snapshot, _ in settled(machine, names):
        expected = [(nodes[n].id, use.id) for n in snapshot.active for use in nodes[n].invokes]
        alive = [(actor.state, actor.id) for actor in snapshot.actors]
        assert sorted(alive) == ([] if snapshot.status == "done" else sorted(expected))


@given(charts(), events())
def test_what_was_started_and_not_stopped_is_what_lives_in_the_order_of_its_start(machine, names):
    running = []
    for snapshot, steps in settled(machine, names):
        for actors in (steps.started, steps.stopped, snapshot.actors):
            sessions = [actor.session for actor in actors]
            assert sessions == sorted(set(sessions))
        assert set(steps.stopped) <= set(running)
        assert not set(steps.started) & set(running)
        running = [actor for actor in running if actor not in steps.stopped] + [*steps.started]
        assert tuple(running) == snapshot.actors


@given(charts(), events())
def test_an_actor_that_came_and_went_in_one_macrostep_never_appears(machine, names):
    place = {state: number for number, state in enumerate(machine.states)}
    sessions = 0
    for snapshot, steps in settled(machine, names):
        came = [use for state in steps.entered for use in machine.chart.nodes[place[state]].invokes]
        assert snapshot.sessions == sessions + len(came)
        sessions = snapshot.sessions
        entered = set(steps.entered)
        assert steps.started == tuple(a for a in snapshot.actors if a.state in entered)
        gone = {actor.session for actor in steps.stopped}
        assert not gone & {actor.session for actor in steps.started}


@given(charts(), events())
def test_the_input_of_an_actor_is_computed_after_the_entry_actions_of_its_state(machine, names):
    place = {state: number for number, state in enumerate(machine.states)}
    count, expected = 0, {}
    for snapshot, steps in settled(machine, names):
        for small in steps.microsteps:
            for state in small.entered:
                until = [
                    action.name
                    for action in small.actions
                    if action.place != "entry" or place[action.state] <= place[state]
                ]
                expected[state] = count + until.count("count")
            count += [action.name for action in small.actions].count("count")
        for actor in snapshot.actors:
            assert actor.input == expected[actor.state]


@given(configs(), events())
def test_the_end_of_a_machine_stops_every_actor_and_a_fault_none(cfg, names):
    if "initial" in cfg:  # else it is parallel, and its end is left to chance
        cfg["states"]["f"] = {"type": "final"}
        cfg["on"] = {**cfg["on"], "end": {"target": ".f"}}
    before = ()
    for snapshot, steps in driven(build(cfg), [*names, "end"]):
        if snapshot.status == "done":
            assert (snapshot.actors, steps.started, steps.stopped) == ((), (), before)
        if snapshot.status == "error":
            assert (snapshot.actors, steps.started, steps.stopped) == (before, (), ())
        before = snapshot.actors


@given(configs(), events())
def test_allowed_is_what_some_transition_takes_that_does_something(cfg, names):
    machine = build({**cfg, "invoke": {"src": "coder"}})
    for snapshot, _ in settled(machine, names):
        if snapshot.status == "active":
            told = set(allowed(snapshot, "coder"))
            menu = machine.doc()["menus"]["coder"]
            takes = {
                name: selected(machine.chart, snapshot.active, snapshot.context, Event(name))
                for name in menu
            }
            assert told == {
                name for name in menu if any(t.targets or t.actions for t in takes[name])
            }


@given(charts())
def test_a_chart_is_told_as_plain_json(machine):
    doc = machine.doc()
    assert json.loads(json.dumps(doc, allow_nan=False)) == doc
    assert [state["id"] for state in doc["states"]] == list(machine.states)
