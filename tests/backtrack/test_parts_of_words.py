"""What is said of words is so of exactly these words, not of some of them."""

import pytest

import explainkit as ek
from explainkit.backtrack.facts import holds_words


@ek.link(kind="tool")
def price():
    return {"euros": 9}


@ek.link(kind="model")
def tell(prompt):
    return "It costs 9 euros."


def told():
    with ek.trace("price", question="What does it cost?") as run:
        ek.answer(tell(ek.assemble("{price}", price=price())))
    return run


def flat(back):
    return " ".join(back.text().split())


def test_a_number_that_stands_without_its_unit_is_only_a_part_of_the_words():
    back = told().backtrack(span="9 euros")
    assert (
        "Found Of “9 euros” only “9” goes back to output.euros of price (tool); evidence: value, "
        "the same characters on both sides. All of it first appears in output of tell."
    ) in flat(back)
    assert [row.state for row in back.coverage] == ["partly"]


def test_the_number_itself_is_found_whole():
    back = told().backtrack(span="9")
    assert "“9” first appears in output.euros of price (tool)" in flat(back)
    assert [row.state for row in back.coverage] == ["supported"]


def test_a_context_that_holds_the_number_alone_is_told_apart_too():
    with ek.trace("price") as run:
        prices = ek.context("prices", {"adult": 9}, kind="document")
        ek.answer(tell(ek.assemble("{prices}", prices=prices)))
    assert "Of “9 euros” only “9” goes back to prices.adult (document)" in flat(
        run.backtrack(span="9 euros")
    )


def test_a_source_that_holds_all_of_the_words_is_named_before_one_that_holds_a_part():
    with ek.trace("price") as run:
        number = ek.context("list", {"adult": 9}, kind="document")
        leaflet = ek.context("leaflet", "A ticket is 9 euros for adults.", kind="document")
        ek.answer(tell(ek.assemble("{a}\n{b}", a=number, b=leaflet)))
    text = flat(run.backtrack(span="9 euros"))
    assert "“9 euros” goes back to leaflet (document)" in text
    assert "Parts of it also stand in list.adult (document)." in text


@pytest.mark.parametrize(
    ("text", "words", "whole"),
    [
        ("We pay 1,234.5 km.", "1234.5 KM", True),
        ("60 min late", "60 minutes", True),
        ("on 2025-12-03", "3 December 2025", True),
        ("HALF  of the fare!", "half of the fare", True),
        ("9", "9 euros", False),
        ("half", "half of the fare", False),
    ],
)
def test_holding_words_is_a_matter_of_all_of_them(text, words, whole):
    assert holds_words(text, words) is whole
