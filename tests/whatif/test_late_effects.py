"""Effects that a re-run leaves to a thread or a task which outlives it are not made again."""

import asyncio
import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest

import explainkit as ek
from tests.whatif.programs import HALF, ask, recorded

# Python says nothing of a thread that exits; pytest does.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

SENT = []


@ek.link(kind="effect")
def mail(text):
    SENT.append(text)


@ek.link(kind="effect")
async def mail_later(text):
    SENT.append(text)


@pytest.fixture(autouse=True)
def nothing_sent():
    SENT.clear()


def left_behind(started):
    """A program that answers, and leaves its mail to a thread which waits until `go` is set."""
    go, threads = threading.Event(), []

    @ek.traced("left behind")
    def program(question):
        reply = ask(ek.context("note", HALF))

        def late():
            go.wait(20)
            mail(f"Dear {reply}")

        threads.append(threading.Thread(target=started(late)))
        threads[-1].start()
        return reply

    return program, go, threads


def carried(late):
    context = copy_context()
    return lambda: context.run(late)


@pytest.mark.parametrize("started", [lambda late: late, carried], ids=["plain", "carried"])
def test_a_thread_that_outlives_a_rerun_makes_no_effect(started):
    program, go, threads = left_behind(started)
    run = recorded(program, "q")
    found = run.whatif(remove="note")
    go.set()
    for each in threads:
        each.join(20)
    assert found.word == "cause"
    assert SENT == ["Dear Half is paid back."]


def test_a_thread_that_outlives_a_rerun_makes_effects_where_they_are_allowed():
    program, go, threads = left_behind(lambda late: late)
    recorded(program, "q").whatif(remove="note", allow_effects=True)
    go.set()
    for each in threads:
        each.join(20)
    assert len(SENT) == len(threads) > 1


def test_a_task_that_outlives_a_rerun_makes_no_effect():
    tasks = []

    async def main():
        go = asyncio.Event()

        @ek.traced("left behind")
        async def program(question):
            reply = ask(ek.context("note", HALF))

            async def late(send):
                await go.wait()
                done = send(f"Dear {reply}")
                if done is not None:
                    await done

            tasks.extend(asyncio.create_task(late(each)) for each in (mail, mail_later))
            return reply

        await program("q")
        run = ek.last()
        found = await run.whatif_async(remove="note")
        go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        return found

    found = asyncio.run(main())
    assert found.word == "cause"
    assert SENT == ["Dear Half is paid back."] * 2
    assert [each.cancelled() for each in tasks] == [False] * 2 + [True] * (len(tasks) - 2)


def test_the_threads_of_a_pool_go_on_to_work_for_others():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:

        @ek.traced("pooled")
        def program(question):
            reply = ask(ek.context("note", HALF))
            return pool.submit(str, reply).result()

        recorded(program, "q").whatif(remove="note")
        pool.submit(mail, "hello").result()
    assert SENT == ["hello"]


@pytest.mark.parametrize("wrapped", [lambda fn: fn, carried], ids=["plain", "carried"])
def test_a_thread_whose_effect_is_held_back_ends_without_a_report(wrapped, monkeypatch):
    reports = []
    monkeypatch.setattr(threading, "excepthook", lambda args: reports.append(args.exc_type))

    @ek.traced("threaded")
    def program(question):
        reply = ask(ek.context("note", HALF))
        sender = threading.Thread(target=wrapped(lambda: mail(f"Dear {reply}")))
        sender.start()
        sender.join(20)
        return reply

    run = recorded(program, "q")
    found = run.whatif(remove="note")
    assert found.word == "inconclusive"
    assert found.reason.startswith("effect mail would have to run again")
    assert SENT == ["Dear Half is paid back."]
    assert reports == []


def test_what_a_thread_does_with_it_itself_is_left_to_it():
    @ek.traced("asks")
    def program(question):
        reply, kept = ask(ek.context("note", HALF)), []

        def send():
            try:
                mail(f"Dear {reply}")
            except BaseException as error:
                kept.append(error)

        sender = threading.Thread(target=send)
        sender.start()
        sender.join(20)
        return f"{reply} {len(kept)}"

    found = recorded(program, "q").whatif(remove="note")
    assert found.reason.startswith("effect mail would have to run again")


def test_an_effect_in_the_threads_of_a_pool_stops_the_rerun_as_before():
    @ek.traced("pooled")
    def program(question):
        reply = ask(ek.context("note", HALF))
        with ThreadPoolExecutor(1) as pool:
            pool.submit(copy_context().run, mail, f"Dear {reply}").result()
        return reply

    found = recorded(program, "q").whatif(remove="note")
    assert found.reason.startswith("effect mail would have to run again")


def test_a_task_whose_effect_is_held_back_ends_without_a_report():
    reports = []

    @ek.link(kind="effect")
    async def send(text):
        await asyncio.sleep(0)

    @ek.link(kind="model", deterministic=True)
    async def answered(prompt):
        return "Half." if "half" in prompt else "Nothing."

    @ek.traced("tasks")
    async def program(question):
        note = ek.context("note", HALF)
        begun = asyncio.create_task(send(note))
        reply = await answered(note)
        await asyncio.sleep(0.01)
        del begun
        return reply

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda _, told: reports.append(told))
        await program("q")
        found = await ek.last().whatif_async(remove="note")
        gc.collect()
        await asyncio.sleep(0)
        return found

    found = asyncio.run(main())
    assert found.reason.startswith("effect send would have to run again")
    assert reports == []
