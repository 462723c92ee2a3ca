"""Where what an Agent reads was made from: replies, errors, and the event that an answer saw."""

import asyncio

import explainkit as ek
from explainkit.flow import (
    ScriptedAgent,
    agent,
    answer,
    define_event,
    final,
    invoke,
    machine,
    python,
    state,
    to,
)
from explainkit.store.integrity import doctor

GO, STOP = define_event("go", input=dict[str, str]), define_event("stop")


def chart(agent_, effect, **routes):
    return machine(
        "m",
        events=[GO, STOP],
        actors={"worker": agent_, "job": effect},
        initial="open",
        states={
            "open": state(
                invoke=invoke("worker"),
                on={"stop": "closed"},
                initial="ready",
                states={
                    "ready": state(on={"go": "working"}),
                    "working": state(invoke=invoke("job", **routes)),
                },
            ),
            "closed": final(output="closed"),
        },
    )


def full(_):
    raise OSError("the disk of the order archive is full")


def test_an_answer_about_an_error_is_declared_to_come_from_the_error():
    told = answer(lambda args: f"Sorry: {args.event.error.message}.")
    built = chart(ScriptedAgent(["go", "stop"]), python(full), on_error=to("ready", do=told))
    asyncio.run(built.outcome())
    run = ek.last()

    (override,) = run.recording.rows("override")
    (used,) = override["uses"]
    assert used["slot"] == "error"
    assert run.recording.raw(used["seq"])["status"] == "error"
    assert not doctor(run.recording)
    assert built.replay(run).equal
    back = run.backtrack(answer=override["slot"], span="order archive is full")
    assert {hop.grade for hop in back.hops} == {"declared"}


def test_an_answer_to_a_pick_without_reply_is_declared_to_come_from_what_was_picked():
    echoed = answer(lambda args: f"You said {args.event.payload['word']}.")
    built = machine(
        "m",
        events=[GO, STOP],
        actors={"worker": ScriptedAgent([("go", {"word": "lantern"}), "stop"])},
        initial="open",
        states={
            "open": state(invoke=invoke("worker"), on={"stop": "closed", "go": to(do=echoed)}),
            "closed": final(),
        },
    )
    asyncio.run(built.outcome())
    recording = ek.last().recording

    (override,) = recording.rows("override")
    (used,) = override["uses"]
    assert recording.raw(used["seq"])["name"] == "go"


def test_a_resumed_run_knows_of_the_errors_before_it(tmp_path):
    told = answer(lambda args: f"Sorry: {args.event.error.message}.")
    built = chart(ScriptedAgent(["go", "stop"]), python(full), on_error=to("ready", do=told))
    asyncio.run(built.outcome(to=tmp_path))
    again = asyncio.run(built.outcome(resume=ek.last().path))

    assert again.value == "closed"
    assert not doctor(ek.last().recording)


def test_the_answer_of_a_run_that_somebody_opened_is_that_of_the_machine_at_its_top():
    async def worker(turn):
        await turn.pick("stop")

    built = chart(agent(worker), python(full), on_error=to("ready"))

    async def main():
        async with ek.trace("outer") as run:
            await built.run()
        return run

    assert asyncio.run(main()).answer == "closed"


def test_what_was_said_to_be_the_answer_stands_before_that_of_a_machine():
    async def worker(turn):
        await turn.pick("stop")

    built = chart(agent(worker), python(full), on_error=to("ready"))

    async def main():
        async with ek.trace("outer") as run:
            ek.answer("said")
            await built.run()
        return run

    assert asyncio.run(main()).answer == "said"
