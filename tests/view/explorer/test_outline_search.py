"""What the outline offers to search by, and a search that takes longer than one answer."""

import pytest

import explainkit as ek
from tests.view.explorer.hosting import made
from tests.view.explorer.reading import expect_title

pytestmark = pytest.mark.browser


def many_texts():
    @ek.link
    def tell(number):
        return f"line {number} says {number * 7}"

    with ek.trace("many") as run:
        for number in range(200):
            last = tell(number)
        ek.answer(last)
    run.verdict("failed", judge="reader", reason="too long")
    return run


def test_a_search_goes_on_by_itself_until_all_texts_were_searched(opened):
    with opened(made(many_texts)) as (hosted, page):
        ticks = iter(range(10**9))
        hosted.exploration.outline._texts._clock = lambda: float(next(ticks))
        page.locator(".ek-search").fill("line 198 says")
        page.keyboard.press("Enter")
        expect_title(page, "tell")
        page.locator(".ek-entry", has_text="line 198 says").first.wait_for()
        page.wait_for_function(
            "() => !document.querySelector('.ek-count').textContent.includes('not searched yet')"
        )
        sent = page.evaluate("model.sent.filter((each) => each.query === 'line 198 says').length")
        assert sent > 2


def test_a_single_verdict_can_be_filtered_and_only_grades_between_records_are_offered(opened):
    with opened(made(many_texts)) as (_, page):
        verdicts = page.get_by_label("Show records of any verdict")
        assert verdicts.locator("option").all_inner_texts() == ["any verdict", "failed"]
        grades = page.get_by_label("Show records of any grade").locator("option")
        assert grades.all_inner_texts() == ["any grade", "declared", "value"]
        verdicts.select_option("failed")
        page.locator(".ek-count", has_text=" of ").wait_for()
        words = page.locator(".ek-entry .ek-kindword").all_inner_texts()
        assert len(words) == 2  # the judged answer, and the verdict itself
        assert all("failed" in each for each in words)


def test_an_empty_answer_is_called_empty(opened):
    def empty():
        with ek.trace("empty") as run:
            ek.answer("")
        return run

    with opened(made(empty)) as (_, page):
        assert page.locator(".ek-strip-text").inner_text() == "The answer is an empty text."
