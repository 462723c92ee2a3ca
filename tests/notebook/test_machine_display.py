"""A run with a machine in a real JupyterLab, reopened untrusted: words, and a picture's words."""

import nbformat
import pytest

from explainkit.flow import Machine
from tests.flow.driving.acting import Desk, Puppet, acts
from tests.flow.driving.test_case_table import chart_t
from tests.notebook.jupyterlab import jupyterlab, set_setting
from tests.notebook.test_static_display import (
    BOARDS,
    BROKEN_WORDS,
    KERNEL,
    SHOTS,
    THEMES,
    WIDER,
)
from tests.view.browsing import low_contrast

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (make lab installs it)")
pytestmark = pytest.mark.browser

ATTACK = "<img src=x onerror=\"document title='owned'\"> and $x^2$ stay **text**"


def hostile_machine():
    """The view of a machine whose names attack the page."""
    name = ATTACK.replace("*", "")
    chart = Machine.from_dict({"id": name, "initial": name, "states": {name: {"on": {name: name}}}})

    async def settle(running):
        return running.record.machine()

    return acts(chart, settle)[0]


@pytest.fixture(scope="module")
def recorded():
    """A run with a pick, and a hostile machine; made before a browser owns this thread's loop."""
    coder, desk = Puppet(), Desk()

    async def play(running):
        await coder.picks("run_tests")
        await desk.gives("tests", ATTACK)
        return running.record

    return acts(chart_t(coder, desk), play)[0], hostile_machine()


@pytest.fixture(scope="module")
def lab(recorded, tmp_path_factory):
    """A server on a notebook that holds a run, two machines and a picture."""
    folder, home = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("home")
    run, hostile = recorded
    book = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    for shown in (run, run.machine(), hostile, run.machine().picture()):
        output = nbformat.v4.new_output("display_data", shown._repr_mimebundle_())
        book.cells.append(nbformat.v4.new_code_cell("shown", outputs=[output]))
    nbformat.write(book, folder / "machine.ipynb")
    with jupyterlab(folder, home=home) as address:
        yield address.format(name="machine.ipynb"), home


@pytest.mark.parametrize("theme", THEMES)
def test_a_machine_reopened_untrusted_is_told_in_words(lab, browser, theme):
    address, home = lab
    set_setting(home, "apputils-extension/themes", {"theme": theme})
    with browser.new_context(viewport={"width": 1100, "height": 1400}) as context:
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector(f"body[data-jp-theme-name='{theme}']", state="attached")
        boards = page.locator(BOARDS)
        boards.nth(2).wait_for()
        assert page.locator("[title^='Notebook not trusted']").count() == 1
        run, machine, hostile = boards.all_inner_texts()[:3]
        assert "coder picked run_tests" in run
        assert ATTACK in run
        assert "testing: visited 1 time" in machine
        assert "done (final): never entered" in machine
        assert "$x^2$ stay" in hostile
        assert ": active" in hostile
        assert page.locator(f"{BOARDS} img").count() == 0
        assert page.locator("mjx-container").count() == 0
        assert page.eval_on_selector_all(BOARDS, BROKEN_WORDS) == []
        assert page.eval_on_selector_all(BOARDS, WIDER) == []
        assert low_contrast(page, BOARDS) == []
        outputs = page.locator(".jp-OutputArea-output")
        assert "testing: visited 1 time" in outputs.nth(3).inner_text()
        SHOTS.mkdir(exist_ok=True)
        boards.nth(1).scroll_into_view_if_needed()
        page.screenshot(path=SHOTS / f"machine-{theme.lower().replace(' ', '-')}.png")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_reads_the_same_on_a_light_and_a_dark_page(recorded, browser, scheme):
    run, hostile = recorded
    with browser.new_context(color_scheme=scheme) as context:
        page = context.new_page()
        ground = "#111" if scheme == "dark" else "#fff"
        pictures = run.machine().to_svg() + hostile.to_svg()
        page.set_content(f'<body style="background:{ground}">{pictures}')
        assert page.locator("img").count() == 0
        assert page.locator("svg").count() == 2
        ink = page.eval_on_selector_all(
            "svg text", "all => all.map((e) => getComputedStyle(e).fill)"
        )
        first = page.eval_on_selector_all(
            "svg > rect", "all => all.map((e) => getComputedStyle(e).fill)"
        )
        assert set(first) == {"rgb(255, 255, 255)"}
        assert set(ink) <= {"rgb(23, 32, 42)", "rgb(85, 96, 108)"}
        wide = page.evaluate(
            """() => [...document.querySelectorAll("svg")].flatMap((svg) => {
              const all = svg.getBoundingClientRect();
              return [...svg.querySelectorAll("text")].filter((each) => {
                const box = each.getBoundingClientRect();
                return box.left < all.left || box.right > all.right;
              }).map((each) => each.textContent);
            })"""
        )
        assert wide == []
