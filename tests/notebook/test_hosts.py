"""The explorer where notebooks live beside JupyterLab: words selected, path lit, no stranger."""

import pytest
from playwright.sync_api import expect

from tests.notebook import hosts
from tests.notebook.explorer_pages import CLAIM, EXPLORE, explored, select_words
from tests.notebook.lab_pages import watched_page, write_notebook

pytestmark = pytest.mark.browser

MARIMO = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    from explainkit.demos.claims_desk import run_demo
    run = run_demo().run
    return (run,)


@app.cell
def _(run):
    explorer = run.explore()
    explorer
    return (explorer,)
"""


PLAIN = "import ipywidgets\nipywidgets.IntSlider()"


def strangers(lab):
    """Addresses beside the server that a page asked for."""
    here = "/".join(lab.page.url.split("/")[:3])
    return [url for url in lab.asked if not url.startswith((here, "data:", "blob:"))]


def expect_words_lit(lab, root, name, *, own=((), ())):
    """The journey that is the same everywhere; what must be there once is there once.

    Args:
        lab: The page.
        root: The explorer in it.
        name: Of its picture.
        own: What the host asks elsewhere, and what it calls an error, without an explorer.
    """
    root.locator(".ek-node").first.wait_for()
    select_words(root, "half of the fare")
    expect(root.locator(".ek-strip-text mark")).to_have_text("half of the fare")
    expect(root.locator(".ek-node.ek-source")).to_contain_text("campaign-note")
    expect(root.locator(".ek-trail")).to_contain_text("overridden")
    root.get_by_role("option", name="tariff").first.click()
    expect(root.locator(".ek-inspector .ek-title")).to_have_text("tariff")
    expect(lab.page.locator(".ek-explorer")).to_have_count(1)
    lab.shot(name)
    asked, said = own
    assert set(strangers(lab)) <= set(asked)
    assert {each.splitlines()[0] for each in lab.said} <= set(said)


def test_notebook_7_shows_one_explorer(context, tmp_path):
    hosts.needs("notebook")
    folder, home = tmp_path / "folder", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    write_notebook(folder / "claim.ipynb", CLAIM, EXPLORE)
    with hosts.notebook_7(folder, home=home) as address, watched_page(context, height=2600) as lab:
        lab.page.goto(address.format(name="claim.ipynb"))
        lab.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        lab.wait_for_kernel()
        before = list(lab.said)  # 7.6 says an error of its own when a notebook opens
        expect_words_lit(lab, explored(lab), "host-notebook", own=((), before))


def test_voila_shows_one_explorer(context, tmp_path):
    hosts.needs("voila")
    folder, home = tmp_path / "folder", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    write_notebook(folder / "claim.ipynb", CLAIM, EXPLORE)
    write_notebook(folder / "plain.ipynb", PLAIN)
    with hosts.voila(folder, home=home) as address:
        with watched_page(context) as lab:
            lab.page.goto(address.format(name="plain.ipynb"))
            lab.page.locator(".widget-slider").wait_for()
            own = strangers(lab), [each.splitlines()[0] for each in lab.said]
        with watched_page(context, height=2600) as lab:
            lab.page.goto(address.format(name="claim.ipynb"))
            expect_words_lit(lab, lab.page.locator(".ek-explorer"), "host-voila", own=own)


@pytest.mark.parametrize("mode", ["run", "edit"])
def test_marimo_shows_one_explorer(context, tmp_path, mode):
    hosts.needs("marimo")
    home = tmp_path / "home"
    home.mkdir()
    path = tmp_path / "claim.py"
    path.write_text(MARIMO.lstrip(), "utf-8")
    with (
        hosts.marimo(path, home=home, mode=mode) as address,
        watched_page(context, height=2600) as lab,
    ):
        lab.page.goto(address)
        lab.page.locator(".marimo-cell .cm-content, .ek-explorer").first.wait_for()
        if mode == "edit":
            for cell in lab.page.locator(".marimo-cell .cm-content").all():
                cell.click()
                lab.page.keyboard.press("Control+Enter")
        expect_words_lit(lab, lab.page.locator(".ek-explorer"), f"host-marimo-{mode}")
