"""A machine as an actor of another: its output, its failures, its gates, its place in records."""

import asyncio

import pytest

import explainkit as ek
from explainkit.flow import (
    agent,
    assign,
    define_event,
    fail,
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
    Puppet,
    acts,
    events,
    last,
    over,
    plays,
    read_by,
    replies,
    said,
)

OK = define_event("ok", input=dict[str, int], audience="external")


def inner(**actors):
    return machine(
        "inner",
        events=[OK],
        actors={"person": gate(OK), **actors},
        context=lambda given: {"given": given, "n": None},
        initial="asking",
        states={
            "asking": state(
                invoke=invoke("person"),
                on={"ok": to("done", do=assign({"n": lambda a: a.event.payload["n"]}))},
            ),
            "done": final(output=lambda a: [a.context["given"], a.context["n"]]),
        },
    )


def outer(coder, child, **routes):
    return machine(
        "outer",
        events=events("go"),
        actors={"coder": coder, "child": child},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("inside")}),
                    "inside": state(
                        invoke=invoke("child", input="given", on_done=to("ready"), **routes)
                    ),
                },
            )
        },
    )


def test_the_output_of_an_inner_machine_is_the_reply_and_its_gate_is_reached_from_outside():
    coder = Puppet()

    async def play(running):
        pick = await coder.picks("go")
        names = list(running.gates)
        running.gates["child.person"].send("ok", {"n": 4})
        await settled()
        return names, read_by(pick)

    (names, read), recording = plays(outer(coder, inner()), play)
    assert names == ["child.person"]
    assert said(read) == (["given", 4], "reply")
    assert replies(recording) == [(1, 0)]
    links = {row["seq"]: row for row in recording.rows("link_opened")}
    [own] = [row for row in links.values() if row["name"] == "inner"]
    assert links[own["parent"]]["name"] == "child"
    assert links[links[own["parent"]]["parent"]]["name"] == "outer"


def failing():
    return machine(
        "inner",
        actors={"fail": fail()},
        initial="a",
        states={"a": state(invoke=invoke("fail", input={"reason": "inner reason"}))},
    )


def test_the_fault_of_an_inner_machine_takes_the_error_route():
    coder = Puppet()

    async def play(running):
        return await coder.reads("go"), running.status

    (read, status), _ = plays(outer(coder, failing(), on_error=to("ready")), play)
    assert said(read) == (None, "receipt")
    assert status == "active"


def test_the_fault_of_an_inner_machine_without_a_route_faults_the_outer_one():
    coder = Puppet()

    async def play(running):
        await coder.reads("go")
        return await over(running)

    outcome, _ = plays(outer(coder, failing()), play)
    assert isinstance(outcome, Failed)
    assert "inner reason" in str(outcome.error)


def test_an_inner_machine_is_stopped_with_the_state_that_invoked_it():
    coder, desk, ends = Puppet(), Desk(), []

    async def work(given):
        try:
            return await desk.effect("work")(given)
        finally:
            ends.append("stopped")

    child = machine(
        "inner",
        actors={"work": work},
        initial="a",
        states={"a": state(invoke=invoke("work", on_done=to("b"))), "b": final()},
    )
    chart = machine(
        "outer",
        events=events("go", "leave"),
        actors={"coder": coder, "child": child},
        initial="ready",
        states={
            "ready": state(invoke=invoke("coder"), on={"go": to("inside"), "leave": to("inside")}),
            "inside": state(invoke=invoke("child"), on={"leave": to("away")}),
            "away": state(),
        },
    )

    async def play(running):
        await coder.reads("go")
        running.send("leave")
        await settled()
        return running.configuration[-1], list(ends)

    found, _ = plays(chart, play)
    assert found == ("outer.away", ["stopped"])


def test_the_outer_machine_pauses_when_the_inner_one_waits_for_its_gate():
    async def works(turn):
        await turn.pick("go")

    async def main():
        return await outer(agent(works), inner()).outcome()

    assert isinstance(asyncio.run(main()), Paused)
    assert doctor(last()) == []


def test_inside_of_a_trace_a_machine_is_a_link_of_that_run():
    coder = Puppet()

    @ek.link
    async def around():
        running = outer(coder, inner()).begin()
        await settled()
        pick = await coder.picks("go")
        running.gates["child.person"].send("ok", {"n": 1})
        await settled()
        running.cancel()
        await over(running)
        assert running.record is None
        return read_by(pick)

    async def main():
        with ek.trace("mine") as run:
            return run, await around()

    run, read = asyncio.run(main())
    links = {row["seq"]: row for row in run.recording.rows("link_opened")}
    [machine_link] = [row for row in links.values() if row["name"] == "outer"]
    assert links[machine_link["parent"]]["name"].endswith("around")
    assert said(read) == (["given", 1], "reply")
    assert doctor(run.recording) == []
    assert outer(coder, inner()).replay(run).equal


def test_what_an_actor_records_stands_in_its_own_link():
    @ek.traced
    def measured(x):
        return x + 1

    async def work(given):
        return measured(41)

    chart = machine(
        "m",
        actors={"work": work},
        initial="a",
        states={"a": state(invoke=invoke("work", on_done=to("b"))), "b": final()},
    )

    async def play(running):
        return await over(running)

    _, recording = plays(chart, play)
    links = {row["seq"]: row for row in recording.rows("link_opened")}
    [own] = [row for row in links.values() if row["name"].endswith("measured")]
    assert links[own["parent"]]["name"] == "work"


def test_two_machines_that_run_side_by_side_are_two_runs(tmp_path):
    def waits(name):
        return machine(
            name,
            events=[OK],
            actors={"person": gate(OK)},
            initial="a",
            states={"a": state(invoke=invoke("person"), on={"ok": to("b")}), "b": final()},
        )

    async def main():
        one, two = waits("one").begin(to=tmp_path), waits("two").begin(to=tmp_path)
        for running in (one, two):
            running.gates["person"].send("ok", {})
        return await one.outcome(), await two.outcome()

    assert asyncio.run(main()) == (Answered(None), Answered(None))
    assert sorted(each.name for each in ek.runs(tmp_path)) == ["one", "two"]


def test_a_file_is_refused_for_a_machine_that_is_recorded_in_an_open_run(tmp_path):
    async def main():
        with ek.trace("mine"), pytest.raises(ValueError, match=r"ek\.trace"):
            await failing().outcome(to=tmp_path)

    asyncio.run(main())
    assert list(tmp_path.iterdir()) == []


def test_the_answer_of_the_run_is_the_machines_output():
    chart = machine("m", initial="a", states={"a": final(output={"sum": 3})})

    async def play(running):
        return await over(running)

    _, running = acts(chart, play)
    assert running.record.answer == {"sum": 3}
