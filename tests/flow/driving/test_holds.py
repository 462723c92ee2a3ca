"""What keeps a pick open, and what lets it be answered."""

from explainkit.flow import (
    ManualClock,
    after,
    answer,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.flow.clocks import settled
from explainkit.flow.picks.advancing import holders
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    answers,
    events,
    overrides,
    plays,
    read_by,
    replies,
    said,
)

OK = define_event("ok", input=dict[str, int], audience="external")


def below(coder, desk, states, *, invokes=(), on=(), above=None, names=(), actors=()):
    """A machine whose Agent's state holds these states."""
    return machine(
        "m",
        events=[OK, *events("go", "stop", "again", *names)],
        actors={
            "coder": coder,
            "a": desk.effect("a"),
            "b": desk.effect("b"),
            "person": gate(OK),
            **dict(actors),
        },
        initial="coding",
        on=above or {},
        states={
            "coding": state(
                invoke=[invoke("coder"), *invokes],
                on={"stop": to("done"), **dict(on)},
                initial=next(iter(states)),
                states=states,
            ),
            "done": final(),
        },
    )


def test_an_actor_that_does_not_hold_lets_the_pick_be_answered_at_once():
    coder, desk = Puppet(), Desk()
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("busy")}),
            "busy": state(invoke=invoke("a", holds=False, on_done=to("ready"))),
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        read = read_by(pick)
        await desk.gives("a", "late")
        return read

    read, recording = plays(chart, play)
    assert said(read) == (None, "receipt")
    assert replies(recording) == []  # once answered, later replies are nobody's


def test_a_timer_does_not_hold():
    coder, desk = Puppet(), Desk()
    states = {"ready": state(on={"go": to("resting")}), "resting": state(after(9, to("ready")))}

    async def play(running):
        return await coder.reads("go")

    read, _ = plays(below(coder, desk, states), play, clock=ManualClock())
    assert said(read) == (None, "receipt")


def test_what_a_reply_in_the_chain_starts_holds_and_what_an_event_from_outside_starts_does_not():
    coder, desk = Puppet(), Desk()
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("first"), "again": to("second")}),
            "first": state(invoke=invoke("a", on_done=to("second")), on={"again": to("second")}),
            "second": state(invoke=invoke("b", on_done=to("ready"))),
        },
    )

    async def play(running):
        one = await coder.picks("go")
        await desk.gives("a", 1)
        by = [actor.src for actor in holders(running.standing, running.standing.picks[0])]
        await desk.gives("b", 2)
        two = await coder.picks("go")
        running.send("again")  # from outside: b starts anew, and for no pick
        await settled()
        return by, said(read_by(one)), said(read_by(two))

    (by, one, two), recording = plays(chart, play)
    assert by == ["b"]
    assert one == (2, "reply")
    assert two == (None, "receipt")
    assert answers(recording)[1][2] == "receipt"


def test_a_pick_reads_the_last_reply_when_its_turn_ends_under_it():
    coder, desk = Puppet(), Desk()
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("first")}),
            "first": state(invoke=invoke("a", on_done=to("second"))),
            "second": state(invoke=invoke("b", on_done=to("ready"))),
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("a", "half")
        running.send("stop")
        await settled()
        return read_by(pick)

    read, recording = plays(chart, play)
    assert said(read) == ("half", "reply")
    assert read.receipt.turn_complete is True
    assert answers(recording) == [(1, "half", "reply")]


def test_what_a_nested_agents_pick_starts_holds_the_pick_of_the_outer_one_too():
    outer, inner, desk = Puppet(), Puppet(), Desk()
    chart = machine(
        "m",
        events=events("review", "verdict"),
        actors={"outer": outer, "inner": inner, "a": desk.effect("a")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("outer"),
                initial="ready",
                states={
                    "ready": state(on={"review": to("reviewing")}),
                    "reviewing": state(invoke=invoke("inner"), on={"verdict": to("filing")}),
                    "filing": state(invoke=invoke("a", on_done=to("ready"))),
                },
            )
        },
    )

    async def play(running):
        review = await outer.picks("review")
        verdict = await inner.reads("verdict")
        held = not review.done()
        await desk.gives("a", "filed")
        return said(verdict), held, said(read_by(review))

    found, recording = plays(chart, play)
    assert found == ((None, "receipt"), True, ("filed", "reply"))
    assert replies(recording) == [(1, 0), (1, 1)]


def test_two_agents_of_one_state_do_not_reply_to_each_other_and_are_answered_each_for_itself():
    one, two, desk = Puppet(), Puppet(), Desk()
    chart = machine(
        "m",
        events=events("go", "note"),
        actors={"one": one, "two": two, "a": desk.effect("a")},
        initial="coding",
        states={
            "coding": state(
                invoke=[invoke("one"), invoke("two")],
                on={"note": to(do=answer(lambda _: "noted"))},
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("a", on_done=to("ready"))),
                },
            )
        },
    )

    async def play(running):
        go = await one.picks("go")
        notes = [said(await agent.reads("note")) for agent in (one, two)]
        chain = running.standing.picks[0].chain
        await desk.gives("a", 1)
        return notes, chain, said(read_by(go))

    (notes, chain, go), recording = plays(chart, play)
    assert notes == [("noted", "answer")] * 2
    assert chain == ()
    assert go == (1, "reply")
    assert [number for number, _, _ in overrides(recording)] == [2, 3]
