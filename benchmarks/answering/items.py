"""What an answer flow costs for many items with an instant generator, beside a plain asyncio loop.

Run: python benchmarks/answering/items.py [most items]

Every tenth item fails its first check and is repaired. Both sides do the same calls; the loop
records nothing. Sizes double up to the most, so that a cost that is not linear would show. Memory
is the peak that tracemalloc sees, in a run of its own, because it slows what it watches.
"""

import asyncio
import gc
import sys
import time
import tracemalloc

from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Issue,
    Recovery,
    define_answer_flow,
)

PASSED = CheckResult("passed")
EMPTY = CheckResult("failed", [Issue("EMPTY", "there is no text")])


async def generate(*, items, repairs, **_):
    return {each.id: each.data["source"] if repairs or int(each.id) % 10 else "" for each in items}


def check(*, value, **_):
    return PASSED if value else EMPTY


async def review(*, items, **_):
    return {each.item.id: PASSED for each in items}


def batch(count):
    return [
        AnswerItem(str(n), ["in"], "ready", {"source": f"Train {n} is {n % 180} minutes late."})
        for n in range(count)
    ]


class Entry:
    def __init__(self, item, value):
        self.item = item
        self.value = value


async def loop(items):
    """The same calls and the same policy, written by hand."""
    answers, pending, repairs = {}, items, {}
    for _ in range(2):
        values = await generate(items=pending, repairs=repairs)
        found = {each.id: check(value=values[each.id]) for each in pending}
        passed = [Entry(each, values[each.id]) for each in pending if found[each.id] is PASSED]
        for key in await review(items=passed):
            answers[key] = values[key]
        pending = [each for each in pending if each.id not in answers]
        repairs = {each.id: found[each.id].issues for each in pending}
        if not pending:
            break
    return [answers[each.id] for each in items]


FLOW = define_answer_flow(
    AnswerFlowDefinition(
        max_items=10**9,
        max_repairs=1,
        can_invoke=lambda context: True,
        generate=generate,
        check=check,
        review=review,
        fallback=lambda **_: Recovery(False),
    )
)


async def flow(items, to=None):
    results = await FLOW.run(input_ids=["in"], items=items, to=to)
    assert all(each.status == "accepted" for each in results)
    return [each.value for each in results]


def seconds(work, items):
    gc.collect()
    started = time.perf_counter()
    answers = asyncio.run(work(items))
    took = time.perf_counter() - started
    assert answers == [each.data["source"] for each in items]
    return took


def peak(work, items):
    gc.collect()
    tracemalloc.start()
    asyncio.run(work(items))
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def main():
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sizes = [most // 8, most // 4, most // 2, most]
    seconds(flow, batch(100))  # imports
    print("items    loop µs/item   flow µs/item   ratio   loop KB/item   flow KB/item")
    for count in sizes:
        items = batch(count)
        bare = min(seconds(loop, items) for _ in range(3))
        ours = min(seconds(flow, items) for _ in range(3))
        kept = [peak(work, items) / count / 1e3 for work in (loop, flow)]
        print(
            f"{count:<8,} {bare / count * 1e6:<14.2f} {ours / count * 1e6:<14.1f} "
            f"{ours / bare:<7,.0f} {kept[0]:<14.2f} {kept[1]:.1f}"
        )


if __name__ == "__main__":
    main()
