"""What a composition of trivial children costs beside a bare loop and beside langgraph, in one run.

Run: python benchmarks/compositions/overhead.py [children] [rounds]

The rounds of all contenders take turns, so a machine that slows down slows all of them. Every run
of a composition is recorded, in memory or in a file: a runner that starts outside of any run opens
its own. A user cannot turn that off; "untraced" takes the three recording calls of a runner's link
away for the measurement, so what is left is what the compositions themselves cost.
"""

import asyncio
import sys
import tempfile
import time
from contextlib import contextmanager
from statistics import median
from unittest.mock import patch

import explainkit as ek
from explainkit.flow import runner_links
from explainkit.flow.compositions import Parallel, Sequence
from explainkit.tracing.current import Frame


async def child(n):
    """A trivial child that awaits, so that no thread is measured."""
    return n + 1


def plain(n):
    """A trivial child that does not await: a composition runs it in a thread of its own."""
    return n + 1


async def bare_sequence(count):
    value = 0
    for _ in range(count):
        value = await child(value)
    assert value == count


async def bare_parallel(count):
    found = await asyncio.gather(*(child(0) for _ in range(count)))
    assert len(found) == count


async def bare_threads(count):
    value = 0
    for _ in range(count):
        value = await asyncio.to_thread(plain, value)
    assert value == count


class NoHome:
    """Stands where a run would be opened and ended; nothing is written to the run it names."""

    with ek.trace("nothing") as _run:
        frame = Frame(_run.active)

    def __init__(self, frame, **settings):
        pass

    def close(self, status):
        pass


@contextmanager
def unrecorded():
    """Take away what a runner's link records: its beginning, its end, and a run of its own."""
    with (
        patch.object(runner_links, "_opened", lambda *_: -1),
        patch.object(runner_links, "_closed", lambda *_: None),
        patch.object(runner_links, "Home", NoHome),
    ):
        yield


def ours(count, folder):
    """Our contenders, by name."""
    sequence, parallel = Sequence(*[child] * count), Parallel({str(n): child for n in range(count)})
    threads = Sequence(*[plain] * count)

    async def one_after_the_other(to=None):
        assert await sequence.run(0, to=to) == count

    async def at_once(to=None):
        assert len(await parallel.run(0, to=to)) == count

    async def in_threads():
        assert await threads.run(0) == count

    async def untraced(run):
        with unrecorded():
            await run()

    return {
        "sequence, untraced": lambda: untraced(one_after_the_other),
        "parallel, untraced": lambda: untraced(at_once),
        "sequence, in memory": one_after_the_other,
        "sequence, to a file": lambda: one_after_the_other(folder),
        "parallel, in memory": at_once,
        "parallel, to a file": lambda: at_once(folder),
        "sequence of threads, in memory": in_threads,
    }


def theirs(count):
    """The same nodes in langgraph; nothing when it is not installed."""
    try:
        from langgraph.graph import END, START, StateGraph
    except ImportError:
        print("langgraph: not installed (pip install langgraph)")
        return {}
    from operator import add
    from typing import Annotated, TypedDict

    class Value(TypedDict):
        n: int

    class Values(TypedDict):
        found: Annotated[list[int], add]

    async def next_one(state):
        return {"n": await child(state["n"])}

    async def one_of_many(state):
        del state
        return {"found": [await child(0)]}

    line, fan = StateGraph(Value), StateGraph(Values)
    for n in range(count):
        line.add_node(str(n), next_one)
        line.add_edge(str(n - 1) if n else START, str(n))
        fan.add_node(str(n), one_of_many)
        fan.add_edge(START, str(n))
        fan.add_edge(str(n), END)
    line.add_edge(str(count - 1), END)
    chained, fanned = line.compile(), fan.compile()

    async def one_after_the_other():
        found = await chained.ainvoke({"n": 0}, {"recursion_limit": count + 10})
        assert found["n"] == count

    async def at_once():
        assert len((await fanned.ainvoke({"found": []}))["found"]) == count

    return {"langgraph, line": one_after_the_other, "langgraph, fan": at_once}


async def measured(contenders, rounds):
    """Median seconds of each contender; the first round warms up and does not count."""
    seconds = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, run in contenders.items():
            began = time.perf_counter()
            await run()
            if number:
                seconds[name].append(time.perf_counter() - began)
    return {name: median(each) for name, each in seconds.items()}


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory() as folder:
        contenders = {
            "bare loop": lambda: bare_sequence(count),
            "bare gather": lambda: bare_parallel(count),
            "bare to_thread": lambda: bare_threads(count),
            **ours(count, folder),
            **theirs(count),
        }
        found = asyncio.run(measured(contenders, rounds))
    print(f"{count} children, median of {rounds} rounds")
    for name, seconds in found.items():
        print(f"{name:32} {seconds * 1e3:9.3f} ms  {seconds / count * 1e6:9.1f} µs a child")
    lines = [("sequence, untraced", "bare loop"), ("parallel, untraced", "bare gather")]
    lines += [("sequence, in memory", "bare loop"), ("sequence, to a file", "bare loop")]
    lines += [("parallel, in memory", "bare gather"), ("parallel, to a file", "bare gather")]
    lines += [("sequence of threads, in memory", "bare to_thread")]
    lines += [("sequence, untraced", "langgraph, line"), ("parallel, untraced", "langgraph, fan")]
    lines += [("sequence, in memory", "langgraph, line"), ("parallel, in memory", "langgraph, fan")]
    for ours_name, other in lines:
        if other in found:
            print(f"{ours_name} / {other}: {found[ours_name] / found[other]:.2f}")


if __name__ == "__main__":
    main()
