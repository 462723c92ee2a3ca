"""How a machine that runs ends: answered, or cancelled; and what time does to it."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import RefusedError
from explainkit.flow import (
    ManualClock,
    after,
    agent,
    answer,
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
from explainkit.flow.outcomes import Answered, Cancelled
from explainkit.store.integrity import doctor
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    acts,
    answers,
    events,
    last,
    over,
    plays,
    read_by,
    rows,
    said,
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


def test_cancelling_the_task_stops_everything_and_closes_the_records_as_cancelled():
    coder, desk = Puppet(), Desk()
    stopped = []

    async def work(_):
        try:
            return await desk.effect("tests")(None)
        finally:
            stopped.append("tests")

    chart = asking(coder, tests=work)

    async def main():
        waiting = asyncio.create_task(chart.outcome())
        await settled()
        pick = await coder.picks("go")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        left = [t for t in asyncio.all_tasks() if t not in (asyncio.current_task(), pick)]
        await settled()
        pick.cancel()
        return left

    assert asyncio.run(main()) == []
    assert stopped == ["tests"]
    recording = last()
    assert rows(recording, "run_ended", "status") == [("cancelled",)]
    assert {status for (status,) in rows(recording, "link_closed", "status")} == {"cancelled"}
    assert doctor(recording) == []


def test_its_own_cancel_is_an_outcome():
    coder = Puppet()

    async def play(running):
        await coder.picks("go")
        running.cancel()
        outcome = await over(running)
        with pytest.raises(asyncio.CancelledError):
            await running.run()
        with pytest.raises(RefusedError):
            running.send("ok")
        return outcome

    outcome, recording = plays(asking(coder, tests=Desk().effect("tests")), play)
    assert outcome == Cancelled()
    assert rows(recording, "run_ended", "status") == [("cancelled",)]


def test_a_timer_dies_with_its_state_and_a_new_one_runs_from_the_start():
    clock = ManualClock()
    chart = machine(
        "m",
        events=events("leave", "back"),
        context={"due": 0},
        initial="waiting",
        states={
            "waiting": state(
                after(1000, to("waiting", do=assign({"due": lambda a: a.context["due"] + 1}))),
                on={"leave": to("away")},
            ),
            "away": state(on={"back": to("waiting")}),
        },
    )

    async def play(running):
        seen = []
        for step in (0.9, "leave", 1, "back", 0.9, 0.1, 5):
            if isinstance(step, str):
                running.send(step)
            else:
                await clock.advance(step)
            seen.append(running.context["due"])
        return seen

    seen, _ = plays(chart, play, clock=clock)
    assert seen == [0, 0, 0, 0, 0, 1, 1]


def test_a_timer_that_was_running_goes_on_with_what_was_left_of_it():
    clock = ManualClock(start=1_000_000_000)

    def chart():
        return machine(
            "m",
            actors={"work": Desk().effect("work")},
            initial="waiting",
            states={
                "waiting": state(after(5000, to("late")), invoke=invoke("work")),
                "late": final(output="late"),
            },
        )

    async def main():
        first = chart().begin(clock=clock)
        await settled()
        await clock.advance(3)
        first.cancel()
        await over(first)
        again = chart().begin(resume=first.record, clock=clock)
        await clock.advance(1.9)
        early = again.status
        await clock.advance(0.1)
        return early, await over(again)

    assert asyncio.run(main()) == ("active", Answered("late"))


def test_run_sync_in_a_running_loop_says_what_to_do_and_records_nothing():
    chart = machine("never-recorded", initial="a", states={"a": final()})

    async def main():
        with pytest.raises(RuntimeError, match="await"):
            chart.run_sync()

    asyncio.run(main())
    assert ek.last() is None or ek.last().name != "never-recorded"
    assert chart.run_sync() is None


def test_a_send_from_inside_an_action_waits_for_its_turn():
    order = []
    holder = {}

    def sends(_):
        holder["running"].send("second")
        order.append("first is taken")

    chart = machine(
        "m",
        events=events("first", "second"),
        initial="a",
        states={
            "a": state(on={"first": to("b", do=sends)}),
            "b": state(entry=lambda _: order.append("b is entered"), on={"second": to("c")}),
            "c": state(entry=lambda _: order.append("second is taken")),
        },
    )

    async def play(running):
        holder["running"] = running
        running.send("first")
        return running.configuration[-1], list(order)

    (where, seen), _ = acts(chart, play)
    assert where == "m.c"
    assert seen == ["first is taken", "b is entered", "second is taken"]


def test_a_gate_can_be_answered_from_another_thread_and_refuses_there_too():
    coder = Puppet()

    async def play(running):
        pick = await coder.picks("go")
        person = running.gates["person"]
        with pytest.raises(RefusedError, match="does not fit"):
            await asyncio.to_thread(person.send, "ok", {"n": "many"})
        await asyncio.to_thread(person.send, "ok", {"n": 3})
        await settled()
        with pytest.raises(RefusedError, match="over"):
            await asyncio.to_thread(person.send, "ok", {"n": 3})
        return read_by(pick)

    read, recording = plays(asking(coder), play)
    assert said(read) == ({"type": "ok", "n": 3}, "reply")
    assert len(answers(recording)) == 1


@pytest.mark.parametrize("end", ["cancel", "pause_at_gates"])
def test_what_comes_to_a_gate_after_the_end_is_refused_and_not_lost(end):
    coder = Puppet()

    async def play(running):
        await coder.picks("go")
        person = await running.gate("person")
        assert not person.over
        getattr(running, end)()
        for _ in ("told to end", "ended"):
            assert person.over
            with pytest.raises(RefusedError, match="the run is over"):
                person.send("ok", {"n": 3})
            await running.outcome()

    _, recording = plays(asking(coder), play)
    assert rows(recording, "event", "name", "refused") == [("go", None)]


def test_two_gates_of_one_key_go_by_the_ids_of_their_invocations():
    def region(name):
        return state(
            initial="asking",
            states={
                "asking": state(invoke=invoke("person", id=name), on={"ok": to("end")}),
                "end": final(),
            },
        )

    chart = machine(
        "m",
        events=[OK],
        actors={"person": gate(OK)},
        parallel=True,
        states={"left": region("l"), "right": region("r")},
    )

    async def play(running):
        return {key: (each.name, each.id) for key, each in running.gates.items()}

    found, _ = plays(chart, play)
    assert found == {"l": ("person", "l"), "r": ("person", "r")}


def test_an_answer_reaches_an_agent_before_its_turn_is_stopped():
    heard = []

    async def works(turn):
        heard.append(said(await turn.pick("finished")))

    chart = machine(
        "m",
        events=events("finished"),
        actors={"coder": agent(works)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"finished": to("done", do=answer(lambda _: "thanks"))},
            ),
            "done": final(),
        },
    )
    assert asyncio.run(chart.outcome()) == Answered(None)
    assert heard == [("thanks", "answer")]
