"""What actors do that none should, and that no machine hangs or changes because of it."""

import asyncio

import pytest

from explainkit.flow import (
    agent,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.flow.clocks import settled
from explainkit.flow.outcomes import Answered
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    acts,
    events,
    over,
    plays,
    read_by,
    said,
)


def one_pick(coder, go, **parts):
    states = {
        "coding": state(invoke=invoke("coder"), on={"go": go}, exit=parts.pop("exits", ()))
    } | parts.pop("states", {})
    return machine(
        "m", events=events("go"), actors={"coder": coder}, initial="coding", states=states, **parts
    )


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize("kind", ["effect", "agent"])
@pytest.mark.parametrize(
    "error", [Unspeakable(), asyncio.CancelledError(), ValueError("\ud800" * 9)]
)
def test_no_exception_of_an_actor_hangs_a_machine(kind, error):
    async def raises(_):
        raise error

    actor = agent(raises) if kind == "agent" else raises
    chart = machine(
        "m",
        actors={"one": actor},
        initial="a",
        on={"agent.fault": to(".b")},
        states={"a": state(invoke=invoke("one", on_error=to("b"))), "b": final()},
    )

    async def play(running):
        return await over(running)

    outcome, _ = plays(chart, play)
    assert outcome == Answered(None)


class Hostile(dict):
    def items(self):
        raise RuntimeError("no items")

    __iter__ = keys = values = items


def test_no_output_of_an_actor_breaks_a_machine():
    coder, desk = Puppet(), Desk()
    chart = machine(
        "m",
        events=events("go"),
        actors={"coder": coder, "tests": desk.effect("tests")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("tests", on_done=to("ready"))),
                },
            )
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("tests", Hostile(a=1))
        return read_by(pick), running.status

    (read, status), _ = acts(chart, play)
    assert said(read) == (None, "receipt")
    assert status == "active"


def test_an_agent_that_swallows_its_cancellation_changes_nothing_any_more():
    heard = []

    async def stubborn(turn):
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            try:
                await turn.pick("go")
            except ValueError as error:
                heard.append(str(error))

    stop = define_event("stop", audience="external")
    chart = machine(
        "m",
        events=[stop, *events("go")],
        actors={"coder": agent(stubborn), "person": gate(stop)},
        initial="coding",
        states={
            "coding": state(
                invoke=[invoke("coder"), invoke("person")],
                on={"go": to("wrong"), "stop": to("right")},
            ),
            "right": state(on={"go": to("wrong")}),
            "wrong": state(),
        },
    )

    async def play(running):
        running.gates["person"].send("stop")
        await settled()
        await settled()
        return running.configuration[-1]

    where, _ = plays(chart, play)
    assert where == "m.right"
    assert heard == ['"go" was refused: the Turn is over.']


def test_a_machine_that_is_cancelled_ends_although_its_agent_picks_on():
    heard = []

    async def stubborn(turn):
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            try:
                await turn.pick("go")
            except ValueError as error:
                heard.append(str(error))

    chart = one_pick(agent(stubborn), to(do=lambda _: None))

    async def play(running):
        running.cancel()
        return await over(running)

    plays(chart, play)
    assert heard == ['"go" was refused: the Turn is over.']
