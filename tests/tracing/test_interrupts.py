"""Interrupts, finalizers, forks and closed loops at any moment leave a record that is whole."""

import asyncio
import contextvars
import gc
import os
import random
import signal
import threading
import types
from collections.abc import Iterator

import pytest

import explainkit as ek

RUNS = 200
LONGEST = 0.004

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and POSIX signals")


@ek.link(kind="model")
def inner(number):
    return {"text": str(number) * 50}


@ek.link
def outer(number):
    return [inner(number + step) for step in range(3)]


def work_until_interrupted(to, delay):
    """A run that only an interrupt ends; the timer starts inside it."""
    with ek.trace("stopped", to=to, question="?"):
        signal.setitimer(signal.ITIMER_REAL, delay)
        for number in range(1_000):
            piece = ek.context("piece", f"text {number}")
            outer(number)
            ek.assemble("{piece} {number}", piece=piece, number=number)
            ek.answer(f"answer {number}")
        raise KeyboardInterrupt  # Python drops one that meets a finalizer


@posix
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_moment_leaves_a_closed_record(tmp_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    moments = random.Random(7)
    try:
        for number in range(RUNS):
            to = tmp_path if number % 2 else None
            with pytest.raises(KeyboardInterrupt):
                work_until_interrupted(to, moments.uniform(0.00005, LONGEST))
            run = ek.last()
            assert (run.status, run.doctor()) == ("cancelled", [])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_interrupt_while_the_run_is_closed_ends_it_as_cancelled(monkeypatch):
    from explainkit.tracing.recorder import Recorder

    flush, stops = Recorder.flush, iter([True, True])

    def interrupted(recorder):
        if closing and next(stops, False):
            raise KeyboardInterrupt
        flush(recorder)

    closing = False
    monkeypatch.setattr(Recorder, "flush", interrupted)
    tracing = ek.trace("stopped")
    run = tracing.__enter__()
    ek.answer("yes")
    closing = True
    with pytest.raises(KeyboardInterrupt):
        tracing.__exit__(None, None, None)
    assert (run.status, run.doctor(), run.answer) == ("cancelled", [], "yes")
    with pytest.raises(ek.NoRunError):
        ek.context("late", "nothing is open any more")


def test_what_was_lost_in_the_error_of_a_run_stands_before_its_end(rows):
    with pytest.raises(ValueError, match="x"), ek.trace("failed") as run:
        raise ValueError("x" * 1_000_000)
    assert [row["kind"] for row in rows(run)][-2:] == ["lost", "run_ended"]
    assert run.doctor() == []


def test_finalizers_that_record_keep_the_order_of_the_records():
    class Closed:
        def __init__(self):
            self.self = self  # a cycle: collected at any allocation

        @ek.link(kind="effect")
        def __del__(self):
            pass

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        with ek.trace("finalizers") as run:
            for number in range(300):
                Closed()
                outer(number)
    finally:
        gc.set_threshold(*before)
    assert run.doctor() == []
    names = list(run.links["name"])
    assert names.count("outer") == 300
    assert names.count("__del__") > 250


@posix
def test_a_forked_child_works_on_and_leaves_its_parents_record_alone(tmp_path):
    with ek.trace("parent", to=tmp_path) as run:
        stop = threading.Event()

        def busy():
            while not stop.is_set():
                inner(random.random())

        threads = [threading.Thread(target=run.bind(busy)) for _ in range(2)]
        for thread in threads:
            thread.start()
        children = [forked(tmp_path) for _ in range(10)]
        stop.set()
        for thread in threads:
            thread.join()
    assert children == [0] * 10
    assert (run.status, run.doctor()) == ("answered", [])
    assert "child" not in set(run.links["name"])


def forked(folder):
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    signal.alarm(20)  # a lock that another thread held at the fork is never freed here
    try:
        ek.context("piece", "said in the child")
        outer(1)
        with ek.trace("child", to=folder) as own:
            outer(2)
        os._exit(0 if own.doctor() == [] and len(own.links) == 4 else 3)
    finally:
        os._exit(4)


@types.coroutine
def suspended() -> Iterator[None]:
    yield


def test_a_coroutine_that_is_closed_in_another_context_is_closed_quietly():
    @ek.link
    async def waiting():
        await suspended()

    with ek.trace("closed") as run:
        coroutine = waiting()
        contextvars.copy_context().run(coroutine.send, None)
        coroutine.close()
    assert list(run.links["status"]) == ["cancelled"]


def test_a_bound_coroutine_function_carries_its_run():
    @ek.link
    async def twice(number):
        await asyncio.sleep(0)
        return number * 2

    results = []
    with ek.trace("other"), ek.trace("mine") as run:
        bound = run.bind(twice)
        thread = threading.Thread(target=lambda: results.append(asyncio.run(bound(4))))
        thread.start()
        thread.join()
    assert results == [8]
    assert list(run.links["name"]) == ["twice"]


def test_an_exception_that_refuses_every_question_goes_through_unchanged():
    class Refusing(Exception):
        def __getattribute__(self, name):
            raise RuntimeError(name)

    @ek.link
    def fails():
        raise error

    error = Refusing()
    caught = None
    with ek.trace("refusing") as run:
        try:
            fails()
        except Exception as raised:
            caught = raised
    assert caught is error
    assert list(run.links["status"]) == ["error"]
