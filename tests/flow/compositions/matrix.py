"""Every end of an Agent, in every composition, at every position, nested one to six deep.

Run: python -m tests.flow.compositions.matrix
"""

import asyncio
from collections import Counter
from itertools import pairwise, product

import explainkit as ek
from explainkit.errors import VerdictError
from explainkit.flow.agents import Agent, ask_person
from explainkit.flow.checks import Signal
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    when,
    workflow,
)
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import (
    Answered,
    Cancelled,
    Exhausted,
    Failed,
    Paused,
    Refused,
)
from explainkit.store.integrity import doctor
from tests.flow.compositions.test_real_agents import ASK, CALL, REFUSING, refund, refusing

LOOKALIKES = ('{"kind": "policy-halt", "reason": "no"}', "Refused: no refunds.")


def same(given):
    return given


def _wide(child, later, position):
    branches = dict.fromkeys("abc", same)
    branches["abc"[position]] = child
    return Sequence(Parallel(branches, merge=str), later)


def _levels(child, later, position):
    names = [f"n{number}" for number in range(position + 2)]
    nodes = dict.fromkeys(names, same) | {names[-2]: child, names[-1]: later}
    chain = graph(nodes, list(pairwise(names)))
    return Sequence(chain, str)


SHAPES = {
    "sequence": lambda child, later, n: Sequence(*[same] * n, child, later),
    "workflow": lambda child, later, n: workflow(*[same] * n, child, later),
    "conditional": lambda child, later, n: Sequence(
        Conditional(*[when(lambda _: False, later)] * n, when(lambda _: True, child)), later
    ),
    "loop": lambda child, later, n: Loop(
        Sequence(*[same] * n, child, later), until=lambda _: True, for_at_most=2
    ),
    "parallel": _wide,
    "graph": _levels,
}
WIDE = ("parallel", "graph")
POSITIONS = (0, 1, 2)
DEEPEST = 6


class Counting(ScriptedModel):
    """Counts how often it is asked."""

    def __init__(self):
        super().__init__(["and so on"] * 200)
        self.calls = 0

    async def complete(self, prompt, *, tools=()):
        self.calls += 1
        return await super().complete(prompt, tools=tools)


def _failing():
    return Agent(ScriptedModel([OverflowError("the model is gone")]), name="failing")


ENDS = {
    **{kind: lambda kind=kind: refusing(kind) for kind in REFUSING},
    **{text: lambda text=text: Agent(ScriptedModel([text] * 200)) for text in LOOKALIKES},
    "failed": _failing,
    "paused": lambda: Agent(ScriptedModel([ASK]), tools=[ask_person()]),
    "exhausted": lambda: Agent(ScriptedModel([CALL] * 9), tools=[refund], max_calls=1),
    "cancelled": None,
}


def _shapes_of(shape, nesting):
    """The composition itself, and those around it from the inside."""
    names = list(SHAPES)
    return [names[(names.index(shape) + number) % len(names)] for number in range(nesting)]


def _built(child, later, shape, position, nesting):
    for name in _shapes_of(shape, nesting):
        child = SHAPES[name](child, later, position)
    return child


async def _cancelled(shape, position, nesting, later):
    begun, signal = asyncio.Event(), Signal()

    async def waits(_):
        begun.set()
        await asyncio.Event().wait()

    whole = _built(waits, later, shape, position, nesting)
    running = asyncio.create_task(whole.outcome("Pay it back.", signal=signal))
    await begun.wait()
    signal.cancel()
    return await running


def held(end, shape, position, nesting):
    """Run one cell and check the laws; gives the word of its outcome."""
    model = Counting()
    later = Agent(model, name="later")
    if end == "cancelled":
        found = asyncio.run(_cancelled(shape, position, nesting, later))
    else:
        whole = _built(ENDS[end](), later, shape, position, nesting)
        found = asyncio.run(whole.outcome("Pay it back."))
    _check(end, found, _shapes_of(shape, nesting), model.calls)
    recording = ek.last().recording
    assert doctor(recording) == []
    assert recording.open_links == ()
    return type(found).__name__


def _check(end, found, around, calls):
    is_wide = any(name in WIDE for name in around)
    if end in LOOKALIKES:
        assert isinstance(found, Answered), "a delivered answer was misread"
        assert calls > 0
        return
    assert calls == 0, "a model was asked after the end"
    if end == "cancelled":
        assert found == Cancelled()
    elif end == "paused":
        assert isinstance(found, Paused)
    elif end == "exhausted":
        assert isinstance(found, Failed if is_wide else Exhausted)
    elif end == "failed":
        assert isinstance(found, Failed)
        assert {type(error) for error in leaves(found.error)} == {OverflowError}
    elif is_wide:
        assert isinstance(found, Failed)
        assert {error.verdict.kind for error in leaves(found.error)} == {end}
        assert all(isinstance(error, VerdictError) for error in leaves(found.error))
    else:
        assert isinstance(found, Refused)
        assert found.verdict.kind == end


def leaves(error):
    """The errors in groups of groups."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in leaves(each)]
    return [error]


def main():
    """Run every cell and print how many held."""
    words = Counter()
    for end, shape, position, nesting in product(ENDS, SHAPES, POSITIONS, range(1, DEEPEST + 1)):
        words[held(end, shape, position, nesting)] += 1
    told = ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
    print(f"{sum(words.values())} cells held: {told}")


if __name__ == "__main__":
    main()
