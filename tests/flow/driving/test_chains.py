"""Which replies belong to a pick, and which answer of several is read."""

from explainkit.flow import (
    ManualClock,
    after,
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


def seen(chains):
    """An action that keeps the chain as an answer sees it, and clears nothing that was set."""

    def look(args):
        chains.append(tuple(args.chain))
        return f"after {len(args.chain)}"

    return answer(look)


def test_an_answer_sees_the_reply_that_took_its_transition_as_the_last_link():
    coder, desk, chains = Puppet(), Desk(), []
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("first")}),
            "first": state(invoke=invoke("a", on_done=to("second", do=seen(chains)))),
            "second": state(invoke=invoke("person"), on={"ok": to("ready", do=seen(chains))}),
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("a", {"n": 1})
        running.gates["person"].send("ok", {"n": 2})
        await settled()
        return read_by(pick), chains[:2]

    (read, (first, second)), recording = plays(chart, play)
    assert [(link.src, link.output) for link in first] == [("a", {"n": 1})]
    assert (second[0].src, second[1].event.name, second[1].event.payload) == ("a", "ok", {"n": 2})
    assert said(read) == ("after 2", "answer")
    assert replies(recording) == [(1, 0), (1, 1)]


def test_errors_timers_and_raised_events_are_no_links():
    coder, desk, clock = Puppet(), Desk(), ManualClock()
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("first")}),
            "first": state(invoke=invoke("a", on_done=to("last"), on_error=to("second"))),
            "second": state(after(1000, to("third"))),
            "third": state(on={"again": to("last")}, entry=raise_("again")),
            "last": state(invoke=invoke("b", on_done=to("ready"))),
        },
        invokes=[invoke("person")],
        on={"ok": to(do=lambda _: None)},
    )

    async def play(running):
        pick = await coder.picks("go")
        await desk.raises("a", ValueError("no"))
        # The route of the error started nothing that could hold the pick.
        assert pick.done()
        await clock.advance(1)
        return read_by(pick), running.configuration[-1]

    (read, where), recording = plays(chart, play, clock=clock)
    assert said(read) == (None, "receipt")
    assert where == "m.coding.last"
    assert replies(recording) == []


def test_a_reply_at_the_agents_own_state_is_a_link_and_one_from_a_sibling_region_is_not():
    coder, desk = Puppet(), Desk()
    chart = machine(
        "regions",
        events=[OK, *events("go")],
        actors={
            "coder": coder,
            "tests": desk.effect("tests"),
            "other": desk.effect("other"),
            "standing": gate(OK),
        },
        parallel=True,
        states={
            "left": state(
                invoke=[invoke("coder"), invoke("standing", holds=False)],
                on={"ok": to(do=lambda _: None)},
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("tests", on_done=to("ready"))),
                },
            ),
            "right": state(
                initial="busy",
                states={"busy": state(invoke=invoke("other", on_done=to("end"))), "end": final()},
            ),
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("other", "far")
        running.gates["standing"].send("ok", {"n": 1})
        await settled()
        held = not pick.done()
        chain = running.standing.picks[0].chain
        await desk.gives("tests", "near")
        return held, chain, read_by(pick)

    (held, chain, read), recording = plays(chart, play)
    assert held
    assert [link.event.payload for link in chain] == [{"n": 1}]
    assert said(read) == ("near", "reply")
    assert replies(recording) == [(1, 0), (1, 1)]


def test_a_pick_of_an_agent_is_no_link_of_its_other_picks():
    coder, desk = Puppet(), Desk()
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("busy")}),
            "busy": state(
                invoke=invoke("a", on_done=to("ready")), on={"again": to(do=lambda _: None)}
            ),
        },
    )

    async def play(running):
        go = await coder.picks("go")
        again = await coder.reads("again")
        chain = running.standing.picks[0].chain
        await desk.gives("a", 5)
        return said(again), chain, said(read_by(go))

    found, recording = plays(chart, play)
    assert found == ((None, "receipt"), (), (5, "reply"))
    assert replies(recording) == [(1, 0)]


def test_overlapping_picks_keep_each_its_own_start_and_what_it_started():
    coder, desk = Puppet(), Desk()
    chart = machine(
        "overlapping",
        events=events("left", "right"),
        actors={"coder": coder, "a": desk.effect("a"), "b": desk.effect("b")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                parallel=True,
                states={
                    side: state(
                        initial="idle",
                        states={
                            "idle": state(on={side: to("busy")}),
                            "busy": state(invoke=invoke(src, on_done=to("idle"))),
                        },
                    )
                    for side, src in (("left", "a"), ("right", "b"))
                },
            )
        },
    )

    async def play(running):
        left, right = await coder.picks("left"), await coder.picks("right")
        await desk.gives("b", "B")
        first = left.done(), right.done()
        seen = [len(pick.chain) for pick in running.standing.picks]
        await desk.gives("a", "A")
        return first, seen, said(read_by(left)), said(read_by(right))

    (first, seen, left, right), recording = plays(chart, play)
    assert first == (False, True)
    assert seen == [1]  # B replied to both, and only `right` was waiting for it
    assert right == ("B", "reply")
    assert left == ("A", "reply")
    assert replies(recording) == [(1, 0), (2, 0), (1, 1)]


def test_of_several_answers_the_last_wins_and_a_later_reply_does_not_displace_it():
    coder, desk, chains = Puppet(), Desk(), []
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("first", do=seen(chains))}),
            "first": state(invoke=invoke("a", on_done=to("second", do=seen(chains)))),
            "second": state(invoke=invoke("b", on_done=to("ready"))),
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("a", 1)
        await desk.gives("b", 2)
        return read_by(pick)

    read, recording = plays(chart, play)
    assert said(read) == ("after 1", "answer")
    assert overrides(recording) == [(1, "superseded", "after 0"), (1, "applied", "after 1")]
    assert answers(recording) == [(1, 2, "reply")]


def test_a_reply_without_a_json_form_leaves_the_receipt_and_says_so():
    coder, desk = Puppet(), Desk()
    states = {
        "ready": state(on={"go": to("busy")}),
        "busy": state(invoke=invoke("a", on_done=to("ready"))),
    }

    async def play(running):
        pick = await coder.picks("go")
        await desk.gives("a", {"data": b"bytes"})
        return read_by(pick)

    read, recording = plays(below(coder, desk, states), play)
    assert said(read) == (None, "receipt")
    [lost] = recording.rows("lost")
    assert "bytes" in lost["reason"]


def test_concurrent_results_of_one_moment_are_taken_one_after_the_other():
    coder, desk = Puppet(), Desk()
    chart = below(
        coder,
        desk,
        {
            "ready": state(on={"go": to("both")}),
            "both": state(
                parallel=True,
                on_done=to("ready"),
                states={
                    src: state(
                        initial="busy",
                        states={
                            "busy": state(invoke=invoke(src, on_done=to("end"))),
                            "end": final(),
                        },
                    )
                    for src in ("a", "b")
                },
            ),
        },
    )

    async def play(running):
        pick = await coder.picks("go")
        desk.calls("b")[-1].set_result("B")
        desk.calls("a")[-1].set_result("A")
        await settled()
        return read_by(pick)

    read, recording = plays(chart, play)
    assert said(read)[0] in ("A", "B")
    assert replies(recording) == [(1, 0), (1, 1)]
