"""Re-runs side by side, in threads or in other processes, measure the same."""

import asyncio
import multiprocessing
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import explainkit as ek
from explainkit.errors import RerunError
from explainkit.flow.agents import Agent
from explainkit.flow.models import ReadingModel
from tests.whatif.importable_programs import Desk, importable, later, mails, shares
from tests.whatif.programs import HALF, recorded, undeclared_claim

# Other tests leave threads behind, of which a process that is forked knows nothing.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
METHODS = [each for each in ("spawn", "fork") if each in multiprocessing.get_all_start_methods()]


@pytest.fixture(scope="module", params=METHODS)
def processes(request):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(request.param)) as pool:
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


def test_a_judge_that_is_a_lambda_judges_here(processes):
    judge = lambda answer: "Half" in answer  # noqa: E731
    found = recorded(importable, "q").whatif(remove="note", judge=judge, executor=processes)
    assert (found.word, found.trial.judge.name) == ("cause", "<lambda>")
    found = recorded(importable, "q").whatif(remove="note", span="Half", executor=processes)
    assert found.word == "cause"


def test_a_search_takes_everything_away_there_too(processes):
    found = recorded(importable, "q").smallest_cause(executor=processes)
    assert found.items == ("note",)


def test_functions_that_are_awaited_and_those_of_classes_are_imported(processes):
    asyncio.run(later("q"))
    assert ek.last().whatif(remove="note", executor=processes).word == "cause"
    assert recorded(Desk.claim, "q").whatif(remove="note", executor=processes).word == "cause"
    run = recorded(importable, "q")
    assert run.whatif(remove="note", call=importable, executor=processes).word == "cause"


def test_links_that_share_something_run_again_there_together(processes):
    for _ in range(2):
        found = recorded(shares, "q").whatif(remove="note", executor=processes)
        assert found.word == "cause"


def test_an_agent_does_not_go_to_another_process(processes):
    Agent(ReadingModel(), "Half of the fare is paid back.").run_sync("What is paid back?")
    with pytest.raises(RerunError, match=r"'Agent.outcome' belongs to an object of this process"):
        ek.last().whatif(remove="instructions", executor=processes)


def test_a_method_needs_its_object(processes):
    with pytest.raises(RerunError, match=r"'self' .* was not recorded whole.*ThreadPoolExecutor"):
        recorded(Desk().ask, "q").whatif(remove="note", executor=processes)


def test_a_lambda_has_no_name_to_import_it_by(processes):
    run = recorded(importable, "q")
    with pytest.raises(RerunError, match=r"<lambda>' has no name to import it by\. Put what runs"):
        run.whatif(remove="note", call=lambda: importable("q"), executor=processes)


SCRIPT = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import explainkit as ek


@ek.link(kind="model")
def reply(prompt):
    return "Half." if "half" in prompt else "Nothing."


@ek.traced("script")
def claim(question):
    return reply(ek.context("note", "We pay half."))


if __name__ == "__main__":
    claim("q")
    run = ek.last()
    with ThreadPoolExecutor(2) as pool:
        print(run.whatif(remove="note", executor=pool, judge=lambda answer: "Half" in answer))
    for method in multiprocessing.get_all_start_methods():
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
            try:
                print(run.whatif(remove="note", executor=pool))
            except ek.errors.RerunError as error:
                print(error)
"""


def test_functions_of_a_script_run_in_threads_and_are_refused_elsewhere(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=True
    )
    first, *others = done.stdout.splitlines()
    assert first == "cause 5/5 vs 0/5, p = 0.008"
    assert len(others) == len(multiprocessing.get_all_start_methods())
    for each in others:
        assert "and 'claim' is defined in a notebook or script. Put what runs into a fun" in each


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


def test_an_executor_that_is_shut_down_is_told_and_loses_nothing():
    shut = ThreadPoolExecutor(1)
    shut.shutdown()
    run = recorded(undeclared_claim, "And?")
    with pytest.raises(RerunError, match=r"ThreadPoolExecutor of executor= takes no re-run"):
        run.whatif(remove="rules", executor=shut)
    assert run.whatif(remove="rules").word == "cause"
