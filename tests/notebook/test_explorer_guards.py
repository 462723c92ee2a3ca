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
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import _instances
comms = get_ipython().kernel.comm_manager.comms
before = len(_instances), len(comms)
with capture_output():
    for _ in range(50):
        run.explore().close()
print("as before:", before == (len(_instances), len(comms)))
"""
CLOSED = "explorer.close(); print(len(_instances), len(comms))"


def held_by_the_page(page):
    """Listeners on the document and style sheets: what an explorer could leave behind."""
    session = page.context.new_cdp_session(page)
    document = session.send("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
    found = session.send("DOMDebugger.getEventListeners", {"objectId": document})["listeners"]
    session.detach()
    kinds = sorted(each["type"] for each in found)
    return kinds, page.locator("style").count(), page.locator(".ek-explorer").count()


def test_recorded_text_that_attacks_is_shown_as_text(explorers):
    attacks = [text for text in ATTACKS.values() if len(text) < 2_000]
    lab = explorers.start(
        "hostile", HOSTILE.format(attacks=json.dumps(attacks)), EXPLORE, height=3000
    )
    before = set(lab.page.evaluate(GLOBALS))  # JupyterLab's own MathJax may come later
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
    assert output.locator("script, form, iframe, link, style, object, math").count() == 0
    own = "img[src^='data:image/png;base64,']"  # the picture of the path
    assert output.locator("img").count() == output.locator(own).count() <= 1
    assert output.locator("[onerror], [onclick], [onmouseover], [onbegin]").count() == 0
    assert lab.page.locator("mjx-container, [data-commandlinker-command]").count() == 0
    assert lab.dialogs == []
    assert set(lab.page.evaluate(GLOBALS)) - before <= {"MathJax"}
    here = lab.page.url.split("/lab/")[0]
    strangers = [url for url in lab.asked if not url.startswith((here, "data:", "blob:"))]
    assert strangers == []
    lab.shot("hostile")


def test_a_run_of_ten_thousand_links_is_explored(explorers):
    lab = explorers.start("big", BIG, EXPLORE, height=2000)
    root = explored(lab)
    expect(root.locator(".ek-node")).not_to_have_count(0)
    assert root.locator(".ek-node").count() <= 400
    expect(root).to_contain_text("folded")
    search = root.get_by_role("searchbox", name="Search records")
    search.fill("note-7777")
    search.press("Enter")
    expect(root.locator(".ek-inspector")).to_contain_text("Line 7777 has 54439 words")
    lab.shot("ten-thousand-links", of=root)


def test_rounds_of_exploring_leave_nothing_in_the_kernel_or_in_the_page(explorers):
    lab = explorers.start("rounds", CLAIM, ROUNDS, EXPLORE, CLOSED)
    lab.run(0)
    assert "as before: True" in lab.run(1).inner_text()
    held, counts = [], []
    for _ in range(5):
        lab.run(2)
        lab.output(2).locator(".ek-node").first.wait_for()
        counts.append(lab.run(3).inner_text().split())
        expect(lab.page.locator(".ek-explorer")).to_have_count(0)
        held.append(held_by_the_page(lab.page))
    # A hover box of JupyterLab's own hears `mousedown` while it is there; a leak would grow.
    assert all(listeners.count("mousedown") <= 1 for listeners, *_ in held)
    held = [([each for each in one if each != "mousedown"], *rest) for one, *rest in held]
    assert held[1:] == held[:-1]
    assert counts[1:] == counts[:-1]
