"""Python functions as effects: in a thread or awaited, and an exception is no outcome."""

import asyncio
import contextvars
import functools
import threading

import pytest

from explainkit.errors import ChartError
from explainkit.flow.actors.functions import python
from explainkit.flow.statecharts.actor_kinds import kind_of
from tests.flow.actors.stages import done, stage

PLACE = contextvars.ContextVar("PLACE", default="nowhere")


def test_a_function_is_called_with_the_input():
    assert done(python(lambda given: given["a"] + 1), {"a": 1}) == 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: "out",
        lambda *, option=1: "out",
        functools.partial(lambda given: given, "out"),
    ],
)
def test_a_function_that_takes_nothing_is_called_without_it(call):
    assert done(python(call), "in") == "out"


@pytest.mark.parametrize("call", [lambda *given: given[0], lambda given="x": given, str.upper, int])
def test_a_function_that_can_take_it_gets_it(call):
    assert str(done(python(call), "12")) == "12"


async def later(given):
    await asyncio.sleep(0)
    return (given, threading.current_thread() is threading.main_thread())


class Later:
    async def __call__(self, given):
        return await later(given)


@pytest.mark.parametrize(
    "call", [later, Later(), functools.partial(later), Later().__call__, lambda given: later(given)]
)
def test_what_is_awaited_runs_in_the_loop(call):
    assert done(python(call), 7) == (7, True)


def test_what_is_not_awaited_runs_in_a_thread_with_the_context_variables():
    seen = []

    def look():
        seen.append((PLACE.get(), threading.current_thread() is threading.main_thread()))
        PLACE.set("elsewhere")

    async def run():
        PLACE.set("here")
        await python(look).work(stage())
        return PLACE.get()

    assert asyncio.run(run()) == "here"
    assert seen == [("here", False)]


def test_a_cancellation_does_not_wait_for_the_thread():
    begun, finish, ended = (threading.Event() for _ in range(3))

    def slow():
        begun.set()
        finish.wait(30)
        ended.set()

    async def run():
        running = asyncio.ensure_future(python(slow).work(stage()))
        await asyncio.to_thread(begun.wait, 30)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert not ended.is_set()
        finish.set()

    asyncio.run(run())
    assert ended.wait(30)


def test_an_exception_takes_the_error_route():
    def broken(given):
        raise LookupError(given)

    with pytest.raises(LookupError, match="x"):
        done(python(broken), "x")


def test_a_stop_iteration_does_not_wait_for_ever():
    with pytest.raises(RuntimeError, match="StopIteration"):
        done(python(lambda given: next(iter(given))), [])


@pytest.mark.parametrize(
    "wrong",
    [7, None, "x", lambda a, b: 0, lambda *, given: 0, lambda a, *, b: 0, str.replace],
)
def test_what_cannot_be_called_with_one_input_is_refused_when_it_is_written(wrong):
    with pytest.raises(ChartError):
        python(wrong)


def test_the_output_is_recorded_as_it_is():
    effect = python(len)
    assert kind_of(effect) == "effect"
    assert effect.restored(effect.stored({"a": 1})) == {"a": 1}
