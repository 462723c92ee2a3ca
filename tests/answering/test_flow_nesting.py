"""A flow is a runner: it nests in every composition, and runners are its ports."""

import asyncio
import json
import threading

import pytest

import explainkit as ek
from explainkit.answering import CheckResult, OperationContext, Recovery
from explainkit.flow import (
    Agent,
    Answered,
    Cancelled,
    Conditional,
    Loop,
    Parallel,
    Sequence,
    Signal,
    define_event,
    final,
    gate,
    graph,
    invoke,
    machine,
    state,
    step,
    to,
    when,
    workflow,
)
from explainkit.flow.models import ScriptedModel
from explainkit.session.answer_results import AnswerResults
from tests.answering.flow_parts import (
    PASSED,
    closed,
    codes,
    ends,
    flow_of,
    items,
    link_rows,
    run,
    source,
)

BATCH = {"input_ids": ["in"], "items": items("ab")}


def values(results):
    return [each.value for each in results]


COMPOSED = {
    "sequence": lambda flow: Sequence(flow, values),
    "workflow": lambda flow: workflow(step(flow, takes=dict, gives=AnswerResults), values),
    "conditional": lambda flow: Sequence(Conditional(when(lambda batch: True, flow)), values),
    "loop": lambda flow: Sequence(Loop(flow, until=len), values),
    "parallel": lambda flow: Sequence(Parallel({"x": flow, "y": flow}), lambda d: values(d["y"])),
    "graph": lambda flow: Sequence(graph({"x": flow}), lambda d: values(d["x"])),
}


@pytest.mark.parametrize("name", COMPOSED)
def test_a_flow_nests_in_every_composition(name):
    composed = COMPOSED[name](flow_of())
    assert composed.run_sync(BATCH) == [source("a"), source("b")]
    record = ek.last()
    assert record.doctor() == []
    back = record.backtrack(span="train b")
    assert back.contexts


def test_the_next_step_is_given_where_the_results_stand():
    Sequence(flow_of(), values).run_sync(BATCH)
    record = ek.last()
    flow = link_rows(record, "answer-flow")[0]
    (given,) = link_rows(record, "function")[0]["inputs"]
    assert given["from"] == [{"seq": closed(record, flow)["seq"], "slot": "output"}]


def test_a_flow_in_a_flow():
    inner = Sequence(
        lambda given: {"input_ids": ["in"], "items": list(given["items"])},
        flow_of(),
        lambda results: {each.item.id: each.value for each in results},
    )
    results = run("ab", generate=inner)
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert results.run.doctor() == []


def test_an_agent_generates_and_reviews():
    said = json.dumps({"a": "one", "b": "two"})
    review = json.dumps({i: {"status": "passed", "issues": []} for i in "ab"})
    results = run(
        "ab",
        generate=Sequence(Agent(ScriptedModel([said])), json.loads),
        review=Sequence(Agent(ScriptedModel([review])), json.loads),
        review_policy="required",
    )
    assert values(results) == ["one", "two"]
    assert results.run.doctor() == []
    back = results.run.backtrack(slot="item:a", grade="exposure")
    assert back.hops


def test_an_agent_that_does_not_answer_is_a_generate_that_failed():
    results = run("a", generate=Agent(ScriptedModel([])))
    assert (results[0].status, codes(results[0])) == ("blocked", ["GENERATE_FAILED"])
    assert "ScriptExhaustedError" in results[0].issues[0].message


def test_a_machine_generates_and_reviews():
    generating = machine(
        "generating",
        context=lambda batch: {"told": {i.id: i.data["source"] for i in batch["items"]}},
        initial="end",
        states={"end": final()},
        output=lambda args: dict(args.context["told"]),
    )
    reviewing = machine(
        "reviewing",
        initial="end",
        states={"end": final()},
        output=lambda args: {"a": {"status": "passed"}, "b": {"status": "not-run"}},
    )
    results = run("ab", generate=generating, review=reviewing)
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert [each.reviews[0].status for each in results] == ["passed", "not-run"]
    assert results.run.doctor() == []


def test_a_runner_is_given_the_keywords_but_the_context():
    seen = []

    def port(result):
        def call(given):
            seen.append(sorted(given))
            return result(given)

        return Sequence(call)

    run(
        "a",
        generate=port(lambda given: {"a": 1}),
        review=port(lambda given: {"a": {"status": "failed"}}),
        fallback=port(lambda given: Recovery(True, 2)),
        observe=port(lambda given: None),
        max_repairs=0,
    )
    assert seen == [
        ["items", "previous", "repairs"],
        ["results", "stage_id"],
        ["results", "stage_id"],
        ["items"],
        ["results", "stage_id"],
        ["issues", "item"],
        ["results", "stage_id"],
        ["results", "stage_id"],
    ]


def test_a_runner_that_is_not_ours_is_a_port():
    class Foreign:
        def run(self, given):
            return {each.id: "foreign" for each in given["items"]}

    assert values(run("ab", generate=Foreign())) == ["foreign", "foreign"]


def test_a_port_that_waits_for_a_person_leaves_the_review_unresolved():
    ok = define_event("ok", "It is fine.", audience="external")
    waiting = machine(
        "waiting",
        actors={"person": gate(ok)},
        initial="open",
        states={"open": state(invoke=invoke("person"), on={"ok": to("end")}), "end": final()},
        events=[ok],
    )
    results = run("a", review=Sequence(lambda given: {}, waiting), review_policy="required")
    assert results[0].status == "blocked"
    assert "cannot wait" in results[0].reviews[0].issues[0].message


HANGS = ["generate", "review", "fallback", "observe", "check", "can_invoke"]


@pytest.mark.parametrize("by", ["signal", "task"])
@pytest.mark.parametrize(
    ("port", "kind"),
    [(port, "sync") for port in HANGS] + [(port, "async") for port in HANGS[:4]],
)
def test_a_port_that_never_returns_is_cancelled(port, kind, by):
    began, hold = threading.Event(), threading.Event()

    def hangs(*_, **__):
        began.set()
        hold.wait()

    async def hangs_later(**_):
        began.set()
        await asyncio.get_running_loop().create_future()

    ports = {"check": lambda **_: CheckResult("unavailable")} if port == "fallback" else {}
    flow = flow_of(**ports | {port: hangs if kind == "sync" else hangs_later})
    signal = Signal()

    async def main():
        context = OperationContext(signal=signal)
        task = asyncio.ensure_future(flow.outcome(BATCH, context=context))
        await asyncio.to_thread(began.wait)
        if by == "task":
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return
        signal.cancel()
        assert await task == Cancelled()

    try:
        asyncio.run(main())
    finally:
        hold.set()
    record = ek.last()
    assert record.status == "cancelled"
    assert record.doctor() == []
    assert set(record.links["status"]) <= {"answered", "cancelled"}


def test_run_raises_a_cancellation_of_its_signal():
    signal = Signal()
    signal.cancel()
    with pytest.raises(asyncio.CancelledError):
        flow_of().run_sync(BATCH, context=OperationContext(signal=signal))


def test_a_cancelled_flow_keeps_the_items_that_had_ended():
    signal = Signal()

    def generate(*, items, repairs, **_):
        if repairs:
            signal.cancel()
        return {each.id: each.id for each in items}

    flow = flow_of(
        generate=generate,
        check=lambda *, value, **_: CheckResult("passed" if value == "a" else "failed"),
    )
    outcome = asyncio.run(flow.outcome(BATCH, context=OperationContext(signal=signal)))
    assert outcome == Cancelled()
    from explainkit.view.ladder_rungs import ladders_of

    assert [(each.item, each.status) for each in ladders_of(ek.last().recording)] == [
        ("a", "accepted"),
        ("b", "unfinished"),
    ]


@pytest.mark.parametrize("port", HANGS)
def test_a_port_that_is_cancelled_by_itself_ends_only_its_items(port):
    def stray(*_, **__):
        raise asyncio.CancelledError

    ports = {"check": lambda **_: CheckResult("unavailable")} if port == "fallback" else {}
    outcome = asyncio.run(flow_of(**ports | {port: stray}).outcome(BATCH))
    assert isinstance(outcome, Answered)
    assert ek.last().doctor() == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_closes_the_records_and_goes_on(error):
    def interrupted(**_):
        raise error

    with pytest.raises(error):
        flow_of(check=interrupted).run_sync(BATCH)
    record = ek.last()
    assert record.status == "cancelled"
    assert record.doctor() == []


def test_generate_and_review_are_called_once_a_round_with_the_whole_set():
    calls = []

    def generate(*, items, **_):
        calls.append(("generate", len(items)))
        return {each.id: 1 for each in items}

    def review(*, items, **_):
        calls.append(("review", len(items)))
        return {each.item.id: PASSED for each in items}

    run("abcdef", generate=generate, review=review)
    assert calls == [("generate", 6), ("review", 6)]
