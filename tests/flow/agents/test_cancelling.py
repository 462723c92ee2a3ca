"""Cancellation in the middle of anything: the records close, nothing else is called."""

import asyncio
import threading

import pytest

import explainkit as ek
from explainkit.flow.agents import Agent, after_call, retry, tool
from explainkit.flow.checks import OperationContext, Signal
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Cancelled

from .agent_runs import Hanging, Listening, call, closes, sound


async def stopped(agent, started, how):
    """Stop a run once something has started in it."""
    signal = Signal()
    running = asyncio.ensure_future(agent.outcome("x", signal=signal))
    await started.wait()
    if how == "signal":
        signal.cancel()
        assert await running == Cancelled()
    else:
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running


@pytest.mark.parametrize("how", ["signal", "task"])
def test_in_the_middle_of_a_model_call(how):
    async def run():
        model = Hanging()
        agent = Agent(model, rules=[after_call(lambda attempt: True, retry(9))])
        await stopped(agent, model.called, how)
        return model

    model = asyncio.run(run())
    record = sound(ek.last())
    assert model.calls == 1
    assert record.status == "cancelled"
    assert [row["status"] for row in closes(record, "model")] == ["cancelled"]


@pytest.mark.parametrize("how", ["signal", "task"])
def test_in_the_middle_of_a_tool(how):
    async def run():
        started = asyncio.Event()
        ended = []

        async def wait():
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(True)

        model = Listening(call("wait"), "never")
        await stopped(Agent(model, tools=[tool(wait, timeout=60)]), started, how)
        return model, ended

    model, ended = asyncio.run(run())
    record = sound(ek.last())
    assert model.calls == 1
    assert ended == [True]
    assert record.status == "cancelled"
    assert [row["status"] for row in closes(record, "tool")] == ["cancelled"]


@pytest.mark.parametrize("how", ["signal", "task"])
def test_in_the_middle_of_a_tool_in_a_thread(how):
    release = threading.Event()

    async def run():
        started = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait():
            loop.call_soon_threadsafe(started.set)
            release.wait(20)
            return "late"

        model = Listening(call("wait"), "never")
        await stopped(Agent(model, tools=[wait]), started, how)
        return model

    model = asyncio.run(run())
    release.set()
    record = sound(ek.last())
    assert model.calls == 1
    assert record.status == "cancelled"
    assert [row["status"] for row in closes(record, "tool")] == ["cancelled"]


@pytest.mark.parametrize("how", ["signal", "task"])
def test_in_the_middle_of_a_middleware(how):
    async def run():
        started = asyncio.Event()

        class Slow:
            async def check_message(self, message, phase):
                started.set()
                await asyncio.Event().wait()

        model = Listening("never")
        await stopped(Agent(model, middleware=[Slow()]), started, how)
        return model

    assert asyncio.run(run()).calls == 0


@pytest.mark.parametrize("how", ["signal", "task"])
def test_in_the_middle_of_a_policy(how):
    async def run():
        started = asyncio.Event()

        async def slow(call, situation):
            started.set()
            await asyncio.Event().wait()

        def look():
            return 1

        model = Listening(call("look"), "never")
        await stopped(Agent(model, tools=[look], policy=slow), started, how)

    asyncio.run(run())
    record = sound(ek.last())
    assert [row["status"] for row in closes(record, "policy")] == ["cancelled"]


def test_a_signal_that_was_given_before_starts_nothing():
    signal = Signal()
    signal.cancel()
    model = Listening("never")
    outcome = asyncio.run(Agent(model).outcome("x", signal=signal))
    assert outcome == Cancelled()
    assert model.calls == 0
    assert sound(ek.last()).status == "cancelled"


def test_a_tool_sees_the_signal():
    signal = Signal()
    seen = []

    def look(context: OperationContext):
        seen.append(context.signal)

    agent = Agent(ScriptedModel([call("look"), "x"]), tools=[look])
    asyncio.run(agent.outcome("x", signal=signal))
    assert seen == [signal]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("place", ["model", "tool"])
def test_an_interrupt_closes_the_records_and_goes_on(stop, place):
    def look():
        raise stop

    replies = [stop()] if place == "model" else [call("look"), "never"]
    with pytest.raises(stop):
        Agent(ScriptedModel(replies), tools=[look]).run_sync("x")
    record = sound(ek.last())
    assert record.status == "cancelled"
    assert [row["status"] for row in closes(record, place)][-1] == "cancelled"
