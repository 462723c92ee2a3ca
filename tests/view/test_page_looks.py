"""How a page looks and is read: contrast, widths, roles, headings, print, without a script."""

import itertools

import pytest

from tests.view.browsing import covered, low_contrast
from tests.view.explorer import explored
from tests.view.explorer.hosting import made
from tests.view.pages import desk_page, expect_title
from tests.view.test_page import claims_page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_its_contrast(opened, scheme):
    with opened(claims_page(), color_scheme=scheme) as page:
        expect_title(page, "campaign-note")
        for tab in page.get_by_role("tab").all():
            tab.click()
            assert low_contrast(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_its_contrast_without_javascript(opened, scheme):
    plain = claims_page().replace('<script type="module">', '<script type="text/plain">')
    with opened(plain, color_scheme=scheme) as page:
        for details in page.locator("details").all():
            details.locator("summary").first.click()
        assert low_contrast(page) == []


@pytest.mark.parametrize("width", [400, 760, 1100, 1600])
def test_no_width_makes_the_page_scroll_sideways(opened, width):
    with opened(claims_page(), width=width) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".ek-inspector").bounding_box()["width"] > 300


def test_everything_reads_without_javascript(opened):
    with opened(claims_page(), java_script_enabled=False) as page:
        assert page.locator(".ek-node").count() == 11
        assert page.locator(".ek-node", has_text="campaign-note").is_visible()
        assert page.locator(".ek-prompt").is_visible()
        assert not page.locator(".ek-inspector").is_visible()


@pytest.mark.parametrize("name", ["claims", "composition", "answering", "refused", "hostile"])
def test_no_word_of_the_picture_covers_another_or_a_box_without_javascript(opened, name):
    html = made(lambda: explored.RUNS[name]().to_html())
    plain = html.replace('<script type="module">', '<script type="text/plain">')
    with opened(plain) as page:
        assert page.locator(".ek-verb-label, .ek-flag").count()
        assert covered(page) == []


def test_controls_have_names_and_roles(opened):
    with opened(claims_page()) as page:
        assert page.get_by_role("button", name="Zoom in").count() == 1
        assert page.get_by_role("searchbox", name="Search records").count() == 1
        assert page.get_by_role("navigation", name="Outline").count() == 1
        assert page.get_by_role("complementary", name="Inspector").count() == 1
        assert page.get_by_role("button", name="context · memory: campaign-note").count() >= 1
        tabbable = page.locator(".ek-node[tabindex='0']")
        assert tabbable.count() == 1


HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4, [role='heading']")]
  .filter((each) => each.checkVisibility())
  .map((each) => [Number(each.getAttribute("aria-level") ?? each.tagName[1]), each.innerText])"""
NAMELESS = """() => {
  const named = (each) => each.getAttribute("aria-label")
    || document.getElementById(each.getAttribute("aria-labelledby"))?.textContent;
  const known = (each) => each.getAttribute("role") || each.matches("button, select, input");
  return [...document.querySelectorAll("[tabindex='0']")]
    .filter((each) => !known(each) || (each.matches("pre, .ek-diff") && !named(each)))
    .map((each) => each.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("scripts", [True, False])
def test_a_page_has_one_first_heading_and_skips_no_level(opened, scripts):
    with opened(desk_page(), java_script_enabled=scripts) as page:
        if scripts:
            expect_title(page, "campaign-note")
            assert page.title() == "delay-claim · explainkit"
        headings = page.evaluate(HEADINGS)
        levels = [level for level, _ in headings]
        assert headings[0] == [1, "Run delay-claim"]
        assert levels.count(1) == 1
        assert len(levels) > 4
        assert all(below - above <= 1 for above, below in itertools.pairwise(levels))


def test_what_keys_reach_has_a_role_and_a_name(opened):
    with opened(desk_page()) as page:
        expect_title(page, "campaign-note")
        held = page.get_by_role("group", name="value · 97 characters")
        assert "Goodwill campaign" in held.inner_text()
        for tab in page.get_by_role("tab").all():
            tab.click()
            assert page.evaluate(NAMELESS) == []
        page.get_by_role("tab", name="Overrides").click()
        panel = page.get_by_role("tabpanel", name="Overrides")
        assert panel.get_by_role("group", name="before").count() == 1


def test_motion_stops_for_those_who_asked(opened):
    with opened(claims_page(), reduced_motion="reduce") as page:
        duration = page.locator(".ek-shape").first.evaluate(
            "(element) => getComputedStyle(element).transitionDuration"
        )
        assert duration == "0s"


def test_print_shows_the_board_and_hides_the_controls(opened):
    with opened(claims_page()) as page:
        page.emulate_media(media="print")
        assert page.locator(".ek-trail").is_visible()
        assert not page.locator(".ek-outline").is_visible()
        assert not page.get_by_role("button", name="Zoom in").is_visible()
