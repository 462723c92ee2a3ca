"""Chats: turns that are runs of their own, a conversation that stands, a checkpoint of JSON."""

import asyncio
import json

import pytest

import explainkit as ek
from explainkit.errors import MessageDeniedError, ResumeError, UnknownRecordError
from explainkit.flow.agents import Agent, ask_person, on_request, piece
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered, Paused

from .agent_runs import Hanging, Listening, Refusing, call, closes, rows, sound


def look(order: str) -> str:
    return f"order {order}: late"


def talk(chat, *texts):
    async def turns():
        return [await chat.outcome(text) for text in texts]

    return asyncio.run(turns())


def test_each_turn_is_a_run_and_hears_what_was_said():
    model = Listening("Hello.", call("look", order="7"), "It is late.")
    chat = Agent(model, "Be brief.", tools=[look]).chat()
    assert talk(chat, "Hi.", "Order 7?") == [Answered("Hello."), Answered("It is late.")]
    assert [message["content"] for message in model.prompts[-1]] == [
        "Be brief.",
        "Hi.",
        "Hello.",
        "Order 7?",
        "",
        "order 7: late",
    ]
    assert len(chat) == 2
    assert [chat[n].answer for n in range(2)] == ["Hello.", "It is late."]
    assert chat[-1].question == "Order 7?"
    for turn in chat:
        assert isinstance(turn.run, ek.Run)
        sound(turn.run)
    assert rows(chat[1].run, "run_started")[0]["resumes"] == chat[0].run.id


def test_words_of_an_earlier_turn_are_found_in_the_conversation():
    model = ScriptedModel(["The code is kestrel-4711.", "You said kestrel-4711."])
    chat = Agent(model).chat()
    talk(chat, "Hi.", "Which code?")
    (place,) = chat[1].backtrack(span="kestrel-4711").introducers
    assert place.label == "context conversation"
    assert rows(chat[1].run, "context")[0]["source"] == f"run {chat[0].run.id}"


def test_a_turn_that_does_not_answer_leaves_the_conversation_as_it_was():
    model = Listening("Hello.", TimeoutError("slow"), "Again.")
    chat = Agent(model).chat()
    talk(chat, "One.", "Two.", "Three.")
    assert [m["content"] for m in chat.messages] == ["One.", "Hello.", "Three.", "Again."]
    assert [chat[n].status for n in range(3)] == ["answered", "error", "answered"]


def test_a_denied_message_is_in_no_checkpoint_and_no_later_prompt():
    model = Listening("Hello.", "Bye.")
    chat = Agent(model, middleware=[Refusing("input", "vault")]).chat()
    talk(chat, "Hi.", "The vault is open.", "Bye.")
    assert chat[1].status == "verdict"
    assert "vault" not in json.dumps(chat.checkpoint())
    assert "vault" not in repr(model.prompts)
    with pytest.raises(MessageDeniedError):
        asyncio.run(chat.send("vault"))


def test_a_checkpoint_is_plain_json_and_another_chat_goes_on_from_it():
    chat = Agent(ScriptedModel(["Hello."])).chat()
    talk(chat, "Hi.")
    kept = json.loads(json.dumps(chat.checkpoint(), allow_nan=False))
    model = Listening("Fine.")
    other = Agent(model).chat(kept)
    assert talk(other, "How are you?") == [Answered("Fine.")]
    assert [m["content"] for m in model.prompts[0]] == ["Hi.", "Hello.", "How are you?"]
    assert len(other) == 2
    assert other[1].answer == "Fine."
    assert rows(other[1].run, "run_started")[0]["resumes"] == chat[0].run.id
    with pytest.raises(UnknownRecordError, match=chat[0].run.id):
        other[0]
    with pytest.raises(IndexError):
        other[2]


@pytest.mark.parametrize("checkpoint", [{}, [], "x", 3, {"kind": "agent", "agent": "Agent"}])
def test_what_is_no_checkpoint_is_refused(checkpoint):
    with pytest.raises(ResumeError):
        Agent(ScriptedModel([])).chat(checkpoint)


def test_the_checkpoint_of_another_agent_is_refused():
    kept = Agent(ScriptedModel([]), name="clerk").chat().checkpoint()
    with pytest.raises(ResumeError, match='"clerk"'):
        Agent(ScriptedModel([]), name="other").chat(kept)


def test_a_turn_may_wait_for_a_person_and_the_next_message_answers():
    model = Listening(call("ask_person", question="Which?"), "Order 7 it is.", "Bye.")
    agent = Agent(model, tools=[ask_person()])
    chat = agent.chat()
    (paused,) = talk(chat, "Refund it.")
    assert isinstance(paused, Paused)
    assert chat.waiting.question == "Which?"
    assert chat.messages == []
    chat = agent.chat(json.loads(json.dumps(chat.checkpoint())))
    assert talk(chat, "7", "Thanks.") == [Answered("Order 7 it is."), Answered("Bye.")]
    assert chat.waiting is None
    assert [m["role"] for m in chat.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
        "assistant",
    ]


def test_pieces_at_the_start_are_made_anew_each_turn_and_asked_for_ones_stay():
    times = iter("abc")
    model = Listening(call("skill"), "one", "two")
    pieces = [
        piece("now", lambda: f"It is {next(times)}."),
        piece("shot", "Mind the rules.", slot="messages"),
        piece("skill", "Say please.", trigger=on_request()),
    ]
    chat = Agent(model, context=pieces).chat()
    talk(chat, "1", "2")
    assert model.prompts[-1][0]["content"] == "Say please.\n\nIt is b."
    assert [m["content"] for m in model.prompts[-1]].count("Mind the rules.") == 1
    (row,) = rows(chat[1].run, "context", name="shot")
    assert (row["admitted"], row["how"]) == (False, "deduplicated")


def test_inside_a_run_each_turn_is_a_run_below_it():
    with ek.trace("outer") as outer:
        chat = Agent(ScriptedModel(["Hello."])).chat()
        talk(chat, "Hi.")
    assert rows(chat[0].run, "run_started")[0]["parent"] == outer.id
    assert [row["type"] for row in rows(outer, "link_opened")] == ["run"]
    assert chat[0].answer == "Hello."
    assert outer.doctor() == []


def test_usage_is_summed_over_turns():
    chat = Agent(ScriptedModel(["a b", "c"])).chat()
    talk(chat, "one", "two")
    parts = [closes(chat[n].run, "model")[0]["attrs"]["usage"] for n in range(2)]
    assert chat.usage.output_tokens == sum(part["output_tokens"] for part in parts)


def test_a_cancelled_turn_is_closed_and_leaves_the_conversation():
    async def run():
        model = Hanging()
        chat = Agent(model).chat()
        turn = asyncio.ensure_future(chat.send("Hi."))
        await model.called.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        return chat

    chat = asyncio.run(run())
    assert sound(chat[0].run).status == "cancelled"
    assert chat.messages == []


def test_turns_are_kept_in_files(tmp_path):
    chat = Agent(ScriptedModel(["Hello."])).chat()
    asyncio.run(chat.send("Hi.", to=tmp_path))
    (path,) = tmp_path.glob("*.ek.jsonl")
    assert ek.load(path).answer == "Hello."


def test_a_second_turn_at_the_same_time_is_refused():
    async def run():
        model = Hanging()
        chat = Agent(model).chat()
        turn = asyncio.ensure_future(chat.send("Hi."))
        await model.called.wait()
        with pytest.raises(RuntimeError, match="A turn of this chat goes on"):
            await chat.send("Hello?")
        turn.cancel()
        await asyncio.wait({turn})
        return chat

    assert len(asyncio.run(run())) == 1


def test_a_turn_that_there_is_not_is_told_with_how_many_there_are():
    chat = Agent(ScriptedModel(["one", "two"])).chat()
    with pytest.raises(IndexError, match=r"chat\[0\]: there are 0 turns"):
        chat[0]
    asyncio.run(chat.send("a"))
    with pytest.raises(IndexError, match=r"chat\[5\]: there is 1 turn\."):
        chat[5]
    with pytest.raises(IndexError, match=r"chat\[-2\]: there is 1 turn\."):
        chat[-2]
    assert chat[-1].answer == "one"
    assert [turn.answer for turn in chat] == ["one"]


@pytest.mark.parametrize("turn", ["x", "0", 1.5, None, True, (0,)])
def test_a_turn_is_named_by_a_whole_number(turn):
    chat = Agent(ScriptedModel(["one"])).chat()
    asyncio.run(chat.send("a"))
    with pytest.raises(TypeError, match=r"chat\[.*\]: a turn is named by a whole number, counted"):
        chat[turn]


def test_a_chat_gives_one_turn_at_a_time():
    chat = Agent(ScriptedModel(["one", "two"])).chat()
    asyncio.run(chat.send("a"))
    asyncio.run(chat.send("b"))
    with pytest.raises(TypeError, match=r"chat\[0:2\]: a chat gives one turn at a time"):
        chat[0:2]
    assert [each.answer for each in list(chat)[0:2]] == ["one", "two"]


def test_a_chat_says_shortly_where_it_stands():
    model = ScriptedModel(["one", call("ask_person", question="Which?"), "two"])
    chat = Agent(model, tools=[ask_person()], name="desk").chat()
    said = [repr(chat)]
    for text in ("a", "b", "the first"):
        asyncio.run(chat.outcome(text))
        said += [repr(chat)]
    assert said == [
        'Chat("desk", 0 turns)',
        'Chat("desk", 1 turn)',
        'Chat("desk", 2 turns, waits for a person)',
        'Chat("desk", 3 turns)',
    ]
