"""The way from what an Agent is given to its answer, and what of it is on record."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import AgentError, AgentStuckError, ExhaustedError, PromptError
from explainkit.flow.agents import Agent, tool
from explainkit.flow.compositions import Sequence
from explainkit.flow.models import CallableModel, Completion, ScriptedModel, ToolCall
from explainkit.flow.outcomes import Answered, Exhausted, Failed

from .agent_runs import Listening, call, closes, ended, inputs, rows, told, value


def fare(city: str, seats: int = 1) -> dict:
    """Fare to a city."""
    return {"city": city, "euros": 90 * seats}


def test_the_last_text_of_the_model_is_the_answer():
    outcome, run = ended(Agent(ScriptedModel(["Blue."])), "What colour is the sky?")
    assert outcome == Answered("Blue.")
    assert (run.answer, run.status, run.question) == (
        "Blue.",
        "answered",
        "What colour is the sky?",
    )


def test_a_tool_call_is_made_and_its_result_told():
    model = Listening(call("fare", city="Rome"), "90 euros.")
    outcome, run = ended(Agent(model, "Be brief.", tools=[fare]), "How much?")
    assert outcome == Answered("90 euros.")
    assert [message["role"] for message in model.prompts[1]] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]
    assert told(model) == ['{"city": "Rome", "euros": 90}']
    (opened,) = rows(run, "link_opened", type="tool")
    assert inputs(run, opened) == {"city": "Rome"}
    (closed,) = closes(run, "tool")
    assert value(run, closed["output"]) == {"city": "Rome", "euros": 90}


def test_a_tool_link_is_declared_to_come_from_the_call_of_the_model():
    _, run = ended(Agent(ScriptedModel([call("fare", city="Rome"), "90."]), tools=[fare]))
    (opened,) = rows(run, "link_opened", type="tool")
    (origin,) = opened["inputs"][0]["from"]
    said = closes(run, "model")[0]
    assert (origin["seq"], origin["slot"]) == (said["seq"], "output")
    assert origin["path"] == "/tool_calls/0/arguments/city"
    assert closes(run, "tool")[0]["attrs"]["call"] == "call_1"


def test_every_character_of_the_prompt_goes_back_to_its_piece():
    agent = Agent(
        ScriptedModel([call("fare", city="Rome"), "It costs 90."]), "Be brief.", tools=[fare]
    )
    _, run = ended(agent, "How much is the trip?")
    found = {
        segment.text: (segment.name, segment.grade)
        for segment in run.prompt().segments
        if segment.origin is not None
    }
    assert found["Be brief."] == ("instructions", "declared")
    assert found["How much is the trip?"][0] == "question (asked)"
    assert found["90"] == ("output of fare", "declared")
    back = run.backtrack(span="90")
    assert [place.label for place in back.introducers] == ["output of fare"]


def test_a_tool_that_is_offered_is_context():
    _, run = ended(Agent(ScriptedModel(["x"]), tools=[fare]))
    (row,) = rows(run, "context", name="tool fare")
    assert (row["type"], row["slot"]) == ("tool description", "tools")


def test_the_answer_is_declared_to_come_from_the_reply():
    _, run = ended(Agent(ScriptedModel(["Blue."])))
    (answer,) = rows(run, "answer")
    assert answer["slot"] == "answer"
    assert answer["uses"] == [
        {"seq": closes(run, "model")[0]["seq"], "slot": "output", "path": "/content"}
    ]


def test_inside_a_run_the_agent_is_a_link_with_an_answer_of_its_own():
    with ek.trace("outer") as run:
        assert Agent(ScriptedModel(["x"])).run_sync("Go.") == "x"
    (opened,) = rows(run, "link_opened", type="agent")
    assert rows(run, "answer")[0]["slot"] == f"answer:{opened['seq']}"
    assert run.doctor() == []


@pytest.mark.parametrize(
    ("given", "messages"),
    [
        ("Hi.", [{"role": "user", "content": "Hi."}]),
        ({"limit": 3}, [{"role": "user", "content": '{"limit": 3}'}]),
        ({"role": "user", "content": "Hi."}, [{"role": "user", "content": "Hi."}]),
        (
            [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}],
            [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}],
        ),
        (None, []),
        (7, [{"role": "user", "content": "7"}]),
    ],
)
def test_what_an_agent_is_given_becomes_messages(given, messages):
    model = Listening("x")
    ended(Agent(model), given)
    assert model.prompts == [messages]


def test_an_input_without_json_form_fails_with_a_message_that_names_it():
    model = Listening("x")
    outcome, _ = ended(Agent(model), {1, 2})
    assert isinstance(outcome.error, PromptError)
    assert "set" in str(outcome.error)
    assert model.calls == 0


def test_an_empty_text_is_an_answer():
    assert ended(Agent(ScriptedModel([""])))[0] == Answered("")


def test_a_model_that_says_nothing_is_asked_once_more():
    model = Listening(Completion(), "Here.")
    assert ended(Agent(model))[0] == Answered("Here.")
    assert "neither an answer nor a tool call" in model.prompts[1][-1]["content"]


def test_a_model_that_says_nothing_twice_fails():
    model = Listening(Completion(), Completion())
    outcome, run = ended(Agent(model, name="clerk"))
    assert isinstance(outcome.error, AgentStuckError)
    assert '"clerk"' in str(outcome.error)
    assert run.status == "error"
    assert model.calls == 2


def test_a_model_error_is_the_error_of_the_run():
    error = TimeoutError("no reply in 30 s")
    outcome, run = ended(Agent(ScriptedModel([error])))
    assert outcome == Failed(error)
    assert [row["status"] for row in closes(run, "model")] == ["error"]
    with pytest.raises(TimeoutError):
        Agent(ScriptedModel([error])).run_sync("x")


def test_what_is_no_completion_fails():
    outcome, _ = ended(Agent(CallableModel(lambda prompt: 7)))
    assert type(outcome.error).__name__ == "ReplyError"


def test_the_budget_of_calls_ends_a_run_as_exhausted():
    model = Listening(*[Completion(text="hm", tool_calls=(call("fare", city=c),)) for c in "abcd"])
    agent = Agent(model, tools=[fare], max_calls=3)
    outcome, run = ended(agent)
    assert outcome == Exhausted("hm")
    assert (model.calls, run.status) == (3, "exhausted")
    with pytest.raises(ExhaustedError):
        Agent(ScriptedModel([call("fare", city="x")]), tools=[fare], max_calls=1).run_sync("")


def test_usage_of_all_calls_stands_on_the_link():
    _, run = ended(Agent(ScriptedModel([call("fare", city="Rome"), "one two"]), tools=[fare]))
    (closed,) = closes(run, "agent")
    parts = [row["attrs"]["usage"] for row in closes(run, "model")]
    assert closed["attrs"]["calls"] == 2
    assert closed["attrs"]["usage"] == {
        key: sum(part[key] for part in parts) for key in ("input_tokens", "output_tokens")
    }


def test_a_model_that_changes_what_it_is_given_changes_nothing():
    class Rude:
        async def complete(self, prompt, *, tools=()):
            prompt.clear()
            return Completion(text="x")

    _, run = ended(Agent(Rude()), "Hi.")
    (opened,) = rows(run, "link_opened", type="model")
    assert inputs(run, opened)["messages"] == [{"role": "user", "content": "Hi."}]


def test_ids_of_calls_are_made_unique():
    replies = [
        [ToolCall(id="a", name="fare", arguments={"city": "x"})] * 2,
        ToolCall(id="a", name="fare", arguments={"city": "y"}),
        "done",
    ]
    model = Listening(*replies)
    ended(Agent(model, tools=[fare]))
    ids = [c["id"] for m in model.prompts[-1] for c in m.get("tool_calls", ())]
    assert len(set(ids)) == 3
    assert [m["tool_call_id"] for m in model.prompts[-1] if m["role"] == "tool"] == ids


def test_an_agent_can_run_many_times_side_by_side():
    agent = Agent(CallableModel(lambda prompt: prompt[-1]["content"].upper()))

    async def both():
        return await asyncio.gather(agent.run("a"), agent.run("b"))

    assert asyncio.run(both()) == ["A", "B"]


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "gpt"},
        {"instructions": 3},
        {"tools": [3]},
        {"tools": [fare, fare]},
        {"tools": [tool(fare), tool(fare, name="fare")]},
        {"context": ["text"]},
        {"rules": ["retry"]},
        {"policy": 3},
        {"middleware": [len]},
        {"evidence_gate": "strict"},
        {"validator": 3},
        {"validator": []},
        {"validator_mode": "maybe"},
        {"max_calls": 0},
        {"max_calls": True},
        {"name": ""},
    ],
)
def test_what_is_not_well_built_is_refused_with_its_name(settings):
    given = {"model": ScriptedModel([])} | settings
    with pytest.raises(AgentError) as caught:
        Agent(given.pop("model"), **given)
    words = str(caught.value)
    assert next(iter(settings)).rstrip("s").partition("_")[0] in words


def test_the_file_grows_with_what_is_new_and_not_with_what_is_repeated(tmp_path):
    def size(steps):
        def look(n: int):
            return f"row {n}: " + f"word{n} " * 30

        model = ScriptedModel([*(call("look", n=n) for n in range(steps)), "done"])
        Agent(model, "Be brief. " * 20, tools=[look], max_calls=99).run_sync("Go.", to=tmp_path)
        return ek.last().path.stat().st_size

    assert size(60) < 2.2 * size(30)


def test_a_secret_in_a_piece_is_in_no_record_and_the_rest_keeps_its_place():
    secret = "sk-ant-api03-" + "AbCdEf0123" * 4
    agent = Agent(
        ScriptedModel(["Come to the tariff desk."]), f"The key {secret} opens the tariff desk."
    )
    _, run = ended(agent, f"Use {secret}.")
    assert all(secret not in repr(row) for row in run.recording.rows())
    (place,) = run.backtrack(span="tariff desk").introducers
    assert (place.label, place.text) == ("context instructions", "tariff desk")


def test_two_empty_texts_are_two_replies_and_the_first_one_is_the_answer():
    model = ScriptedModel(["", ""])
    assert ended(Agent(model))[0] == Answered("")
    assert model.remaining == 1


def test_a_used_up_budget_speaks_of_max_calls_alone_and_in_a_composition():
    def agent():
        asks = [call("fare", city=city) for city in ("Rome", "Oslo", "Bern")]
        return Agent(ScriptedModel(asks), tools=[fare], max_calls=2, name="desk")

    told = []
    for runner in (agent(), Sequence(agent(), str)):
        with pytest.raises(ExhaustedError) as caught:
            runner.run_sync("x")
        told += [str(caught.value)]
        assert ek.last().ended_by.what_to_do.startswith("Raise max_calls= of the Agent.")
    assert told[0] == told[1]
    assert told[0].startswith('The Agent "desk" made the 2 calls of models that max_calls=2 lets')
