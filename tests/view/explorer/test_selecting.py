"""Words of the answer selected by hand and by key, to the exact code points of the stored text."""

import pytest

from tests.view.explorer.hosting import Hosted
from tests.view.explorer.reading import (
    TEXT,
    WORDS,
    drag,
    expect_title,
    mark_out,
    place,
    said,
    saying,
    walked,
)

pytestmark = pytest.mark.browser


def test_words_dragged_over_are_walked_back_from(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        text = page.locator(TEXT).inner_text()
        start = text.index(WORDS)
        drag(page, start, start + len(WORDS))
        assert walked(hosted, page) == (start, start + len(WORDS))
        assert page.locator(f"{TEXT} mark").inner_text() == WORDS
        assert WORDS in page.locator(".ek-headline").inner_text()
        assert page.locator(".ek-node.ek-source .ek-label").all_text_contents() == ["campaign-note"]
        assert page.locator(".ek-prompt mark").all_text_contents() == [WORDS]
        expect_title(page, "campaign-note")


def test_a_double_click_takes_the_word_without_its_space(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        start = page.locator(TEXT).inner_text().index("half")
        at = place(page, start, start + 4)
        page.mouse.dblclick((at["left"] + at["right"]) / 2, at["middle"])
        assert walked(hosted, page) == (start, start + 4)


def test_shift_and_arrows_select_and_enter_walks(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        page.locator(TEXT).focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        for _ in range(9):
            page.keyboard.press("Shift+ArrowRight")
        assert "“passenger”" in said(page)
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (5, 14)
        assert page.evaluate("outside") == []


def test_words_and_lines_are_selected_by_keys_and_never_more_than_the_answer(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        size = len(page.locator(TEXT).inner_text())
        page.locator(TEXT).focus()
        page.keyboard.press("Shift+End")
        for _ in range(3):
            page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (0, size)
        page.keyboard.press("Home")
        page.keyboard.press("Control+Shift+ArrowRight")
        page.keyboard.press("Enter")
        assert walked(hosted, page, 2)[1] in {4, 5}
        page.keyboard.press("Control+a")
        page.keyboard.press("Enter")
        assert walked(hosted, page, 3) == (0, size)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Gut 😀😀 bezahlt 👍🏽 heute", "bezahlt"),
        ("Gut 😀😀 bezahlt", "😀😀"),
        ("cafe\u0301 au lait", "cafe\u0301"),
        ("a\u200bb\u202ec the fare", "the fare"),
        ("a\x1b[31m red \x00 fare", "fare"),
        ("שלום עולם fare", "עולם"),
        ("\U0001d49c\U0001d4b7\U0001d4b8 fare", "\U0001d4b7\U0001d4b8"),
    ],
)
def test_selections_are_code_points_of_the_stored_text(opened, text, word):
    with opened(saying(text)) as (hosted, page):
        start = text.index(word)
        units = len(text[:start].encode("utf-16-le")) // 2
        width = len(word.encode("utf-16-le")) // 2
        mark_out(page, units, units + width)
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (start, start + len(word))


def test_half_of_a_surrogate_pair_is_never_selected(opened):
    with opened(saying("a 😀 b")) as (hosted, page):
        mark_out(page, 3, 5)
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (2, 4)


def test_a_stretch_whose_characters_were_replaced_is_taken_whole(opened, runs):
    state = Hosted(runs("claims")).state()
    strip = [["We pay ", 0, 7, "", 0], ["[secret]", 7, 40, "", 0], [" now", 47, 4, "", 0]]
    state["shown"] = {**state["shown"], "strip": strip}
    with opened(runs("claims"), state=state) as (hosted, page):
        page.evaluate(
            """() => {
              const text = document.querySelector(".ek-strip-text");
              text.focus();
              getSelection().setBaseAndExtent(text.childNodes[1], 2, text.childNodes[1], 4);
            }"""
        )
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (7, 47)


def test_the_whole_answer_another_version_and_another_grade_are_a_control_away(opened, runs):
    with opened(runs("claims"), walk={"start": 28, "end": 44}) as (hosted, page):
        page.get_by_role("button", name="Whole answer").click()
        assert walked(hosted, page) == (None, None)
        page.get_by_label("Version of the answer").select_option("0")
        walked(hosted, page, 2)
        assert "Ms Ines Harlow" in page.locator(TEXT).inner_text()
        page.get_by_label("Weakest evidence of the walk").select_option("exposure")
        walked(hosted, page, 3)
        sent = page.evaluate("model.sent.filter((each) => each.ask === 'walk').at(-1)")
        assert (sent["version"], sent["grade"]) == (1, "exposure")


def test_a_long_answer_is_read_on_and_selected_in_its_later_part(opened):
    text = "".join(f"{number:05d} " for number in range(3_000)) + "end"
    with opened(saying(text)) as (hosted, page):
        page.get_by_role("button", name="Show more of the answer").click()
        page.get_by_role("button", name="Show more of the answer").wait_for()
        page.get_by_role("button", name="Show more of the answer").click()
        page.wait_for_function(
            "document.querySelector('.ek-strip-text').textContent.endsWith('end')"
        )
        page.locator(TEXT).focus()
        page.keyboard.press("Control+End")
        for _ in range(3):
            page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (len(text) - 3, len(text))


def test_a_button_walks_from_the_selection_where_there_is_neither_key_nor_mouse(opened, runs):
    with opened(runs("claims")) as (hosted, page):
        mark_out(page, 28, 44)
        page.get_by_role("button", name="Walk back from the selection").click()
        assert walked(hosted, page) == (28, 44)


def test_words_are_selected_by_keys_in_a_shadow_tree_too(opened, runs):
    with opened(runs("claims"), shadow=True) as (hosted, page):
        page.locator(TEXT).focus()
        for _ in range(4):
            page.keyboard.press("Shift+ArrowRight")
        assert "“Dear”" in said(page)
        page.keyboard.press("Enter")
        assert walked(hosted, page) == (0, 4)
        assert page.locator(f"{TEXT} mark").inner_text() == "Dear"
