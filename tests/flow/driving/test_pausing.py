"""When a machine pauses, what its checkpoint keeps, and how it goes on."""

import asyncio

import pytest

from explainkit.errors import AgentFault, PausedError, RefusedError, ResumeError, StalledError
from explainkit.flow import (
    ManualClock,
    after,
    agent,
    assign,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.flow.clocks import settled
from explainkit.flow.outcomes import Answered, Failed, Paused
from explainkit.store.integrity import doctor
from tests.flow.driving.acting import (
    Desk,
    checked,
    events,
    last,
    over,
    rows,
    said,
    through_json,
)

OK = define_event("ok", input=dict[str, int], audience="external")


def asking(coder, *, tests=None, holds=True):
    """Tests run, then a person is asked, then the Agent finishes."""

    async def quick(_):
        return 7

    return machine(
        "asking",
        events=[OK, *events("go", "finished")],
        actors={"coder": coder, "tests": tests or quick, "person": gate(OK)},
        context={"read": None},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("tests", on_done=to("asking"))),
                    "asking": state(
                        invoke=invoke("person", holds=holds),
                        on={"ok": to("ready", do=assign({"read": lambda a: a.event.payload}))},
                    ),
                },
            ),
            "done": final(output=lambda args: args.context["read"]),
        },
    )


def deterministic(reads=None):
    async def works(turn):
        read = await turn.pick("go")
        if reads is not None:
            reads.append(said(read))
        await turn.pick("finished")

    return agent(works)


def paused(chart):
    outcome = asyncio.run(chart.outcome())
    assert isinstance(outcome, Paused)
    return outcome.checkpoint


def goes_on(chart, checkpoint, number=5):
    async def main():
        running = chart.begin(resume=through_json(checkpoint))
        await settled()
        running.gates["person"].send("ok", {"n": number})
        return await over(running), running

    return asyncio.run(main())


def test_a_machine_that_waits_only_for_a_gate_is_paused_and_goes_on_from_plain_json():
    reads = []
    checkpoint = paused(asking(deterministic(reads)))
    assert reads == []
    first = last()
    assert rows(first, "run_ended", "status") == [("paused",)]
    assert doctor(first) == []
    outcome, running = goes_on(asking(deterministic(reads)), checkpoint)
    assert outcome == Answered({"n": 5})
    assert reads == [({"type": "ok", "n": 5}, "reply")]
    checked(asking(deterministic()), running)


def test_run_raises_what_carries_the_checkpoint():
    chart = asking(deterministic())
    with pytest.raises(PausedError) as caught:
        chart.run_sync()
    outcome, _ = goes_on(chart, caught.value.checkpoint)
    assert outcome == Answered({"n": 5})


def test_a_machine_pauses_also_when_the_last_thing_before_the_gate_was_an_effect():
    async def work(_):
        return 1

    chart = machine(
        "m",
        events=[OK],
        actors={"work": work, "person": gate(OK)},
        initial="busy",
        states={
            "busy": state(invoke=invoke("work", on_done=to("asking"))),
            "asking": state(invoke=invoke("person"), on={"ok": to("done")}),
            "done": final(output="end"),
        },
    )
    outcome, _ = goes_on(chart, paused(chart))
    assert outcome == Answered("end")


def test_an_effect_beside_the_gate_is_waited_for_before_the_machine_pauses():
    desk = Desk()
    chart = machine(
        "m",
        events=[OK],
        actors={"work": desk.effect("work"), "person": gate(OK)},
        initial="both",
        states={
            "both": state(
                invoke=[invoke("work", on_done=to(do=lambda _: None)), invoke("person")],
                on={"ok": to("done")},
            ),
            "done": final(),
        },
    )

    async def main():
        waiting = asyncio.create_task(chart.outcome())
        await settled()
        early = waiting.done()
        await desk.gives("work", 1)
        return early, await waiting

    early, outcome = asyncio.run(main())
    assert not early
    assert isinstance(outcome, Paused)


def test_a_timer_is_waited_for_before_the_machine_pauses():
    clock = ManualClock()
    chart = machine(
        "m",
        events=[OK],
        actors={"person": gate(OK)},
        initial="asking",
        states={
            "asking": state(
                after(1000, to("late")), invoke=invoke("person"), on={"ok": to("done")}
            ),
            "late": final(output="late"),
            "done": final(),
        },
    )

    async def main():
        waiting = asyncio.create_task(chart.outcome(clock=clock))
        await settled()
        early = waiting.done()
        await clock.advance(1)
        return early, await waiting

    assert asyncio.run(main()) == (False, Answered("late"))


def test_a_checkpoint_of_another_chart_or_of_nothing_is_refused():
    checkpoint = paused(asking(deterministic()))
    other = machine("asking", initial="a", states={"a": state()})

    async def resumes(chart, given):
        chart.begin(resume=given)

    with pytest.raises(ResumeError, match="another chart"):
        asyncio.run(resumes(other, checkpoint))
    with pytest.raises(ResumeError, match="no checkpoint"):
        asyncio.run(resumes(other, {"a": 1}))


def test_a_checkpoint_survives_a_second_pause():
    chart = asking(deterministic())

    async def again(checkpoint):
        return await chart.outcome(resume=through_json(checkpoint))

    outcome = asyncio.run(again(paused(chart)))
    assert isinstance(outcome, Paused)
    outcome, _ = goes_on(chart, outcome.checkpoint, 6)
    assert outcome == Answered({"n": 6})


def test_what_cannot_be_kept_whole_ends_in_an_error_that_says_so():
    class Thing:
        """Nothing that can be written down."""

    async def tests(_):
        return Thing()

    outcome = asyncio.run(asking(deterministic(), tests=tests).outcome())
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, ResumeError)
    assert "the output of" in str(outcome.error)


def test_an_agent_that_runs_again_and_picks_something_else_ends_the_run_and_takes_no_route():
    def chart(event):
        async def works(turn):
            await turn.pick(event)

        return machine(
            "m",
            events=[OK, *events("ask", "finished")],
            actors={"coder": agent(works), "person": gate(OK)},
            initial="coding",
            on={"agent.fault": to(".aside")},
            states={
                "coding": state(
                    invoke=invoke("coder"),
                    on={"finished": to("aside")},
                    initial="ready",
                    states={
                        "ready": state(on={"ask": to("asking")}),
                        "asking": state(invoke=invoke("person"), on={"ok": to("ready")}),
                    },
                ),
                "aside": final(output="aside"),
            },
        )

    async def resumes():
        return await chart("finished").outcome(resume=paused_there)

    paused_there = paused(chart("ask"))
    outcome = asyncio.run(resumes())
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, ResumeError)
    assert '"finished"' in str(outcome.error)


def test_a_machine_in_which_nobody_works_any_more_is_paused_and_can_be_told_what_comes_next():
    async def works(_):
        return None

    chart = machine(
        "m",
        events=events("go"),
        actors={"job": works},
        initial="waiting",
        states={
            "waiting": state(invoke=invoke("job", on_done=to()), on={"go": to("done")}),
            "done": final(),
        },
    )

    async def goes(checkpoint):
        running = chart.begin(resume=through_json(checkpoint))
        running.send("go")
        return await over(running)

    assert asyncio.run(goes(paused(chart))) == Answered(None)


def test_an_agent_that_ends_without_leaving_its_state_is_named_as_what_stalls_the_machine():
    async def works(_):
        return None

    chart = machine(
        "m",
        events=events("go"),
        actors={"coder": agent(works)},
        initial="coding",
        states={"coding": state(invoke=invoke("coder"), on={"go": to("done")}), "done": final()},
    )
    outcome = asyncio.run(chart.outcome())
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, StalledError)
    assert 'the Agent "coder" ended without leaving "m.coding"' in str(outcome.error)
    assert "picked: go" in str(outcome.error)


def test_who_waits_for_a_gate_is_told_when_it_opens_and_when_it_never_will():
    async def works(turn):
        await turn.pick("ask")
        raise AgentFault("no more tokens")

    approve = define_event("approve", audience="external")
    chart = machine(
        "m",
        events=[*events("ask"), approve],
        actors={"coder": agent(works), "boss": gate(approve)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"ask": to("asking")}),
                    "asking": state(invoke=invoke("boss"), on={"approve": to("ready")}),
                },
            )
        },
    )

    async def main():
        running = chart.begin()
        (await running.gate("boss")).send("approve")
        with pytest.raises(RefusedError, match="will not open: the run is over"):
            await running.gate("nobody")
        return await running.outcome()

    assert "no more tokens" in str(asyncio.run(main()).error)


def test_a_gate_checks_what_comes_by_its_own_definition_also_where_the_machine_has_none():
    reject = define_event("reject", input=dict[str, int], audience="external")
    chart = machine(
        "m",
        actors={"boss": gate(reject)},
        initial="a",
        states={
            "a": state(invoke=invoke("boss"), on={"reject": to("b")}),
            "b": final(output=lambda args: args.event.payload),
        },
    )

    async def main():
        running = chart.begin()
        for wrong in ("because", {"n": "x"}):
            with pytest.raises(RefusedError, match="does not fit"):
                running.gates["boss"].send("reject", wrong)
        running.gates["boss"].send("reject", {"n": "1"})
        return await running.outcome()

    assert asyncio.run(main()) == Answered({"n": 1})
