"""Machines are run again from their record: effects are not repeated, events arrive as they did."""

import asyncio
import sys

import pytest

import explainkit as ek
from explainkit.flow import (
    agent,
    assign,
    command,
    define_event,
    final,
    gate,
    invoke,
    machine,
    python,
    state,
    to,
)
from explainkit.flow.actors import NotRun
from explainkit.flow.models import CallableModel, ToolCall

RUN_TESTS, FINISHED = define_event("run_tests"), define_event("finished")
OK = define_event("ok", input=dict[str, int], audience="external")
CALLS = []


@pytest.fixture(autouse=True)
def no_calls():
    CALLS.clear()


def runs_tests(_):
    CALLS.append("tests")
    return {"failed": 1}


def coding(tests, *, work=None):
    """An Agent runs the tests once, and its chart answers with what they gave."""

    async def works(turn):
        await turn.pick("run_tests")
        await turn.pick("finished")

    return machine(
        "coding",
        events=[RUN_TESTS, FINISHED],
        actors={"coder": agent(work or works), "tests": tests},
        context={"read": None},
        initial="busy",
        states={
            "busy": state(
                invoke=invoke("coder"),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("testing")}),
                    "testing": state(
                        invoke=invoke(
                            "tests",
                            input=lambda args: {"of": "app"},
                            on_done=to("ready", do=assign({"read": lambda a: a.event.output})),
                        )
                    ),
                },
            ),
            "done": final(output=lambda args: args.context["read"]),
        },
    )


@pytest.mark.parametrize("tests", [runs_tests, python(runs_tests)])
def test_the_outcome_of_an_effect_is_swapped_and_nothing_is_called(tests):
    coding(tests).run_sync()
    run = ek.last()
    assert CALLS == ["tests"]
    found = run.whatif(swap={"tests": {"failed": 0}})
    assert (found.word, found.before, found.after) == ("cause", {"failed": 1}, {"failed": 0})
    assert CALLS == ["tests"]
    assert found.run.doctor() == []
    same = run.whatif(swap={"tests": {"failed": 1.0}})
    assert same.word in {"not shown", "not applied"}


def test_a_command_is_not_repeated_and_its_outcome_is_read_as_before():
    chart = coding(command([sys.executable, "-c", "print('ran')"]))
    answer = chart.run_sync()
    run = ek.last()
    assert "ran" in answer.tail
    for given in ({"outcome": "not-run", "reason": "no disk"}, NotRun("no disk")):
        swapped = run.whatif(swap={"tests": given})
        assert swapped.word == "cause"
        assert "no disk" in str(swapped.after)
    wrong = run.whatif(swap={"tests": {"outcome": "gone"}})
    assert wrong.word == "inconclusive"
    assert "is no outcome of 'tests'" in wrong.reason


def test_an_effect_that_would_be_given_something_else_is_held_back():
    def picks(prompt, tools=()):
        asked = sum(each["role"] == "tool" for each in prompt)
        if asked:
            return ToolCall(id="b", name="finished", arguments={})
        of = "app" if "app" in str(prompt) else "other"
        return ToolCall(id="a", name="run_tests", arguments={"of": of})

    class Of(dict):
        pass

    told = define_event("run_tests", input=dict[str, str])
    chart = machine(
        "given",
        events=[told, FINISHED],
        actors={
            "coder": agent(model=CallableModel(picks), instructions="Test the app."),
            "tests": python(runs_tests),
        },
        context={"of": None},
        initial="busy",
        states={
            "busy": state(
                invoke=invoke("coder", input={"prompt": "Go."}),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(
                        on={
                            "run_tests": to(
                                "testing", do=assign({"of": lambda a: a.event.payload["of"]})
                            )
                        }
                    ),
                    "testing": state(
                        invoke=invoke(
                            "tests", input=lambda args: args.context["of"], on_done=to("ready")
                        )
                    ),
                },
            ),
            "done": final(output="over"),
        },
    )
    chart.run_sync()
    run = ek.last()
    assert CALLS == ["tests"]
    found = run.whatif(replace={("instructions", "app"): "rest"})
    assert found.reason.startswith("effect tests would have to run again. allow_effects=True")
    assert CALLS == ["tests"]
    del Of


def asking():
    async def works(turn):
        await turn.pick("run_tests")
        await turn.pick("finished")

    return machine(
        "asking",
        events=[RUN_TESTS, FINISHED, OK],
        actors={"coder": agent(works), "person": gate(OK)},
        context={"read": None},
        initial="busy",
        states={
            "busy": state(
                invoke=invoke("coder"),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("asking")}),
                    "asking": state(
                        invoke=invoke("person"),
                        on={"ok": to("ready", do=assign({"read": lambda a: a.event.payload}))},
                    ),
                },
            ),
            "done": final(output=lambda args: args.context["read"]),
        },
    )


def test_what_a_person_said_at_a_gate_is_said_again_and_changed():
    async def main():
        running = asking().begin()
        opened = await running.gate("person")
        opened.send("ok", {"n": 5})
        outcome = await running.outcome()
        return running.record, outcome

    run, outcome = asyncio.run(main())
    assert outcome.value == {"n": 5}
    found = run.whatif(replace={"ok": {"n": 7}})
    assert (found.word, found.before, found.after) == ("cause", {"n": 5}, {"n": 7})
    assert found.flips == (5, 0)


def test_a_machine_in_a_running_loop_is_awaited():
    async def main():
        await coding(runs_tests).run()
        return await ek.last().whatif_async(swap={"tests": {"failed": 0}})

    assert asyncio.run(main()).word == "cause"
    assert CALLS == ["tests"]
