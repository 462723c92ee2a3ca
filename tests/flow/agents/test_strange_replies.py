"""What a model without a type checker gives never leaves a link open, and is its own error."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import PromptError, ReplyError
from explainkit.flow.agents import Agent, admit, after_call, deny, fall_back
from explainkit.flow.models import Completion, ScriptedModel, ToolCall, Usage
from explainkit.flow.outcomes import Answered, Failed

from .agent_runs import Listening, call, closes, ended, sound, told

HUGE = 10**5000


class Gives:
    """A model that gives what it was told to."""

    name = "gives"

    def __init__(self, completion):
        self.completion = completion

    async def complete(self, prompt, *, tools=()):
        return self.completion


ODD = {
    "a text": Completion(text=7),
    "the tool calls": Completion(text="x", tool_calls=None),
    "a tool call": Completion(text="x", tool_calls=("look_up",)),
    "the usage": Completion(text="x", usage=None),
    "a number of tokens": Completion(text="x", usage=Usage(input_tokens=None)),
}


@pytest.mark.parametrize("place", ODD)
def test_a_reply_that_is_none_is_the_error_of_its_own_link(place):
    outcome, run = ended(Agent(Gives(ODD[place])))
    assert isinstance(outcome.error, ReplyError)
    assert f"for {place}." in str(outcome.error)
    assert [each["status"] for each in closes(run, "model")] == ["error"]


def test_a_rule_sees_a_reply_that_is_none_as_an_error():
    agent = Agent(Gives(ODD["the usage"]), rules=[after_call(ReplyError, fall_back("Later."))])
    assert ended(agent)[0] == Answered("Later.")


def test_a_name_that_cannot_be_read_is_the_error_of_its_own_link():
    class Nameless:
        def __str__(self):
            raise RuntimeError("no name")

    calls = (ToolCall(id="", name=Nameless()),)
    outcome, run = ended(Agent(Gives(Completion(tool_calls=calls))))
    assert isinstance(outcome.error, RuntimeError)
    assert [each["status"] for each in closes(run, "model")] == ["error"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_middleware_closes_the_models_link(stop):
    class Stops:
        def check_message(self, message, phase):
            if phase == "output":
                raise stop
            return admit()

    with pytest.raises(stop):
        asyncio.run(Agent(ScriptedModel(["Hello."]), middleware=[Stops()]).outcome("Go."))
    run = sound(ek.last())
    assert [each["status"] for each in closes(run, "model")] == ["cancelled"]


def huge() -> int:
    "A number of more digits than Python writes."
    return HUGE


def takes(number: int) -> str:
    "Takes a number."
    return "taken"


def test_a_number_that_cannot_be_written_is_told_as_an_error():
    sends = Completion(tool_calls=(call("takes", number=HUGE),))
    model = Listening(call("huge"), sends, "Done.")
    outcome, _ = ended(Agent(model, tools=[huge, takes]))
    assert outcome == Answered("Done.")
    gave, sent = told(model)
    assert gave.startswith('Error: The tool "huge" gave something without JSON form')
    assert sent.startswith('Error: The call of "takes" cannot be read')


def test_an_input_that_cannot_be_written_is_a_prompt_error():
    outcome, _ = ended(Agent(ScriptedModel(["Done."])), HUGE)
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, PromptError)


def test_the_gate_does_not_break_on_a_number_that_cannot_be_written():
    agent = Agent(
        ScriptedModel([ValueError()]),
        rules=[after_call(ValueError, fall_back({"n": HUGE}))],
        evidence_gate="rails",
    )
    assert not isinstance(ended(agent)[0], Failed)


TALK = [{"role": "assistant", "content": "A number?"}, {"role": "user", "content": "Seven."}]


def test_messages_with_no_tool_calls_are_heard():
    talk = [{**TALK[0], "tool_calls": None}, TALK[1]]
    outcome, _ = ended(Agent(ScriptedModel(["Thanks."])), talk)
    assert outcome == Answered("Thanks.")


@pytest.mark.parametrize(
    "calls",
    [
        None,
        7,
        ["f"],
        [{"name": "f"}],
        [{"id": "1", "type": "function", "function": {"name": "f", "arguments": '"4711-0815-42"'}}],
        [{"id": "1", "name": "f", "arguments": {"cards": [{"number": "4711-0815-42"}]}}],
    ],
)
def test_messages_with_strange_tool_calls_are_denied_without_their_words(calls):
    class Denies:
        def check_message(self, message, phase):
            return deny("it holds 4711-0815-42")

    talk = [{**TALK[0], "tool_calls": calls}, TALK[1]]
    outcome, _ = ended(Agent(ScriptedModel(["Thanks."]), middleware=[Denies()]), talk)
    assert outcome.verdict.kind == "message-denied"
    assert ("4711" in outcome.verdict.reason) is ("4711" not in str(calls))
