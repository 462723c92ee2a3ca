"""A board in a real JupyterLab, reopened untrusted: whole, readable, harmless, light and dark."""

import nbformat
import pytest

import explainkit as ek
from tests.notebook.jupyterlab import jupyterlab, set_setting
from tests.repository.source_tree import ROOT
from tests.view.browsing import low_contrast

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (make lab installs it)")
pytestmark = pytest.mark.browser

ATTACK = "<img src=x onerror=\"document.title='owned'\"> and $x^2$ stay **text**"
BOARDS = ".jp-OutputArea-output > div"
THEMES = ("JupyterLab Light", "JupyterLab Dark")
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
SHOTS = ROOT / "artifacts"
# What JupyterLab does to its own prose must not reach the boards.
BROKEN_WORDS = """(boards) => boards.flatMap((board) => [board, ...board.querySelectorAll("*")])
  .filter((each) => getComputedStyle(each).wordBreak === "break-all").map((each) => each.tagName)"""
WIDER = """(boards) => boards.filter((board) => board.scrollWidth > board.clientWidth + 1)
  .map((board) => [board.scrollWidth, board.clientWidth])"""


@ek.link(kind="model")
def ask(prompt):
    return "We pay back half of the fare."


def recorded():
    with ek.trace("delay-claim", question=ATTACK) as run:
        note = ek.context(
            "campaign-note",
            "For a delay of 30 minutes or more we pay back half of the fare.",
            kind="memory",
            source="memory/2025-12",
        )
        rule = ek.context("tariff", "A delay below 60 minutes pays nothing. " * 8, kind="document")
        ek.answer(ask(ek.assemble("{rule}\n{note}\n\nQ: {q}", rule=rule, note=note, q=ATTACK)))
    return run.verdict("failed", judge="reviewer", reason="below the tariff's 60 minutes")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A server on one notebook that holds a board of each kind, and its folder of settings."""
    folder, home = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("home")
    run = recorded()
    # Without a kernel's name JupyterLab asks for one in a dialog.
    book = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    for name, shown in (
        ("run", run),
        ("back", run.backtrack(span="half of the fare")),
        ("run.prompt()", run.prompt()),
    ):
        output = nbformat.v4.new_output("display_data", shown._repr_mimebundle_())
        book.cells.append(nbformat.v4.new_code_cell(name, outputs=[output]))
    nbformat.write(book, folder / "board.ipynb")
    with jupyterlab(folder, home=home) as address:
        yield address.format(name="board.ipynb"), home


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [1300, 700])
def test_a_board_reopened_untrusted_is_whole_readable_and_harmless(lab, browser, theme, width):
    address, home = lab
    set_setting(home, "apputils-extension/themes", {"theme": theme})
    with browser.new_context(viewport={"width": width, "height": 1000}) as context:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(f"body[data-jp-theme-name='{theme}']", state="attached")
        boards = page.locator(BOARDS)
        boards.nth(2).wait_for()
        assert page.locator("[title^='Notebook not trusted']").count() == 1
        first, back, prompt = boards.all_inner_texts()
        assert ATTACK in first
        assert "campaign-note" in first
        for verb in ("said", "read", "landed", "allowed", "born"):
            assert verb in back
        assert ATTACK in prompt
        assert page.locator(f"{BOARDS} img").count() == 0
        assert page.locator("mjx-container").count() == 0
        assert page.title() != "owned"
        assert page.eval_on_selector_all(BOARDS, BROKEN_WORDS) == []
        assert page.eval_on_selector_all(BOARDS, WIDER) == []
        assert low_contrast(page, BOARDS) == []
        folded = boards.nth(1).locator("details").first
        folded.locator("summary").click()
        assert folded.get_attribute("open") is not None
        SHOTS.mkdir(exist_ok=True)
        boards.nth(1).scroll_into_view_if_needed()
        page.screenshot(path=SHOTS / f"{theme.lower().replace(' ', '-')}-{width}.png")
