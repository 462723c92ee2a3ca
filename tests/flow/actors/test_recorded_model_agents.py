"""What a Turn of a model leaves in a run, and that words of it go back to where they came from."""

import asyncio
import json
from itertools import count

import pytest

import explainkit as ek
from explainkit.flow.actors import agent
from explainkit.flow.models import CallableModel, ScriptedModel, ToolCall
from explainkit.flow.statecharts.event_definitions import define_event
from explainkit.session.running import Tracing
from explainkit.tracing.seam import Supplied

from .turns_by_table import FINISHED, LOOK, TableTurn

SAY = define_event("say", "Say what it is.", input=dict[str, str])
TEXT = "The disk in bay four is full since Tuesday."
OUTPUT = {"outcome": "exited", "code": 1, "tail": f"df says:\n{TEXT}"}
RULE = "Mind the trays under the rack."
LOOKING = ToolCall(id="", name="look")


def relay(prompt):
    """Look, then say the last line of what was read and of the instructions."""
    read = [message["content"] for message in prompt if message["role"] == "tool"]
    if not read:
        return LOOKING
    value = read[-1].rpartition("\n\nreceipt: ")[0]
    value = json.loads(value)["tail"] if value.startswith("{") else value
    rule = prompt[0]["content"]
    said = f"Found: {value.splitlines()[-1]} {rule}"
    return ToolCall(id="", name="say", arguments={"text": said})


def relayed(value, **settings):
    """A run in which the model relays what it read."""
    ticks = count(1_000)
    turn = TableTurn(
        {"look": value}, menu=(LOOK, SAY), given={"prompt": "Find the fault."}, ends=("say",)
    )
    with Tracing("relay", run_id="r", clock=lambda: next(ticks), **settings) as run:
        asyncio.run(agent(model=CallableModel(relay), instructions=RULE).work(turn))
        ek.answer(turn.picked[-1][1]["text"])
    return run


def rows(run, kind):
    return list(run.recording.rows(kind))


def value(run, digest):
    return run.recording.values.object(digest)


def test_every_model_call_is_one_link_with_messages_and_tools():
    run = relayed(TEXT)
    links = rows(run, "link_opened")
    assert [(row["type"], row["name"]) for row in links] == [("model", "coder model")] * 2
    assert [[each["slot"] for each in row["inputs"]] for row in links] == [
        ["messages", "tools"]
    ] * 2
    messages, tools = (value(run, each["value"]) for each in links[1]["inputs"])
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool"]
    assert [tool["name"] for tool in tools] == ["look", "say"]


def test_the_output_of_a_call_is_the_message_that_later_calls_repeat():
    run = relayed(TEXT)
    first, _ = (value(run, row["output"]) for row in rows(run, "link_closed"))
    assert first == {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "call_1", "name": "look", "arguments": {}}],
    }
    messages = value(run, rows(run, "link_opened")[1]["inputs"][0]["value"])
    assert messages[2] == first


def test_instructions_and_prompt_are_contexts_once_in_a_turn():
    run = relayed(TEXT)
    assert [
        (row["name"], row["type"], row["source"], value(run, row["value"]))
        for row in rows(run, "context")
    ] == [
        ("instructions", "instruction", "agent coder", RULE),
        ("prompt", "message", "agent coder", "Find the fault."),
    ]


def test_a_pick_is_declared_to_come_from_the_reply_that_made_it():
    run = relayed(TEXT)
    outputs = [row["seq"] for row in rows(run, "link_closed")]
    assert [row["uses"] for row in rows(run, "event")] == [
        [{"seq": seq, "slot": "output"}] for seq in outputs
    ]


@pytest.mark.parametrize("read", [TEXT, OUTPUT])
def test_words_of_a_pick_go_back_to_what_was_read(read):
    back = relayed(read).backtrack(span="bay four is full")
    hops = [(hop.source.label, hop.grade) for hop in back.hops]
    assert ("pick:1", "value") in [(label.partition(".")[0], grade) for label, grade in hops]
    assert any(grade == "declared" for _, grade in hops)


def test_words_of_a_pick_go_back_to_the_instructions():
    back = relayed(TEXT).backtrack(span="trays under the rack")
    assert [context.name for context in back.contexts] == ["instructions"]


@pytest.mark.parametrize("read", [TEXT, OUTPUT])
def test_the_prompt_shows_every_character_that_was_read_under_its_pick(read):
    segments = relayed(read).prompt().prompt.segments
    assert any(each.name == "pick:1" and TEXT in each.text for each in segments)
    assert not any(each.name == "pick:1" and "receipt" in each.text for each in segments)


def test_an_error_of_the_model_closes_its_link_with_it():
    with ek.trace("broken") as run, pytest.raises(RuntimeError, match="TimeoutError"):
        asyncio.run(agent(model=ScriptedModel([TimeoutError("none")])).work(TableTurn()))
    assert [row["status"] for row in rows(run, "link_closed")] == ["error"]


def test_a_replay_supplies_the_replies_and_asks_no_model():
    first = relayed(TEXT)
    replies = [value(first, row["output"]) for row in rows(first, "link_closed")]
    given = iter(replies)
    turn = TableTurn({"look": TEXT}, menu=(LOOK, SAY), given="Find the fault.", ends=("say",))
    silent = ScriptedModel([])
    with Tracing(
        "again", supply=lambda point: Supplied(next(given)) if point.kind == "link" else None
    ):
        asyncio.run(agent(model=silent, instructions=RULE).work(turn))
    assert [name for name, _ in turn.picked] == ["look", "say"]


def test_a_what_if_gives_the_model_other_instructions():
    def other(point):
        return Supplied("Keep it short.") if point.name == "instructions" else None

    assert relayed(TEXT, supply=other).answer == f"Found: {TEXT} Keep it short."


def test_the_same_turn_writes_the_same_records():
    assert list(relayed(OUTPUT).recording.rows()) == list(relayed(OUTPUT).recording.rows())


def test_outside_a_run_nothing_is_recorded_and_the_turn_is_the_same():
    turn = TableTurn({"look": TEXT}, menu=(LOOK, FINISHED))
    model = ScriptedModel([LOOKING, ToolCall(id="", name="finished")])
    asyncio.run(agent(model=model, instructions=RULE).work(turn))
    assert [name for name, _ in turn.picked] == ["look", "finished"]
