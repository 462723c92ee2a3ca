"""Laws of picks on random machines, whatever the order in which things happen."""

import asyncio
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from explainkit.flow.clocks import settled
from explainkit.flow.picks.advancing import holders
from explainkit.flow.statecharts.agents import agent_states
from explainkit.flow.statecharts.chains import Output
from tests.flow.driving.acting import answers, checked, over, overrides, pick_numbers, replies, rows
from tests.flow.driving.random_casts import Cast, Play, charts

HAPPENINGS = st.lists(st.integers(0, 30), min_size=4, max_size=16)


def side_of(name):
    return name.partition("_")[0]


def stands_well(play):
    """What must hold after each macrostep."""
    standing = play.running.standing
    open_now = {pick.number: pick for pick in standing.picks}
    states = agent_states(play.running.machine.chart)
    for pick in standing.picks:
        assert standing.live(pick.session) is not None, "its Turn is over"
        assert holders(standing, pick), "nothing holds it"
        assert pick.agent in states
        for link in pick.chain:
            if isinstance(link, Output):
                told = link.src if link.output is None else link.output["side"]
                assert side_of(told) == side_of(pick.agent)
            else:
                assert side_of(link.event.name) == side_of(pick.agent)
    for number, (name, task) in enumerate(play.picks, 1):
        assert task.done() or number in open_now, f"{name} waits for a pick that is closed"
        if task.done() and not task.cancelled():
            assert number not in open_now, f"{name} read a pick that is open"
            read = task.result()
            if read.source == "reply" and isinstance(read.value, dict):
                whose = read.value.get("side") or read.value["type"]
                assert side_of(whose) == side_of(name)


def recorded_well(recording, still_open):
    """What must hold of the records of a whole run."""
    numbers = pick_numbers(recording)
    answered = [number for number, _, _ in answers(recording)]
    assert sorted(answered) == sorted(set(numbers.values()) - still_open)
    chains = defaultdict(list)
    for number, index in replies(recording):
        chains[number].append(index)
    assert all(found == list(range(len(found))) for found in chains.values())
    outcomes = defaultdict(list)
    for number, outcome, _ in overrides(recording):
        outcomes[number].append(outcome)
    assert set(outcomes.pop(None, ["unheard"])) == {"unheard"}
    for found in outcomes.values():
        assert found[:-1] == ["superseded"] * (len(found) - 1)
        assert found[-1] in ("applied", "cleared", "unread")
    assert {v for (v,) in rows(recording, "override", "from_version")} <= {1, None}


@given(charts(), HAPPENINGS)
def test_picks_are_answered_once_held_by_something_and_never_mixed(build, happenings):
    async def main():
        cast = Cast()
        running = build(cast).begin()
        await settled()
        play = Play(cast, running)
        for number in happenings:
            await play.step(number)
            stands_well(play)
            if running.status != "active":
                break
        still_open = {pick.number for pick in running.standing.picks}
        running.cancel()
        await over(running)
        for _, task in play.picks:
            task.cancel()
        return running, still_open

    running, still_open = asyncio.run(main())
    recorded_well(checked(build(Cast()), running), still_open)


@given(charts(), HAPPENINGS)
def test_done_again_a_run_stands_where_it_stood(build, happenings):
    """From its records alone the same picks are open with the same chains and the same holders."""

    async def main():
        cast = Cast()
        running = build(cast).begin()
        await settled()
        play = Play(cast, running)
        for number in happenings:
            await play.step(number)
            if running.status != "active":
                break
        stood = running.standing
        running.cancel()
        await over(running)
        for _, task in play.picks:
            task.cancel()
        return stood, running.record.recording

    def told(standing):
        return (
            standing.snapshot.configuration,
            standing.snapshot.status,
            standing.count,
            [(p.number, p.agent, p.event, p.moved, p.awaited, p.chain) for p in standing.picks],
            [[each.value for each in p.sets] for p in standing.picks],
            [[actor.session for actor in holders(standing, p)] for p in standing.picks],
            dict(standing.begun_by),
        )

    stood, recording = asyncio.run(main())
    assert told(build(Cast()).replay(recording).standing) == told(stood)
