"""A bisection is answered with the mouse in a real JupyterLab, and what it found stays."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """import explainkit as ek


@ek.link
def step(text):
    return text + (" <b>bad</b>" if len(text) > 40 else " $good$")


with ek.trace("chain") as run:
    text = "the beginning"
    for _ in range(10):
        text = step(text)
    ek.answer(text)"""
SHOW = "bisection = run.bisect().show()"
LAST = 5
"""The last question."""
AFTER = "print(bisection.step.seq == bisection.links[4], len(bisection.found.answers))"


def test_the_first_wrong_step_is_found_by_pressing_buttons(explorers):
    lab = explorers.start("bisection", SETUP, SHOW, AFTER)
    lab.run(0)
    shown = lab.run(1)
    expect(shown).to_contain_text("Question 1, if anything is wrong; then about 4 to go.")
    question = shown.locator("textarea")
    expect(shown.get_by_role("button", name="Enough")).to_have_count(0)
    expect(shown.get_by_role("button", name="Don't know")).to_be_visible()
    for number in range(1, LAST + 1):
        expect(shown).to_contain_text(f"Question {number - 1}: " if number > 1 else "Right")
        text = question.input_value()
        wrong = "<b>bad</b>" in text.partition("gave")[2]
        shown.get_by_role("button", name="Wrong" if wrong else "Right", exact=True).click()
    expect(shown).to_contain_text("The first wrong link is function step")
    expect(shown.locator(".jupyter-widgets")).to_have_count(0)
    expect(lab.run(2)).to_contain_text("True")
    assert lab.said == []
    lab.save()
    again = explorers.open("bisection")
    expect(again.output(1)).to_contain_text("The first wrong link is function step")
    expect(again.output(1)).to_contain_text("Question 1, if anything is wrong; then about 4 to go.")
