"""Notebook HTML is complete without style and harmless without trust."""

import re

import pytest

from explainkit.safety import Html
from explainkit.view.compose import board_of
from explainkit.view.notebook import html_of_backtrack, html_of_prompt, html_of_run
from explainkit.view.palette import AMBER, FAILED, INK, MUTED, PAPER, PASSED, TINTS, WASH
from explainkit.view.prompting import pane_of
from explainkit.view.skin import STYLES
from tests.view.claims import claims_recording, recorded_prompt, recorded_suspects, recorded_walk
from tests.view.hostile import ATTACKS, HUGE, spoiled
from tests.view.parsed import parsed

TAGS = {
    "div", "p", "span", "b", "i", "u", "mark", "ins", "del", "code", "pre", "ol", "ul", "li",
    "details", "summary", "sup", "bdi",
}  # fmt: skip


def boards(text=None):
    recording, seqs = claims_recording()
    found = recorded_walk(seqs), recorded_prompt(seqs), recorded_suspects(seqs)
    walk, prompt, suspects = found if text is None else (spoiled(each, text) for each in found)
    return board_of(recording, walk, prompt=prompt, suspects=suspects), pane_of(prompt, walk)


def drawn(text=None):
    board, pane = boards(text)
    return [html_of_run(board), html_of_backtrack(board), html_of_prompt(pane)]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("attack", ["as recorded", *ATTACKS], ids=str)
def test_only_our_own_elements_and_styles_reach_the_page(attack):
    styles = set(STYLES.values())
    for html in drawn(ATTACKS.get(attack)):
        found = parsed(html)
        assert set(found.tags) <= TAGS
        assert {name for _, name, _ in found.attributes} <= {"style"}
        assert {value for _, _, value in found.attributes} <= styles


@pytest.mark.parametrize("attack", ["mathjax", "script", "explainkit"])
def test_recorded_text_stands_in_code_where_no_typesetter_looks(attack):
    text = ATTACKS[attack]
    for html in drawn(text):
        found = parsed(html)
        assert text.split("\n")[0][:20] in found.text
        assert text[:12] not in found.naked
        assert "$" not in found.naked


def test_the_board_tells_everything_without_any_style():
    board, _ = boards()
    bare = re.sub(r' style="[^"]*"', "", str(html_of_backtrack(board)))
    assert "style" not in bare
    text = " ".join(parsed(bare).text.split())
    for words in (
        "failed, says reviewer", "said", "landed", "allowed", "born", "declared", "overridden",
        "Rank 1", "memory/2025-12", "cut by rank", "What the model saw in ask",
        "in no upstream text",
    ):  # fmt: skip
        assert words in text
    assert "<mark>half of the fare</mark>" in bare
    assert "<del>Ms Keller</del>" in bare
    assert "<ins>the passenger</ins>" in bare


def test_html_is_made_by_the_escaping_helper_alone():
    assert all(type(html) is Html for html in drawn())


def test_the_same_input_gives_the_same_bytes():
    assert drawn() == drawn()


def test_five_megabytes_in_every_field_give_a_bounded_board():
    for html in drawn(HUGE):
        assert len(html) < 400_000
        assert "more characters" in html


def test_a_style_sets_both_colours_or_stands_on_a_ground_that_is_ours():
    for role, style in STYLES.items():
        properties = dict(part.split(":", 1) for part in style.split(";"))
        if "color" in properties:
            assert "background-color" in properties, role
        assert "var(" not in style
        assert "url" not in style


def test_text_keeps_its_contrast_on_every_ground():
    grounds = [PAPER, WASH]
    for ink in (INK, MUTED, FAILED, PASSED):
        assert all(contrast(ink, ground) >= 4.5 for ground in grounds), ink
    assert contrast(INK, AMBER) >= 4.5
    for ground, ink in TINTS:
        assert contrast(INK, ground) >= 4.5
        assert contrast(ink, ground) >= 4.5


def test_at_most_six_hues():
    assert len(TINTS) + 1 <= 6
