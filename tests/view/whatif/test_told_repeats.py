"""The display of a what-if says why repeats were made, and what a loaded run is not compared in."""

import random

import pytest

import explainkit as ek
from explainkit.flow.agents import Agent, piece, tool
from explainkit.flow.models import CallableModel, ToolCall
from tests.whatif.importable_programs import importable
from tests.whatif.programs import HALF, ask, claim, recorded, undeclared_claim

CHANCE = random.Random(4)
NO_REPEATS = "What gives the same for the same needs no repeats once it is declared so: "


def told(found, label):
    return [words for each, words in found.told().facts if each == label]


def test_what_is_declared_needs_no_repeats_and_says_nothing_of_them():
    found = recorded(claim, "q").whatif(remove="rules")
    assert (str(found), told(found, "repeats")) == ("cause 1/1 vs 0/2, deterministic", [])


def test_a_link_that_is_not_declared_is_named_with_the_line_to_add():
    found = recorded(undeclared_claim, "q").whatif(remove="rules")
    words = (
        f"link 'undeclared' is not declared deterministic. {NO_REPEATS}"
        '@ek.link(kind="model", deterministic=True) on undeclared'
    )
    assert told(found, "repeats") == [words]
    assert f"repeats   {words}" in repr(found)
    assert words.split("(", maxsplit=1)[0].split("'", maxsplit=1)[0] in found._repr_html_()


def test_code_around_the_links_is_named():
    @ek.traced("draws")
    def program(question):
        return f"{ask(ek.context('note', HALF))} {CHANCE.random() < 2}"

    found = recorded(program, "q").whatif(remove="note")
    (words,) = told(found, "repeats")
    assert words.startswith("the code around the links may draw or keep something (randomness CH")


@pytest.mark.parametrize("count", [5, 6])
def test_one_more_link_is_named_rather_than_counted(count):
    links = [ek.link(name=f"link {n}")(lambda given: given) for n in range(count)]

    @ek.traced("many")
    def program(question):
        given = ek.context("note", HALF)
        for each in links:
            given = each(given)
        return given

    (words,) = told(recorded(program, "q").whatif(remove="note"), "repeats")
    named = "'link 3', 'link 4' are" if count == 5 else "'link 3' and 2 more are"
    assert f"{named} not declared" in words
    assert "@ek.link(deterministic=True) on link 0" in words


def zone(name: str) -> str:
    "The zone of a place."
    return f"zone of {name}: half of the fare"


def asks(prompt, tools=()):
    said = str(prompt)
    if "zone of" not in said:
        name = "Oslo" if "Oslo" in said else "Bergen"
        return ToolCall(id="1", name="zone", arguments={"name": name})
    return "Oslo." if "zone of Oslo" in said else "Bergen."


def of_tool(offered, *, exact=True):
    pieces = [piece("note", "They live in Oslo.")]
    model = CallableModel(asks, deterministic=exact)
    Agent(model, "Help.", tools=[offered], context=pieces).run_sync("Which zone?")
    return ek.last().whatif(remove="note")


def test_a_tool_that_is_not_declared_is_named_with_the_line_to_add():
    found = of_tool(zone)
    assert found.word == "cause"
    assert told(found, "repeats") == [
        f"link 'zone' is not declared deterministic. {NO_REPEATS}tool(zone, deterministic=True)"
    ]
    (words,) = told(of_tool(zone, exact=False), "repeats")
    assert words.startswith("links 'Agent model', 'zone' are not declared deterministic.")
    assert "CallableModel(fn, deterministic=True)" in words


@pytest.mark.parametrize(
    "offered", [tool(zone, deterministic=True), tool(ek.link(deterministic=True)(zone))]
)
def test_one_rerun_suffices_with_a_tool_that_is_declared(offered):
    found = of_tool(offered)
    assert (str(found), told(found, "repeats")) == ("cause 1/1 vs 0/2, deterministic", [])
    opened = [row for row in ek.last().recording.rows("link_opened") if row["name"] == "zone"]
    assert all(row["deterministic"] for row in opened)


def test_a_loaded_run_says_what_was_not_compared(tmp_path):
    run = recorded(importable, "q")
    assert told(run.whatif(remove="note"), "note") == []
    run.save(tmp_path / "run.ek.jsonl")
    found = ek.load(tmp_path / "run.ek.jsonl").whatif(remove="note")
    (note,) = told(found, "note")
    assert "helper functions beside them was not, and may be newer" in note
