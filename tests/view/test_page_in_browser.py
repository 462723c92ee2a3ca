"""Journeys through the page in a real browser: clicks, keys, walks, folds."""

import pytest

import explainkit as ek
from explainkit.graph import Evidence
from explainkit.session import Run
from explainkit.view.page import page_of
from tests.view.bigger import chat
from tests.view.claims import claims_recording, recorded_walk
from tests.view.explorer.hosting import made
from tests.view.hostile import ATTACKS, spoiled
from tests.view.pages import desk_page, expect_said, expect_title, select
from tests.view.test_page import claims_page, data_of

pytestmark = pytest.mark.browser


def test_clicking_a_box_shows_its_record(opened):
    with opened(claims_page()) as page:
        page.locator(".ek-node", has_text="ask").click()
        expect_title(page, "ask")
        seen = page.locator(".ek-inspector pre").first
        assert "Goodwill campaign, December" in seen.inner_text()
        (mark,) = seen.locator("mark").all()  # as the trail read it, not as it stands in the tariff
        assert "Goodwill campaign" in mark.evaluate("mark => mark.parentElement.textContent")
        page.locator(".ek-node", has_text="by redactor").click()
        assert page.locator(".ek-inspector del").inner_text() == "Ms Keller"
        assert page.locator(".ek-inspector ins").inner_text() == "the passenger"


def test_the_page_opens_on_the_source_of_the_words(opened):
    with opened(claims_page()) as page:
        expect_title(page, "campaign-note")
        assert page.locator(".ek-inspector mark").inner_text() == "half of the fare"


def test_keys_walk_the_evidence_both_ways_and_back(opened):
    with opened(claims_page()) as page:
        page.locator(".ek-node", has_text="answer, version 1").click()
        page.keyboard.press("ArrowUp")
        expect_title(page, "ask")
        page.keyboard.press("ArrowUp")
        expect_title(page, "assemble")
        page.keyboard.press("ArrowUp")
        expect_title(page, "campaign-note")
        page.keyboard.press("ArrowDown")
        expect_title(page, "assemble")
        page.keyboard.press("Escape")
        expect_title(page, "campaign-note")
        page.keyboard.press("Home")
        expect_title(page, "campaign-note")
        focused = page.evaluate("document.activeElement.getAttribute('aria-current')")
        assert focused == "true"


def test_enter_lights_what_a_record_goes_back_to(opened):
    with opened(claims_page()) as page:
        page.locator(".ek-node", has_text="assemble").first.click()
        expect_title(page, "assemble")
        page.keyboard.press("Enter")
        expect_said(page, "feed assemble")
        lit = page.locator(".ek-node.ek-lit .ek-label").all_text_contents()
        assert "tariff" in lit
        assert "by redactor" not in lit
        page.keyboard.press("Escape")
        expect_said(page, "The walked path is lit again.")
        assert "by redactor" in page.locator(".ek-node.ek-lit .ek-label").all_text_contents()


def test_search_reaches_any_record_in_one_step(opened):
    with opened(claims_page()) as page:
        page.locator(".ek-node").first.click()
        page.keyboard.press("/")
        page.keyboard.type("open 9")
        page.locator(".ek-outline", has_text="1 of 11 records").wait_for()
        page.keyboard.press("Enter")
        expect_title(page, "opening-hours")


def test_prepared_words_are_walked_back_without_a_kernel(opened):
    with opened(desk_page()) as page:
        select(page, "We pay back half of the fare.")
        expect_said(page, "Walked back from")
        assert "goes back to campaign-note" in page.locator(".ek-headline").inner_text()
        expect_title(page, "campaign-note")


def test_words_that_were_not_prepared_open_the_stretch_around_them_and_say_so(opened):
    with opened(desk_page()) as page:
        select(page, "alf of")
        expect_said(page, "These very words were not prepared in this page: shown is “half of”")
        assert page.locator(".ek-strip-text mark").inner_text() == "half of"


@pytest.mark.parametrize("words", ["half of the fare", "passenger", " back half ", "fare."])
def test_words_that_a_person_would_choose_are_walked_exactly(opened, words):
    with opened(desk_page()) as page:
        select(page, words)
        chosen = words.strip(" .")
        expect_said(page, f"Walked back from “{chosen}”")
        assert page.locator(".ek-strip-text mark").inner_text() == chosen


def test_every_panel_of_a_page_opens(opened):
    with opened(desk_page()) as page:
        for tab in page.get_by_role("tab").all():
            tab.click()
            page.wait_for_function(
                "![...document.querySelectorAll('.ek-tab-body:not([hidden])')]"
                ".some((each) => each.textContent === 'Asking …')"
            )
            assert page.get_by_role("tabpanel").inner_text()
        page.get_by_role("button", name="Draw the walked path only").click()
        page.locator(".ek-graph-head", has_text="folded into").wait_for()


def test_a_line_of_the_trail_opens_its_record(opened):
    with opened(claims_page()) as page:
        page.locator(".ek-hop button", has_text="allowed").press("Enter")
        expect_title(page, "campaign-note")
        page.locator(".ek-hop button", has_text="overridden").click()
        expect_title(page, "the run's answer")


def test_hostile_records_neither_run_nor_break_the_page(opened):
    everything = " ".join(text for text in ATTACKS.values() if len(text) < 1_000)
    with opened(claims_page(everything)) as page:
        for index in range(page.locator(".ek-node").count()):
            page.locator(".ek-node").nth(index).dispatch_event("click")
        assert page.evaluate("typeof document.querySelector === 'function'")
        assert page.locator(".ek-inspector .ek-title").count() == 1
        assert page.locator("form, input:not(.ek-search), iframe, img, math").count() == 0


def test_a_large_run_opens_folded_and_stays_walkable(opened):
    _, seqs = claims_recording()
    with opened(page_of(Evidence(chat(1_500)), spoiled(recorded_walk(seqs), "x"))) as page:
        assert page.locator(".ek-node").count() <= 400
        page.locator(".ek-node").last.click()
        page.keyboard.press("ArrowUp")
        assert page.locator(".ek-node.ek-selected").count() == 1


def test_folds_open_in_the_page_one_at_a_time(opened):
    with opened(made(lambda: Run.loaded(chat(33)).to_html())) as page:
        folds = page.locator(".ek-node.ek-kind-fold")
        before, name = page.locator(".ek-node").count(), folds.last.text_content()
        folds.last.dispatch_event("click")
        expect_said(page, "The fold is open")
        after = page.locator(".ek-node").count()
        assert after > before
        assert name not in folds.all_text_contents()
        page.locator(".ek-node[aria-current]").wait_for()
        assert page.locator(".ek-inspector .ek-lines").inner_text()
        folds.first.dispatch_event("click")
        expect_said(page, "what was open is folded again")
        assert name in folds.all_text_contents()


def test_a_fold_that_was_not_prepared_says_so_and_its_records_have_names(opened):
    _, seqs = claims_recording()
    with opened(page_of(Evidence(chat(1_500)), spoiled(recorded_walk(seqs), "x"))) as page:
        page.locator(".ek-node.ek-kind-fold").nth(60).dispatch_event("click")
        expect_said(page, "This fold was not opened for this page")
        page.locator(".ek-footer", has_text="run.explore() opens them all").wait_for()
        page.locator(".ek-search").fill("fact-40")
        page.locator(".ek-search").press("Enter")
        expect_title(page, "fact-40")
        page.locator(".ek-inspector", has_text="its name alone").wait_for()


def long_page(characters):
    def page():
        with ek.trace("long") as run:
            note = ek.context("note", "We close at 18:00 today.")
            ek.answer(f"{note} " + "".join(f"Line {at:07}. " for at in range(characters // 14)))
        return run.to_html()

    return made(page)


def test_the_page_shows_more_of_a_long_answer_to_its_end(opened):
    with opened(long_page(30_000)) as page:
        assert "Line 0002100." not in page.locator(".ek-strip-text").inner_text()
        more = page.get_by_role("button", name="Show more of the answer")
        while more.count():
            before = page.locator(".ek-strip-text").inner_text()
            more.click()
            page.wait_for_function(
                "size => document.querySelector('.ek-strip-text').innerText.length > size",
                arg=len(before),
            )
        assert "Line 0000600. Line 0000601." in page.locator(".ek-strip-text").inner_text()
        assert page.locator(".ek-strip-text").inner_text().strip().endswith("Line 0002141.")


def test_the_page_says_that_other_grades_need_a_kernel_and_offers_no_choice_of_them(opened):
    with opened(claims_page()) as page:
        assert page.get_by_label("Weakest evidence of the walk").count() == 0
        tools = page.locator(".ek-answer .ek-tools").last.inner_text()
        assert "Evidence down to value, as this page was prepared" in tools
        assert "run.explore()" in tools


def test_every_walk_of_a_page_follows_the_grade_that_it_was_opened_with():
    def page():
        with ek.trace("two") as run:
            note = ek.context("note", "We close at 18:00 today. Ask at the desk.")
            ek.answer(note)
        return run.backtrack(span="18:00", grade="exposure").to_html()

    walks = data_of(made(page))["walks"]
    assert len(walks) > 2
    assert {walk["at"]["grade"] for walk in walks} == {"exposure"}


def test_the_path_of_other_words_is_said_not_to_be_drawn(opened):
    def page():
        texts = [f"{word} long sentences of their own kind." for word in ("Some", "Many", "Few")]
        with ek.trace("paths") as run:
            one = ek.link(name="one")(lambda text: text)
            ek.answer(" ".join(one(ek.context(f"c{at}", each)) for at, each in enumerate(texts)))
        return run.backtrack(span=texts[0]).to_html()

    with opened(made(page)) as shown:
        path = shown.get_by_role("button", name="Draw the walked path only")
        path.click()
        select(shown, "Few long sentences of their own kind.")
        shown.get_by_role("button", name="Draw the walked path only").click()
        expect_said(shown, "was not drawn for this page")
