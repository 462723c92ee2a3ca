"""Where the keyboard's focus goes when what has it goes away: never out of the explorer."""

import re

import pytest
from playwright.sync_api import expect

from tests.view.explorer.hosting import made
from tests.view.explorer.reading import expect_title, said
from tests.view.explorer.test_cause_panels import WALK, opened_panel, traced_claim

pytestmark = pytest.mark.browser

FOCUSED = """() => {
  const active = document.activeElement;
  return active === document.body ? "" : active.closest(".ek-explorer") ? active.outerHTML : null;
}"""


def focused(page):
    """The element that has the focus; empty when none has it."""
    page.wait_for_timeout(0)
    return page.evaluate(FOCUSED)


def press(page, **named):
    control = page.get_by_role(**named)
    control.focus()
    control.press("Enter")
    return control


def test_after_run_the_focus_is_on_stop_and_then_on_the_result(opened):
    with opened(made(traced_claim), walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        panel.get_by_role("checkbox", name=re.compile("campaign-note")).uncheck()
        tell, told = hosted.exchange.measured, []
        hosted.exchange.measured = lambda *given: told.append(given)  # held back, one by one
        press(page, role="button", name="Run it again")
        page.wait_for_function("model.sent.some((each) => each.ask === 'try')")
        assert hosted.reruns.wait(30)
        running = told[0][0]
        assert running["state"] == "running"
        page.evaluate("tried => model.take([['tried', tried]])", running)
        expect(panel.get_by_role("button", name="Stop")).to_be_focused()
        assert "Running again: without campaign-note" in said(page)
        stopping = {**running, "stopping": True}
        page.evaluate("tried => model.take([['tried', tried]])", stopping)
        expect(panel.locator(".ek-progress-words")).to_be_focused()
        page.evaluate("tried => model.take([['tried', tried]])", running)
        panel.get_by_role("button", name="Stop").focus()
        tell(*told[-1])
        hosted.deliver()
        result = panel.locator(".ek-progress-words")
        expect(result).to_be_focused()
        expect(result).to_contain_text("cause 1/1 vs 0/2")
        status = page.get_by_role("status")
        assert status.get_attribute("aria-live") == "polite"
        assert "without campaign-note: cause 1/1 vs 0/2" in status.inner_text()


def test_a_later_telling_takes_the_focus_from_nobody(opened):
    with opened(made(traced_claim), walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        panel.get_by_role("checkbox", name=re.compile("campaign-note")).uncheck()
        press(page, role="button", name="Run it again")
        page.wait_for_function("model.sent.some((each) => each.ask === 'try')")
        hosted.deliver()
        for name in ("Run it again", "Search the smallest set"):
            control = panel.get_by_role("button", name=name)
            control.focus()
            page.evaluate("model.take([['tried', {...model.state.tried}]])")
            expect(control).to_be_focused()
        page.locator(".ek-search").focus()
        page.evaluate("model.take([['tried', {...model.state.tried, state: 'running'}]])")
        expect(page.locator(".ek-search")).to_be_focused()


def test_what_is_disabled_hands_the_focus_to_what_stands_next(opened):
    with opened(made(traced_claim), walk=WALK) as (_, page):
        panel = opened_panel(page)
        panel.get_by_role("checkbox", name=re.compile("campaign-note")).uncheck()
        undo = press(page, role="button", name="Undo the changes")
        expect(undo).to_be_disabled()
        expect(panel.get_by_label("at most")).to_be_focused()


def test_a_list_that_is_made_anew_keeps_the_focus(opened):
    with opened(made(traced_claim), walk=WALK) as (_, page):
        for label, value in (("Version of the answer", "0"), ("Weakest evidence", "exposure")):
            chooser = page.get_by_label(label)
            chooser.focus()
            page.evaluate("document.activeElement.made = true")
            chooser.select_option(value)
            page.wait_for_function("!document.activeElement.made")
            expect(page.get_by_label(label)).to_be_focused()
        press(page, role="button", name="Draw the walked path only")
        page.wait_for_function("model.state.chart.only === 'path'")
        expect(page.get_by_role("button", name="Draw the walked path only")).to_be_focused()


def test_neighbours_lead_on_and_the_inspector_keeps_the_focus(opened):
    with opened(made(traced_claim), walk=WALK) as (_, page):
        expect_title(page, "campaign-note")
        neighbour = page.locator(".ek-neighbour", has_text="assemble")
        neighbour.focus()
        neighbour.press("Enter")
        expect_title(page, "assemble")
        assert "ek-inspector" in focused(page)
        page.keyboard.press("Tab")
        assert "<button" in focused(page)


def test_opening_and_closing_folds_keeps_the_focus(opened, runs):
    with opened(runs("links_1000")) as (hosted, page):
        fold = next(node["seq"] for node in hosted.exchange.chart["nodes"][::-1] if node["members"])
        page.evaluate("seq => model.take([['cursor', seq]])", fold)
        press(page, role="button", name="Open the fold")
        page.locator(".ek-status", has_text="The fold is open").wait_for()
        expect(page.get_by_role("button", name="Open the fold")).to_have_count(0)
        assert focused(page)
        press(page, role="button", name="Fold again what was opened")
        page.wait_for_function("model.state.chart.opened.length === 0")
        assert focused(page)
        box = page.locator(".ek-node.ek-kind-fold").last
        box.focus()
        box.press("Enter")
        page.wait_for_function("model.state.chart.opened.length === 1")
        assert focused(page)


def test_showing_more_of_a_text_keeps_the_focus(opened, runs):
    with opened(runs("huge")) as (_, page):
        press(page, role="button", name="Show more of the answer")
        page.wait_for_function(
            "model.sent.some((each) => each.ask === 'answer') && document.activeElement"
        )
        page.locator(".ek-strip").wait_for()
        assert focused(page)
        more = page.locator(".ek-inspector").get_by_role("button", name="Show more").first
        more.focus()
        more.press("Enter")
        page.wait_for_function("model.sent.some((each) => each.ask === 'text')")
        assert focused(page)


def test_a_click_beside_everything_lets_the_focus_go(opened):
    with opened(made(traced_claim), walk=WALK) as (_, page):
        page.locator(".ek-search").focus()
        page.mouse.click(3, 3)
        assert focused(page) == ""
        page.get_by_role("tab", name="Bisect").click()
        page.evaluate("document.activeElement.blur()")
        page.evaluate("model.take([['shown', {...model.state.shown}]])")
        assert focused(page) == ""


def test_no_tab_and_no_step_of_a_machine_loses_the_focus(opened, runs):
    with opened(runs("machine")) as (_, page):
        for tab in page.get_by_role("tab").all():
            tab.focus()
            tab.press("Enter")
            page.locator(".ek-tab-body:not([hidden])", has_text="Asking …").wait_for(
                state="detached"
            )
            expect(tab).to_be_focused()
        page.get_by_role("tab", name="Machine").click()
        step = page.locator(".ek-steps button").first
        step.focus()
        step.press("Enter")
        page.wait_for_function("model.sent.filter((each) => each.ask === 'machine').length > 1")
        assert focused(page)
