"""Agents in machines that really run: what they read, how they fault, what a pause keeps."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import AgentFault
from explainkit.flow.actors import ScriptedAgent, agent, gate
from explainkit.flow.models import ScriptedModel, ToolCall
from explainkit.flow.outcomes import Answered, Failed, Paused
from explainkit.flow.statecharts import answer, define_event, final, invoke, machine, state, to

RUN_TESTS = define_event("run_tests", "Run the tests.")
ASK = define_event("ask", "Ask a person.", input=dict[str, str], audience="agent")
APPROVE = define_event("approve", "Let it pass.", audience="external")
FINISHED = define_event("finished", "Say that the tests pass.")
TAIL = "E  assert 3 == 4 in test_sums.py line twelve"


def call(name, **arguments):
    return ToolCall(id="", name=name, arguments=arguments)


class Listening(ScriptedModel):
    """A scripted model that keeps its prompts."""

    def __init__(self, replies):
        super().__init__(replies)
        self.prompts = []

    async def complete(self, prompt, *, tools=()):
        self.prompts.append(list(prompt))
        return await super().complete(prompt, tools=tools)


def said(args):
    return f"The tests fail: {args.chain[-1].output['tail']}"


def chart(coder, do=()):
    async def tests():
        return {"outcome": "exited", "code": 1, "tail": TAIL}

    return machine(
        "fix-tests",
        events=[RUN_TESTS, ASK, APPROVE, FINISHED],
        actors={"coder": coder, "tests": tests, "person": gate(APPROVE)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder", input={"prompt": "Make the tests pass."}),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("testing"), "ask": to("asking")}),
                    "testing": state(invoke=invoke("tests", on_done=to("ready", do=list(do)))),
                    "asking": state(invoke=invoke("person"), on={"approve": to("ready")}),
                },
            ),
            "done": final(),
        },
    )


def driven(*replies):
    model = Listening(replies)
    return model, agent(model=model, instructions="Be careful.")


def test_a_model_reads_the_reply_to_its_pick_and_ends_its_turn():
    model, coder = driven(call("run_tests"), call("finished"))
    assert asyncio.run(chart(coder).outcome()) == Answered(None)
    value, _, receipt = model.prompts[-1][-1]["content"].partition("\n\nreceipt: ")
    assert value == f'{{"outcome": "exited", "code": 1, "tail": "{TAIL}"}}'
    assert '"turn_complete": false' in receipt
    assert model.remaining == 0


def test_words_of_an_answer_stand_in_the_prompt_under_the_actor_that_gave_them():
    _, coder = driven(call("run_tests"), call("finished"))
    with ek.trace("fix") as run:
        asyncio.run(chart(coder, [answer(said)]).run())
    origins = {each.text: each.name for each in run.prompt().prompt.segments}
    assert origins[TAIL] == "output of tests"
    assert origins["Be careful."] == "instructions"
    assert origins["The tests fail: "].startswith("pick:")


def test_a_scripted_agent_keeps_what_ended_its_turn():
    worker = ScriptedAgent(["run_tests", ["finished"]])
    asyncio.run(chart(worker, [answer(said)]).run())
    assert [(read.event, read.source, read.receipt.turn_complete) for read in worker.reads] == [
        ("run_tests", "answer", False),
        ("finished", "receipt", True),
    ]
    assert worker.reads[0].value == f"The tests fail: {TAIL}"


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        (["Hm.", "Hm."], "without a pick"),
        ([call("fly")] * 5, "5 picks in a row were refused"),
        ([call("ask", why=7)] * 5, '"ask" does not fit: why'),
        ([TimeoutError("no reply in 30 s")], "the model failed: TimeoutError: no reply in 30 s"),
    ],
)
def test_an_unhandled_fault_of_a_model_faults_the_run_with_its_reason(replies, words):
    _, coder = driven(*replies)
    outcome = asyncio.run(chart(coder).outcome())
    assert isinstance(outcome, Failed)
    assert words in str(outcome.error)
    assert isinstance(outcome.error.__cause__, AgentFault)


def test_an_event_for_others_is_no_tool_and_is_refused():
    model, coder = driven(call("approve"), call("finished"))
    asyncio.run(chart(coder).run())
    assert model.prompts[-1][-1]["content"].startswith('Refused: "approve"')


def paused_while_asking():
    _, coder = driven(call("run_tests"), call("ask", why="May I?"))
    outcome = asyncio.run(chart(coder).outcome())
    assert isinstance(outcome, Paused)
    return outcome.checkpoint


def test_a_model_goes_on_after_a_pause_with_what_it_had_read_and_waits_for_its_open_pick():
    model, coder = driven(call("finished"))

    async def go_on():
        running = chart(coder).begin(resume=paused)
        running.gates["person"].send("approve")
        return await running.outcome()

    paused = paused_while_asking()
    assert asyncio.run(go_on()) == Answered(None)
    [prompt] = model.prompts
    assert [message["role"] for message in prompt] == [
        "system", "user", "assistant", "tool", "assistant", "tool",
    ]  # fmt: skip
    assert TAIL in prompt[3]["content"]
    assert prompt[4]["tool_calls"] == [
        {"id": "call_2", "name": "ask", "arguments": {"why": "May I?"}}
    ]
    assert prompt[5]["content"].startswith('{"type": "approve"}\n\nreceipt: ')


def test_a_scripted_agent_that_runs_again_after_a_pause_reads_the_same():
    worker = ScriptedAgent(["run_tests", ("ask", {"why": "May I?"}), "finished"])

    async def go_on():
        running = chart(worker).begin(resume=paused)
        running.gates["person"].send("approve")
        return await running.outcome()

    paused = paused_while_asking()
    assert asyncio.run(go_on()) == Answered(None)
    assert [read.event for read in worker.reads] == ["run_tests", "ask", "finished"]
    assert worker.reads[0].value["tail"] == TAIL
