"""What a middleware denies is nowhere in what the Agent recorded."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explainkit as ek
from explainkit.errors import MessageDeniedError
from explainkit.flow.agents import Agent, admit, after_call, ask_person, deny, fail_fast
from explainkit.flow.agents.admissions import without_quotes
from explainkit.flow.models import Completion, ScriptedModel, ToolCall
from explainkit.flow.outcomes import Answered, Refused, answer_of
from explainkit.flow.verdicts import MessageDenied, ReliabilityFailFast

from .agent_runs import Listening, Refusing, call, closes, ended, rows, sound, terminal

SECRET = "The vault opens with zq-7781-Kappa at midnight."


def everything(run, folder):
    """Everything that can be read of a run, as bytes."""
    path = folder / "run.ek.jsonl"
    run.note("looked at", by="me")
    run.save(path)
    parts = [each.read_bytes() for each in folder.iterdir() if each.is_file()]
    graph = [repr(item) for item in run.graph().nodes(data=True)]
    graph += [repr(item) for item in run.graph().edges(data=True)]
    shown = [*graph, repr(run), run._repr_html_(), run.links.to_csv(), run.contexts.to_csv()]
    shown += [run.verdicts.to_csv(), run.overrides.to_csv()]
    if rows(run, "answer"):
        shown.append(run.to_html())
    return b"\n".join([*parts, *(text.encode() for text in shown)])


def forms(secret):
    """The text as it could stand somewhere."""
    return [secret.encode(), json.dumps(secret)[1:-1].encode()]


def check_nowhere(secret, run, outcome, folder):
    text = everything(run, folder)
    with pytest.raises(MessageDeniedError) as caught:
        answer_of(outcome)
    told = [repr(outcome), str(caught.value), repr(caught.value.__notes__)]
    told.append(json.dumps(outcome.verdict.to_json()))
    text += "\n".join(told).encode()
    for form in forms(secret):
        assert form not in text


def test_a_denied_input_is_nowhere_and_no_model_is_called(tmp_path):
    model = Listening("x")
    refusing = Refusing("input", "vault", reason=f"it says: {SECRET}")
    outcome, run = ended(Agent(model, middleware=[refusing]), SECRET, to=tmp_path)
    assert outcome == Refused(
        MessageDenied(reason="it says: [...]", phase="input", middleware="refusing")
    )
    assert model.calls == 0
    assert run.status == "verdict"
    assert run.question is None
    check_nowhere(SECRET, run, outcome, tmp_path)
    assert terminal(run) == [("message-denied", "agent")]


def test_the_slot_of_a_denied_input_is_lost_with_its_length():
    _, run = ended(Agent(Listening("x"), middleware=[Refusing("input")]), SECRET)
    (opened,) = rows(run, "link_opened")
    (lost,) = rows(run, "lost")
    assert opened["inputs"] == []
    assert lost["what"] == "denied"
    assert lost["target"] == {"seq": opened["seq"], "slot": "input"}
    assert f"{len(SECRET)} characters" in lost["reason"]


def test_a_denied_output_is_nowhere(tmp_path):
    model = Listening(SECRET, "never asked")
    agent = Agent(model, middleware=[Refusing("output", "vault", reason=SECRET)])
    outcome, run = ended(agent, "Tell me.", to=tmp_path)
    assert outcome.verdict.phase == "output"
    assert model.calls == 1
    check_nowhere(SECRET, run, outcome, tmp_path)
    (closed,) = closes(run, "model")
    assert closed["status"] == "verdict"
    assert "output" not in closed
    (lost,) = rows(run, "lost")
    assert lost["target"] == {"seq": closed["link"], "slot": "output"}
    assert rows(run, "answer") == []


def test_a_denied_tool_call_is_nowhere_and_not_made(tmp_path):
    made = []

    def send(text: str):
        made.append(text)

    model = Listening(call("send", text=SECRET))
    agent = Agent(model, tools=[send], middleware=[Refusing("output", "vault")])
    outcome, run = ended(agent, "Send it.", to=tmp_path)
    assert made == []
    check_nowhere(SECRET, run, outcome, tmp_path)


def test_the_error_is_raised_and_tells_who_denied():
    agent = Agent(ScriptedModel(["x"]), middleware=[Refusing("input", reason="no names")])
    with pytest.raises(MessageDeniedError) as caught:
        agent.run_sync("I am Ann.")
    assert str(caught.value) == 'The middleware "refusing" denied the input message: no names'
    assert "in Agent" in caught.value.__notes__


def test_an_admitted_message_is_recorded_as_without_middleware():
    seen = Refusing("input", "nothing like it")
    outcome, run = ended(Agent(ScriptedModel(["Hi."]), middleware=[seen]), "Hello.")
    assert outcome == Answered("Hi.")
    assert seen.seen == [("input", "user"), ("output", "assistant")]
    assert run.question == "Hello."
    assert [each["slot"] for each in rows(run, "link_opened")[0]["inputs"]] == ["input"]


def test_a_middleware_may_be_async_and_the_first_that_denies_decides():
    class Slow:
        name = "slow"

        async def check_message(self, message, phase):
            await asyncio.sleep(0)
            return admit()

    outcome, _ = ended(
        Agent(Listening("x"), middleware=[Slow(), Refusing("input"), Refusing("input")])
    )
    assert outcome.verdict.middleware == "refusing"


class Breaking:
    def __init__(self, given):
        self.given = given

    def check_message(self, message, phase):
        if isinstance(self.given, type):
            raise self.given(f"cannot read {message['content']}")
        return self.given


@pytest.mark.parametrize("given", [ValueError, True, None, "admit"])
def test_a_middleware_that_does_not_say_admits_nothing(given, tmp_path):
    model = Listening("x")
    outcome, run = ended(Agent(model, middleware=[Breaking(given)]), SECRET, to=tmp_path)
    assert isinstance(outcome.verdict, MessageDenied)
    assert outcome.verdict.middleware == "Breaking"
    assert model.calls == 0
    check_nowhere(SECRET, run, outcome, tmp_path)


def test_a_rule_that_fails_fast_stands_above_a_denied_reply():
    rule = after_call(lambda attempt: "vault" in attempt.completion.text, fail_fast("leak"))
    agent = Agent(ScriptedModel([SECRET]), rules=[rule], middleware=[Refusing("output")])
    outcome, run = ended(agent)
    assert isinstance(outcome.verdict, ReliabilityFailFast)
    assert rows(run, "lost", what="denied")


def test_text_beside_a_tool_call_is_looked_at_too():
    reply = Completion(text=SECRET, tool_calls=(call("x"),))
    outcome, _ = ended(Agent(ScriptedModel([reply]), middleware=[Refusing("output", "vault")]))
    assert outcome.verdict.phase == "output"


def test_what_a_person_answers_is_looked_at():
    model = Listening(call("ask_person", question="Which code?"), "done")
    agent = Agent(model, tools=[ask_person()], middleware=[Refusing("input", "vault")])
    paused, _ = ended(agent)
    outcome, run = ended(agent, SECRET, resume=paused.checkpoint)
    assert outcome.verdict.phase == "input"
    assert model.calls == 1
    assert all("vault" not in repr(row) for row in run.recording.rows("value"))


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=13, max_size=60)


@given(WORDS, st.sampled_from(["input", "output"]), st.booleans())
def test_whatever_is_denied_is_nowhere(text, phase, quoted):
    secret = f"#{text}#"
    reason = f"because of {secret}!" if quoted else "because"
    model = ScriptedModel([secret if phase == "output" else "fine"])
    refusing = Refusing(phase, reason=reason)
    agent = Agent(model, middleware=[refusing])
    outcome, run = ended(agent, secret if phase == "input" else "Go.")
    whole = json.dumps(list(run.recording.rows()), ensure_ascii=False, default=str)
    whole += repr([row["data"] for row in run.recording.rows("value") if "data" in row])
    assert secret not in whole
    assert secret not in str(outcome.verdict.error())


WORD = "tango4711zulu"


class Odd:
    def __repr__(self):
        return WORD


@pytest.mark.parametrize(
    "sent",
    [f"no JSON: {WORD}", [WORD], f'["{WORD}"]', Odd()],
)
def test_what_a_model_sent_for_arguments_is_shown_before_it_is_recorded(sent, tmp_path):
    class Looks:
        def check_message(self, message, phase):
            denied = phase == "output" and WORD in str(message["tool_calls"][0]["arguments"])
            return deny(f"it says {WORD}") if denied else admit()

    reply = Completion(tool_calls=(ToolCall(id="", name="look_up", arguments=sent),))
    outcome = asyncio.run(Agent(ScriptedModel([reply]), middleware=[Looks()]).outcome(to=tmp_path))
    assert outcome.verdict.kind == "message-denied"
    assert WORD not in outcome.verdict.reason
    assert all(WORD not in path.read_text() for path in tmp_path.iterdir())
    sound(ek.last())


@pytest.mark.parametrize(
    ("content", "reason", "kept"),
    [
        ("123-45-6789 is my number", "it holds 123-45-6789", "it holds [...]"),
        ("123-45-6789 is my number", "it holds 123-45-6789.", "it holds [...]."),
        ("write to mia@li.com soon", "an address (MIA@LI.COM)", "an address ([...])"),
        ("the password is tango4711zulu", "it begins with tango4711", "it begins with [...]"),
        ("the PIN is 0815", "a PIN: 0815", "a PIN: [...]"),
        ("the PIN is 0815", "see rule 7 of 2026", "see rule 7 of 2026"),
    ],
)
def test_a_reason_keeps_no_number_and_no_address_of_the_message(content, reason, kept):
    assert without_quotes(reason, {"role": "user", "content": content}) == kept


@pytest.mark.parametrize("place", ["id", "name"])
def test_a_reason_quotes_no_name_and_no_id_of_a_call(place):
    made = {"id": "1", "name": "look_up", "arguments": {}, place: "the-word-is-zulu"}
    message = {"role": "assistant", "content": "", "tool_calls": [made]}
    assert "zulu" not in without_quotes("denied: the-word-is-zulu", message)
