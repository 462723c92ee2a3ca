"""Which words of an answer a page holds walks of: those that a person would choose."""

import json

import pytest

import explainkit as ek
from explainkit.session.backtracked import Backtrack
from explainkit.view.explorer.page_stretches import stretches_of
from tests.view.test_page import data_of

ANSWER = (
    "Dear Ms Keller, train IC 612 of 3 March 2025 was 40 minutes late. We pay back 12.50 EUR, "
    "half of the fare, within 28 days. The desk in Linz is open until 18:00; "
    "write to claims@rail.example."
)
FACTS = (
    "Ms Keller", "3 March 2025", "40 minutes", "12.50 EUR", "28 days", "Linz", "18:00",
    "claims@rail.example", "12.50", "40", "28",
)  # fmt: skip


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return ANSWER


def told(answer=None):
    with ek.trace("claim", question="What do I get back?") as run:
        note = ek.context("note", "For 30 minutes or more we pay back half of the fare.")
        hours = ek.context("hours", "The desk in Linz is open until 18:00 every day.")
        ek.answer(ask(ek.assemble("{note}\n{hours}", note=note, hours=hours)))
        if answer is not None:
            ek.override(answer, by="editor")
    return run


def prepared(run):
    """What the page of a run holds walks of, and the whole walks as its script reads them."""
    walks = data_of(run.to_html())["walks"]
    whole = [{**walks[0], **walk} for walk in walks]
    return [walk["selected"] for walk in walks], whole


@pytest.mark.parametrize("fact", FACTS)
def test_each_fact_of_an_answer_is_prepared_as_it_stands(fact):
    assert fact in prepared(told())[0]


def test_what_the_suspects_carried_is_prepared():
    run = told()
    selected, _ = prepared(run)
    for suspect in run.backtrack().shortlist():
        for place in (place for reason in suspect.reasons for place in reason.evidence):
            words = place.text.strip(" .,;:\n")
            assert words not in ANSWER or words in selected, words
    assert "half of the fare" in selected


def test_each_sentence_and_each_longer_word_is_prepared():
    selected, _ = prepared(told())
    assert "We pay back 12.50 EUR, half of the fare, within 28 days." in selected
    assert {"train", "late", "half", "fare", "desk", "open"} <= set(selected)


def test_many_sentences_leave_room_for_facts_and_many_facts_for_sentences():
    long = " ".join(f"Item {number} costs {number * 7}.25 EUR today." for number in range(100, 300))
    selected, _ = prepared(told(long))
    assert "700.25 EUR" in selected
    assert "Item 100 costs 700.25 EUR today." in selected
    facts = [words for words in selected if words and words.endswith(" EUR")]
    sentences = [words for words in selected if words and words.endswith(" today.")]
    assert min(len(facts), len(sentences)) > 8


def test_any_words_of_a_short_answer_are_prepared():
    selected, _ = prepared(told("We pay back half of it."))
    words = "We pay back half of it".split()
    for low in range(len(words)):
        for high in range(low + 2, len(words) + 1):
            phrase = " ".join(words[low:high])
            assert phrase in selected, phrase


def test_a_page_opens_prepared_words_exactly_as_python_walks_back_from_them():
    run = told()
    _, walks = prepared(run)
    for walk in walks:
        if walk["at"]["slot"] != "answer" or walk["at"]["start"] is None:
            continue
        back = Backtrack.of(run, span=(walk["at"]["start"], walk["at"]["end"]))
        assert walk["headline"] == back.board().headline
        assert [step["verb"] for step in walk["trail"]] == [s.verb for s in back.board().trail]


def test_what_all_walks_say_is_written_once():
    data = data_of(told().to_html())
    first, *others = data["walks"]
    assert {"question", "footer", "answer_note"} <= set(first)
    for walk in others:
        assert all(first.get(name) != value for name, value in walk.items() if name not in KEPT)
    assert sum(len(json.dumps(walk)) for walk in others) < len(others) * len(json.dumps(first))


KEPT = {"at", "selected", "headline"}


def test_words_that_stand_everywhere_are_not_walked_one_by_one():
    back = told("half of it, " * 3_000).backtrack()
    text = back.walk.answer
    words = {text[start:end] for start, end in stretches_of(back.walk)}
    assert "half" not in words
