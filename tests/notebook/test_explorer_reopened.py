"""A notebook with an explorer in it, opened again: trusted or not, converted, kernel gone."""

import json

import nbformat
import pytest
from playwright.sync_api import expect

from tests.notebook.explorer_pages import CLAIM, EXPLORE, explored, select_words
from tests.notebook.lab_pages import SHOTS, end_kernels

pytestmark = pytest.mark.browser

TOLD = (
    "My train was 40 minutes late", "We pay back half of the fare", "failed, says reviewer",
    "campaign-note", "memory/2025-12", "overridden", "names stay inside",
    "What the model saw in ask",
)  # fmt: skip
INSTEAD = "needs the kernel that made it: run this cell again"


def saved(explorers, name):
    """A notebook that was run and saved; gives its path and the page, which is still open."""
    lab = explorers.start(name, CLAIM, EXPLORE)
    explored(lab)
    lab.save()
    return explorers.folder / f"{name}.ipynb", lab


def test_a_saved_notebook_tells_the_story_however_it_is_opened(explorers, tmp_path):
    path, lab = saved(explorers, "kept")
    lab.page.close()
    end_kernels(explorers.address)
    book = nbformat.read(path, 4)
    first, second = book.cells[1].outputs
    assert set(first.data) == {"text/plain", "text/html"}
    assert "text/html" not in second.data
    assert INSTEAD in second.data["text/plain"]

    trusted = explorers.open("kept", height=2000)
    output = trusted.output(1)
    expect(output).to_contain_text("campaign-note")
    assert all(words in output.inner_text() for words in TOLD)
    assert trusted.page.locator("[title^='Notebook trusted']").count() == 1
    trusted.shot("reopened-trusted")

    book.metadata["changed"] = "so that the signature fits no more"
    nbformat.write(book, explorers.folder / "stranger.ipynb")
    untrusted = explorers.open("stranger", height=2000)
    output = untrusted.output(1)
    expect(output).to_contain_text("campaign-note")
    assert all(words in output.inner_text() for words in TOLD)
    assert untrusted.page.locator("[title^='Notebook not trusted']").count() == 1
    assert untrusted.page.locator(".ek-explorer").count() == 0
    untrusted.shot("reopened-untrusted")

    exported(path, explorers.context.browser, tmp_path)


def exported(path, browser, folder):
    """What nbconvert makes of it, as HTML and as Markdown, says the same."""
    from nbconvert import HTMLExporter, MarkdownExporter

    book = nbformat.read(path, 4)
    page, _ = HTMLExporter().from_notebook_node(book)
    (folder / "kept.html").write_text(page, "utf-8")
    with browser.new_context(offline=True, viewport={"width": 1100, "height": 2000}) as context:
        opened = context.new_page()
        opened.goto((folder / "kept.html").as_uri(), wait_until="domcontentloaded")
        text = opened.locator("body").inner_text()
        assert all(words in text for words in TOLD)
        SHOTS.mkdir(parents=True, exist_ok=True)
        opened.screenshot(path=SHOTS / "nbconvert-html.png", full_page=True)
    markdown, _ = MarkdownExporter().from_notebook_node(book)
    start = markdown.index("<details")
    board = markdown[start : markdown.index("</details>", markdown.index("campaign-note"))]
    assert "\n" not in board  # an empty line would end the HTML there
    assert all(words in markdown for words in TOLD[:5])
    (SHOTS / "nbconvert.md").write_text(markdown, "utf-8")


def test_a_widget_whose_kernel_is_gone_says_so_and_keeps_what_it_shows(explorers):
    lab = explorers.start("gone", CLAIM, EXPLORE)
    root = explored(lab)
    end_kernels(explorers.address)
    expect(lab.page.locator(".jp-Dialog")).to_have_count(0)
    select_words(root, "half of the fare")
    expect(root.locator(".ek-status")).to_contain_text("What is shown stays")
    expect(root.locator(".ek-trail")).to_contain_text("campaign-note")


def test_a_widget_whose_kernel_was_restarted_says_what_to_do_and_can_be_read(explorers):
    lab = explorers.start("restarted", CLAIM, EXPLORE)
    root = explored(lab)
    close = lab.output(1).get_by_role("button", name="Close the explorer")
    expect(close).to_be_visible()
    root.get_by_role("tab", name="Custody").click()
    restart = "jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    lab.page.evaluate(restart)
    status = root.locator(".ek-status")
    gone = "The kernel of this explorer was restarted or has ended: run the cell again"
    expect(status).to_contain_text(gone)
    expect(close).to_have_count(0)  # nobody is there to close anything
    root.get_by_role("tab", name="Overrides").click()
    expect(root.get_by_role("tabpanel", name="Overrides")).to_contain_text("redactor")
    root.locator(".ek-node", has_text="tariff").click()
    expect(root.locator(".ek-trail")).to_contain_text("campaign-note")
    root.get_by_role("tab", name="Story").click()
    expect(root.get_by_role("tabpanel", name="Story")).not_to_contain_text("Asking")
    select_words(root, "half of the fare")
    expect(status).to_contain_text(gone)
    lab.shot("kernel-restarted", of=root)
    for number in (0, 1):  # what it says to do helps
        lab.cell(number).locator(".cm-content").click()
        lab.page.keyboard.press("Control+Enter")
    expect(status).not_to_contain_text(gone)
    root.locator(".ek-node").first.wait_for()
    select_words(root, "half of the fare")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")


def test_reloading_the_page_brings_the_explorer_back_while_its_kernel_lives(explorers):
    path, lab = saved(explorers, "again")
    root = lab.output(1).locator(".ek-explorer")
    select_words(root, "half of the fare")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")
    lab.page.reload()
    expect(lab.output(1).locator(".ek-strip-text mark")).to_have_text("half of the fare")
    assert json.loads(path.read_text("utf-8"))["cells"]
