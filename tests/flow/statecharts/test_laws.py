"""Laws that hold on every chart, whatever its author wrote."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import ActionError, UnsettledError
from explainkit.flow.statecharts import Machine, StartTimer, start, step
from tests.flow.statecharts.random_charts import (
    ACTIONS,
    ACTORS,
    GUARDS,
    build,
    charts,
    configs,
    events,
)

LIMIT = 60


def driven(machine, names):
    """Every pair of snapshot and steps from the start on, until the machine is over."""
    snapshot, steps = start(machine, limit=LIMIT)
    yield snapshot, steps
    for name in names:
        if snapshot.status != "active":
            return
        if name == "timer":
            owners = [machine.chart.nodes[n] for n in snapshot.active]
            waiting = [timer.event for node in owners for timer in node.timers]
            name = waiting[0] if waiting else "A"
        if name == "actor":
            name = f"done.actor.{snapshot.actors[-1].id}" if snapshot.actors else "B"
        snapshot, steps = step(snapshot, name, limit=LIMIT)
        yield snapshot, steps


def settled(machine, names):
    return [(s, steps) for s, steps in driven(machine, names) if s.status != "error"]


@given(charts(), events())
def test_a_configuration_is_always_well_formed(machine, names):
    nodes = machine.chart.nodes
    for snapshot, _ in settled(machine, names):
        active = set(snapshot.active)
        assert list(snapshot.active) == sorted(active)
        assert 0 in active
        for number in active:
            node = nodes[number]
            assert node.kind != "history"
            assert node.parent < 0 or node.parent in active
            below = [child for child in node.children if child in active]
            if node.kind == "compound":
                assert len(below) == 1
            if node.kind == "parallel":
                assert below == list(node.children)


@given(charts(), events())
def test_no_active_state_is_entered_and_no_other_is_left(machine, names):
    active = set()
    for snapshot, steps in settled(machine, names):
        for small in steps.microsteps:
            for state in small.exited:
                assert state in active
                active.remove(state)
            for state in small.entered:
                assert state not in active
                active.add(state)
        assert active == set(snapshot.configuration)


@given(charts(), events())
def test_exits_go_against_document_order_and_entries_along_it(machine, names):
    place = {state: number for number, state in enumerate(machine.states)}
    for _, steps in settled(machine, names):
        for small in steps.microsteps:
            left = [place[state] for state in small.exited]
            came = [place[state] for state in small.entered]
            assert left == sorted(left, reverse=True)
            assert came == sorted(came)


@given(charts(), events())
def test_actions_run_exits_first_then_transitions_then_entries(machine, names):
    rank = {"exit": 0, "entry": 2}
    for _, steps in settled(machine, names):
        for small in steps.microsteps:
            ranks = [rank.get(action.place, 1) for action in small.actions]
            if not small.done:  # the end of a machine exits everything after its last entry
                assert ranks == sorted(ranks)


@given(charts(), events())
def test_timers_run_for_exactly_the_active_states_that_have_them(machine, names):
    running = Counter()
    for snapshot, steps in settled(machine, names):
        for change in steps.timers:
            running[change.event] += 1 if isinstance(change, StartTimer) else -1
        owners = [machine.chart.nodes[number] for number in snapshot.active]
        expected = [timer.event for node in owners for timer in node.timers]
        done = snapshot.status == "done"
        assert sorted(running.elements()) == ([] if done else sorted(expected))


@given(charts(), events())
def test_a_snapshot_is_never_changed_by_a_step(machine, names):
    seen = []
    for snapshot, _ in driven(machine, names):
        seen.append(
            (snapshot, snapshot.configuration, dict(snapshot.context or {}), snapshot.history)
        )
    for snapshot, configuration, context, history in seen:
        assert snapshot.configuration == configuration
        assert (snapshot.context or {}) == context
        assert snapshot.history == history


@given(configs(), events())
def test_the_same_chart_does_the_same_and_so_does_the_chart_written_back(cfg, names):
    machine = build(cfg)
    again = Machine.from_dict(
        machine.to_dict(),
        guards=machine.guards,
        actions=machine.actions,
        actors=machine.actors,
        events=machine.events,
    )
    assert again.to_dict() == machine.to_dict()
    assert again.doc() == machine.doc()
    ours, theirs = list(driven(machine, names)), list(driven(again, names))
    assert [s.configuration for s, _ in ours] == [s.configuration for s, _ in theirs]
    assert [[a.name for a in t.actions] for _, t in ours] == [
        [a.name for a in t.actions] for _, t in theirs
    ]


@given(configs(), events(), st.integers(0, 20))
def test_an_action_that_raises_leaves_the_configuration_before_the_event(cfg, names, patience):
    left = [patience]

    def fragile(_):
        left[0] -= 1
        if left[0] < 0:
            raise ValueError("no more")

    machine = Machine.from_dict(
        cfg, guards=GUARDS, actions={**ACTIONS, "mark": fragile}, actors=ACTORS
    )
    before = ()
    for snapshot, steps in driven(machine, names):
        if isinstance(snapshot.error, ActionError):
            assert snapshot.configuration == before
            assert steps.actions[-1].name == "mark"
            assert '"mark"' in str(snapshot.error)
            assert step(snapshot, "A")[0] is snapshot
        before = snapshot.configuration


@given(charts(), events())
def test_the_only_fault_of_a_chart_without_faulty_code_is_that_it_never_settles(machine, names):
    for snapshot, steps in driven(machine, names):
        assert snapshot.error is None or isinstance(snapshot.error, UnsettledError)
        assert (snapshot.status == "error") == (snapshot.error is not None)
        assert len(steps.microsteps) <= LIMIT


@given(charts())
def test_a_drawing_names_every_state_once_and_every_arrow(machine):
    arrows = sum(max(len(t.aims), 1) for node in machine.chart.nodes for t in node.transitions)
    mermaid, dot = machine.to_mermaid(), machine.to_dot()
    for number in range(len(machine.states)):
        assert mermaid.count(f'" as s{number}\n') + mermaid.count(f'" as s{number} {{') == 1
        assert dot.count(f" s{number} [shape=") == 1
    assert mermaid.count(" : ") == arrows
    assert dot.count("-> ") - sum(node.initial >= 0 for node in machine.chart.nodes) == arrows
