"""Siblings overlap, every end closes its links once, and a straggler stays where it was."""

import asyncio
import threading

import pytest

import explainkit as ek
from explainkit.flow.checks.signals import Signal
from explainkit.flow.compositions import Loop, Parallel, Sequence, graph, map_reduce
from explainkit.flow.outcomes import Answered, Cancelled, Failed, Refused
from tests.flow.compositions.scripts import (
    HALT,
    Boom,
    Scripted,
    answers,
    checked,
    fails,
    played,
    statuses,
)

WAIT = 30  # seconds after which a test that cannot succeed fails


def meets(barrier):
    """A function that ends only when all siblings are in it."""

    def waits(_):
        return barrier.wait(WAIT)

    return waits


@pytest.mark.parametrize("many", [2, 40])
def test_functions_that_do_not_await_overlap_however_many(many):
    barrier = threading.Barrier(many)
    found, _ = played(Parallel({str(n): meets(barrier) for n in range(many)}))
    assert sorted(found.value.values()) == list(range(many))


def test_nodes_of_a_level_and_items_of_a_map_overlap():
    barrier = threading.Barrier(3)
    found, _ = played(graph({name: meets(barrier) for name in "abc"}))
    assert sorted(found.value.values()) == [0, 1, 2]
    assert played(map_reduce(meets(barrier), sorted), [0, 0, 0])[0] == Answered([0, 1, 2])


def test_children_that_await_overlap():
    async def main():
        barrier = asyncio.Barrier(3)

        async def waits(_):
            async with asyncio.timeout(WAIT):
                return await barrier.wait()

        return await Parallel(dict.fromkeys("abc", waits)).run()

    assert sorted(asyncio.run(main()).values()) == [0, 1, 2]


def test_recording_calls_of_siblings_in_threads_land_under_their_own_link():
    barrier = threading.Barrier(2)

    @ek.link(kind="tool")
    def tool(name):
        barrier.wait(WAIT)
        return f"fact of {name}"

    def child(name):
        def work(_):
            barrier.wait(WAIT)
            return ek.context(f"piece of {name}", tool(name))

        work.__name__ = name
        return work

    _, recording = played(Parallel({"a": child("a"), "b": child("b")}))
    names = {row["seq"]: row["name"] for row in recording.rows("link_opened")}
    parents = {
        recording.values.object(row["inputs"][0]["value"]): names[row["parent"]]
        for row in recording.rows("link_opened")
        if row["name"] == "tool"
    }
    assert parents == {"a": "a", "b": "b"}
    contexts = {row["name"]: names[row["parent"]] for row in recording.rows("context")}
    assert contexts == {"piece of a": "a", "piece of b": "b"}
    assert list(recording.rows("lost")) == []


def test_two_runs_side_by_side_are_two_runs(tmp_path):
    async def main():
        barrier = asyncio.Barrier(2)

        async def waits(given):
            await barrier.wait()
            return given

        both = (Sequence(waits, name=f"run {n}").run(n, to=tmp_path) for n in (1, 2))
        return await asyncio.gather(*both)

    assert asyncio.run(main()) == [1, 2]
    recordings = [checked(ek.load(info.path).recording) for info in ek.runs(tmp_path)]
    assert sorted(recording.name for recording in recordings) == ["run 1", "run 2"]
    assert {len(statuses(recording)) for recording in recordings} == {2}


class Straggler:
    """A function that no cancellation ends, and that records once it is let go."""

    def __init__(self):
        self.started, self.go, self.over = (threading.Event() for _ in range(3))
        self.raised = None

    def __call__(self, _):
        self.started.set()
        self.go.wait(WAIT)
        try:
            ek.context("late", "what the straggler says")
        except Exception as error:
            self.raised = error
        self.over.set()


def test_a_straggler_of_run_one_never_appears_in_run_two():
    straggler = Straggler()

    async def fails_when_it_runs(_):
        await asyncio.to_thread(straggler.started.wait, WAIT)
        raise Boom("no")

    first, one = played(Parallel({"slow": straggler, "bad": fails_when_it_runs}, fail_fast=True))
    assert first.error.failed == ("bad",)

    def lets_go(_):
        straggler.go.set()
        straggler.over.wait(WAIT)
        return "second"

    second, two = played(Sequence(lets_go))
    assert second == Answered("second")
    assert type(straggler.raised).__name__ == "NoRunError"
    for recording in (one, two):
        assert list(recording.rows("context")) == []
        assert "unlinked" not in [row["what"] for row in recording.rows("lost")]
    assert ("Straggler", "cancelled") in statuses(one)


def test_a_branch_that_never_ends_is_cancelled_with_the_rest():
    async def main(whole):
        task = asyncio.create_task(whole.outcome())
        await started.wait()
        task.cancel()
        await task

    started = asyncio.Event()

    async def hangs(_):
        started.set()
        await asyncio.Event().wait()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main(Sequence(Parallel({"a": hangs, "b": Loop(hangs)}))))
    recording = checked(ek.last().recording)
    assert {status for _, status in statuses(recording)} == {"cancelled"}
    assert recording.status == "cancelled"


def test_a_signal_stops_everything_and_nothing_later_starts():
    async def main():
        signal, running = Signal(), asyncio.Event()

        async def hangs(_):
            running.set()
            await asyncio.Event().wait()

        later = answers(1)
        task = asyncio.create_task(Sequence(hangs, later).outcome(signal=signal))
        await running.wait()
        signal.cancel()
        return await task, later.runs

    assert asyncio.run(main()) == (Cancelled(), 0)
    recording = checked(ek.last().recording)
    assert {status for _, status in statuses(recording)} == {"cancelled"}


def test_a_signal_that_was_given_before_starts_nothing():
    signal, child = Signal(), answers(1)
    signal.cancel()
    assert played(Sequence(child), signal=signal)[0] == Cancelled()
    assert child.runs == 0


def test_cancel_is_never_a_verdict_but_yields_to_one_that_was_committed():
    async def main(end):
        signal = Signal()

        async def stops(_):
            signal.cancel()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                return end  # it had been committed

        return await Sequence(Scripted(stops)).outcome(signal=signal)

    found = asyncio.run(main(Refused(HALT)))
    assert isinstance(found, Refused)
    assert asyncio.run(main(Answered(1))) == Cancelled()
    assert asyncio.run(main(Failed(Boom("no")))) == Cancelled()


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("shape", ["sequence", "parallel", "graph", "signalled"])
def test_an_interrupt_closes_every_link_and_goes_on(stop, shape):
    async def hangs(_):
        await asyncio.Event().wait()

    async def interrupts(_):
        for _ in range(5):
            await asyncio.sleep(0)
        raise stop

    whole = {
        "sequence": Sequence(Sequence(interrupts)),
        "parallel": Parallel({"a": hangs, "b": Sequence(interrupts)}),
        "graph": graph({"a": hangs, "b": interrupts}),
        "signalled": Parallel({"a": hangs, "b": interrupts}),
    }[shape]
    options = {"signal": Signal()} if shape == "signalled" else {}
    with pytest.raises(stop):
        asyncio.run(whole.outcome(**options))
    recording = checked(ek.last().recording)
    assert {status for _, status in statuses(recording)} == {"cancelled"}


def test_an_interrupt_in_a_thread_goes_on_too():
    def interrupts(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(Sequence(interrupts).outcome())
    assert {status for _, status in statuses(checked(ek.last().recording))} == {"cancelled"}


def test_a_cancellation_that_a_child_raises_by_itself_goes_on_and_stops_the_rest():
    async def hangs(_):
        await asyncio.Event().wait()

    async def gives_up(_):
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(Parallel({"a": gives_up, "b": hangs}).outcome(), WAIT))
    recording = checked(ek.last().recording)
    assert {status for _, status in statuses(recording)} == {"cancelled"}


def test_an_exhausted_and_a_failed_end_close_their_links_so():
    _, recording = played(Sequence(Loop(answers(1), for_at_most=1)))
    assert [status for _, status in statuses(recording)] == ["exhausted", "exhausted", "answered"]
    _, recording = played(Sequence(Loop(fails(), for_at_most=1)))
    assert [status for _, status in statuses(recording)] == ["error", "error", "error"]


def test_run_sync_in_a_notebook_says_what_to_write_instead():
    async def cell():
        return Sequence(answers(1)).run_sync()

    with pytest.raises(RuntimeError, match="await"):
        asyncio.run(cell())


@pytest.mark.parametrize("end", ["answers", "raises"])
def test_a_signal_stands_above_an_answer_and_an_error_of_the_same_moment(end):
    async def main():
        signal = Signal()

        async def stops(given):
            signal.cancel()
            if end == "raises":
                raise ValueError("x")
            return given

        return await Sequence(stops).outcome(1, signal=signal)

    assert asyncio.run(main()) == Cancelled()
    assert dict(statuses(checked(ek.last().recording)))["Sequence"] == "cancelled"
