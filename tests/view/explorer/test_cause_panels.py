"""The panels from suspect to cause in a page: what a hand does, and what it reads."""

import re

import pytest
from playwright.sync_api import expect

import explainkit as ek
from explainkit.demos.claims_desk import QUESTION, claim
from explainkit.view.explorer import Exploration
from explainkit.view.explorer.page_data import PageData
from tests.view.explorer.hosting import made
from tests.view.explorer.reading import said
from tests.view.explorer.walking import walks_of

pytestmark = pytest.mark.browser

WALK = {"start": 28, "end": 44}


def traced_claim():
    ek.traced("delay-claim")(claim)(QUESTION)
    return ek.last()


@pytest.fixture
def run():
    return made(traced_claim)


def opened_panel(page, name="What if"):
    page.get_by_role("tab", name=name).click()
    return page.get_by_role("tabpanel", name=name)


def run_again(hosted, page):
    before = hosted.reruns._thread
    page.get_by_role("button", name="Run it again").click()
    while hosted.reruns._thread is before:
        page.wait_for_timeout(10)
    hosted.deliver()


def test_the_card_of_a_suspect_gets_its_stamp(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        card = page.locator(".ek-suspect", has_text="campaign-note")
        assert card.locator(".ek-stamp").count() == 0
        card.get_by_role("button", name="What if it were not there?").click()
        panel = page.get_by_role("tabpanel", name="What if")
        expect(panel.locator(".ek-runbox .ek-list")).to_have_text("without campaign-note")
        run_again(hosted, page)
        expect(card.locator(".ek-stamp")).to_have_text("cause 1/1 vs 0/2, deterministic")
        expect(card).to_contain_text("judge: still says 'half of the fare'")
        assert "cause 1/1 vs 0/2" in said(page)
        page.get_by_role("button", name="Whole answer").click()
        expect(card.locator(".ek-stamp")).to_have_count(1)
        page.get_by_label("Version of the answer").select_option(label="answer, version 1")
        expect(page.locator(".ek-suspect .ek-stamp")).to_have_count(0)


def test_the_card_of_a_measured_change_says_its_flips_once(opened, run):
    made(lambda: run.whatif(remove="ask", span="half of the fare"))  # by another than the panel
    with opened(run, walk=WALK) as (hosted, page):
        page.get_by_role("button", name="What if it were not there?").click()
        run_again(hosted, page)
        cards = page.get_by_role("tabpanel", name="What if").locator(".ek-stamp-card")
        expect(cards).to_have_count(2)
        for card, flips in zip(cards.all(), ("1 of 1 re-run", "5 of 5 re-runs"), strict=True):
            assert card.locator("dt").all_text_contents().count("flips") == 1
            assert card.text_content().count("flips") <= 2  # the interval of the rate names them
            assert f"in {flips} with the change" in card.text_content()


def test_a_sentence_is_edited_in_its_box(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        piece = panel.locator(".ek-piece", has_text="campaign-note")
        piece.get_by_role("button", name="Edit").click()
        box = piece.get_by_role("textbox")
        expect(box).to_be_focused()
        box.fill(box.input_value().replace("half of", "none of"))
        expect(piece).to_contain_text("“half” becomes “none” in campaign-note")
        run_again(hosted, page)
        (stamp,) = hosted.exchange.found["stamps"]
        assert stamp["said"] == ["“half” in campaign-note becomes 'none'"]
        panel.get_by_role("button", name="Undo the changes").click()
        assert "half of" in box.input_value()
        expect(panel.get_by_role("button", name="Run it again")).to_be_disabled()


def test_everything_is_reached_with_the_keyboard(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        box = panel.get_by_role("checkbox", name=re.compile("redactor"))
        box.focus()
        page.keyboard.press("Space")
        expect(box).not_to_be_checked()
        panel.get_by_role("button", name="Run it again").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("model.sent.some((each) => each.ask === 'try')")
        hosted.deliver()
        expect(panel.locator(".ek-stamp-card summary").first).to_contain_text("redactor")
        panel.locator("summary").first.focus()
        page.keyboard.press("Enter")
        expect(panel.locator(".ek-stamp-card").first).not_to_have_attribute("open", "")
        assert page.evaluate("outside") == []


def test_a_refused_change_is_said_and_nothing_is_run(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        for name in ("tariff", "campaign-note"):
            panel.get_by_role("checkbox", name=re.compile(name)).uncheck()
        run_again(hosted, page)
        expect(panel.locator(".ek-progress-words")).to_contain_text("takes away all 2 contexts")
        assert "takes away all 2 contexts" in said(page)
        assert hosted.exchange.found["stamps"] == []


def test_items_of_a_result_are_ticked_off(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        piece = panel.locator(".ek-piece", has_text="retrieve")
        piece.get_by_role("button", name="Edit").click()
        piece.get_by_role("checkbox", name=re.compile("Seat reservations")).uncheck()
        expect(panel.locator(".ek-runbox .ek-list")).to_have_text(
            "without item 1 of retrieve (“Seat reservations are refunded when the…”)"
        )
        run_again(hosted, page)
        assert hosted.exchange.found["stamps"][0]["word"] == "not shown"


def test_the_search_finds_pieces_and_keeps_what_is_ticked_off(opened, run):
    with opened(run, walk=WALK) as (_, page):
        panel = opened_panel(page)
        panel.get_by_role("checkbox", name=re.compile("campaign-note")).uncheck()
        panel.get_by_role("searchbox").fill("lost property")
        expect(panel.locator(".ek-piece")).to_have_count(1)
        expect(panel.locator(".ek-runbox .ek-list")).to_have_text("without campaign-note")
        panel.get_by_role("searchbox").fill("")
        expect(panel.get_by_role("checkbox", name=re.compile("campaign-note"))).not_to_be_checked()


def test_a_run_that_cannot_be_run_again_shows_the_lines_to_write(opened, runs):
    with opened(runs("one_box")) as (_, page):
        panel = opened_panel(page)
        expect(panel.locator(".ek-refusal")).to_contain_text("@ek.traced")
        expect(panel.get_by_role("button", name="Search the smallest set")).to_be_disabled()


def test_the_two_runs_lead_to_records(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        page.get_by_role("button", name="What if it were not there?").click()
        run_again(hosted, page)
        page.get_by_role("button", name="Both runs side by side").click()
        panel = page.get_by_role("tabpanel", name="Two runs")
        expect(panel.locator("ins").first).to_contain_text("Nothing is paid")
        panel.get_by_role("button", name="without campaign-note").click()
        expect(page.locator(".ek-inspector .ek-title")).to_have_text("campaign-note")


def beside(page, hosted, *, suspect, words):
    card = page.locator(".ek-suspect", has_text=suspect).first
    card.get_by_role("button", name=words).click()
    run_again(hosted, page)
    page.get_by_role("button", name="Both runs side by side").first.click()
    return page.get_by_role("tabpanel", name="Two runs")


def sides_of(panel, said):
    """The two sides of a piece that was changed, as their words."""
    card = panel.locator(".ek-section", has_text="Changed by you").locator(".ek-block-card")
    card = card.filter(has_text=said)
    recorded, again = card.locator(".ek-side").all()
    expect(recorded.locator(".ek-yours")).to_have_count(0)
    expect(again.locator(".ek-label")).to_have_text("re-runchanged by you")
    return [each.locator(".ek-diff").inner_text() for each in (recorded, again)]


def test_the_piece_that_was_changed_says_so_on_its_changed_side(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        panel = beside(page, hosted, suspect="campaign-note", words="What if it were not there?")
        recorded, again = sides_of(panel, "without campaign-note")
        assert recorded.startswith("Goodwill campaign")
        assert again == "nothing"
        expect(panel).to_contain_text("In this re-run 1 link ran again; 1 link was reused")
        expect(panel).to_contain_text(
            "at assemble (record 14 of the recorded run, 13 of the re-run)"
        )
        panel.get_by_role("button", name="without campaign-note").click()
        expect(page.locator(".ek-inspector .ek-title")).to_have_text("campaign-note")


def test_a_changed_result_and_an_override_that_was_held_off_say_so(opened, run):
    with opened(run) as (hosted, page):
        panel = beside(page, hosted, suspect="ask", words="What if it had given nothing?")
        recorded, again = sides_of(panel, "without what ask gave")
        assert recorded.startswith("Dear Ms Ines Harlow")
        assert again == "nothing"
        parted = panel.locator(".ek-section", has_text="Where they part")
        expect(parted.locator(".ek-side", has=page.locator(".ek-yours"))).to_contain_text(
            "gave, re-run"
        )
        beside(page, hosted, suspect="redactor", words="What if it had not been made?")
        assert sides_of(panel, "without the override by redactor")[1] == "nothing"


def test_an_edited_word_is_marked_on_the_changed_side(opened, run):
    with opened(run, walk=WALK) as (hosted, page):
        panel = opened_panel(page)
        piece = panel.locator(".ek-piece", has_text="retrieve")
        piece.get_by_role("button", name="Edit").click()
        box = piece.get_by_role("textbox").first
        box.fill(box.input_value().replace("Seat", "Bunk"))
        expect(panel.locator(".ek-runbox .ek-list")).to_contain_text("“Seat” becomes “Bunk”")
        run_again(hosted, page)
        page.get_by_role("button", name="Both runs side by side").click()
        two = page.get_by_role("tabpanel", name="Two runs")
        recorded, again = sides_of(two, "“Seat” in item 1 of retrieve (")
        assert recorded.startswith('["Seat reservations')
        assert again.startswith('["Bunk reservations')
        assert two.locator(".ek-section", has_text="Changed by you").locator("ins").first


def test_recorded_words_in_the_panels_are_text(opened):
    def hostile():
        @ek.traced("zz<img src=x onerror=alert(1)>")
        def made_again(question):
            note = ek.context("zz<b>note</b>", "zz<img src=x onerror=alert(1)> half", kind="memory")
            return f"{note} zz"

        made_again("zz?")
        return ek.last()

    with opened(made(hostile)) as (hosted, page):
        panel = opened_panel(page)
        panel.get_by_role("button", name="Edit").click()
        expect(panel.get_by_role("textbox")).to_have_value("zz<img src=x onerror=alert(1)> half")
        panel.get_by_role("checkbox").first.uncheck()
        run_again(hosted, page)
        expect(panel.locator(".ek-stamp-card")).to_contain_text("zz<b>note</b>")
        held = page.evaluate(
            """[...document.querySelectorAll(".ek-explorer *")]
              .flatMap((each) => [...each.attributes])
              .map((each) => each.value).filter((each) => each.includes("zz"))"""
        )
        assert held == []
        assert panel.locator("img, b:not(.ek-stamp-word)").count() == 0


def test_a_page_without_a_kernel_shows_what_was_found_and_says_what_it_needs(run):
    made(lambda: run.whatif(remove="campaign-note", span="half of the fare"))
    asked = Exploration(run.evidence, walk=walks_of(run))
    asked.walk(**WALK)
    told = PageData(asked).told()
    (stamp,) = told["found"]["stamps"]
    assert stamp["line"] == "cause 1/1 vs 0/2, deterministic"
    offered = told["replies"]['["offered","answer",""]']
    assert offered["kernel"] is False
    assert "needs a kernel" in offered["refusal"]
    assert "needs a kernel" in told["replies"]['["bisect","answer",""]']["refusal"]
