"""A run that waits for a person: a checkpoint of plain JSON, and the way on from it."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import ConsentPendingError, PausedError, ResumeError
from explainkit.flow.agents import Agent, ask_person, deny, piece, tool
from explainkit.flow.agents.policies import allow
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered, Paused

from .agent_runs import Listening, call, closes, ended, inputs, rows, terminal, told, value

ASK = call("ask_person", question="Which order?")


def refund(order: str) -> str:
    """Refund an order."""
    return f"refunded {order}"


def again(checkpoint):
    return json.loads(json.dumps(checkpoint, allow_nan=False))


def test_a_question_pauses_the_run():
    model = Listening(ASK, "never here")
    outcome, run = ended(Agent(model, tools=[ask_person()]), "Refund it.")
    assert isinstance(outcome, Paused)
    assert again(outcome.checkpoint) == outcome.checkpoint
    assert outcome.checkpoint["waiting"]["question"] == "Which order?"
    assert (run.status, model.calls) == ("paused", 1)
    assert [row["status"] for row in closes(run, "tool")] == ["paused"]
    with pytest.raises(PausedError) as caught:
        Agent(ScriptedModel([ASK]), tools=[ask_person()]).run_sync("x")
    assert caught.value.checkpoint["waiting"]["kind"] == "answer"


def test_the_answer_of_the_person_goes_on_in_a_new_run():
    model = Listening(ASK, "Order A7 is refunded.")
    agent = Agent(model, "Be brief.", tools=[ask_person()], evidence_gate="rails")
    paused, first = ended(agent, "Refund it.")
    outcome, run = ended(agent, "It is A7.", resume=again(paused.checkpoint))
    assert outcome == Answered("Order A7 is refunded.")
    assert told(model) == ["It is A7."]
    assert rows(run, "run_started")[0]["resumes"] == first.id
    (opened,) = rows(run, "link_opened", type="tool")
    assert inputs(run, opened) == {"question": "Which order?", "answer": "It is A7."}
    places = [place.label for place in run.backtrack(span="A7").introducers]
    assert places == ["input of Agent"] or places == ["output of ask_person"]


def test_without_an_answer_it_goes_on_waiting():
    agent = Agent(ScriptedModel([ASK, "x"]), tools=[ask_person()])
    paused, _ = ended(agent)
    waits, run = ended(agent, None, resume=paused.checkpoint)
    assert isinstance(waits, Paused)
    assert waits.checkpoint["waiting"] == paused.checkpoint["waiting"]
    assert run.status == "paused"
    assert ended(agent, "A7", resume=waits.checkpoint)[0] == Answered("x")


def test_calls_behind_the_question_are_made_after_the_answer():
    model = Listening([ASK, call("refund", order="A7"), ASK], "done")
    agent = Agent(model, tools=[ask_person(), refund])
    first, run = ended(agent)
    assert rows(run, "link_opened", name="refund") == []
    second, run = ended(agent, "A7", resume=again(first.checkpoint))
    assert isinstance(second, Paused)
    assert [value(run, row.get("output")) for row in closes(run, "tool") if row.get("output")] == [
        "A7",
        "refunded A7",
    ]
    outcome, _ = ended(agent, "fine", resume=again(second.checkpoint))
    assert outcome == Answered("done")
    assert told(model) == ["A7", "refunded A7", "fine"]


def test_counts_and_pieces_stand_across_a_pause():
    seen = []

    def once():
        seen.append(1)
        return "Be kind."

    model = Listening(ASK, "x", "never")
    agent = Agent(model, tools=[ask_person()], context=[piece("kind", once)], max_calls=2)
    paused, _ = ended(agent)
    outcome, run = ended(agent, "A7", resume=again(paused.checkpoint))
    assert outcome == Answered("x")
    assert seen == [1]
    assert model.prompts[1][0]["content"] == "Be kind."
    assert rows(run, "context", name="kind")[0]["trigger"] == {"kind": "earlier"}
    assert closes(run, "agent")[0]["attrs"]["calls"] == 2


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (True, "refunded A7"),
        ("Yes", "refunded A7"),
        (False, "Consent was not given: false"),
        ("not today", "Consent was not given: not today"),
    ],
)
def test_a_tool_that_needs_consent_waits_for_it(answer, text):
    model = Listening(call("refund", order="A7"), "done")
    agent = Agent(model, tools=[tool(refund, consent="the manager")])
    paused, _ = ended(agent)
    waiting = paused.checkpoint["waiting"]
    assert (waiting["kind"], waiting["whom"]) == ("consent", "the manager")
    assert waiting["question"] == 'May "refund" be called with {"order": "A7"}?'
    outcome, _ = ended(agent, answer, resume=again(paused.checkpoint))
    assert outcome == Answered("done")
    assert told(model) == [text]


def test_when_nobody_can_be_asked_consent_is_pending():
    model = Listening(call("refund", order="A7"), "never")
    agent = Agent(model, tools=[tool(refund, consent="the manager")], can_ask=False)
    outcome, run = ended(agent)
    assert (outcome.verdict.kind, outcome.verdict.whom) == ("consent-pending", "the manager")
    assert model.calls == 1
    assert terminal(run) == [("consent-pending", "agent")]
    with pytest.raises(ConsentPendingError, match="the manager"):
        Agent(
            ScriptedModel([call("refund", order="A7")]),
            tools=[tool(refund, consent="the manager")],
            can_ask=False,
        ).run_sync("x")


def test_a_question_to_nobody_is_an_error_for_the_model():
    model = Listening(ASK, "done")
    outcome, _ = ended(Agent(model, tools=[ask_person()], can_ask=False))
    assert outcome == Answered("done")
    assert told(model) == ["Error: Nobody can be asked here."]


def test_a_denied_call_is_not_asked_about():
    model = Listening(call("refund", order="A7"), "done")
    made = tool(refund, consent="x")
    assert ended(Agent(model, tools=[made], policy=lambda c, s: deny("no")))[0] == Answered("done")
    assert isinstance(
        ended(
            Agent(
                ScriptedModel([call("refund", order="A7")]),
                tools=[made],
                policy=lambda c, s: allow(),
            )
        )[0],
        Paused,
    )


@pytest.mark.parametrize("checkpoint", [{}, [], "x", {"kind": "agent"}, {"kind": "chat"}])
def test_what_is_no_checkpoint_is_refused(checkpoint):
    with pytest.raises(ResumeError):
        ended(Agent(ScriptedModel([])), "x", resume=checkpoint)


def test_the_checkpoint_of_another_agent_is_refused():
    paused, _ = ended(Agent(ScriptedModel([ASK]), tools=[ask_person()], name="clerk"))
    with pytest.raises(ResumeError, match='"clerk"'):
        ended(Agent(ScriptedModel([]), name="other"), "x", resume=paused.checkpoint)


def test_a_checkpoint_that_waits_for_a_tool_that_is_gone_fails_with_its_name():
    paused, _ = ended(Agent(ScriptedModel([ASK]), tools=[ask_person()]))
    with pytest.raises(ResumeError, match='"ask_person"'):
        ended(Agent(ScriptedModel([])), "x", resume=paused.checkpoint)


@given(st.text(min_size=1), st.text())
def test_whatever_is_asked_and_answered_stands_in_the_checkpoint(question, answer):
    model = Listening(call("ask_person", question=question), "done")
    agent = Agent(model, tools=[ask_person()])
    paused, _ = ended(agent)
    assert ended(agent, answer, resume=again(paused.checkpoint))[0] == Answered("done")
    assert told(model) == [answer]


def damaged(checkpoint, *path, to=None):
    found = again(checkpoint)
    place = found
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return found


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("waiting", "call", "id"), None),
        (("waiting", "call", "id"), "call_9"),
        (("waiting", "call", "name"), None),
        (("waiting", "call", "arguments"), None),
        (("waiting", "call", "arguments"), 7),
        (("rest", 0, "id"), "call_9"),
        (("rest", 0, "name"), 7),
        (("rest", 0, "arguments"), []),
        (("messages", 1, "tool_calls"), None),
        (("messages", 1, "tool_calls"), [7]),
        (("messages",), 7),
    ],
)
def test_a_damaged_checkpoint_is_refused_and_nothing_is_asked(path, to):
    model = Listening([ASK, call("refund", order="A7")], "done")
    agent = Agent(model, tools=[ask_person(), refund])
    paused, _ = ended(agent)
    with pytest.raises(ResumeError):
        ended(agent, "A7", resume=damaged(paused.checkpoint, *path, to=to))
    assert model.calls == 1
    assert ended(agent, "A7", resume=paused.checkpoint)[0] == Answered("done")


def test_a_damaged_chat_is_refused():
    agent = Agent(ScriptedModel([ASK]), tools=[ask_person()])
    chat = agent.chat()
    with pytest.raises(PausedError):
        asyncio.run(chat.send("Refund it."))
    kept = chat.checkpoint()
    with pytest.raises(ResumeError, match="no checkpoint of a chat"):
        agent.chat(damaged(kept, "paused", "waiting", "call", "arguments"))
    assert agent.chat(kept).waiting.question == "Which order?"


def test_a_script_goes_on_where_it_is_when_the_same_process_resumes():
    def agent(*replies):
        return Agent(ScriptedModel(replies), tools=[ask_person()])

    asks = call("ask_person", question="Which?")
    one = agent(asks, "the first")
    paused, _ = ended(one)
    assert ended(one, "this", resume=paused.checkpoint)[0] == Answered("the first")
    # Another process has another script: the whole one would ask again, the rest of it answers.
    assert isinstance(ended(agent(asks, "x"), "this", resume=paused.checkpoint)[0], Paused)
    assert ended(agent("x"), "this", resume=paused.checkpoint)[0] == Answered("x")
