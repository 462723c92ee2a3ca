"""A person explores a run in a real JupyterLab: by mouse, by keyboard, and on in the next cell."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.notebook.explorer_pages import CLAIM, EXPLORE, READ, explored, select_words
from tests.notebook.lab_pages import DARK, LIGHT
from tests.view.browsing import low_contrast

pytestmark = pytest.mark.browser

WIDER = """(root) => [root, ...root.querySelectorAll(":scope > *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
  .map((each) => [each.className, each.scrollWidth, each.clientWidth])"""


def serious(page):
    """What axe calls serious or critical in the explorer."""
    found = Axe().run(page, context=".ek-explorer").response["violations"]
    return [
        (each["id"], each["nodes"][0]["html"][:200])
        for each in found
        if each["impact"] in {"serious", "critical"}
    ]


def test_words_that_are_selected_with_the_mouse_light_their_path(explorers):
    lab = explorers.start("mouse", CLAIM, EXPLORE, READ, height=3000)
    root = explored(lab)
    assert "My train was 40 minutes late" in root.inner_text()
    expect(root.locator(".ek-node")).not_to_have_count(0)
    select_words(root, "half of the fare")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")
    trail = root.locator(".ek-trail")
    for verb in ("overridden", "said", "read", "landed", "allowed", "born"):
        expect(trail).to_contain_text(verb)
    expect(root.locator(".ek-node.ek-source")).to_contain_text("campaign-note")
    lab.run(2)
    assert lab.text(2).strip().split("|") == ["half of the fare", "(28, 44)", "campaign-note"]
    assert lab.output(1).locator("details.ek-static").get_attribute("open") is None
    for theme, name in ((DARK, "dark"), (LIGHT, "light")):
        lab.wear(theme)
        expect(root).to_have_attribute("data-theme", name)
        assert low_contrast(lab.page, ".ek-explorer, .ek-static") == []
        assert serious(lab.page) == []
        lab.shot(f"explorer-{name}", of=lab.output(1))
    assert lab.said == []


def test_an_override_is_shown_as_a_change(explorers):
    lab = explorers.start("override", CLAIM, EXPLORE, height=2400)
    root = explored(lab)
    root.get_by_role("tab", name=re.compile("Overrides")).click()
    panel = root.get_by_role("tabpanel", name=re.compile("Overrides"))
    expect(panel).to_contain_text("redactor")
    expect(panel.locator("del")).to_have_text(re.compile("Ms Ines Harlow"))
    expect(panel.locator("ins")).to_have_text(re.compile("passenger"))
    panel.get_by_role("button", name=re.compile("redactor")).click()
    expect(root.locator(".ek-inspector")).to_contain_text("names stay inside")
    lab.shot("override", of=root)


def test_everything_can_be_done_with_the_keyboard_alone(explorers):
    lab = explorers.start("keys", CLAIM, EXPLORE, READ)
    root = explored(lab)
    keys = lab.page.keyboard
    root.locator(".ek-strip-text").focus()
    keys.press("Control+End")
    for _ in range(4):
        keys.press("Control+Shift+ArrowLeft")
    keys.press("Shift+ArrowRight")
    keys.press("Shift+ArrowLeft")
    keys.press("Enter")
    expect(root.locator(".ek-strip-text mark")).to_contain_text("of the fare.")
    keys.press("/")
    keys.type("campaign")
    keys.press("Enter")
    expect(root.locator(".ek-inspector")).to_contain_text("campaign-note")
    keys.press("Escape")
    keys.press("Escape")
    box = root.locator(".ek-node[aria-current]")
    expect(box).to_have_count(1)
    expect(box).to_be_focused()
    keys.press("ArrowDown")
    expect(box).not_to_contain_text("campaign-note")
    keys.press("Enter")
    expect(root.locator(".ek-status")).to_contain_text("feed")
    # Letters with the canvas in focus must not edit the notebook.
    cells = lab.page.locator(".jp-Notebook .jp-Cell").count()
    for letter in "abddxz":
        keys.press(letter)
    assert lab.page.locator(".jp-Notebook .jp-Cell").count() == cells
    lab.run(2)
    assert "of the fare." in lab.text(2)


def test_what_python_selects_shows_in_the_browser(explorers):
    lab = explorers.start(
        "python", CLAIM, EXPLORE, 'explorer.select("half of the fare").focus("tariff").cursor'
    )
    root = explored(lab)
    lab.run(2)
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")
    expect(root.locator(".ek-inspector")).to_contain_text("tariff")


def test_a_listener_that_fails_is_said_where_the_person_looks(explorers):
    fails = "@explorer.on_select\ndef fails(told):\n    raise RuntimeError('no such table')"
    lab = explorers.start("listener", CLAIM, EXPLORE, fails)
    root = explored(lab)
    lab.run(2)
    select_words(root, "half of the fare")
    expect(root.locator(".ek-status")).to_contain_text("fails raised RuntimeError: no such table")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")


def test_words_are_walked_while_a_cell_still_runs(explorers):
    held = (
        "import pathlib, time\n"
        "while not pathlib.Path('go-on').exists():\n"
        "    time.sleep(0.05)\n"
        "print(explorer.selection)"
    )
    lab = explorers.start("busy", CLAIM, EXPLORE, held)
    root = explored(lab)
    cell = lab.cell(2)
    cell.locator(".cm-content").click()
    lab.page.keyboard.press("Control+Enter")
    expect(cell.locator(".jp-InputPrompt").first).to_have_text("[*]:")
    select_words(root, "half of the fare")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")
    expect(cell.locator(".jp-InputPrompt").first).to_have_text("[*]:")
    (explorers.folder / "go-on").touch()
    expect(lab.output(2)).to_contain_text("half of the fare")


def test_the_button_closes_the_widget_and_leaves_the_board(explorers):
    lab = explorers.start("close", CLAIM, EXPLORE)
    root = explored(lab)
    lab.output(1).get_by_role("button", name="Close the explorer").press("Enter")
    expect(root).to_have_count(0)
    expect(lab.output(1)).to_contain_text("My train was 40 minutes late")
    expect(lab.output(1).locator("details.ek-static > summary")).to_be_focused()


@pytest.mark.parametrize("width", [400, 1600])
def test_it_fits_narrow_and_wide_pages(explorers, width):
    lab = explorers.start(
        "widths", CLAIM, EXPLORE, width=width, height=5000 if width < 700 else 2400
    )
    root = explored(lab)
    select_words(root, "half of the fare")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")
    assert root.evaluate(WIDER) == []
    lab.shot(f"explorer-{width}", of=root)
