"""What a saved notebook says without a kernel: the story and the times, folded and bounded."""

import re

import pytest

import explainkit as ek
from explainkit.demos.claims_desk import run_demo
from explainkit.session.explorer import Explorer
from tests.view.hostile import ATTACKS
from tests.view.parsed import parsed


def kept(run):
    return Explorer(run.backtrack())._html()


def test_every_sentence_of_the_story_is_kept_with_its_records():
    run = run_demo().run
    text = " ".join(parsed(kept(run)).text.split())
    sentences = run.story().sentences
    assert f"The story ({len(sentences)})" in text
    for each in sentences:
        assert each.text in text
    assert "The model “ask” was given a prompt of 602 characters" in text


def test_the_times_of_links_are_kept():
    text = " ".join(parsed(kept(run_demo().run)).text.split())
    assert "Times, from the first beginning on" in text
    assert "after 4.0 ms, for 1.0 ms: assemble (record 14)" in text


def test_both_stay_small_in_a_big_run_and_count_what_they_leave_out():
    @ek.link(kind="tool")
    def step(number):
        return f"{number} and so on " * 50

    with ek.trace("big") as run:
        for number in range(400):
            out = step(number)
        ek.answer(out)
    html = kept(run)
    bars = re.search(r"400 links summed into (\d+) bars", html)
    assert 1 < int(bars[1]) <= 24
    assert len(html) < 120_000


def test_a_run_without_links_has_no_times():
    with ek.trace("bare") as run:
        ek.answer("yes")
    html = kept(run)
    assert "The story" in html
    assert "Times, from" not in html


@pytest.mark.parametrize("attack", ATTACKS)
def test_recorded_words_reach_them_as_text_only(attack):
    with ek.trace(ATTACKS[attack]) as run:
        said = ek.link(kind="tool")(lambda text: text)(ATTACKS[attack])
        ek.answer(said)
    html = kept(run)
    found = parsed(html)
    assert not {"script", "iframe", "svg"} & set(found.tags)
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "$" not in found.naked
