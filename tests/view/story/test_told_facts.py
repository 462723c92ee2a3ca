"""Facts of a failed answer in stories: each with its own origin, whatever stands around it."""

import json

import pytest

import explainkit as ek
from explainkit.flow import Agent, piece, tool
from explainkit.flow.models import CallableModel, ToolCall
from explainkit.view.story.facts_told import FACTS, facts_of
from tests.view.story.test_laws_of_stories import check_linked


def origins(run):
    story = run.story()
    check_linked(story)
    return [each.text for each in story if each.kind == "origin"]


def exchange_rate(base: str, other: str) -> dict:
    return {"pair": f"{base}/{other}", "rate": 0.089}


def multiply(a: float, b: float) -> float:
    return round(a * b, 2)


def planner(prompt):
    """Asks for the rate, then for the product, and then says it."""
    texts = [str(each["content"]) for each in prompt if each["role"] == "tool"]
    rates = [json.loads(text)["rate"] for text in texts if text.startswith("{")]
    products = [text for text in texts if not text.startswith("{")]
    if products:
        return f"A night in Stockholm costs {products[0]} SEK."
    if rates:
        return ToolCall(id="", name="multiply", arguments={"a": 120, "b": rates[0]})
    return ToolCall(id="", name="exchange_rate", arguments={"base": "EUR", "other": "SEK"})


@pytest.fixture
def trip():
    agent = Agent(
        CallableModel(planner, deterministic=True),
        "You plan trips.",
        tools=[tool(exchange_rate), tool(multiply)],
        context=[piece("profile", "The traveller pays in SEK.", kind="memory")],
        name="planner",
    )

    @ek.traced("trip")
    def asked(question):
        return ek.answer(agent.run_sync(question))

    asked("What does a night in Stockholm cost me?")
    run = ek.last()
    run.verdict("failed", judge="traveller", reason="10 crowns for a hotel?")
    return run


def test_a_number_that_a_tool_gave_is_not_hidden_by_the_words_around_it(trip):
    told = origins(trip)
    assert told[0] == (
        "“10.68” of the answer goes back to what the tool “multiply” gave, the same characters on "
        "both sides; it came by way of what “planner” gave and “planner model #3” read it."
    )
    around = next(text for text in told if "costs 10.68 SEK" in text)
    assert "were put like that first in what “planner model #3” said" in around
    assert around.endswith("; “10.68” came from elsewhere.")
    assert not any("10.68" in text and "no earlier text" in text for text in told)


def test_a_fact_is_told_from_where_a_backtrack_of_it_ends(trip):
    (use,) = trip.backtrack(span="10.68").contexts
    story = [each for each in trip.story() if each.kind == "origin"]
    assert story[0].seq == (use.seq,)


def test_what_re_runs_showed_is_not_said_to_be_open(trip):
    assert "only a re-run can show" in origins(trip)[-1]
    trip.whatif(replace={("exchange_rate", "/rate"): 11.2}, span="10.68", times=5)
    assert origins(trip)[-1].endswith("what re-runs showed of it is told above.")


def museum(late):
    pages = [
        {"id": "shop", "text": "The shop sells postcards."},
        {"id": "old", "text": "Open 10:00 to 18:00, on Thursday open until 21:00."},
    ]

    @ek.link(kind="retrieval", deterministic=True)
    def search(query):
        return pages

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return f"We are open from 10:00 to 18:00, on Thursday until {late}."

    @ek.traced("museum")
    def desk(question):
        hits = "\n".join(each["text"] for each in search(question))
        return ek.answer(ask(ek.assemble("{h}\n{q}", h=hits, q=question)))

    desk("When are you open?")
    run = ek.last()
    run.verdict("failed", judge="visitor")
    return run


def test_facts_of_one_source_share_a_sentence_that_names_the_item():
    assert origins(museum("21:00"))[0].startswith(
        "“10:00”, “18:00”, “21:00” and “Thursday” of the answer go back to item 2 of what the "
        "retrieval “search” gave, the same characters on both sides"
    )


def test_a_fact_that_a_model_made_up_is_told_by_itself():
    told = origins(museum("22:30"))
    assert told[0].startswith("“10:00”, “18:00” and “Thursday” of the answer go back to item 2 of")
    assert told[1].startswith("“22:30” of the answer first appears in what “ask” said; no earlier")


def test_a_number_that_is_written_otherwise_at_its_source_says_so():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "You saved $10,519 in all."

    with ek.trace("savings", question="How much?") as run:
        total = ek.context("total", "In sum: 10519.0 dollars.", kind="document")
        ek.answer(ask(ek.assemble("{t} Tell me.", t=total)))
    run.verdict("failed", judge="reader")
    told = origins(run)
    assert told[0] == (
        "“$10,519” of the answer goes back to the document “total”, written there as "
        "“10519.0 dollars”; “ask” read it."
    )
    assert "“You saved $10,519 in all.” of the answer were put like that first in what" in told[1]


def test_what_was_put_in_by_an_override_is_told_once():
    with ek.trace("greeting", question="Late?") as run:
        ek.answer("We pay half.")
        ek.override("Dear guest, we pay half.", by="greeter", reason="friendly")
    run.verdict("failed", judge="reader")
    told = [text for text in origins(run) if "Dear guest" in text]
    assert told == ["The words “Dear guest,” of the answer were put in by “greeter” (answer v2)."]


def test_more_facts_than_are_told_are_counted():
    rows = [
        f"Flight HAT{number} leaves at gate {number}." for number in range(100, 100 + 2 * FACTS)
    ]
    with ek.trace("flights", question="Which?") as run:
        ek.answer(ek.context("plan", " ".join(rows)))
    run.verdict("failed", judge="reader")
    counted = [each for each in run.story() if "further fact" in each.text]
    assert len(counted) == 1
    assert counted[0].folded > 0
    assert "run.backtrack(span=...) follows one." in counted[0].text


def test_keys_of_an_object_are_no_facts():
    text = '{"Order": "HAT136", "Seats": 12}'
    assert [text[start:end] for start, end in facts_of(text)] == ["HAT136", "12"]


def test_a_day_without_a_year_is_one_fact():
    text = "It comes on 14 March, or on April 3 in Graz."
    found = [text[start:end] for start, end in facts_of(text)]
    assert found == ["14 March", "April 3", "Graz"]


def test_a_year_as_a_key_is_no_item():
    @ek.link(kind="tool", deterministic=True)
    def prices():
        return {"2025": {"fare": "The fare is 45 euros."}}

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "The fare is 45 euros."

    with ek.trace("fares") as run:
        ek.answer(ask(ek.assemble("{p}", p=prices()["2025"]["fare"])))
    run.verdict("failed", judge="reader")
    assert "“fare” of what the tool “prices” gave" in origins(run)[0]
