"""Pieces of context: where they land, what lets them in, and why the others stayed outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import AgentError
from explainkit.flow.agents import (
    Agent,
    at_start,
    by_rule,
    on_request,
    on_tool_return,
    piece,
)
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered

from .agent_runs import Listening, Refusing, call, closes, ended, rows, told

TARIFF = "No refund below 60 minutes of delay."


def look(order: str) -> str:
    return f"order {order}: 90 minutes late"


def contexts(run, name):
    return [
        (row.get("admitted", True), row["why"], row["slot"])
        for row in rows(run, "context", name=name)
    ]


def test_a_piece_lands_in_the_system_message_at_the_start():
    model = Listening("x")
    _, run = ended(Agent(model, "Be brief.", context=[piece("tariff", TARIFF, source="p. 3")]))
    assert model.prompts[0][0] == {"role": "system", "content": f"Be brief.\n\n{TARIFF}"}
    (row,) = rows(run, "context", name="tariff")
    assert (row["why"], row["slot"], row["source"]) == ("at the start", "system", "p. 3")
    assert row["trigger"] == {"kind": "at start"}


def test_words_of_the_answer_go_back_to_the_characters_of_the_piece():
    agent = Agent(ScriptedModel([TARIFF]), "Be brief.", context=[piece("tariff", TARIFF)])
    _, run = ended(agent)
    back = run.backtrack(span="below 60 minutes")
    (place,) = back.introducers
    assert place.label == "context tariff"
    assert (place.start, place.end) == (TARIFF.index("below"), TARIFF.index(" of delay"))
    grades = [hop.grade for hop in back.hops]
    assert grades[-1] == "declared"


def test_a_piece_may_be_data_and_its_leaves_are_found():
    agent = Agent(ScriptedModel(["It is 7315."]), context=[piece("limits", {"most": 7315})])
    _, run = ended(agent)
    (place,) = run.backtrack(span="7315").introducers
    assert (place.label, place.path) == ("context limits", "/most")


def test_a_piece_in_the_messages_lands_before_the_input():
    model = Listening("x")
    shots = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}]
    ended(
        Agent(
            model,
            context=[
                piece("shots", shots, slot="messages"),
                piece("note", "Mind the rules.", slot="messages"),
            ],
        ),
        "3+3?",
    )
    assert model.prompts[0] == [
        *shots,
        {"role": "user", "content": "Mind the rules."},
        {"role": "user", "content": "3+3?"},
    ]


def test_a_piece_in_the_tools_offers_tools():
    model = Listening(call("look", order="7"), "done")
    agent = Agent(
        model,
        context=[piece("desk", look, slot="tools", trigger=by_rule(lambda s: s.iteration == 1))],
    )
    outcome, run = ended(agent)
    assert model.tools == [[], ["look"]]
    assert outcome == Answered("done")
    assert told(model)[0].startswith('Error: There is no tool "look"')
    assert contexts(run, "desk") == [(True, 'the rule "<lambda>" holds', "tools")]


def test_a_rule_is_asked_before_each_call_until_it_holds():
    asked = []

    def late(situation):
        asked.append((situation.iteration, len(situation.messages)))
        return any("late" in str(message) for message in situation.messages)

    model = Listening(call("look", order="7"), call("look", order="8"), "done")
    agent = Agent(model, tools=[look], context=[piece("tariff", TARIFF, trigger=by_rule(late))])
    _, run = ended(agent, "Look at order 7.")
    assert asked == [(0, 1), (1, 3)]
    assert [p[0]["role"] for p in model.prompts] == ["user", "system", "system"]
    (row,) = rows(run, "context", name="tariff")
    assert row["trigger"] == {"kind": "rule", "rule": "late", "call": 2}


def test_a_piece_that_follows_a_tool_may_be_made_of_what_it_gave():
    def advice(situation):
        return f"For «{situation.tool_result}»: apologise."

    model = Listening(call("look", order="7"), "done")
    agent = Agent(
        model,
        tools=[look],
        context=[piece("advice", advice, trigger=on_tool_return("look"))],
    )
    _, run = ended(agent)
    assert model.prompts[1][0]["content"] == "For «order 7: 90 minutes late»: apologise."
    (row,) = rows(run, "context", name="advice")
    (closed,) = closes(run, "tool")
    assert row["uses"] == [{"seq": closed["seq"], "slot": "output"}]
    assert row["trigger"] == {"kind": "tool return", "tool": "look", "record": closed["seq"]}


def test_the_model_can_ask_for_a_piece():
    model = Listening(call("skill"), call("skill"), "done")
    skill = piece("skill", "Say please.", trigger=on_request(), description="How to be polite.")
    _, run = ended(Agent(model, context=[skill]))
    assert model.tools == [["skill"], [], []]
    assert told(model) == [
        '"skill" is in your context now.',
        '"skill" is in your context already.',
    ]
    assert model.prompts[1][0] == {"role": "system", "content": "Say please."}
    assert contexts(run, "skill") == [(True, "the model asked for it", "system")]


@pytest.mark.parametrize(
    ("trigger", "why"),
    [
        (by_rule(lambda s: False, name="never"), 'the rule "never" held before none of 1 calls'),
        (on_tool_return("look"), 'the tool "look" did not return'),
        (on_request(), "the model did not ask for it"),
    ],
)
@pytest.mark.parametrize("value", [TARIFF, lambda: 1 / 0])
def test_a_piece_that_stayed_outside_is_left_out_with_its_reason(trigger, why, value):
    agent = Agent(
        ScriptedModel(["x"]), tools=[look], context=[piece("tariff", value, trigger=trigger)]
    )
    _, run = ended(agent)
    ((admitted, said, _),) = contexts(run, "tariff")
    assert admitted is False
    assert said.startswith(why)


def test_what_stayed_outside_is_told_by_a_backtrack():
    agent = Agent(ScriptedModel(["x"]), context=[piece("tariff", TARIFF, trigger=on_request())])
    _, run = ended(agent)
    assert [each.name for each in run.backtrack().left_out] == ["tariff"]


def no_disk(situation):
    raise OSError("no disk")


@pytest.mark.parametrize(
    ("value", "trigger", "what"),
    [
        (no_disk, at_start(), "its function raised OSError: no disk"),
        ("text", by_rule(no_disk), 'the rule "no_disk" raised OSError: no disk'),
    ],
)
def test_a_piece_that_cannot_be_made_fails_the_run_and_says_which(value, trigger, what):
    model = Listening("never")
    outcome, run = ended(Agent(model, context=[piece("tariff", value, trigger=trigger)]))
    told = f'The piece "tariff" could not be let in: {what}'
    assert isinstance(outcome.error, AgentError)
    assert str(outcome.error) == told
    assert isinstance(outcome.error.__cause__, OSError)
    assert (run.ended_by.word, run.ended_by.message) == ("AgentError", told)
    assert model.calls == 0
    ((admitted, why, _),) = contexts(run, "tariff")
    assert admitted is False
    assert "OSError" in why


def test_a_piece_without_json_form_fails_the_run_with_its_name():
    outcome, _ = ended(Agent(Listening("x"), context=[piece("odd", {1: 2})]))
    assert isinstance(outcome.error, AgentError)
    assert '"odd"' in str(outcome.error)


def test_nothing_lands_when_the_input_was_denied():
    agent = Agent(Listening("x"), context=[piece("tariff", TARIFF)], middleware=[Refusing("input")])
    _, run = ended(agent)
    assert contexts(run, "tariff") == [
        (False, "the run ended before the model was called", "system")
    ]


def test_a_piece_may_be_made_by_a_coroutine_function():
    async def tariff():
        return TARIFF

    model = Listening("x")
    ended(Agent(model, context=[piece("tariff", tariff)]))
    assert model.prompts[0][0]["content"] == TARIFF


@pytest.mark.parametrize(
    "make",
    [
        lambda: piece("x", "y", slot="user"),
        lambda: piece("x", "y", trigger="always"),
        lambda: piece("a b", "y", trigger=on_request()),
        lambda: piece("x", "y", slot="tools"),
        lambda: by_rule(3),
        lambda: Agent(ScriptedModel([]), context=[piece("x", "y"), piece("x", "z")]),
        lambda: Agent(ScriptedModel([]), context=[piece("x", "y", trigger=on_tool_return("no"))]),
        lambda: Agent(
            ScriptedModel([]), tools=[look], context=[piece("look", "y", trigger=on_request())]
        ),
    ],
)
def test_what_cannot_land_is_refused(make):
    with pytest.raises(AgentError):
        make()


TEXTS = st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1, max_size=4)


@given(TEXTS)
def test_every_character_of_every_piece_is_placed(texts):
    pieces = [piece(f"p{n}", text) for n, text in enumerate(texts)]
    _, run = ended(Agent(ScriptedModel(["x"]), context=pieces))
    (opened,) = rows(run, "link_opened", type="model")
    (messages, _) = opened["inputs"]
    content = run.recording.values.object(messages["value"])[0]["content"]
    assert content == "\n\n".join(texts)
    placed = {
        segment["origin"]["seq"]: content[segment["start"] : segment["end"]]
        for segment in messages.get("segments", ())
        if segment.get("path") == "/0/content"
    }
    assert [placed[row["seq"]] for row in rows(run, "context")] == texts
