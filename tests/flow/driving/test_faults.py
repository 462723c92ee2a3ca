"""What ends a run in error, with the site named and the records kept; and what is routed."""

import pytest

from explainkit.errors import ActionError, FaultError, GuardError
from explainkit.flow import (
    answer,
    assign,
    command,
    fail,
    final,
    invoke,
    machine,
    python,
    state,
    to,
)
from explainkit.flow.outcomes import Answered, Failed
from tests.flow.driving.acting import (
    Desk,
    Puppet,
    answers,
    events,
    over,
    plays,
    read_by,
    rows,
    said,
)


def breaks(_):
    raise LookupError("broken part")


def one_pick(coder, go, **parts):
    states = {
        "coding": state(invoke=invoke("coder"), on={"go": go}, exit=parts.pop("exits", ()))
    } | parts.pop("states", {})
    return machine(
        "m", events=events("go"), actors={"coder": coder}, initial="coding", states=states, **parts
    )


THROWS = {
    "guard": (to("done", guard=breaks), {}, GuardError, "on.go[0]"),
    "action": (to("done", do=breaks), {}, ActionError, 'the action "breaks", on.go[0][0]'),
    "assign": (to("done", do=assign(breaks)), {}, ActionError, "on.go[0][0]"),
    "exit": (to("done"), {"exit": breaks}, ActionError, "exit[0]"),
    "output": (to("done"), {"output": breaks}, ActionError, "the output of"),
}


@pytest.mark.parametrize("where", THROWS)
def test_a_throw_ends_the_run_in_error_names_the_site_and_closes_the_pick(where):
    arrow, extra, kind, site = THROWS[where]
    coder = Puppet()
    chart = one_pick(
        coder,
        arrow,
        states={"done": final(output=extra.get("output"))},
        exits=extra.get("exit", ()),
    )

    async def play(running):
        pick = await coder.picks("go")
        return read_by(pick), await over(running), running.configuration

    (read, outcome, configuration), recording = plays(chart, play)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, kind)
    assert isinstance(outcome.error.__cause__, LookupError)
    assert site in str(outcome.error)
    assert "broken part" in str(outcome.error)
    assert configuration == ("m", "m.coding")
    assert said(read) == (None, "receipt")
    assert read.receipt.turn_complete is True
    assert read.receipt.moved is False
    assert rows(recording, "run_ended", "status") == [("error",)]


def test_a_mapper_of_an_actors_input_that_throws_ends_the_run():
    coder = Puppet()
    chart = machine(
        "m",
        events=events("go"),
        actors={"coder": coder, "tests": python(len)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(invoke=invoke("tests", input={"n": breaks})),
                },
            )
        },
    )

    async def play(running):
        await coder.reads("go")
        return await over(running)

    outcome, _ = plays(chart, play)
    assert isinstance(outcome, Failed)
    assert 'the input of the actor "' in str(outcome.error)


def test_a_context_that_throws_is_an_outcome_and_a_record():
    chart = machine("m", context=breaks, initial="a", states={"a": state()})

    async def play(running):
        return await over(running)

    outcome, recording = plays(chart, play)
    assert isinstance(outcome, Failed)
    assert "the function of the context" in str(outcome.error)
    assert rows(recording, "run_ended", "status") == [("error",)]


def test_input_is_computed_after_the_entry_assigns():
    desk = Desk()
    chart = machine(
        "m",
        actors={"tests": desk.effect("tests")},
        context={"n": 1},
        initial="a",
        states={
            "a": state(
                entry=assign({"n": lambda args: args.context["n"] + 1}),
                invoke=invoke("tests", input=lambda args: args.context["n"], on_done=to("b")),
            ),
            "b": final(output=lambda args: args.context["n"]),
        },
    )

    async def play(running):
        await desk.gives("tests", None)
        return await over(running)

    outcome, _ = plays(chart, play)
    assert desk.given == [("tests", 2)]
    assert outcome == Answered(2)


def test_a_fault_that_is_handled_takes_its_route_and_the_agent_is_recorded_as_failed():
    coder = Puppet()
    chart = one_pick(
        coder,
        to(do=lambda _: None),
        on={"agent.fault": to(".aside", do=assign({"why": lambda a: a.event.payload}))},
        states={"aside": state()},
        context={"why": None},
    )

    async def play(running):
        await coder.raises(ValueError("no more tokens"))
        return running.context["why"], running.configuration

    (why, configuration), recording = plays(chart, play)
    assert why == {"agent": "coder", "reason": "ValueError: no more tokens"}
    assert configuration == ("m", "m.aside")
    links = {row["seq"]: row["name"] for row in recording.rows("link_opened")}
    ends = {links[row["link"]]: row["status"] for row in recording.rows("link_closed")}
    assert ends["coder"] == "error"


def test_a_fault_that_nobody_handles_faults_the_run_with_its_cause():
    coder = Puppet()

    async def play(running):
        await coder.raises(ValueError("no more tokens"))
        return await over(running)

    outcome, _ = plays(one_pick(coder, to(do=lambda _: None)), play)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, FaultError)
    assert "no more tokens" in str(outcome.error)
    assert isinstance(outcome.error.__cause__, ValueError)


def test_fail_faults_the_run_with_its_reason():
    coder = Puppet()
    chart = machine(
        "m",
        events=events("go"),
        actors={"coder": coder, "fail": fail()},
        initial="coding",
        states={
            "coding": state(invoke=invoke("coder"), on={"go": to("failed")}),
            "failed": state(
                invoke=invoke("fail", input={"reason": lambda a: f"by {a.event.name}"})
            ),
        },
    )

    async def play(running):
        read = await coder.reads("go")
        return read, await over(running), running.configuration[-1]

    (read, outcome, where), recording = plays(chart, play)
    assert isinstance(outcome, Failed)
    assert str(outcome.error) == "by go"
    assert where == "m.failed"
    assert read.receipt.turn_complete is True
    assert len(answers(recording)) == 1


def test_an_error_route_is_taken_with_the_error_and_can_answer():
    coder = Puppet()

    async def broken(_):
        raise TimeoutError("30 s")

    chart = machine(
        "m",
        events=events("go"),
        actors={"coder": coder, "tests": broken},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy")}),
                    "busy": state(
                        invoke=invoke(
                            "tests",
                            on_error=to("ready", do=answer(lambda a: f"broken: {a.event.error}")),
                        )
                    ),
                },
            )
        },
    )

    async def play(running):
        return await coder.reads("go")

    read, recording = plays(chart, play)
    assert said(read) == ("broken: TimeoutError: 30 s", "answer")
    assert [via for _, _, via in answers(recording)] == ["receipt"]


def test_what_becomes_of_a_command_is_output_and_never_an_error():
    coder = Puppet()
    chart = machine(
        "m",
        events=events("go", "miss"),
        actors={
            "coder": coder,
            "tests": command(["sh", "-c", "echo red; exit 3"]),
            "missing": command(["no-such-program-anywhere"]),
        },
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"go": to("busy"), "miss": to("missing")}),
                    "busy": state(invoke=invoke("tests", on_done=to("ready"))),
                    "missing": state(invoke=invoke("missing", on_done=to("ready"))),
                },
            )
        },
    )

    async def play(running):
        return [await coder.turn.pick(name) for name in ("go", "miss")]

    (red, missing), _ = plays(chart, play)
    assert red.value == {"outcome": "exited", "code": 3, "tail": "red\n"}
    assert missing.value["outcome"] == "not-run"
    assert {red.source, missing.source} == {"reply"}
