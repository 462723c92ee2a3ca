"""Effects that a re-run leaves to a thread or a task which outlives it are not made again."""

import asyncio
import threading
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
