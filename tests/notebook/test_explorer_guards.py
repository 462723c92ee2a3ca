"""What must not happen to a notebook with an explorer: harm by recorded text, leaks, barriers."""

import json

import pytest
from playwright.sync_api import expect

from tests.notebook.explorer_pages import CLAIM, EXPLORE, explored
from tests.view.hostile import ATTACKS

pytestmark = pytest.mark.browser

HOSTILE = """
import explainkit as ek
attacks = {attacks}
everything = "\\n".join(attacks)
@ek.link(kind="model")
def ask(prompt):
    return everything + " half of the fare"
with ek.trace(everything, question=everything) as run:
    pieces = [ek.context(each, each + " half of the fare", kind="memory", source=each, why=each)
              for each in attacks]
    ek.left_out(everything, everything, why=everything, how="dropped")
    ek.event(everything, everything, sender=everything)
    ek.answer(ask(ek.assemble("{{all}}", all="\\n".join(pieces))))
    ek.override(lambda text: text + everything, by=everything, reason=everything)
issue = {{"code": "x", "message": everything}}
run.verdict("failed", judge=everything, reason=everything, issues=[issue])
run.note(everything, by=everything)
"""
GLOBALS = "() => Object.getOwnPropertyNames(window).sort()"
BIG = """
import explainkit as ek
def turn(number):
    with_note = ek.context(f"note-{number}", f"Line {number} has {number * 7} words of text.")
    return say(f"{with_note} And more.")
@ek.link(kind="model")
def say(prompt):
    return prompt.replace("words", "letters")
with ek.trace("long", question="How long?") as run:
    for number in range(10_000):
        said = turn(number)
    ek.answer(said)
"""
ROUNDS = """
import ipywidgets
from ipywidgets.widgets.widget import _instances
manager = get_ipython().kernel.comm_manager
before = len(_instances), len(manager.comms)
for _ in range(50):
    run.explore().close()
print(before == (len(_instances), len(manager.comms)), len(run.explore()._controls._pool))
run.explorer.close()
"""
MODELS = """() => {
  const nodes = [...document.querySelectorAll("*")].length;
  return [document.querySelectorAll(".ek-explorer, .widget-button").length, nodes];
}"""


def test_recorded_text_that_attacks_is_shown_as_text(explorers):
    attacks = [text for text in ATTACKS.values() if len(text) < 2_000]
    lab = explorers.start("hostile", HOSTILE.format(attacks=json.dumps(attacks)), EXPLORE)
    before = set(lab.page.evaluate(GLOBALS))
    root = explored(lab)
    tabs = root.get_by_role("tab")
    for number in range(tabs.count()):
        if tabs.nth(number).is_visible():
            tabs.nth(number).click()
    boxes = root.locator(".ek-node")
    for number in range(min(boxes.count(), 8)):
        boxes.nth(number).dispatch_event("click")
    expect(root.locator(".ek-inspector")).to_contain_text("record")
    output = lab.output(1)
    assert output.locator("script, img, form, iframe, link, style, object, math").count() == 0
    assert output.locator("[onerror], [onclick], [onmouseover], [onbegin]").count() == 0
    assert lab.page.locator("mjx-container, [data-commandlinker-command]").count() == 0
    assert lab.dialogs == []
    assert set(lab.page.evaluate(GLOBALS)) - before <= {"jupyterlab"}
    here = lab.page.url.split("/lab/")[0]
    strangers = [url for url in lab.asked if not url.startswith((here, "data:", "blob:"))]
    assert strangers == []
    lab.shot("hostile", of=root)


def test_a_run_of_ten_thousand_links_is_explored(explorers):
    lab = explorers.start("big", BIG, EXPLORE)
    root = explored(lab)
    expect(root.locator(".ek-node")).not_to_have_count(0)
    assert root.locator(".ek-node").count() <= 400
    expect(root).to_contain_text("folded")
    search = root.get_by_role("searchbox", name="Search records")
    search.fill("note-7777")
    search.press("Enter")
    expect(root.locator(".ek-inspector")).to_contain_text("Line 7777 has 54439 words")
    lab.shot("ten-thousand-links", of=root)


def test_fifty_rounds_leave_nothing_in_the_kernel_or_in_the_page(explorers):
    lab = explorers.start("rounds", CLAIM, ROUNDS)
    lab.run(0)
    lab.run(1)
    assert "True 3" in lab.text(1)
    expect(lab.output(1).locator(".ek-explorer")).to_have_count(0)
    expect(lab.output(1).locator(".widget-button")).to_have_count(0)
