"""One step has one number in every panel, that of its record, and one name."""

import re

import pytest
from playwright.sync_api import expect

import explainkit as ek
from tests.view.explorer.hosting import made
from tests.view.explorer.reading import expect_title, said

pytestmark = pytest.mark.browser


@ek.link(kind="tool", name="look")
def look(number):
    return f"Line {number} has {number * 7} words."


@ek.link(kind="model", deterministic=True)
def tell(prompt):
    return f"It says: {prompt}"


def looked():
    with ek.trace("looked", question="How long is line 12?") as run:
        found = [look(number) for number in (11, 12, 13)]
        ek.answer(tell(found[1]))
    return run


def record_of(run, name, place=0):
    rows = [row for row in run.recording.rows("link_opened") if row["name"] == name]
    return f"record {rows[place]['seq']}"


def test_a_step_has_one_number_and_one_name_in_every_panel(opened):
    run = made(looked)
    second = record_of(run, "look", 1)
    with opened(run) as (_, page):
        page.get_by_role("option", name="look #2").click()
        expect_title(page, "look #2")
        assert second in page.get_by_role("option", name="look #2").inner_text()
        assert second in page.locator(".ek-inspector .ek-kicker").inner_text()
        box = page.locator(".ek-node[aria-current]")
        assert box.locator(".ek-label").text_content() == "look #2"
        assert box.locator(".ek-seq").text_content() == second
        hop = page.locator(".ek-hop[aria-current]")
        expect(hop).to_contain_text(f"output of look #2 {second}")
        suspect = page.locator(".ek-suspect", has_text="look #2").first
        expect(suspect.locator(".ek-label")).to_contain_text(second)
        page.get_by_role("button", name="Light what fed this").click()
        assert f"look #2 ({second})" in said(page)
        page.get_by_role("tab", name="Timeline").click()
        bars = page.get_by_role("tabpanel", name="Timeline").locator(".ek-bar-row")
        expect(bars.filter(has_text="look #2")).to_contain_text(second)


def test_a_story_names_each_record_as_the_other_panels_do(opened):
    run = made(looked)
    with opened(run) as (_, page):
        story = page.get_by_role("tabpanel", name="Story")
        page.get_by_role("tab", name="Story").click()
        looks = [record_of(run, "look", place).removeprefix("record ") for place in range(3)]
        sentence = story.locator(".ek-line", has_text="The tool “look”").first
        assert f"records {', '.join(looks)}" in sentence.inner_text()
        sentence.get_by_role("button", name=f"record {looks[1]}").click()
        expect_title(page, "look #2")
        told = story.locator(".ek-line", has_text="The model “tell” was given")
        assert record_of(run, "tell") in told.inner_text()
        assert not re.search(r"#\d", story.inner_text())


def test_search_takes_a_number_as_it_is_shown(opened):
    run = made(looked)
    with opened(run) as (_, page):
        page.locator(".ek-search").fill(record_of(run, "look", 2))
        page.locator(".ek-search").press("Enter")
        expect_title(page, "look #3")


def test_a_step_of_a_machine_has_one_number(opened, runs):
    with opened(runs("machine")) as (_, page):
        page.get_by_role("tab", name="Machine").click()
        panel = page.get_by_role("tabpanel", name="Machine")
        expect(panel.locator(".ek-name").first).to_have_text("door after step 3 of 3: push")
        expect(panel.locator(".ek-tools")).to_contain_text("step 3 of 3")
        current = panel.locator(".ek-steps > li[aria-current]")
        number = current.evaluate(
            "(item) => item.parentElement.start + [...item.parentElement.children].indexOf(item)"
        )
        assert number == 3
        panel.get_by_role("button", name="start", exact=True).click()
        expect(panel.locator(".ek-tools")).to_contain_text("step 0 of 3")
        expect(panel.locator(".ek-machine-words > .ek-name")).to_contain_text("step 0 of 3")
