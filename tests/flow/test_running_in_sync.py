"""An error that comes through ``run_sync`` is the user's own, with nothing of ours behind it."""

import asyncio

import pytest

import explainkit as ek
from explainkit.answering import AnswerFlowDefinition, AnswerItem, Recovery, define_answer_flow
from explainkit.flow import Agent, Loop, Parallel, Sequence


def broken(*_, **__):
    return {}["tariff"]


class Broken:
    async def complete(self, prompt, *, tools=()):
        del prompt, tools
        return broken()


def known(error):
    """An error and whatever Python names beside it."""
    found, waiting = [], [error]
    while waiting:
        each = waiting.pop()
        if each is not None and each not in found:
            found.append(each)
            waiting += [each.__context__, each.__cause__, *getattr(each, "exceptions", ())]
    return found


@pytest.mark.parametrize(
    "runner",
    [
        Sequence(broken),
        Sequence(len, Sequence(broken)),
        Loop(broken, for_at_most=2),
        Agent(Broken()),
        Parallel({"a": broken, "b": broken}),
    ],
    ids=lambda runner: type(runner).__name__,
)
@pytest.mark.parametrize("recorded", [False, True])
def test_an_error_through_run_sync_has_no_other_behind_it(runner, recorded):
    called = ek.traced(lambda: runner.run_sync("abc")) if recorded else runner.run_sync
    given = () if recorded else ("abc",)
    with pytest.raises(BaseException) as raised:
        called(*given)
    found = known(raised.value)
    assert any(isinstance(each, KeyError) for each in found)
    assert not any(isinstance(each, RuntimeError) for each in found)


def test_a_recorded_error_has_no_cause_of_ours():
    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=1,
            max_repairs=0,
            can_invoke=lambda _: True,
            generate=broken,
            check=broken,
            fallback=lambda **_: Recovery(False),
        )
    )
    run = flow.run_sync(input_ids=["a"], items=[AnswerItem("a", ["a"], "ready", "x")]).run
    errors = [
        run.recording.values.tagged(row["error"])["$exception"]
        for row in run.recording.rows("link_closed")
        if row.get("error")
    ]
    assert [error["type"] for error in errors] == ["KeyError"]
    assert "cause" not in errors[0]
    assert errors[0]["at"] == ["test_running_in_sync.py:13 broken"]


def test_in_a_running_loop_run_sync_says_what_to_write_and_hides_nothing():
    async def asked():
        Sequence(broken).run_sync(1)

    with pytest.raises(RuntimeError, match=r"await runner\.run") as raised:
        asyncio.run(asked())
    assert raised.value.__context__ is None
