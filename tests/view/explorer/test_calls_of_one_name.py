"""Calls of one name are told apart by the same number in every panel."""

import pytest
from playwright.sync_api import expect

from explainkit.view.explorer import Exploration
from explainkit.view.explorer.causes.offered import Offered
from tests.view.explorer import desks
from tests.view.explorer.hosting import made
from tests.view.explorer.walking import walks_of


def test_every_panel_numbers_the_calls_of_a_model_and_of_a_checker():
    run = desks.run()
    asked = Exploration(run.evidence, walk=walks_of(run))
    shown = asked.walk(slot="item:pool")
    assert [card["name"] for card in shown["suspects"]] == ["ask #1"]
    assert shown["prompt"]["name"] == "ask #1"
    tree = [row["what"] for row in asked.tree()["rows"]]
    assert [what for what in tree if "ask" in what] == [f"model ask #{at}" for at in (1, 2, 3)]
    assert [what for what in tree if "check" in what] == [f"check check #{at}" for at in (1, 2, 3)]
    assert "generate generate" in tree  # alone of its name


def test_a_piece_of_the_list_does_not_say_its_name_twice():
    rows = Offered(desks.run().recording).rows()["rows"]
    assert [(row["name"], row["word"]) for row in rows if "check" in row["name"]] == [
        ("check #1", ""), ("check #2", ""), ("check #3", "")]  # fmt: skip
    assert ("pool", "answer-flow") in [(row["name"], row["word"]) for row in rows]


@pytest.mark.browser
def test_what_was_measured_of_one_call_names_that_call(opened):
    run = made(desks.asked_twice)
    with opened(run) as (hosted, page):
        page.get_by_role("tab", name="What if").click()
        panel = page.get_by_role("tabpanel", name="What if")
        piece = panel.locator(".ek-piece", has_text="price #2")
        piece.get_by_role("button", name="Edit the text of price #2").click()
        box = piece.get_by_role("textbox")
        box.fill(box.input_value().replace("18", "21"))
        expect(panel.locator(".ek-runbox .ek-list")).to_have_text("“18” becomes “21” in price #2")
        before = hosted.reruns._thread
        panel.get_by_role("button", name="Run it again").click()
        while hosted.reruns._thread is before:
            page.wait_for_timeout(10)
        hosted.deliver()
        expect(panel.locator(".ek-stamp-card .ek-name")).to_have_text(
            "“18” in price #2 becomes '21'"
        )
        panel.get_by_role("button", name="Both runs side by side").click()
        beside = page.get_by_role("tabpanel", name="Two runs")
        expect(beside.locator(".ek-section", has_text="Where they part")).to_contain_text(
            "tool price #2"
        )
