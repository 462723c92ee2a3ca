"""Re-runs side by side, in threads or in other processes, measure the same."""

import multiprocessing
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import explainkit as ek
from explainkit.errors import RerunError
from tests.whatif.importable_programs import importable, mails
from tests.whatif.programs import HALF, recorded, undeclared_claim


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_threads_measure_what_one_thread_measures():
    with ThreadPoolExecutor(4) as pool:
        found = recorded(undeclared_claim, "q").whatif(remove="rules", executor=pool)
    assert str(found) == "cause 5/5 vs 0/5, p = 0.008"
    assert found.run.recording.status == "answered"


def test_threads_really_run_side_by_side():
    meet = threading.Barrier(2)

    @ek.traced("meets")
    def program(question):
        note = ek.context("note", HALF)
        if note and met:
            meet.wait(timeout=30)
        return note

    met = []
    run = recorded(program, "q")
    met.append(True)
    with ThreadPoolExecutor(2) as pool:
        # Six unchanged re-runs in pairs: each waits for another one that runs at the same time.
        found = run.whatif(remove="note", executor=pool, times=4)
    assert found.n == 4


def test_other_processes_measure_the_same(processes):
    run = recorded(importable, "q", 1, 2)
    found = run.whatif(remove="note", executor=processes)
    assert str(found) == "cause 5/5 vs 0/5, p = 0.008"
    assert found.after == "Nothing is paid back."
    assert found.run.prompt().text == " Bring a ticket. q"
    assert [each.name for each in found.trial.changed[0].done.executed] == ["reply"]
    assert "note: changed" in str(repr(found.diff))
    assert run.whatif(remove="other", executor=processes).word == "not shown"


def test_effects_are_held_back_there_too(processes):
    found = recorded(mails, "q").whatif(remove="note", executor=processes)
    assert found.reason.startswith("effect mail would have to run again. allow_effects=True")


def test_what_cannot_be_imported_is_refused_before_anything_is_sent(processes):
    @ek.traced("local")
    def program(question):
        return ek.context("note", HALF)

    with pytest.raises(
        RerunError, match=r"runs what another process can import, and 'test_what.*Thread"
    ):
        recorded(program, "q").whatif(remove="note", executor=processes)


def test_what_cannot_be_sent_is_said(processes):
    run = recorded(importable, "q")
    with pytest.raises(
        RerunError, match=r"could not make a re-run.*must be importable and picklable"
    ):
        run.whatif(replace={"note": threading.Lock()}, executor=processes)


def test_any_executor_is_asked_for_what_can_be_sent():
    class Inline(Executor):
        def submit(self, fn, /, *args, **kwargs):
            done = Future()
            done.set_result(fn(*args, **kwargs))
            return done

    assert recorded(importable, "q").whatif(remove="note", executor=Inline()).word == "cause"


def test_an_interrupt_starts_nothing_more():
    started = []

    def progress(trial):
        if len(started) >= 1:
            raise KeyboardInterrupt
        started.append(trial)

    with ThreadPoolExecutor(1) as pool:
        found = recorded(undeclared_claim, "q").whatif(
            remove="rules", executor=pool, progress=progress
        )
    assert found.trial.stopped == "cancelled"
    assert found.trial.spent.reruns == 2
