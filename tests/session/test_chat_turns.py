"""A turn of a chat is asked about, varied with its own history, and gone on from."""

import asyncio
import json

import pytest

import explainkit as ek
from explainkit.errors import ResumeError, UnknownRecordError
from explainkit.flow.agents import Agent, ask_person, piece
from explainkit.flow.models import CallableModel, ReadingModel, ScriptedModel, ToolCall


def talk(chat, *texts):
    async def turns():
        return [await chat.outcome(text) for text in texts]

    return asyncio.run(turns())


def words_of(prompt):
    return " / ".join(str(each["content"]) for each in prompt)


def remembering():
    """A model whose answers hold what was said before."""

    def reply(prompt):
        said = words_of(prompt)
        if "Which code" in prompt[-1]["content"]:
            return "It is kestrel." if "kestrel" in said else "There is no code."
        if "Sure" in prompt[-1]["content"]:
            return "Yes." if "It is kestrel." in said else "No."
        return "I see."

    return CallableModel(reply, deterministic=True)


def conversation(**more):
    chat = Agent(remembering(), "Be brief.", name="desk", **more).chat()
    talk(chat, "The code is kestrel.", "It rains.", "Which code?", "Sure?")
    return chat


def test_a_turn_gives_what_was_said_and_its_run():
    chat = conversation()
    turn = chat[2]
    assert (turn.number, turn.question, turn.answer) == (2, "Which code?", "It is kestrel.")
    assert turn.status == "answered"
    assert isinstance(turn.run, ek.Run)
    assert [each.number for each in chat] == [0, 1, 2, 3]
    assert chat[-1].answer == "Yes."
    assert repr(turn) == "Turn 2: 'Which code?' -> 'It is kestrel.'"
    assert turn._repr_html_() == turn.run._repr_html_()
    assert "kestrel" in turn.prompt().text


def test_its_words_are_walked_back_into_the_history():
    (place,) = conversation()[2].backtrack(span="kestrel").introducers
    assert place.label == "context conversation"


def test_a_message_of_the_history_is_taken_away_for_this_turn_only():
    chat = conversation()
    before = json.dumps(chat.checkpoint())
    found = chat[2].whatif(remove=("conversation", 0))
    assert found.word == "cause"
    assert (found.before, found.after) == ("It is kestrel.", "There is no code.")
    assert chat[2].whatif(remove=("conversation", 2)).word == "not shown"
    assert json.dumps(chat.checkpoint()) == before
    assert [turn.answer for turn in chat] == ["I see.", "I see.", "It is kestrel.", "Yes."]


def test_an_edited_history_is_what_the_model_is_given():
    found = conversation()[2].whatif(replace={("conversation", "kestrel"): "falcon"})
    assert found.after == "There is no code."
    assert "falcon" in found.run.prompt().text
    assert "kestrel" not in found.run.prompt().text


def test_the_run_of_a_turn_answers_the_same_what_if():
    chat = conversation()
    assert chat[2].run.whatif(remove=("conversation", 0)).word == "cause"
    assert chat[2].run.smallest_cause([("conversation", at) for at in range(4)]).items == (
        "item 1 of conversation (“The code is kestrel.”)",
    )


def test_a_turn_is_varied_where_a_loop_runs():
    async def asked():
        chat = Agent(remembering(), "Be brief.").chat()
        for text in ("The code is kestrel.", "Which code?"):
            await chat.send(text)
        found = await chat[1].whatif_async(remove=("conversation", 0))
        return found, await found.fork().send("Sure?")

    found, answer = asyncio.run(asked())
    assert found.word == "cause"
    assert answer == "No."


def test_a_fork_goes_on_from_a_turn_and_leaves_the_chat():
    chat = conversation()
    before = json.dumps(chat.checkpoint())
    other = chat[1].fork()
    assert len(other) == 2
    assert [each.answer for each in other] == ["I see.", "I see."]
    assert other[0].run is chat[0].run
    talk(other, "Sure?")
    assert other[2].answer == "No."
    assert (len(chat), len(other)) == (4, 3)
    assert json.dumps(chat.checkpoint()) == before
    started = next(other[2].run.recording.rows("run_started"))
    assert started["resumes"] == chat[1].run.id


def test_two_forks_of_the_same_turn_do_not_hear_of_each_other():
    chat = conversation()
    one, two = chat[0].fork(), chat[0].fork()
    talk(one, "The word is falcon.", "Which code?")
    talk(two, "Which code?")
    assert "falcon" not in str(two.messages)
    assert [message["content"] for message in two.messages][:2] == [
        "The code is kestrel.",
        "I see.",
    ]


def test_a_fork_of_a_what_if_goes_on_with_what_would_have_been_said():
    chat = conversation()
    before = json.dumps(chat.checkpoint())
    found = chat[2].whatif(remove=("conversation", 0))
    other = found.fork()
    assert len(other) == 3
    assert other[2].answer == "There is no code."
    assert other[2].run.id == found.run.id
    assert other[0].run is chat[0].run
    assert "kestrel" not in str(other.messages)
    talk(other, "Sure?")
    assert other[3].answer == "No."
    assert chat[3].answer == "Yes."
    assert json.dumps(chat.checkpoint()) == before
    assert next(other[3].run.recording.rows("run_started"))["resumes"] == found.run.id
    assert other[3].whatif(remove=("conversation", 0)).word == "not shown"


def test_the_checkpoint_of_a_fork_is_that_of_any_chat():
    agent = Agent(remembering(), name="desk")
    chat = agent.chat()
    talk(chat, "The code is kestrel.", "It rains.")
    kept = json.loads(json.dumps(chat[0].fork().checkpoint()))
    assert len(kept["runs"]) == 1
    going_on = agent.chat(kept)
    talk(going_on, "Which code?")
    assert going_on[1].answer == "It is kestrel."
    with pytest.raises(UnknownRecordError, match="before this chat went on"):
        list(going_on)


def test_a_turn_that_failed_forks_to_the_conversation_before_it():
    model = ScriptedModel(["Hello.", TimeoutError("slow"), "Again."])
    chat = Agent(model).chat()
    talk(chat, "One.", "Two.")
    other = chat[1].fork()
    assert other.messages == chat.messages
    assert repr(chat[1]) == "Turn 1: 'Two.' -> error"
    with pytest.raises(UnknownRecordError):
        _ = chat[1].answer


def test_a_turn_that_waits_for_a_person_forks_to_one_that_waits():
    asks = ToolCall(id="", name="ask_person", arguments={"question": "Which?"})

    def reply(prompt):
        told = [each["content"] for each in prompt if each["role"] == "tool"]
        return f"Order {told[0]} it is." if told else asks

    agent = Agent(CallableModel(reply), tools=[ask_person()])
    chat = agent.chat()
    talk(chat, "Refund it.")
    other = chat[0].fork()
    assert other.waiting.question == "Which?"
    talk(chat, "7")
    talk(other, "8")
    assert (chat[1].answer, other[1].answer) == ("Order 7 it is.", "Order 8 it is.")
    assert chat[1].whatif(remove=("conversation", "Refund it.")).word == "not shown"


def test_context_of_the_agent_is_varied_in_a_turn_as_in_a_run():
    pieces = [piece("tariff", "Parking costs 4 euros an hour."), piece("note", "It is sunny.")]
    chat = Agent(ReadingModel(), "Answer.", context=pieces).chat()
    talk(chat, "Is it sunny?", "What does parking cost an hour?")
    assert "4" in chat[1].answer
    assert chat[1].whatif(remove="tariff").word == "cause"
    assert chat[1].run.smallest_cause(["tariff", "note"]).items == ("tariff",)


def test_what_was_not_run_again_cannot_be_gone_on_from():
    chat = Agent(ScriptedModel(["Hello.", "Fine."])).chat()
    talk(chat, "Hi.", "How are you?")
    found = chat[1].whatif(remove=("conversation", 0))
    assert found.word == "inconclusive"
    if found.run is None:
        with pytest.raises(ResumeError, match="Nothing was run again"):
            found.fork()


def test_histories_share_what_they_have_in_common():
    chat = Agent(CallableModel(lambda prompt: "I see.")).chat()
    talk(chat, *(f"It is {n} o'clock." for n in range(6)))
    first = chat._places[0].standing.messages[0]
    assert all(place.standing.messages[0] is first for place in chat._places.values())
