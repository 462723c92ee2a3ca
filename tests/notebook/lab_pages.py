"""A notebook open in JupyterLab as a test drives it: run cells, look into outputs, nothing else."""

import json
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass

import nbformat
from playwright.sync_api import expect

from tests.repository.source_tree import ROOT

SHOTS = ROOT / "build" / "screenshots"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
SECONDS = 60
expect.set_options(timeout=SECONDS * 1000 / 2)
GREETING = 3
"""Frames of a kernel that starts: busy, what it is, idle."""
IDLE = ".jp-Notebook-ExecutionIndicator[data-status='idle']"
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"


def write_notebook(path, *cells, outputs=()):
    """Write a notebook of code cells; the first ones with outputs, when some are given."""
    book = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    for number, code in enumerate(cells):
        kept = list(outputs[number]) if number < len(outputs) else []
        book.cells.append(nbformat.v4.new_code_cell(code, outputs=kept))
    nbformat.write(book, path)
    return path


@dataclass(frozen=True)
class LabPage:
    """A page of JupyterLab on one notebook.

    Attributes:
        page: The browser's page.
        said: What the page's console said at level error, and errors that nobody caught.
        asked: Addresses that the page asked for.
        dialogs: Messages of dialogs that opened.
        heard: Frames from the kernel.
    """

    page: object
    said: list
    asked: list
    dialogs: list
    heard: list

    def cell(self, number):
        """A cell, from 0."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def output(self, number):
        """All that a cell has put out."""
        return self.cell(number).locator(".jp-Cell-outputArea")

    def run(self, number):
        """Run a cell and wait until it is done; gives its output area."""
        self.wait_for_kernel()
        cell = self.cell(number)
        before = cell.locator(".jp-InputPrompt").first.inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            """([number, before]) => {
              const cell = document.querySelectorAll(".jp-Notebook .jp-Cell")[number];
              const prompt = cell.querySelector(".jp-InputPrompt").innerText;
              return prompt !== before && /\\[\\d+\\]/.test(prompt);
            }""",
            arg=[number, before],
            timeout=SECONDS * 1000,
        )
        return self.output(number)

    def wait_for_kernel(self):
        """Wait until the kernel has told about itself; a cell that is run before is forgotten."""
        end = time.monotonic() + SECONDS
        while len(self.heard) < GREETING:
            assert time.monotonic() < end, "the kernel never spoke"
            self.page.wait_for_timeout(50)
        self.page.wait_for_selector(IDLE, state="attached")

    def text(self, number):
        """What a cell printed or showed, as text, once it is there."""
        output = self.output(number)
        output.locator(".jp-OutputArea-output").first.wait_for()
        return output.inner_text()

    def wear(self, theme):
        """Change the theme of JupyterLab as its menu does, and wait until it is there."""
        change = "theme => jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.page.evaluate(change, theme)
        self.page.wait_for_selector(f"body[data-jp-theme-name='{theme}']", state="attached")

    def save(self):
        """Save the notebook and wait until it is on the disk."""
        self.page.keyboard.press("Control+s")
        self.page.wait_for_selector(".jp-mod-dirty", state="detached")

    def shot(self, name, *, of=None):
        """Keep a picture of the page, or of a part of it."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        (of or self.page).screenshot(path=SHOTS / f"{name}.png")


@contextmanager
def watched_page(context, *, width=1300, height=1400):
    """An empty page of a browser's context, with ears on all that it says and asks."""
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.set_default_timeout(SECONDS * 1000 / 2)
    lab = LabPage(page, [], [], [], [])
    page.on("pageerror", lambda error: lab.said.append(str(error)))
    page.on("console", lambda m: m.type == "error" and lab.said.append(m.text))
    page.on("request", lambda request: lab.asked.append(request.url))
    page.on("dialog", lambda dialog: (lab.dialogs.append(dialog.message), dialog.dismiss()))
    page.on(
        "websocket",
        lambda socket: (
            "/api/kernels/" in socket.url
            and socket.on("framereceived", lambda frame: lab.heard.append(len(frame)))
        ),
    )
    try:
        yield lab
    finally:
        page.close()


@contextmanager
def open_page(context, address, **options):
    """Open an address of JupyterLab in a page of its own; wait until the notebook is there."""
    with watched_page(context, **options) as lab:
        lab.page.goto(address)
        lab.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        lab.page.get_by_role("tab", name="File Browser").first.click()  # folds the list of files
        yield lab


def end_kernels(address):
    """End every kernel of a server, so that none is left for the next test."""
    token = address.rpartition("token=")[2]
    base = address.partition("/lab/")[0]

    def ask(method, path):
        request = urllib.request.Request(f"{base}{path}", method=method)
        request.add_header("Authorization", f"token {token}")
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            return reply.read()

    kernels = [each["id"] for each in json.loads(ask("GET", "/api/kernels"))]
    for kernel in kernels:
        ask("DELETE", f"/api/kernels/{kernel}")
    return len(kernels)
