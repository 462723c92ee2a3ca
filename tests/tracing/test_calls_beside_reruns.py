"""A cell that runs beside a re-run in another thread is no part of that re-run."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import explainkit as ek
from explainkit.errors import NoRunError


@ek.link
def double(number):
    return number * 2


@pytest.fixture
def run():
    entered, go_on = threading.Event(), threading.Event()
    held = []

    @ek.traced("claim")
    def claim(number):
        if held:
            entered.set()
            go_on.wait(10)
        note = ek.context("note", "thirty minutes")
        return f"{double(number)} {note}"

    claim(4)
    held.append(1)
    return ek.last(), entered, go_on


@pytest.fixture
def beside(run):
    """A what-if that stands still in its first re-run, in a thread of its own."""
    recorded, entered, go_on = run
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(recorded.whatif, remove="note", times=1)
        assert entered.wait(10)
        yield found
        go_on.set()


def test_a_call_of_the_main_thread_is_not_recorded_in_the_rerun(run, beside):
    assert double(21) == 42
    run[2].set()
    reruns = beside.result(10).reruns
    rows = [row for each in reruns for row in each.recording.rows("link_opened")]
    assert [row["name"] for row in rows] == ["double"]
    assert [list(each.recording.rows("lost")) for each in reruns] == [[]]


def test_a_call_that_needs_a_run_is_refused_beside_a_rerun(beside):
    with pytest.raises(NoRunError, match="outside a run"):
        ek.answer("half")


def test_a_run_that_is_open_beside_a_rerun_takes_its_own_calls(beside):
    with ek.trace("mine") as mine:
        ek.answer(double(3))
    assert [row["name"] for row in mine.recording.rows("link_opened")] == ["double"]
    assert mine.answer == 6
