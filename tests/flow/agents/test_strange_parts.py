"""Parts of an Agent that are oddly given, or change what they are shown."""

import pytest

from explainkit.errors import AgentError
from explainkit.flow.agents import Agent, after_call, allow, by_rule, fall_back, piece, retry
from explainkit.flow.checks import CheckResult
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered

from .agent_runs import Listening, call, closes, ended, inputs, rows, value


def look_up(order: int) -> str:
    "Look an order up."
    return f"order {order}"


class Unreadable:
    def __repr__(self):
        raise RuntimeError("no repr")


class Admits:
    def check_message(self, message, phase):
        raise AssertionError("it is not asked")


@pytest.mark.parametrize(
    ("part", "given"),
    [
        ("name", 5),
        ("name", ""),
        ("tools", look_up),
        ("tools", None),
        ("tools", "look_up"),
        ("context", piece("tariff", "Free.")),
        ("rules", after_call(ValueError, retry())),
        ("middleware", Admits()),
        ("policy", Unreadable()),
    ],
)
def test_a_part_that_is_oddly_given_is_told_when_it_is_built(part, given):
    with pytest.raises(AgentError, match=rf"Agent\({part}=.*\): give a"):
        Agent(ScriptedModel(["Hello."]), **{part: given})


def test_a_validator_without_a_repr_is_told_when_it_is_built():
    with pytest.raises(AgentError, match=r"repr raised RuntimeError.*: give a pydantic model"):
        Agent(ScriptedModel(["Hello."]), validator=Unreadable())


@pytest.mark.parametrize("held", [True, False])
def test_a_rule_of_a_piece_may_await(held):
    async def rule(situation):
        return held

    model = Listening("Hello.")
    fare = piece("fare", "It is free.", trigger=by_rule(rule))
    ended(Agent(model, context=[fare]))
    assert ("It is free." in str(model.prompts)) is held


@pytest.mark.parametrize("texts", [["", "b"], ["a", "", "b"], ["", ""], ["a", ""]])
def test_an_empty_piece_costs_no_other_its_origin(texts):
    pieces = [piece(str(place), text) for place, text in enumerate(texts)]
    _, run = ended(Agent(ScriptedModel(["Hello."]), context=pieces))
    assert rows(run, "lost") == []
    (opened,) = rows(run, "link_opened", type="model")
    content = inputs(run, opened)["messages"][0]["content"]
    assert content == "\n\n".join(texts)
    segments = next(each for each in opened["inputs"] if each["slot"] == "messages")["segments"]
    found = [
        (
            content[each["start"] : each["end"]],
            value(run, run.recording.raw(each["origin"]["seq"])["value"]),
        )
        for each in segments
        if each.get("path") == "/0/content"
    ]
    assert [text for text, _ in found] == [text for text in texts if text]
    assert all(text == origin for text, origin in found)


def test_a_policy_that_changes_what_it_is_shown_changes_nothing_else():
    def policy(asked, situation):
        for message in situation.messages:
            for each in message.get("tool_calls", ()):
                each["arguments"]["order"] = 666
            message["content"] = "changed"
        for each in situation.sequence:
            each["arguments"]["order"] = 666
        asked.arguments["order"] = 666
        return allow()

    model = Listening(call("look_up", order=7), call("look_up", order=8), "Done.")
    outcome, run = ended(Agent(model, tools=[look_up], policy=policy))
    assert outcome == Answered("Done.")
    assert "666" not in str(model.prompts)
    assert "changed" not in str(model.prompts)
    made = [value(run, each["output"]) for each in closes(run, "tool")]
    assert made == ["order 7", "order 8"]


def test_a_check_that_changes_the_answer_in_place_makes_a_version_of_it():
    class Rounds:
        id = "rounds"

        def check(self, answer, context):
            answer["fare"] = 90
            return CheckResult("passed")

    agent = Agent(
        ScriptedModel([ValueError()]),
        rules=[after_call(ValueError, fall_back({"fare": 89.9}))],
        validator=Rounds(),
    )
    outcome, run = ended(agent)
    assert outcome == Answered({"fare": 90})
    (override,) = rows(run, "override")
    assert value(run, override["value"]) == {"fare": 90}
    assert override["by"] == "rounds"
    (verdict,) = rows(run, "verdict")
    assert (verdict["version"], verdict["status"]) == (2, "passed")
