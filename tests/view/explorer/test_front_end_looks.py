"""The explorer for the eye and for a screen reader: themes, widths, contrast, print, wheel."""

import pytest

from tests.view.browsing import low_contrast
from tests.view.explorer.reading import open_tabs

pytestmark = pytest.mark.browser

GROUND = "(each) => getComputedStyle(each).backgroundColor"
LASTING = "(all) => all.map((each) => getComputedStyle(each).transitionDuration)"


@pytest.mark.parametrize(
    ("mark", "theme"),
    [
        ("document.body.dataset.jpThemeLight = 'false'", "dark"),
        ("document.body.dataset.jpThemeLight = 'true'", "light"),
        ("document.body.className = 'vscode-dark'", "dark"),
        ("document.body.className = 'vscode-high-contrast'", "dark"),
        ("document.documentElement.setAttribute('theme', 'dark')", "dark"),
        ("document.body.className = 'dark'", "dark"),
        ("0", "light"),
    ],
)
def test_the_theme_is_that_of_the_notebook(opened, runs, mark, theme):
    with opened(runs("claims"), color_scheme="light") as (_, page):
        page.evaluate(mark)
        assert page.locator(f".ek-explorer[data-theme='{theme}'] .ek-headline").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["claims", "machine", "composition", "answering", "refused"])
def test_every_text_has_its_contrast(opened, runs, scheme, name):
    with opened(runs(name), color_scheme=scheme) as (_, page):
        page.locator(".ek-entry").first.wait_for()
        for _ in open_tabs(page):
            assert low_contrast(page, ".ek-explorer") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["claims", "machine", "answering", "hostile"])
def test_the_accessibility_check_finds_nothing_serious(opened, runs, scheme, name):
    from axe_playwright_python.sync_playwright import Axe

    with opened(runs(name), color_scheme=scheme, reduced_motion="reduce") as (_, page):
        page.locator(".ek-entry").first.wait_for()
        for _ in open_tabs(page):
            found = Axe().run(page, context=".ek-explorer").response["violations"]
            told = [
                (each["id"], each["impact"], [node["html"][:200] for node in each["nodes"][:3]])
                for each in found
                if each["impact"] in {"serious", "critical"}
            ]
            assert told == []


@pytest.mark.parametrize("width", [400, 760, 1000, 1600])
@pytest.mark.parametrize("name", ["claims", "hostile"])
def test_no_width_makes_the_explorer_scroll_sideways(opened, runs, width, name):
    with opened(runs(name), width=width) as (_, page):
        page.locator(".ek-entry").first.wait_for()
        for _ in open_tabs(page):
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".ek-inspector").bounding_box()["width"] > 300


def test_the_wheel_over_the_graph_scrolls_what_is_around_it(opened, runs):
    with opened(runs("links_1000"), height=600) as (_, page):
        pane = page.locator(".ek-pane")
        pane.scroll_into_view_if_needed()
        inside, outside = pane.evaluate("(each) => each.scrollTop"), page.evaluate("scrollY")
        pane.hover()
        page.mouse.wheel(0, 120)
        page.wait_for_function("before => scrollY !== before", arg=outside)
        assert pane.evaluate("(each) => each.scrollTop") == inside


def test_a_drag_pans_the_graph_and_moves_no_cursor(opened, runs):
    with opened(runs("links_1000"), height=1_800) as (_, page):
        pane = page.locator(".ek-pane")
        pane.evaluate("(each) => each.scrollTo(0, 300)")
        box = pane.bounding_box()
        cursor = page.evaluate("model.state.cursor")
        page.mouse.move(box["x"] + 300, box["y"] + 200)
        page.mouse.down()
        page.mouse.move(box["x"] + 300, box["y"] + 120, steps=4)
        page.mouse.up()
        assert pane.evaluate("(each) => each.scrollTop") == 380
        assert page.evaluate("model.state.cursor") == cursor


def test_print_shows_the_board_in_light_and_hides_the_controls(opened, runs):
    with opened(runs("claims"), color_scheme="dark") as (_, page):
        page.emulate_media(media="print", color_scheme="dark")
        assert page.locator(".ek-prompt").is_visible()
        assert not page.locator(".ek-outline").is_visible()
        assert not page.locator(".ek-status").is_visible()
        colour = page.locator(".ek-explorer").evaluate(
            "(each) => getComputedStyle(each).backgroundColor"
        )
        assert colour == "rgb(255, 255, 255)"


def test_nothing_moves_by_itself(opened, runs):
    with opened(runs("claims"), reduced_motion="no-preference") as (_, page):
        assert set(page.locator(".ek-explorer *").evaluate_all(LASTING)) == {"0s"}
