"""A split port: order kept, calls bounded and asked for, failures and cancellation contained."""

import asyncio
from io import StringIO

import pytest

import explainkit as ek
from explainkit.answering import (
    AnswerItem,
    CheckResult,
    OperationContext,
    ReviewEntry,
    split,
    text_bar,
)
from explainkit.answering.progress_bars import PacedProgress
from explainkit.errors import AnswerFlowError, AnswerPortError
from explainkit.flow import ManualClock, Sequence


def items_of(count):
    return [AnswerItem(f"q{n}", (), "ready", n) for n in range(count)]


def always(context):
    return True


def quiet(done, total):
    pass


def made(port, **settings):
    plain = {"size": 2, "at_once": 2, "can_invoke": always, "progress": quiet}
    return split(port, **(plain | settings))


def generated(port, count=5, *, repairs=None, previous=None, context=None):
    return port(
        items=items_of(count),
        repairs=repairs or {},
        previous=previous or {},
        context=context or OperationContext(),
    )


def reviewed(port, count=5, context=None):
    entries = [ReviewEntry(item, f"v{item.data}") for item in items_of(count)]
    return port(items=entries, context=context or OperationContext())


class Calls:
    """A port that waits until it is let go, and knows how many calls ran at the same time."""

    def __init__(self):
        self.begun = []
        self.running = self.most = 0
        self.open = {}
        self.changed = asyncio.Event()
        self.cancelled = []

    async def __call__(self, *, items, repairs, previous, context):
        name = ",".join(item.id for item in items)
        self.begun.append(name)
        self.running += 1
        self.most = max(self.most, self.running)
        self.open[name] = asyncio.get_running_loop().create_future()
        self.changed.set()
        try:
            await self.open[name]
        except asyncio.CancelledError:
            self.cancelled.append(name)
            raise
        finally:
            self.running -= 1
        return {item.id: item.data for item in items}

    async def until(self, *names):
        while list(names) != self.begun:
            self.changed.clear()
            await self.changed.wait()

    def let(self, name):
        self.open[name].set_result(None)


def test_calls_are_bounded_begin_in_order_and_results_are_in_order():
    async def main():
        calls = Calls()
        task = asyncio.ensure_future(generated(made(calls), 7))
        await calls.until("q0,q1", "q2,q3")
        calls.let("q2,q3")
        await calls.until("q0,q1", "q2,q3", "q4,q5")
        calls.let("q4,q5")
        await calls.until("q0,q1", "q2,q3", "q4,q5", "q6")
        calls.let("q6")
        calls.let("q0,q1")
        return list((await task).items()), calls.most

    found, most = asyncio.run(main())
    assert found == [(f"q{n}", n) for n in range(7)]
    assert most == 2


def test_results_are_in_order_also_where_a_port_gives_them_in_its_own():
    def generate(*, items, repairs, previous, context):
        return {item.id: item.data for item in reversed(items)}

    assert list(asyncio.run(generated(made(generate)))) == ["q0", "q1", "q2", "q3", "q4"]


def test_each_call_is_given_the_repairs_and_values_of_its_own_items_only():
    seen = []

    def generate(*, items, repairs, previous, context):
        seen.append(([item.id for item in items], dict(repairs), dict(previous)))
        return {}

    port = made(generate, at_once=1)
    asyncio.run(generated(port, 3, repairs={"q0": ["a"], "q2": ["b"]}, previous={"q2": "old"}))
    assert seen == [
        (["q0", "q1"], {"q0": ["a"]}, {}),
        (["q2"], {"q2": ["b"]}, {"q2": "old"}),
    ]


def test_the_guard_is_asked_before_each_call_and_no_call_is_made_without_it():
    asked, called = [], []

    def guard(context):
        asked.append(context)
        return len(asked) <= 2

    def generate(*, items, repairs, previous, context):
        called.append(items)
        return {item.id: 1 for item in items}

    context = OperationContext()
    port = made(generate, size=1, at_once=3, can_invoke=guard)
    assert list(asyncio.run(generated(port, 5, context=context))) == ["q0", "q1"]
    assert asked == [context] * 5
    assert len(called) == 2


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_a_budget_that_calls_themselves_use_up_is_never_exceeded(at_once):
    left = [3]

    async def generate(*, items, repairs, previous, context):
        left[0] -= 1
        await asyncio.sleep(0)
        return {item.id: 1 for item in items}

    port = made(generate, size=1, at_once=at_once, can_invoke=lambda context: left[0] > 0)
    assert len(asyncio.run(generated(port, 9))) == 3
    assert left == [0]


def test_a_review_without_budget_was_not_run_and_covers_all_items():
    allowed = iter([True, False, True])
    port = made(passing, can_invoke=lambda context: next(allowed), at_once=1)
    found = asyncio.run(reviewed(port))
    assert [found[f"q{n}"].status for n in range(5)] == [
        "passed",
        "passed",
        "not-run",
        "not-run",
        "passed",
    ]
    assert found["q2"].issues[0].code == "BUDGET"


def passing(*, items, context):
    return {entry.item.id: CheckResult("passed") for entry in items}


async def a_coroutine(context):
    return True


@pytest.mark.parametrize("guard", [a_coroutine, lambda context: 1, lambda context: None])
def test_a_guard_that_gives_no_bool_is_an_error(guard):
    with pytest.raises(AnswerPortError, match="can_invoke gave"):
        asyncio.run(generated(made(passing, can_invoke=guard)))


@pytest.mark.parametrize("error", [KeyError, asyncio.CancelledError])
def test_a_guard_that_raises_lets_nothing_through(error):
    def guard(context):
        raise error("no budget")

    found = asyncio.run(reviewed(made(passing, can_invoke=guard), 1))
    assert found["q0"].status == "not-run"
    assert error.__name__ in found["q0"].issues[0].message


def test_a_call_that_fails_ends_its_own_items_only():
    def generate(*, items, repairs, previous, context):
        if items[0].id == "q2":
            raise TimeoutError("no reply")
        return {item.id: item.data for item in items}

    assert asyncio.run(generated(made(generate))) == {"q0": 0, "q1": 1, "q4": 4}


def test_a_review_that_fails_leaves_its_own_items_unresolved():
    def review(*, items, context):
        first = items[0].item.id
        if first == "q0":
            raise TimeoutError("no reply")
        if first == "q2":
            return {"q2": CheckResult("passed")}  # and nothing of q3
        return passing(items=items, context=context)

    found = asyncio.run(reviewed(made(review)))
    assert [(name, each.status) for name, each in found.items()] == [
        ("q0", "unavailable"),
        ("q1", "unavailable"),
        ("q2", "unavailable"),
        ("q3", "unavailable"),
        ("q4", "passed"),
    ]
    assert "TimeoutError: no reply" in found["q0"].issues[0].message
    assert "q3" in found["q2"].issues[0].message


def test_when_every_call_fails_that_is_raised():
    def generate(*, items, repairs, previous, context):
        raise TimeoutError(items[0].id)

    with pytest.raises(ExceptionGroup, match="every call failed") as caught:
        asyncio.run(generated(made(generate)))
    assert [str(each) for each in caught.value.exceptions] == ["q0", "q2", "q4"]
    with pytest.raises(TimeoutError, match="q0"):
        asyncio.run(generated(made(generate), 2))


def test_what_is_no_mapping_is_the_failure_of_its_call():
    def generate(*, items, repairs, previous, context):
        return [item.data for item in items] if items[0].id == "q0" else {"q2": 2}

    assert asyncio.run(generated(made(generate), 3)) == {"q2": 2}


def test_no_call_speaks_for_the_items_of_another_and_unknown_ids_are_handed_on():
    def generate(*, items, repairs, previous, context):
        mine = {item.id: item.data for item in items}
        return mine | ({"q0": "stolen", "other": 1} if "q2" in mine else {})

    assert asyncio.run(generated(made(generate), 3)) == {"q0": 0, "q1": 1, "q2": 2, "other": 1}


def test_a_port_that_is_cancelled_by_itself_fails_as_any_other():
    async def generate(*, items, repairs, previous, context):
        if items[0].id == "q0":
            raise asyncio.CancelledError
        return {item.id: 1 for item in items}

    assert asyncio.run(generated(made(generate), 3)) == {"q2": 1}


def test_nothing_is_called_for_nothing():
    called = []
    assert asyncio.run(generated(made(lambda **port: called.append(port)), 0)) == {}
    assert called == []


@pytest.mark.parametrize("by", ["signal", "task"])
def test_a_cancel_stops_what_runs_and_begins_nothing_more(by):
    async def main():
        calls, context = Calls(), OperationContext()
        task = asyncio.ensure_future(generated(made(calls), 9, context=context))
        await calls.until("q0,q1", "q2,q3")
        if by == "signal":
            context.signal.cancel()
        else:
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return calls, asyncio.all_tasks() - {asyncio.current_task()}

    calls, left = asyncio.run(main())
    assert calls.begun == calls.cancelled == ["q0,q1", "q2,q3"]
    assert left == set()


def test_a_signal_that_was_given_before_lets_nothing_begin():
    async def main():
        calls, context = Calls(), OperationContext()
        context.signal.cancel()
        with pytest.raises(asyncio.CancelledError):
            await generated(made(calls), context=context)
        return calls.begun

    assert asyncio.run(main()) == []


def test_a_runner_is_a_port_too():
    def generate(given):
        return {item.id: sorted(given) for item in given["items"]}

    found = asyncio.run(generated(made(Sequence(generate)), 1))
    assert found == {"q0": ["items", "previous", "repairs"]}


def test_each_call_is_a_link_with_what_it_gave_or_raised():
    def generate(*, items, repairs, previous, context):
        if items[0].id == "q2":
            raise TimeoutError("no reply")
        return {item.id: item.data for item in items}

    with ek.trace("splitting") as run:
        asyncio.run(generated(made(generate, at_once=1), 3))
    opened = list(run.recording.rows("link_opened"))
    assert [(row["type"], row["name"]) for row in opened] == [
        ("chunk", "1 of 2"),
        ("chunk", "2 of 2"),
    ]
    assert [row["status"] for row in run.recording.rows("link_closed")] == ["answered", "error"]
    assert run.recording.values.object(opened[1]["inputs"][0]["value"]) == ["q2"]
    assert run.doctor() == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "size=0"),
        ({"at_once": True}, "at_once=True"),
        ({"at_once": 1.5}, "at_once=1.5"),
        ({"can_invoke": True}, "can_invoke=True"),
    ],
)
def test_what_cannot_be_split_so_is_refused(settings, message):
    with pytest.raises(AnswerFlowError, match=message):
        made(passing, **settings)
    with pytest.raises(AnswerFlowError, match="give a function, or a runner"):
        made(7)


def test_progress_is_told_at_most_five_times_a_second_and_at_the_end():
    clock, told = ManualClock(), []

    async def main():
        progress = PacedProgress(lambda done, total: told.append((done, total)), 100, clock)
        progress.begin()
        for _ in range(100):
            progress.add(1)
            await clock.advance(0.05)
        progress.end()

    asyncio.run(main())
    assert told[:3] == [(0, 100), (5, 100), (9, 100)]
    assert told[-1] == (100, 100)
    assert len(told) == 1 + 24 + 1
    assert told[-2][0] == 97


def test_progress_counts_items_that_failed_too():
    told = []

    def generate(*, items, repairs, previous, context):
        raise TimeoutError

    with pytest.raises(ExceptionGroup):
        asyncio.run(generated(made(generate, progress=lambda *each: told.append(each))))
    assert (told[0], told[-1]) == ((0, 5), (5, 5))


def test_progress_that_raises_is_told_nothing_more_and_costs_nothing():
    told, heard = [], []

    def progress(done, total):
        told.append(done)
        raise ValueError("no bar")

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda loop, said: heard.append(said))
        return await reviewed(made(passing, progress=progress))

    assert len(asyncio.run(main())) == 5
    assert told == [0]
    assert str(heard[0]["exception"]) == "no bar"


def test_a_bar_is_one_line_that_ends_also_when_it_is_not_finished():
    stream = StringIO()
    port = made(lambda **given: {}, progress=text_bar(stream, label="q"))
    asyncio.run(generated(port, 2))
    assert stream.getvalue() == f"\rq [{'.' * 30}] 0/2\rq [{'#' * 30}] 2/2\n"

    async def main():
        calls, context = Calls(), OperationContext()
        port = made(calls, progress=text_bar(stream))
        task = asyncio.ensure_future(generated(port, 9, context=context))
        await calls.until("q0,q1", "q2,q3")
        context.signal.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    stream = StringIO()
    asyncio.run(main())
    assert stream.getvalue().endswith(" 0/9\n")


@pytest.mark.parametrize("terminal", [True, False])
def test_without_progress_a_bar_is_drawn_in_terminals_only(monkeypatch, terminal):
    stream = StringIO()
    stream.isatty = lambda: terminal
    monkeypatch.setattr("sys.stderr", stream)
    asyncio.run(reviewed(made(passing, progress=None), 2))
    assert ("2/2\n" in stream.getvalue()) is terminal
