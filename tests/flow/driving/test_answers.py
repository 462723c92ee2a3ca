"""Which pick an `answer` speaks to, and what becomes of it."""

import pytest

from explainkit.errors import ActionError, ChartWarning
from explainkit.flow import (
    NO_ANSWER,
    ManualClock,
    after,
    always,
    answer,
    define_event,
    final,
    gate,
    invoke,
    machine,
    raise_,
    state,
    to,
)
from explainkit.flow.clocks import settled
from explainkit.flow.outcomes import Failed
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    answers,
    events,
    over,
    overrides,
    plays,
    read_by,
    rows,
    said,
)


def says(value):
    return answer(lambda _: value)


def coding(coder, desk, **parts):
    """A machine in which tests run for a pick."""
    inside = {"do": [], "on": {}, "above": {}, "extra": {}, "names": ()} | parts
    return machine(
        "m",
        events=events("go", "ping", "stop", *inside["names"]),
        actors={"coder": coder, "tests": desk.effect("tests")},
        initial="coding",
        on=inside["above"],
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"stop": to("done"), **inside["on"]},
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("tests", on_done=to("ready", do=inside["do"]))),
                },
            ),
            "done": final(),
            **inside["extra"],
        },
    )


def asked(output, do):
    coder, desk = Puppet(), Desk()

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("tests", output)
        return read_by(pick)

    return plays(coding(coder, desk, do=do), play)


@pytest.mark.parametrize("nothing", [NO_ANSWER, print, float("nan"), {1: 2}, b"x", {1, 2}])
def test_what_has_no_json_form_and_no_answer_clear_what_was_set(nothing):
    read, recording = asked(7, [says("A"), says(nothing)])
    assert said(read) == (7, "reply")
    assert overrides(recording) == [(1, "superseded", "A"), (1, "cleared", 7)]
    assert all(reason for (reason,) in rows(recording, "override", "reason")[1:])


def test_an_answer_after_one_that_cleared_stands():
    read, recording = asked(7, [says("A"), says(NO_ANSWER), says("B")])
    assert said(read) == ("B", "answer")
    assert overrides(recording) == [
        (1, "superseded", "A"),
        (1, "superseded", 7),
        (1, "applied", "B"),
    ]


def test_the_effective_answer_is_the_fold_of_the_overrides():
    read, recording = asked({"n": 7}, [says("A"), says({"text": "B"})])
    assert read.slot == recording.raw(_seq(recording, "answer"))["slot"]
    assert recording.values.object(recording.raw(_seq(recording, "override"))["value"]) == {
        "text": "B"
    }
    assert read.value == {"text": "B"}


def _seq(recording, kind):
    return [row["seq"] for row in recording.rows(kind) if row.get("slot", "").startswith("pick")][
        -1
    ]


def test_an_event_from_outside_at_the_agents_state_answers_its_open_pick():
    coder, desk = Puppet(), Desk()
    chart = coding(coder, desk, on={"ping": to(do=says("pong"))})

    async def play(running):
        pick = await coder.picks("go")
        running.send("ping")
        await settled()
        held = not pick.done()
        await desk.gives("tests", 1)
        return held, read_by(pick)

    (held, read), recording = plays(chart, play)
    assert held
    assert said(read) == ("pong", "answer")
    assert overrides(recording) == [(1, "applied", "pong")]


def test_a_transition_of_the_root_that_a_pick_takes_answers_that_pick():
    coder, desk = Puppet(), Desk()
    chart = coding(coder, desk, above={"ping": to(do=says("pong"))})

    async def play(running):
        go = await coder.picks("go")
        ping = await coder.reads("ping")
        await desk.gives("tests", 1)
        return said(ping), said(read_by(go))

    found, recording = plays(chart, play)
    assert found == (("pong", "answer"), (1, "reply"))
    assert overrides(recording) == [(2, "applied", "pong")]


def test_an_always_that_follows_a_pick_answers_it_and_a_raised_event_does_not():
    coder, desk = Puppet(), Desk()
    chart = coding(
        coder,
        desk,
        names=("leave", "raised"),
        above={
            "leave": to(".away"),
            "ping": to(do=raise_("raised")),
            "raised": to(do=says("raised")),
        },
        extra={"away": state(always(to("home", do=says("always")))), "home": state()},
    )

    async def play(running):
        return said(await coder.reads("ping")), said(await coder.reads("leave"))

    found, recording = plays(chart, play)
    assert found == ((None, "receipt"), ("always", "answer"))
    assert overrides(recording) == [(None, "unheard", None), (2, "applied", "always")]


def test_an_entry_below_no_agents_state_sets_nothing_and_building_warns():
    coder, desk = Puppet(), Desk()
    words = (
        'an answer on the entry of "m.done" is below no Agent\'s state, so it shapes no pick — an '
        'entry there is no transition an Agent\'s event takes; move it under "m.coding", or onto '
        "a transition"
    )
    with pytest.warns(ChartWarning) as caught:
        chart = coding(coder, desk, extra={"done": final(entry=says("bye"))})
    assert [str(each.message) for each in caught] == [words]

    async def play(running):
        return await coder.reads("stop")

    read, recording = plays(chart, play)
    assert said(read) == (None, "receipt")
    assert overrides(recording) == [(None, "unheard", None)]


def test_an_entry_and_an_exit_below_the_agent_answer_its_pick_and_a_timer_finds_nobody():
    coder, clock = Puppet(), ManualClock()
    chart = machine(
        "m",
        events=events("go"),
        actors={"coder": coder},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("resting")}, exit=says("left")),
                    "resting": state(after(1000, to("ready", do=says("late")))),
                },
            )
        },
    )

    async def play(running):
        read = await coder.reads("go")
        await clock.advance(1)
        return read

    read, recording = plays(chart, play, clock=clock)
    assert said(read) == ("left", "answer")
    assert overrides(recording) == [(1, "applied", "left"), (None, "unheard", None)]


def test_the_innermost_agent_is_answered_and_the_outer_one_keeps_its_own():
    outer, inner = Puppet(), Puppet()
    chart = machine(
        "m",
        events=events("review", "verdict", "note"),
        actors={"outer": outer, "inner": inner},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("outer"),
                on={"note": to(do=says("for the outer one"))},
                initial="ready",
                states={
                    "ready": state(on={"review": to("reviewing")}),
                    "reviewing": state(
                        invoke=invoke("inner"),
                        initial="reading",
                        states={
                            "reading": state(on={"verdict": to("told")}),
                            "told": state(entry=says("for the inner one")),
                        },
                    ),
                },
            )
        },
    )

    async def play(running):
        review = await outer.picks("review")
        verdict = await inner.reads("verdict")
        held = not review.done()
        note = await inner.reads("note")  # handled at the outer Agent's state
        await inner.returns()
        return held, said(verdict), said(note), said(read_by(review))

    (held, verdict, note, review), recording = plays(chart, play)
    assert held
    assert verdict == ("for the inner one", "answer")
    assert note == (None, "receipt")
    assert review == ("for the outer one", "answer")
    assert overrides(recording) == [
        (2, "applied", "for the inner one"),
        (1, "applied", "for the outer one"),
    ]


def test_overlapping_picks_are_answered_each_by_what_it_began():
    coder, desk = Puppet(), Desk()
    chart = coding(coder, desk, on={"ping": to(do=says("pong"))})

    async def play(running):
        go = await coder.picks("go")
        ping = await coder.reads("ping")
        await desk.gives("tests", 1)
        return said(ping), said(read_by(go))

    found, recording = plays(chart, play)
    assert found == (("pong", "answer"), (1, "reply"))
    assert overrides(recording) == [(2, "applied", "pong")]


def test_an_answer_that_nobody_awaited_any_more_is_unread():
    coder, desk = Puppet(), Desk()

    async def play(running):
        pick = await coder.picks("go")
        pick.cancel()
        await settled()
        await desk.gives("tests", 1)
        return len(running.standing.picks)

    left, recording = plays(coding(coder, desk, do=[says("A")]), play)
    assert left == 0
    assert answers(recording) == [(1, 1, "reply")]
    assert overrides(recording) == [(1, "unread", "A")]


def test_an_answer_to_an_agent_that_faulted_or_stopped_is_unread():
    def leaves(how):
        coder, desk = Puppet(), Desk()
        chart = coding(
            coder,
            desk,
            on={"ping": to(do=says("pong"))},
            above={"agent.fault": to(".aside")},
            extra={"aside": state()},
        )

        async def play(running):
            await coder.picks("go")
            running.send("ping")
            await how(coder)
            return running.standing.picks

        left, recording = plays(chart, play)
        assert left == ()
        return overrides(recording)

    unread = [(1, "unread", "pong")]
    assert leaves(lambda coder: coder.raises(ValueError("cannot go on"))) == unread
    assert leaves(lambda coder: coder.returns()) == unread


def test_a_throw_in_an_answer_ends_the_run_and_names_its_site():
    def breaks(_):
        raise KeyError("tail")

    coder, desk = Puppet(), Desk()

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("tests", 1)
        return read_by(pick), await over(running), running.configuration[-1]

    (read, outcome, where), recording = plays(coding(coder, desk, do=[answer(breaks)]), play)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, ActionError)
    assert isinstance(outcome.error.__cause__, KeyError)
    assert "on_done[0]" in str(outcome.error)
    assert "m.coding.busy" in str(outcome.error)
    assert where == "m.coding.busy"  # the configuration stays
    assert said(read) == (1, "reply")  # the reply came before the throw
    assert read.receipt.turn_complete is True
    [ended] = recording.rows("run_ended")
    assert ended["status"] == "error"


def test_answers_at_a_gate_see_what_was_sent():
    coder = Puppet()
    ok = define_event("ok", input=dict[str, str], audience="external")
    chart = machine(
        "m",
        events=[ok, *events("ask")],
        actors={"coder": coder, "person": gate(ok)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"ask": to("asking")}),
                    "asking": state(
                        invoke=invoke("person"),
                        on={
                            "ok": to(
                                "ready",
                                do=answer(
                                    lambda args: (
                                        f"{args.event.payload['by']}, {args.chain[-1].event.name}"
                                    )
                                ),
                            )
                        },
                    ),
                },
            )
        },
    )

    async def play(running):
        pick = await coder.picks("ask")
        running.gates["person"].send("ok", {"by": "Ann"})
        return await pick

    read, _ = plays(chart, play)
    assert said(read) == ("Ann, ok", "answer")
