"""Two runs beside each other, in lines, on a board and as the panel gets them: all, or counted."""

import html

import pytest

import explainkit as ek
from explainkit.flow.agents import Agent, tool
from explainkit.flow.models import ScriptedModel, ToolCall
from explainkit.view.explorer.causes.sides import ROWS, sides_told
from tests.whatif.programs import recorded


@ek.traced("claim")
def claim(question, zone, client=None):
    ek.context("tariff", "Half is paid back.", source=f"tariff {zone}", kind="document")
    return {"zone": zone, "paid": "half"}


def compared(one, other):
    return ek.diff(recorded(claim, *one), recorded(claim, *other))


def plain(side):
    return "".join(text for text, *_ in side)


def test_the_panel_is_told_the_fields_that_the_board_shows():
    found = compared(("40 minutes late?", "a"), ("90 minutes late?", "b"))
    told = sides_told(found.found)
    names = [each["name"] for each in told["fields"]]
    assert names == [each.name for each in found.fields]
    assert {"argument question", "argument zone"} <= set(names)
    assert any("tariff" in each and each.endswith("source") for each in names)
    board, text = html.unescape(found._repr_html_()), repr(found)
    for each in told["fields"]:
        assert each["name"] in board
        assert each["name"] in text
    zone = next(each for each in told["fields"] if each["name"] == "argument zone")
    assert [plain(side) for side in zone["sides"]] == ["a", "b"]
    assert told["more"] == 0


def test_runs_that_are_the_same_have_no_fields():
    told = sides_told(compared(("q", "a"), ("q", "a")).found)
    assert (told["fields"], told["headline"]) == ([], "Nothing that was recorded differs.")


@ek.traced("many")
def many(words, count):
    for number in range(count):
        ek.context(f"page {number}", f"{words} {number}")
    return "read"


@pytest.mark.parametrize(("count", "left"), [(12, 0), (13, 0), (14, 2)])
def test_one_more_context_is_shown_rather_than_counted(count, left):
    found = ek.diff(recorded(many, "half", count), recorded(many, "all", count))
    text, board = repr(found), found._repr_html_()
    assert text.count("context   page") == count - left
    assert (f"and {left} more" in text, f"… {left} more not shown" in board) == (left > 0, left > 0)
    assert "1 more" not in text.replace(" 11 more", "")


@pytest.mark.parametrize(("count", "left"), [(ROWS, 0), (ROWS + 1, 0), (ROWS + 2, 2)])
def test_the_panel_counts_no_single_one(count, left):
    found = ek.diff(recorded(many, "half", count), recorded(many, "all", count))
    told = sides_told(found.found)
    assert (len(told["contexts"]), told["more"]) == (count - left, left)


@pytest.mark.parametrize(("count", "left"), [(13, 0), (14, 2)])
def test_one_more_option_of_a_choice_is_shown_rather_than_counted(count, left):
    def made(number):
        def look(name: str) -> str:
            return name

        return tool(look, name=f"look_{number}", description=f"Look up parcel {number}.")

    script = ScriptedModel([ToolCall(id="1", name="look_3", arguments={"name": "a"}), "Done."])
    Agent(script, "Help.", tools=[made(number) for number in range(count)]).run_sync("Parcel 3?")
    text = repr(ek.last().choice())
    shown = [line for line in text.splitlines() if line.startswith(("offered", "chosen"))]
    assert len(shown) == count - left
    assert (f"{left} more were offered" in text) is bool(left)
