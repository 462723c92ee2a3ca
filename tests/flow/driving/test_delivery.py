"""What a pick must be like to be taken, and what is said of one that is not."""

import asyncio

from pydantic import BaseModel

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
from explainkit.flow.outcomes import Answered, Paused
from tests.flow.driving.acting import (
    Puppet,
    answers,
    events,
    plays,
    read_by,
    rows,
    said,
    through_json,
)


class Note(BaseModel):
    text: str
    times: int = 2


NOTE = define_event("note", input=Note)


def noting(coder, **on):
    keep = assign({"note": lambda args: args.event.payload})
    handlers = {"note": to(do=keep), "finished": to("done")} | on
    return machine(
        "noting",
        events=[NOTE, *events("finished", "later", approve="external")],
        actors={"coder": coder},
        context={"note": None},
        initial="coding",
        states={"coding": state(invoke=invoke("coder"), on=handlers), "done": final()},
    )


def refused(recording):
    return rows(recording, "event", "name", "refused")


def refusals(recording):
    return [(name, why) for name, why in refused(recording) if why]


def test_an_event_that_is_not_accepted_is_refused_with_what_is_and_opens_no_pick():
    coder = Puppet()

    async def play(running):
        return await coder.is_refused("later"), running.standing.count, running.standing.picks

    (why, count, picks), recording = plays(noting(coder), play)
    assert '"later" is not accepted now' in why
    assert "note, finished" in why
    assert (count, picks) == (0, ())
    assert refusals(recording) == [("later", why)]
    assert answers(recording) == []


def test_a_name_that_is_no_event_or_for_others_is_refused():
    coder = Puppet()

    async def play(running):
        return [await coder.is_refused(name) for name in ("fly", "approve", "agent.fault", "*", "")]

    found, recording = plays(noting(coder, approve=to("done")), play)
    assert all("is not accepted now" in why for why in found)
    assert len(refusals(recording)) == 5


def test_a_payload_that_does_not_fit_is_refused_with_what_is_wrong():
    coder = Puppet()

    async def play(running):
        none = await coder.is_refused("note")
        wrong = await coder.is_refused("note", {"text": "x", "times": "many"})
        extra = await coder.is_refused("finished", {"why": "done"})
        return none, wrong, extra, running.standing.count

    (none, wrong, extra, count), recording = plays(noting(coder), play)
    assert "text: Field required" in none
    assert "times" in wrong
    assert "takes nothing" in extra
    assert count == 0
    assert [why for _, why in refusals(recording)] == [none, wrong, extra]


def test_what_lands_is_the_parsed_payload_with_its_defaults():
    coder = Puppet()

    async def play(running):
        read = await coder.reads("note", {"text": "x"})
        return read.payload, running.context["note"]

    (payload, landed), recording = plays(noting(coder), play)
    assert payload == landed == {"text": "x", "times": 2}
    assert ("note", landed) in rows(recording, "event", "name", "value")


def test_a_guard_that_reads_the_payload_counts_as_allowed_and_is_asked_at_delivery():
    coder = Puppet()
    guarded = to("done", guard=lambda args: args.event.payload["times"] > 5)

    async def play(running):
        listed = tuple(coder.turn.allowed)
        unmoved = await coder.reads("note", {"text": "x"})
        moved = await coder.reads("note", {"text": "x", "times": 6})
        return listed, unmoved.receipt, moved.receipt

    (listed, unmoved, moved), recording = plays(noting(coder, note=guarded), play)
    assert listed == ("note", "finished")
    assert unmoved.moved is False
    assert list(unmoved.to_json()) == ["moved", "event", "turn_complete", "allowed"]
    assert (moved.moved, moved.turn_complete, moved.allowed) == (True, True, ())
    assert next(iter(moved.to_json())) == "event"
    assert answers(recording)[0] == (1, unmoved.to_json(), "receipt")


def test_a_turn_that_is_over_refuses():
    coder = Puppet()

    async def play(running):
        turn = coder.turn
        await coder.reads("finished")
        return await coder.is_refused("note", {"text": "x"}, turn=turn), turn.over, turn.allowed

    (why, is_over, allowed), _ = plays(noting(coder), play)
    assert "the Turn is over" in why
    assert is_over
    assert allowed == ()


def test_the_turn_tells_its_name_its_input_and_its_whole_menu():
    coder = Puppet()

    async def play(running):
        turn = coder.turn
        return turn.name, turn.input, [event.name for event in turn.menu]

    found, _ = plays(noting(coder), play)
    assert found == ("coder", None, ["note", "finished"])


def test_an_event_for_agents_cannot_be_sent_from_outside_and_an_unknown_one_neither():
    coder = Puppet()
    only = define_event("only", audience="agent")
    chart = machine(
        "m",
        events=[only],
        actors={"coder": coder},
        initial="a",
        states={"a": state(invoke=invoke("coder"), on={"only": to(do=answer(lambda _: 1))})},
    )

    async def play(running):
        found = []
        for name in ("only", "typo", "agent.fault", "done.state.m", "error.actor.x", "after.1.m"):
            try:
                running.send(name)
            except ValueError as error:
                found.append((name, str(error)))
        await settled()
        return found

    found, _ = plays(chart, play)
    assert [name for name, _ in found] == [
        "only",
        "typo",
        "agent.fault",
        "done.state.m",
        "error.actor.x",
        "after.1.m",
    ]
    assert '"only" is for Agents' in found[0][1]


def test_an_agent_whose_picks_were_refused_hears_the_same_when_it_runs_again():
    heard = []

    async def tries(turn):
        for event in ("fly", "note"):
            try:
                await turn.pick(event)
            except ValueError as error:
                heard.append((str(error), error.accepted))
        await turn.pick("ask")
        await turn.pick("finished")

    ok = define_event("ok", audience="external")
    chart = machine(
        "asking",
        events=[NOTE, ok, *events("ask", "finished")],
        actors={"coder": agent(tries), "person": gate(ok)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"finished": to("done"), "note": to(do=lambda _: None)},
                initial="ready",
                states={
                    "ready": state(on={"ask": to("asking")}),
                    "asking": state(invoke=invoke("person"), on={"ok": to("ready")}),
                },
            ),
            "done": final(),
        },
    )

    async def main():
        paused = await chart.outcome()
        assert isinstance(paused, Paused)
        again = chart.begin(resume=through_json(paused.checkpoint))
        again.gates["person"].send("ok")
        return await again.outcome()

    assert asyncio.run(main()) == Answered(None)
    assert heard[:2] == heard[2:]
    assert len(heard) == 4


def test_gates_refuse_what_they_do_not_take_and_say_so_in_the_record():
    ok = define_event("ok", input=Note, audience="external")
    chart = machine(
        "waiting",
        events=[ok, *events("other")],
        actors={"person": gate(ok)},
        initial="a",
        states={"a": state(invoke=invoke("person"), on={"ok": to("b")}), "b": final()},
    )

    async def play(running):
        person = running.gates["person"]
        found = []
        for event, payload in (("other", None), ("ok", {}), ("ok", {"text": "x"}), ("ok", {})):
            try:
                person.send(event, payload)
            except ValueError as error:
                found.append(str(error))
        await settled()
        return found, person.over, running.gates

    (found, is_over, gates), recording = plays(chart, play)
    assert "does not take" in found[0]
    assert "text: Field required" in found[1]
    assert "over" in found[2]
    assert is_over
    assert gates == {}
    assert [why for _, why in refusals(recording)][:2] == found[:2]


def test_two_picks_made_in_the_same_moment_are_two_picks_in_their_order():
    coder = Puppet()

    async def play(running):
        one = asyncio.create_task(coder.turn.pick("note", {"text": "one"}))
        two = asyncio.create_task(coder.turn.pick("note", {"text": "two"}))
        await settled()
        return [said(read_by(each)) for each in (one, two)], running.context["note"]["text"]

    (reads, latest), recording = plays(noting(coder), play)
    assert latest == "two"
    assert [source for _, source in reads] == ["receipt", "receipt"]
    assert [number for number, _, _ in answers(recording)] == [1, 2]
