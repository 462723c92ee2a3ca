"""Every kind of function is a link, and none of them notices."""

import asyncio
import inspect
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import explainkit as ek


def closed(rows, run):
    return [(row["status"], row.get("output")) for row in rows(run, "link_closed")]


def test_a_call_is_recorded_with_named_slots(traced_run, rows, shown):
    @ek.link(kind="tool")
    def add(a, b, *rest, scale=1, **more):
        return (a + b) * scale

    with traced_run() as run:
        assert add(1, 2, 3, 4, scale=2, note="x") == 6
    (opened,) = rows(run, "link_opened")
    assert (opened["type"], opened["name"]) == ("tool", "add")
    inputs = {each["slot"]: shown(run, each["value"]) for each in opened["inputs"]}
    assert inputs == {"a": 1, "b": 2, "rest": [3, 4], "scale": 2, "note": "x"}
    (done,) = rows(run, "link_closed")
    assert (done["link"], done["status"], shown(run, done["output"])) == (
        opened["seq"],
        "answered",
        6,
    )


def test_nesting_follows_the_calls(traced_run, rows):
    @ek.link
    def inner():
        return 1

    @ek.link
    def outer():
        return inner()

    with traced_run() as run:
        outer()
    parents = {row["name"]: row["parent"] for row in rows(run, "link_opened")}
    ids = {row["name"]: row["seq"] for row in rows(run, "link_opened")}
    assert parents == {"outer": None, "inner": ids["outer"]}


def test_the_value_itself_comes_back(traced_run):
    payload = {"a": [1, 2]}

    @ek.link
    def same():
        return payload

    with traced_run():
        assert same() is payload


def test_an_exception_goes_on_unchanged_and_is_recorded(traced_run, rows, shown):
    error = ValueError("boom")

    @ek.link
    def fail():
        raise error

    with traced_run() as run, pytest.raises(ValueError, match="boom") as caught:
        fail()
    assert caught.value is error
    (done,) = rows(run, "link_closed")
    assert done["status"] == "error"
    assert "boom" in str(run.recording.values.tagged(done["error"]))


def test_interrupts_and_cancellation_are_told_from_errors(traced_run, rows):
    @ek.link
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), traced_run() as run:
        interrupt()
    assert rows(run, "link_closed")[0]["status"] == "cancelled"
    assert run.status == "cancelled"


def test_a_cancelled_task_closes_its_links_as_cancelled(traced_run, rows):
    @ek.link
    async def forever():
        await asyncio.sleep(60)

    async def main():
        async with ek.trace("t") as run:
            task = asyncio.ensure_future(forever())
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        return run

    run = asyncio.run(main())
    assert [row["status"] for row in rows(run, "link_closed")] == ["cancelled"]


def test_concurrent_tasks_keep_their_own_parents(traced_run, rows):
    @ek.link
    async def leaf(n):
        await asyncio.sleep(0)
        return n

    @ek.link
    async def branch(n):
        await asyncio.sleep(0)
        return await leaf(n)

    async def main():
        async with ek.trace("t") as run:
            await asyncio.gather(*(branch(n) for n in range(20)))
        return run

    run = asyncio.run(main())
    opened = {row["seq"]: row for row in rows(run, "link_opened")}
    for row in opened.values():
        if row["name"] == "leaf":
            parent = opened[row["parent"]]
            assert parent["name"] == "branch"
            assert parent["inputs"][0]["value"] == row["inputs"][0]["value"]


def test_methods_record_no_self(traced_run, rows):
    class Desk:
        @ek.link
        def ask(self, q):
            return q

        @classmethod
        @ek.link
        def named(cls, q):
            return q

        @ek.link
        @classmethod
        def other(cls, q):
            return q

        @staticmethod
        @ek.link
        def plain(q):
            return q

    with traced_run() as run:
        desk = Desk()
        assert [desk.ask("a"), Desk.named("b"), Desk.other("c"), Desk.plain("d")] == list("abcd")
    assert [[each["slot"] for each in row["inputs"]] for row in rows(run, "link_opened")] == [
        ["q"]
    ] * 4


def test_a_generator_is_current_only_while_it_runs(traced_run, rows, shown):
    @ek.link
    def inner():
        return 1

    @ek.link
    def words():
        inner()
        yield "half "
        yield "of it"

    with traced_run() as run:
        stream = words()
        assert not rows(run, "link_opened")
        assert next(stream) == "half "
        inner()
        assert list(stream) == ["of it"]
    opened = rows(run, "link_opened")
    assert [row["parent"] for row in opened] == [None, opened[0]["seq"], None]
    done = next(row for row in rows(run, "link_closed") if row["link"] == opened[0]["seq"])
    assert (shown(run, done["output"]), done["bounds"], done["status"]) == (
        "half of it",
        [5, 10],
        "answered",
    )


def test_generators_keep_send_throw_and_return(traced_run, rows, shown):
    @ek.link
    def talk():
        got = yield 1
        try:
            yield got
        except LookupError:
            yield "caught"
        return "end"

    def delegate():
        return (yield from talk())

    with traced_run() as run:
        stream = delegate()
        assert next(stream) == 1
        assert stream.send("hello") == "hello"
        assert stream.throw(LookupError()) == "caught"
        with pytest.raises(StopIteration) as stop:
            next(stream)
    assert stop.value.value == "end"
    assert shown(run, rows(run, "link_closed")[0]["output"]) == [1, "hello", "caught"]


def test_a_stopped_generator_and_one_that_outlives_its_run(traced_run, rows):
    @ek.link
    def numbers():
        yield from range(5)

    with traced_run() as run:
        first = numbers()
        next(first)
        first.close()
        second = numbers()
        next(second)
    assert next(second) == 1
    assert [row["status"] for row in rows(run, "link_closed")] == ["cancelled", "abandoned"]


def test_async_generators(rows, shown):
    @ek.link
    async def stream(n):
        for each in range(n):
            got = yield f"{each} "
            assert got is None

    async def main():
        async with ek.trace("t") as run:
            assert [x async for x in stream(3)] == ["0 ", "1 ", "2 "]
        return run

    run = asyncio.run(main())
    (done,) = rows(run, "link_closed")
    assert (done["status"], shown(run, done["output"])) == ("answered", "0 1 2 ")


def test_a_generator_is_never_consumed_by_recording(traced_run):
    @ek.link
    def take(items):
        return list(items)

    with traced_run():
        assert take(x for x in range(3)) == [0, 1, 2]


def test_outside_a_run_a_link_is_its_function(rows):
    @ek.link
    def echo(x):
        return x

    assert echo(3) == 3
    assert inspect.signature(echo) == inspect.signature(lambda x: x)


def test_bind_carries_the_run_into_threads(traced_run, rows):
    @ek.link
    def work(n):
        return n

    @ek.link
    def spread(run):
        with ThreadPoolExecutor(2) as pool:
            return sorted(pool.map(run.bind(work), range(4)))

    with traced_run() as run:
        assert spread(run) == [0, 1, 2, 3]
    opened = rows(run, "link_opened")
    assert [row["parent"] for row in opened[1:]] == [opened[0]["seq"]] * 4
    assert not any(row.get("unlinked") for row in opened)


def test_an_unbound_thread_is_flagged_when_one_run_is_open(traced_run, rows):
    @ek.link
    def work():
        return 1

    with traced_run() as run:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert rows(run, "link_opened")[0]["unlinked"] is True


def test_an_unbound_thread_is_counted_when_several_runs_are_open(traced_run, rows):
    @ek.link
    def work():
        return 1

    with ek.trace("a") as a, ek.trace("b") as b:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    for run in (a, b):
        (lost,) = rows(run, "lost")
        assert (lost["what"], lost["count"]) == ("unlinked", 1)


def test_uses_must_name_a_parameter():
    with pytest.raises(TypeError, match="'question', which is no parameter of ask"):

        @ek.link(uses=["question"])
        def ask(prompt):
            return prompt


def test_a_class_is_no_link():
    with pytest.raises(TypeError, match="function or method"):
        ek.link(dict)
