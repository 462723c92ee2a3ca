"""A run that is watched in a real JupyterLab: seen while its cell is busy, answered, kept."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """%load_ext explainkit
import time
from pathlib import Path

import explainkit as ek
from explainkit.flow import define_event, final, gate, invoke, machine, state, to

desk = machine(
    "desk",
    initial="asked",
    actors={"review": gate(define_event("approve", "Pay it <b>back</b>."))},
    states={"asked": state(invoke=invoke("review"), on={"approve": to("done")}), "done": final()},
)"""
WATCH = "watch = ek.watch()"
TRACED = """%%trace claim
running = desk.begin()
ek.link(lambda x: x, name="$first$")(1)
while not Path("go").exists():
    time.sleep(0.01)
await running.outcome()
ek.answer("approved by a person")"""


def test_a_run_is_seen_while_its_cell_is_busy_and_its_gate_is_answered_beside_it(explorers):
    lab = explorers.start("watch", SETUP, WATCH, TRACED)
    lab.run(0)
    shown = lab.run(1)
    expect(shown).to_contain_text("Waits for the next run to open")
    lab.cell(2).locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    prompt = lab.cell(2).locator(".jp-InputPrompt").first
    expect(shown).to_contain_text("claim is running")
    expect(shown).to_contain_text("function \uff04first\uff04: answered")
    expect(shown).to_contain_text("Pay it <b>back</b>.")
    expect(prompt).to_have_text("[*]:")
    unused = shown.locator(".widget-label").filter(has_text=re.compile("^$"), visible=True)
    expect(unused).to_have_count(1)  # where the form will say what was sent
    lab.shot("watch", of=shown)
    (explorers.folder / "go").touch()
    shown.get_by_role("button", name="approve").click()
    expect(prompt).to_have_text("[3]:")
    expect(lab.output(2)).to_contain_text('run "claim" answered, in memory only')
    expect(shown).to_contain_text("claim is over, answered")
    expect(shown).to_contain_text("Answer: approved by a person")
    expect(shown.locator(".jupyter-widgets")).to_have_count(0)
    assert lab.said == []
    lab.save()
    again = explorers.open("watch")
    expect(again.output(1)).to_contain_text("claim is over, answered")
    expect(again.output(1)).to_contain_text("Answer: approved by a person")
