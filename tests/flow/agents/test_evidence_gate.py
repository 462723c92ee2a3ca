"""The evidence gate: names and numbers of an answer must stand in what the Agent was given."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explainkit as ek
from explainkit.errors import UnknownRecordError, UnsupportedValuesError
from explainkit.flow.agents import Agent, piece
from explainkit.flow.agents.evidence_gates import support_of
from explainkit.flow.models import ScriptedModel
from explainkit.flow.outcomes import Answered, Refused

from .agent_runs import Listening, call, ended, rows, terminal


def fare(city: str) -> dict:
    return {"city": city, "euros": 540, "carrier": "Trenitalia"}


WRONG, RIGHT = "It costs 450 euros.", "It costs 540 euros."


def agent_of(mode, *replies, **settings):
    model = Listening(call("fare", city="Rome"), *replies)
    return Agent(model, tools=[fare], evidence_gate=mode, **settings), model


def verdicts(run):
    return [
        (row["status"], row.get("version"))
        for row in rows(run, "verdict")
        if row.get("judge") == "evidence gate"
    ]


def test_an_answer_whose_values_stand_in_the_evidence_passes():
    agent, _ = agent_of("rails", "The trip to Rome with Trenitalia costs 540 euros.")
    outcome, run = ended(agent)
    assert isinstance(outcome, Answered)
    assert verdicts(run) == [("passed", 1)]


def test_assist_records_a_verdict_and_lets_the_answer_out():
    agent, model = agent_of("assist", WRONG)
    outcome, run = ended(agent)
    assert outcome == Answered(WRONG)
    assert verdicts(run) == [("failed", 1)]
    (verdict,) = rows(run, "verdict")
    assert verdict["issues"][0]["message"] == ('"450 euros" is in no evidence (nearest: 540)')
    assert model.calls == 2


@pytest.mark.parametrize("mode", ["guard", "rails"])
def test_one_revision_is_asked_for(mode):
    agent, model = agent_of(mode, WRONG, RIGHT)
    outcome, run = ended(agent)
    assert outcome == Answered(RIGHT)
    assert "450 euros (nearest: 540)" in model.prompts[-1][-1]["content"]
    assert verdicts(run) == [("failed", 1), ("passed", 2)]
    (override,) = rows(run, "override")
    assert override["by"] == "evidence gate"


def test_guard_lets_the_second_one_out_with_the_failed_verdict():
    agent, model = agent_of("guard", WRONG, WRONG, RIGHT)
    outcome, run = ended(agent)
    assert outcome == Answered(WRONG)
    assert verdicts(run) == [("failed", 1), ("failed", 2)]
    assert model.calls == 3
    assert run.status == "answered"


def test_rails_ends_the_run():
    agent, model = agent_of("rails", WRONG, "It costs 455 euros, says Anna Karenina.", RIGHT)
    outcome, run = ended(agent)
    verdict = outcome.verdict
    assert verdict.values == ("455 euros", "Anna Karenina")
    assert verdict.candidates["455 euros"] == ("540",)
    assert verdict.revised
    assert model.calls == 3
    assert terminal(run) == [("unsupported-values", "agent")]
    with pytest.raises(UnsupportedValuesError):
        agent_of("rails", WRONG, WRONG)[0].run_sync("x")


def test_what_the_revision_was_asked_with_is_no_evidence():
    agent, _ = agent_of("rails", WRONG, WRONG)
    assert isinstance(ended(agent)[0], Refused)


def test_without_budget_there_is_no_revision():
    agent, _ = agent_of("rails", WRONG, max_calls=2)
    assert ended(agent)[0].verdict.revised is False


def test_the_revision_may_call_tools():
    agent, _ = agent_of("rails", WRONG, call("fare", city="Rome"), RIGHT)
    assert ended(agent)[0] == Answered(RIGHT)


def test_input_pieces_and_instructions_are_evidence():
    agent = Agent(
        ScriptedModel(["Ask the clerk Maria Rossi about order A77 within 31 days."]),
        "The clerk is Maria Rossi.",
        context=[piece("tariff", {"days": 31})],
        evidence_gate="rails",
    )
    assert isinstance(ended(agent, "What about order A77?")[0], Answered)


def test_what_a_tool_said_when_it_failed_is_no_evidence():
    def look(n: int):
        raise ValueError(f"no such order: {n}")

    model = ScriptedModel([call("look", n=4711), "Order 4711 is paid."])
    outcome, run = ended(Agent(model, tools=[look], evidence_gate="assist"))
    assert verdicts(run) == [("failed", 1)]
    assert isinstance(outcome, Answered)


@pytest.mark.parametrize(
    ("answer", "evidence", "values"),
    [
        ("1,234.50 EUR", ["1234.5"], ()),
        ("1234.5 EUR", ["1234.5 USD"], ("1234.5 EUR",)),
        ("on 3 December 2025", ["2025-12-03"], ()),
        ("on 4 December 2025", ["2025-12-03"], ("4 December 2025",)),
        ("flight HAT069", ["HAT069 is late"], ()),
        ("flight HAT096", ["HAT069 is late"], ("HAT096",)),
        ("says mia LI", ["Mia Li"], ()),
        ("says Mia Lo", ["Mia Li"], ("Mia Lo",)),
        ("It costs 7.", ['{"n":7}'], ()),
        ('{"total": 7}', [{"n": 7}], ()),
        ({"total": 8}, [{"n": 7}], ("8",)),
        ("Order A7 is late.", ["It is A7."], ()),
        ("It says Order A7.", ["It is A7."], ("Order A7",)),
        ("No.", [], ()),
        ("", [], ()),
    ],
)
def test_what_stands_in_the_evidence(answer, evidence, values):
    assert support_of(answer, evidence).values == values


@given(st.text(max_size=80))
def test_what_was_said_in_the_same_words_is_always_supported(text):
    assert support_of(text, [text]).values == ()


@given(st.integers(10, 10**6), st.integers(10, 10**6))
def test_another_number_is_never_supported(said, held):
    found = support_of(f"It is {said} in all.", [f"It was {held} in all."])
    assert (found.values == ()) == (said == held)


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("Jose\u0301 Mu\u0308ller came.", "José Müller came."),
        ("José Müller came.", "Jose\u0301 Mu\u0308ller came."),
        ("It was Shaun O\u2019Neil.", "Shaun O'Neil was there."),
        ("It was Anna\u2010Maria Li.", "Anna-Maria Li was there."),
    ],
)
def test_a_name_is_the_same_however_its_characters_were_typed(answer, evidence):
    assert support_of(answer, [evidence]).values == ()


def test_an_accent_that_is_missing_makes_another_name():
    assert support_of("José Müller came.", ["Jose Muller came."]).values == ("José Müller",)


def test_an_answer_that_was_not_let_out_is_not_the_answer_of_the_run():
    agent = Agent(ScriptedModel(["It is 99."] * 2), evidence_gate="rails")
    assert isinstance(asyncio.run(agent.outcome("How much?")), Refused)
    with pytest.raises(UnknownRecordError, match="ended on a verdict"):
        _ = ek.last().answer
