"""From suspect to cause in a real JupyterLab: ticked off, stopped beside a cell, bisected."""

import re

import pytest
from playwright.sync_api import expect

from tests.notebook.explorer_pages import explored, select_words
from tests.notebook.lab_pages import DARK, LIGHT
from tests.view.browsing import low_contrast

pytestmark = pytest.mark.browser

CLAIM = """
import explainkit as ek
from explainkit.demos.claims_desk import QUESTION, claim
desk = ek.traced("delay-claim")(claim)
desk(QUESTION)
run = ek.last()
"""
SLOW = """
import pathlib, time
import explainkit as ek
steps = pathlib.Path("steps")
steps.mkdir(exist_ok=True)
@ek.link(kind="model")
def ask(prompt):
    number = len(list(steps.glob("asked-*")))
    (steps / f"asked-{number}").touch()
    while number and not (steps / f"go-{number}").exists():
        time.sleep(0.02)
    return "Half is paid back." if "half" in prompt else "Nothing is paid back."
@ek.traced("slow claim")
def claim(question):
    note = ek.context("note", "For 30 minutes we pay back half.", kind="memory")
    return ask(ek.assemble("{note} {q}", note=note, q=question))
claim("40 minutes late?")
run = ek.last()
"""
EXPLORE = "explorer = run.explore()"
READ = "print(explorer.whatif.word, *explorer.whatif.interventions, sep='|')"
HELD = """
import pathlib, time
while not pathlib.Path("cell-ends").exists():
    time.sleep(0.05)
print("the cell ended")
"""
CHAIN = """
import explainkit as ek
@ek.link
def double(number):
    return number * 2 if number != 2468 else 17
with ek.trace("doubling") as run:
    number = 1234
    for _ in range(4):
        number = double(number)
    ek.answer(number)
"""


def test_a_suspect_is_ticked_off_and_becomes_a_cause(explorers):
    lab = explorers.start("whatif", CLAIM, EXPLORE, READ, height=3600)
    root = explored(lab)
    select_words(root, "half of the fare")
    card = root.locator(".ek-suspect", has_text="campaign-note")
    card.get_by_role("button", name="What if it were not there?").click()
    panel = root.get_by_role("tabpanel", name="What if")
    expect(panel.get_by_role("checkbox", name=re.compile("campaign-note"))).not_to_be_checked()
    expect(panel).to_contain_text("does not say “half of the fare” any more")
    panel.get_by_role("button", name="Run it again").click()
    expect(panel.locator(".ek-stamp-word")).to_have_text("cause")
    expect(root.locator(".ek-status")).to_contain_text("without campaign-note: cause 1/1 vs 0/2")
    expect(card.locator(".ek-stamp")).to_contain_text("cause")
    lab.run(2)
    assert lab.text(2).strip() == "cause|remove campaign-note"
    for theme, name in ((DARK, "dark"), (LIGHT, "light")):
        lab.wear(theme)
        expect(root).to_have_attribute("data-theme", name)
        assert low_contrast(lab.page, ".ek-explorer") == []
        lab.shot(f"whatif-{name}", of=root)
    panel.get_by_role("button", name="Both runs side by side").click()
    beside = root.get_by_role("tabpanel", name="Two runs")
    beside.get_by_role("button", name="assemble", exact=True).first.click()
    expect(root.locator(".ek-inspector .ek-title")).to_have_text("assemble")
    lab.shot("beside", of=beside)
    assert lab.said == []


def test_a_what_if_is_stopped_while_a_cell_runs(explorers):
    lab = explorers.start("stopped", SLOW, EXPLORE, HELD, READ, height=2400)
    root = explored(lab)
    steps = explorers.folder / "steps"
    root.get_by_role("tab", name="What if").click()
    panel = root.get_by_role("tabpanel", name="What if")
    panel.get_by_role("checkbox", name=re.compile("note")).uncheck()
    panel.get_by_role("button", name="Run it again").click()
    panel.get_by_role("button", name="Stop").wait_for()
    cell = lab.cell(2)
    cell.locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt").first).to_have_text("[*]:")
    (steps / "go-1").touch()
    expect(panel).to_contain_text("1 re-run done")
    panel.get_by_role("button", name="Stop").click()
    expect(panel).to_contain_text("Stops after the present re-run")
    lab.shot("whatif-stopping", of=root)
    (steps / "go-2").touch()
    expect(panel).to_contain_text("Stopped after 2 re-runs; what was done is kept")
    expect(cell.locator(".jp-InputPrompt").first).to_have_text("[*]:")
    (explorers.folder / "cell-ends").touch()
    expect(lab.output(2)).to_contain_text("the cell ended")
    lab.run(3)
    assert lab.text(3).strip() == "inconclusive|remove note"
    assert lab.said == []


def test_the_first_wrong_step_is_found_by_clicks(explorers):
    lab = explorers.start(
        "bisected", CHAIN, EXPLORE, "print(explorer.bisection.step.output)", height=2600
    )
    root = explored(lab)
    root.get_by_role("tab", name="Bisect").click()
    panel = root.get_by_role("tabpanel", name="Bisect")
    panel.get_by_role("button", name="Begin").click()
    words = panel.locator(".ek-bisect-words")
    expect(words).to_contain_text("Question 1")
    lab.shot("bisect-asking", of=root)
    while "Question" in (asked := words.inner_text()):
        gave = panel.locator(".ek-answer").inner_text().split()[-1]
        answer = "Right" if gave in ("2468", "4936", "9872") else "Wrong"
        panel.get_by_role("button", name=answer, exact=True).click()
        expect(words).not_to_have_text(asked)
    expect(words).to_be_focused()
    expect(words).to_contain_text("The first wrong link is function double (record 5)")
    expect(root.locator(".ek-node[aria-current]")).to_contain_text("double")
    expect(root.locator(".ek-inspector")).to_contain_text("17")
    lab.run(2)
    assert lab.text(2).strip() == "17"
    assert lab.said == []
    lab.shot("bisect-found", of=root)
