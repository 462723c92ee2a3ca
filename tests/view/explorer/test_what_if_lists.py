"""The What-if list: names of its buttons and pieces, and what is disabled."""

import re

import pytest
from playwright.sync_api import expect

import explainkit as ek
from explainkit.view.explorer.causes.offered import Offered
from tests.view.explorer.hosting import made


def twice_asked():
    @ek.link(kind="tool")
    def ask(question):
        return [{"id": "fare", "text": f"No fare for {question}."}, {"id": "desk", "text": "Shut."}]

    @ek.traced("twice asked")
    def run(question):
        note = ek.context("ask", "Be brief.", kind="instruction")
        ek.context("manners", "Be polite.", kind="instruction")
        ek.left_out("ask", "A ticket is 9 euros.", why="too long")
        return f"{note} {ask(question)[0]['text']} {ask('bicycles')[0]['text']}"

    run("dogs")
    return ek.last()


def in_a_block():
    with ek.trace("in a block", question="When?") as run:
        ek.answer(ek.context("note", "At seven."))
    return run


def test_steps_of_one_name_are_told_apart_by_which_call_they_are():
    offered = Offered(twice_asked().recording)
    rows = [(row["group"], row["name"], row["seq"]) for row in offered.rows()["rows"]]
    assert [row[:2] for row in rows] == [
        ("context", "ask"),
        ("context", "manners"),
        ("left out", "ask"),
        ("result", "ask #1"),
        ("result", "ask #2"),
    ]
    change = {"verb": "remove", "seq": rows[-1][2], "position": 1}
    assert offered.meant([change])[1] == ("without item 2 of ask #2 (desk)",)
    assert [row["name"] for row in offered.rows("#2")["rows"]] == ["ask #2"]


def test_items_are_told_by_their_words():
    offered = Offered(twice_asked().recording)
    (seq,) = (row["seq"] for row in offered.rows()["rows"] if row["name"] == "ask #1")
    assert [item["text"] for item in offered.piece(seq)["items"]] == [
        "id: fare, text: No fare for dogs.",
        "id: desk, text: Shut.",
    ]


def test_leaves_of_items_are_counted_as_their_tick_boxes_are():
    offered = Offered(twice_asked().recording)
    (seq,) = (row["seq"] for row in offered.rows()["rows"] if row["name"] == "ask #1")
    labels = [leaf["label"] for leaf in offered.piece(seq)["leaves"]]
    assert labels == ["item 1, id", "item 1, text", "item 2, id", "item 2, text"]


def test_what_holds_no_text_has_no_editor():
    @ek.link
    def allowed(question):
        return True

    @ek.traced("gate")
    def run(question):
        return "Yes." if allowed(question) else "No."

    run("May I?")
    (row,) = Offered(ek.last().recording).rows()["rows"]
    assert (row["name"], row["text"], row["edit"]) == ("allowed", "true", False)


@pytest.mark.browser
def test_no_two_buttons_of_the_what_if_panel_have_one_name(opened):
    with opened(made(twice_asked)) as (_, page):
        page.get_by_role("tab", name="What if").click()
        panel = page.get_by_role("tabpanel", name="What if")
        expect(panel.get_by_role("button", name="Edit the text of ask #2")).to_be_visible()
        names = re.findall(r'- button "([^"]*)"', panel.aria_snapshot())
        assert len(names) > 6
        assert sorted(names) == sorted(set(names))


@pytest.mark.browser
def test_what_cannot_be_run_again_has_no_boxes_and_says_why_beside_its_button(opened):
    with opened(made(in_a_block)) as (_, page):
        page.get_by_role("tab", name="What if").click()
        panel = page.get_by_role("tabpanel", name="What if")
        expect(panel.get_by_role("button", name="Run it again")).to_have_accessible_description(
            re.compile("cannot be run again")
        )
        boxes = panel.locator(".ek-pieces input")
        assert boxes.count() > 0
        for box in boxes.all():
            expect(box).to_be_disabled()


@pytest.mark.browser
def test_the_buttons_of_a_piece_stand_below_its_text_on_a_narrow_screen(opened):
    with opened(made(twice_asked), width=400) as (_, page):
        page.get_by_role("tab", name="What if").click()
        piece = page.locator(".ek-piece", has_text="manners")
        text = piece.locator(".ek-piece-head").bounding_box()
        button = piece.get_by_role("button", name="Edit").bounding_box()
        assert button["y"] >= text["y"] + text["height"]
        assert text["width"] > 280


@pytest.mark.browser
def test_a_recording_of_another_program_is_to_be_read_only(opened, tmp_path):
    run = made(lambda: ek.load(in_a_block().save(tmp_path / "block.ek.jsonl")))
    with opened(run) as (_, page):
        expect(page.locator(".ek-tries-why")).to_contain_text(
            "This is a recording whose program is not here."
        )
        page.get_by_role("tab", name="What if").click()
        panel = page.get_by_role("tabpanel", name="What if")
        go = panel.get_by_role("button", name="Run it again")
        expect(go).to_be_disabled()
        expect(go).to_have_attribute("title", re.compile("Nothing can be run again"))
        expect(go).to_have_accessible_description(re.compile("whose program is not here"))
        expect(panel.get_by_role("checkbox", name=re.compile("note"))).to_be_disabled()
        expect(panel.get_by_role("button", name=re.compile("^Edit"))).to_have_count(0)
        expect(panel.get_by_role("button", name="Show the record of note")).to_be_enabled()
