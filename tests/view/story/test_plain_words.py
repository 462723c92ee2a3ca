"""Recorded values in stories: small objects by their fields, everything else in few words."""

import pytest

import explainkit as ek
from explainkit.flow import Agent
from explainkit.flow.models import ScriptedModel
from explainkit.view.story.wording import plain_words
from tests.view.story.test_laws_of_stories import check_linked


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"city": "Linz", "night": 120}, "city “Linz” and night 120"),
        ({"ok": True, "why": None}, "ok yes and why nothing"),
        ([{"id": "a", "year": 2023}, {"id": "b", "year": 2026}],
         "a list of 2, of which the first has id “a” and year 2023"),
        ([7, 8], "a list of 2, of which the first is 7"),
        ({}, "“{}”"),
        ({"a": [1], "b": 2}, "“{\"a\":[1],\"b\":2}”"),
        ({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}, "“{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}”"),
    ],
)  # fmt: skip
def test_an_object_of_a_few_plain_fields_is_told_by_them(value, told):
    assert plain_words(value) == told


def test_pieces_of_context_tell_their_source_and_reason_where_they_have_one():
    with ek.trace("offered", question="Late?") as run:
        ek.context("tariff", "From 60 minutes.", kind="document", source="tariff.md", why="always")
        ek.context("note", "We pay half.", kind="memory")
    story = run.story()
    check_linked(story)
    (told,) = [each.text for each in story if each.kind == "context"]
    assert told == (
        "Two pieces of context were offered: the document “tariff” (from tariff.md; reason: "
        "“always”) and the memory “note”."
    )


def test_a_model_without_tools_is_said_to_have_been_given_none_of_them():
    Agent(ScriptedModel(["An hour."]), "Be brief.", name="desk").run_sync("How long?")
    story = ek.last().story()
    (told,) = [each.text for each in story if each.text.startswith("The model")]
    assert told == "The model “desk model” was given two messages and said “An hour.”"
