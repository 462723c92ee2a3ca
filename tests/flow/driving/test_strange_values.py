"""Hostile texts, huge outputs and mutable values change nothing of what a machine does."""

import asyncio

import pytest

from explainkit.errors import ResumeError
from explainkit.flow import (
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
from explainkit.flow.outcomes import Answered
from explainkit.store.integrity import doctor
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    acts,
    events,
    over,
    plays,
    read_by,
    recording_of,
    said,
)

NOTE = define_event("note", input=dict[str, str])
HOSTILE = [
    "</script><script>alert(1)</script>",
    '"}\n{"kind":"run_ended","seq":9}\n',
    "line\u2028separator\x00\x1b[31m\r\n",
    "{{7*7}} ${7*7} %s {0}",
    "\U0001f469\u200d\U0001f4bb e\u0301 \u202e reversed",
    "",
]


def noting(coder, desk):
    return machine(
        "m",
        events=[NOTE, *events("go", "end")],
        actors={"coder": coder, "tests": desk.effect("tests")},
        context={"kept": None},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={
                    "end": to("done"),
                    "note": to(do=assign({"kept": lambda args: args.event.payload})),
                },
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("tests", on_done=to("ready"))),
                },
            ),
            "done": final(output=lambda args: args.context["kept"]),
        },
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_comes_through_as_it_is(text):
    coder, desk = Puppet(), Desk()

    async def play(running):
        note = await coder.reads("note", {"text": text, text: "key"})
        pick = await coder.picks("go")
        await desk.gives("tests", {text: [text]})
        await coder.reads("end")
        return note.payload, read_by(pick), await over(running)

    (payload, read, outcome), recording = plays(noting(coder, desk), play)
    assert payload == {"text": text, text: "key"}
    assert said(read) == ({text: [text]}, "reply")
    assert outcome == Answered(payload)
    assert doctor(recording) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_is_refused_and_recorded(text):
    coder, desk = Puppet(), Desk()

    async def play(running):
        return await coder.is_refused(text)

    why, recording = plays(noting(coder, desk), play)
    assert "not accepted" in why
    assert [row["name"] for row in recording.rows("event")] == [text]


def test_the_agent_reads_a_huge_output_whole_although_the_record_may_hold_less():
    coder, desk = Puppet(), Desk()
    huge = "0123456789abcdef" * 2_000_000

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("tests", huge)
        return read_by(pick)

    read, running = acts(noting(coder, desk), play)
    assert read.value == huge
    recording = recording_of(running)
    assert doctor(recording) == []
    [closed] = [row for row in recording.rows("link_closed") if row.get("output")]
    if recording.values.fidelity(closed["output"]) != "exact":
        with pytest.raises(ResumeError, match="not recorded whole"):
            noting(coder, desk).replay(recording)


def test_what_an_agent_does_to_what_it_read_changes_no_machine():
    coder, desk = Puppet(), Desk()

    async def play(running):
        given = {"text": "as it was"}
        note = await coder.reads("note", given)
        given["text"] = note.payload["text"] = "changed later"
        pick = await coder.picks("go")
        await desk.gives("tests", {"n": [1]})
        read_by(pick).value["n"].append(2)
        await coder.reads("end")
        return await over(running)

    outcome, _ = plays(noting(coder, desk), play)
    assert outcome == Answered({"text": "as it was"})


def test_a_name_that_is_no_text_is_refused():
    coder, desk = Puppet(), Desk()

    async def play(running):
        return [await coder.is_refused(name) for name in (7, None, ("go",))]

    found, _ = plays(noting(coder, desk), play)
    assert all("not accepted" in why for why in found)


def test_many_replies_to_one_pick_are_all_in_its_chain():
    coder = Puppet()
    more = define_event("more", input=dict[str, int], audience="external")
    chart = machine(
        "m",
        events=[more, *events("go", enough="external")],
        actors={"coder": coder, "person": gate(more)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("asking")}),
                    "asking": state(
                        invoke=invoke("person"),
                        on={"more": to(do=lambda _: None), "enough": to("ready")},
                    ),
                },
            )
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        for number in range(300):
            running.gates["person"].send("more", {"n": number})
        held = not pick.done()
        running.send("enough")
        await settled()
        return held, read_by(pick)

    (held, read), recording = plays(chart, play)
    assert held
    assert said(read) == ({"type": "more", "n": 299}, "reply")
    assert [row["index"] for row in recording.rows("reply")] == list(range(300))


def test_a_thousand_picks_leave_nothing_behind():
    async def works(turn):
        for _ in range(1_000):
            await turn.pick("go")
        await turn.pick("end")

    async def tests(_):
        return 1

    desk = Desk()
    desk.effect = lambda _: tests
    chart = noting(agent(works), desk)

    async def play(running):
        outcome = await over(running)
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        return outcome, left, running.standing

    (outcome, left, standing), recording = plays(chart, play)
    assert outcome == Answered(None)
    assert left == []
    assert (standing.count, standing.picks, standing.begun_by) == (1_001, (), {})
    assert len(list(recording.rows("answer"))) == 1_002


def test_many_answers_to_one_pick_take_room_in_line_with_their_number():
    def size(number):
        coder = Puppet()
        more = define_event("more", audience="external")
        chart = machine(
            "m",
            events=[more, *events("go", enough="external")],
            actors={"coder": coder, "person": gate(more)},
            initial="coding",
            states={
                "coding": state(
                    invoke=invoke("coder"),
                    initial="ready",
                    states={
                        "ready": state(on={"go": to("asking")}),
                        "asking": state(
                            invoke=invoke("person"),
                            on={
                                "more": to(do=answer(lambda args: len(args.chain))),
                                "enough": to("ready"),
                            },
                        ),
                    },
                )
            },
        )

        async def play(running):
            pick = await coder.picks("go")
            for _ in range(number):
                running.gates["person"].send("more")
            running.send("enough")
            await settled()
            return read_by(pick).value

        last, running = acts(chart, play)
        assert last == number
        return sum(len(str(row)) for row in recording_of(running).rows())

    small, large = size(20), size(200)
    assert large < 11 * small
