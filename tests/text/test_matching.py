"""Copied words are found where they stand, on both sides, and chance is told apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.matching import Match, all_matches, build_index, nearest_phrases
from explainkit.text.tokens import tokenize

from .strategies import texts, word_lists

FACT = "The tariff pays nothing for a delay under 60 minutes."
NOTE = "Campaign of last winter: half of the fare for any delay, as goodwill, until March."


def rows(*contents):
    return list(all_matches(build_index(contents)).rows())


def said(match, contents):
    return contents[match.source][match.source_start : match.source_end]


def test_a_copied_run_has_exact_offsets_on_both_sides():
    contents = [FACT, f"We read: {FACT.upper().replace(' ', '  ')} So no."]
    (match,) = rows(*contents)
    assert said(match, contents) == FACT[:-1]
    target = contents[1][match.target_start : match.target_end]
    assert " ".join(target.split()) == FACT[:-1].upper()
    assert match.strong


def test_nearest_and_first_text_are_both_reported():
    contents = [FACT, "unrelated words stand here", f"note: {FACT}", f"answer: {FACT}"]
    table = all_matches(build_index(contents))
    last = [
        (int(s), bool(n), bool(f))
        for s, t, n, f in zip(table.source, table.target, table.nearest, table.first, strict=True)
        if t == 3
    ]
    assert sorted(last) == [(0, False, True), (2, True, False)]


def test_a_run_is_maximal_where_a_nearer_text_holds_only_a_part():
    contents = [FACT, "pays nothing for a delay", f"so {FACT}"]
    found = [(m.source, said(m, contents)) for m in rows(*contents) if m.target == 2]
    assert (0, FACT[:-1]) in found


@pytest.mark.parametrize("unit", ["HAT069", "84.57", "1,234.5", "2,025,117"])
def test_a_rare_unit_matches_alone(unit):
    contents = [f"booking {unit} was made by phone", f"your ticket: {unit}"]
    (match,) = rows(*contents)
    assert said(match, contents) == unit


def test_a_number_matches_in_another_spelling():
    contents = ["the total came to 1,234.50 after tax", "we owe 1234.5 in all"]
    (match,) = rows(*contents)
    assert said(match, contents) == "1,234.50"
    assert contents[1][match.target_start : match.target_end] == "1234.5"


def test_a_pair_of_rare_words_such_as_a_name_matches_alone():
    contents = [
        'passenger: "Amara Okonkwo", booked by phone',
        "Dear Amara Okonkwo, your train is late",
    ]
    (match,) = rows(*contents)
    assert said(match, contents) == "Amara Okonkwo"
    assert [said(m, contents) for m in build_index(contents).between(1, [0])] == ["Amara Okonkwo"]


def test_a_date_matches_in_another_spelling():
    contents = ["booked on 2025-12-03 by phone", "since 3 December 2025 it is yours", "03.12.2025!"]
    index = build_index(contents)
    found = {(m.source, m.target, said(m, contents)) for m in all_matches(index).rows()}
    assert found > {(0, 1, "2025-12-03"), (0, 2, "2025-12-03"), (1, 2, "3 December 2025")}
    between = {(m.source, said(m, contents)) for m in index.between(1, [0, 2])}
    assert between > {(0, "2025-12-03"), (2, "03.12.2025")}
    assert [text for text, _, _ in index.find("Dec 3, 2025")] == [0, 1, 2]
    assert [text for text, _, _ in index.find("Dec 4, 2025")] == []


def test_common_words_alone_are_no_strong_match():
    found = rows("It is in the of and to a town by the sea", "He is in the end of a long day")
    assert not any(match.strong for match in found)


def test_keys_of_json_objects_are_no_match():
    one = '{"reservation_identifier": "x", "passenger_surname": "Mia", "delay_reason": "fog"}'
    two = '{"reservation_identifier": "y", "passenger_surname": "Bo", "delay_reason": "ice"}'
    assert rows(one, two) == []


def test_boilerplate_is_discounted_and_the_discount_is_reported():
    polite = "we kindly thank every passenger for travelling with our trains on this line today"
    contents = [f"{polite} case alpha{chr(97 + i)}q" for i in range(26)]
    table = all_matches(build_index(contents))
    pair = all_matches(build_index(contents[:2]))
    assert pair.discount.max() == 0
    assert table.discount.max() > 0
    assert table.bits.max() < pair.bits.max() - 10


def test_between_finds_what_flows_from_given_texts():
    contents = [
        FACT,
        NOTE,
        "You get half of the fare for any delay, though 60 minutes is the rule.",
    ]
    index = build_index(contents)
    (match,) = index.between(2, [1])
    assert said(match, contents) == "half of the fare for any delay"
    assert {m.source for m in index.between(2, [0, 1, 2])} <= {0, 1}
    assert index.between(0, []) == []


def test_find_folds_case_space_and_spelling():
    contents = [FACT, "a delay  UNDER 60\nmin", "nothing", "under 61 minutes"]
    index = build_index(contents)
    assert [contents[t][a:b] for t, a, b in index.find("Under 60 minutes")] == [
        "under 60 minutes", "UNDER 60\nmin",
    ]  # fmt: skip
    assert index.find("   ") == []
    assert index.find("never said") == []


def test_find_takes_a_number_by_value_and_unit():
    contents = ["$1,234.50 due", "1234.5 USD due", "1234.5 km", "1234.5", "id 1234.5.6"]
    index = build_index(contents)
    assert [t for t, _, _ in index.find("1,234.50")] == [0, 1, 2, 3]
    found = [(t, contents[t][a:b]) for t, a, b in index.find("1234.50 dollars")]
    assert found == [(0, "$1,234.50"), (1, "1234.5 USD"), (3, "1234.5")]


def test_find_takes_spans_that_begin_and_end_within_words():
    index = build_index([FACT, "Tariff pays nothing"])
    assert index.find("ariff pays noth") == [(0, 5, 20), (1, 1, 16)]
    assert index.find("ff") == [(0, 8, 10), (1, 4, 6)]


def test_find_takes_punctuation_literally():
    assert build_index(["a -- b", "c"]).find("--") == [(0, 2, 4)]


def test_nearest_phrases_of_an_unknown_span():
    answer = "You get half of the fare back. Send the form by Friday."
    assert nearest_phrases(answer, "half the fares")[0] == "half of the fare"
    assert nearest_phrases(answer, "fryday") == ["Friday"]
    assert nearest_phrases(answer, "qqqq zzzz") == []
    assert nearest_phrases("", "x") == []


def test_no_texts_and_empty_texts_have_no_matches():
    assert rows() == []
    assert rows("", " ", "\x00") == []
    assert build_index([]).find("x") == []
    assert build_index(["", "a"]).between(1, [0]) == []


def folded(text):
    return tokenize(text).keys.tolist()


def check(match: Match, contents):
    source = contents[match.source][match.source_start : match.source_end]
    target = contents[match.target][match.target_start : match.target_end]
    assert source
    assert target
    assert folded(source) == folded(target)


@given(st.lists(word_lists(), min_size=2, max_size=6))
def test_matches_of_plain_words_are_equal_words(lists):
    contents = list(dict.fromkeys(" ".join(words) for words in lists))
    index = build_index(contents)
    table = all_matches(index)
    assert len(table) <= 4 * sum(map(len, lists)) + 4
    for match in table.rows():
        assert match.source < match.target
        source = contents[match.source][match.source_start : match.source_end]
        assert source == contents[match.target][match.target_start : match.target_end]
    for source in range(len(contents) - 1):
        for match in index.between(len(contents) - 1, [source]):
            check(match, contents)


@given(texts(20), texts(20), st.sampled_from([FACT, NOTE]), texts(10), texts(10))
def test_a_planted_copy_is_found_with_valid_offsets(one, two, fact, three, four):
    contents = [f"{one}\n\n{fact}\n\n{two}", f"{three}\n\n{fact.lower()}\n\n{four}"]
    matches = rows(*contents)
    low = contents[1].index(f"\n\n{fact.lower()}\n\n") + 2
    assert any(m.target_start <= low and low + len(fact) - 1 <= m.target_end for m in matches)
    for match in matches:
        assert 0 <= match.source_start < match.source_end <= len(contents[match.source])
        assert 0 <= match.target_start < match.target_end <= len(contents[match.target])


@given(st.lists(texts(15), max_size=4, unique=True), texts(4))
def test_find_returns_places_that_hold_the_span(contents, span):
    index = build_index(contents)
    for text, start, end in index.find(span):
        assert 0 <= start < end <= len(contents[text])
    for number, content in enumerate(contents):
        if span.strip() and folded(content) and content.split() and content in span:
            assert folded(span) != folded(content) or any(
                text == number for text, _, _ in index.find(content)
            )


def test_matches_grow_with_the_text_and_not_with_the_pairs():
    facts = [" ".join(f"w{i}x{j}" for j in range(20)) for i in range(30)]
    for count in (50, 100, 200, 400):
        contents = [f"turn t{i}z: {facts[i % 30]} end e{i}q" for i in range(count)]
        table = all_matches(build_index(contents))
        assert count - 30 <= table.strong.sum()
        # The nearest and the first earlier text for each repeated fact, whatever the pairs.
        assert len(table) <= 2 * count


def test_the_same_texts_give_the_same_table():
    contents = [FACT, NOTE, f"{NOTE} {FACT}", f"half of it. {FACT}"]
    one, two = all_matches(build_index(contents)), all_matches(build_index(contents))
    assert list(one.rows()) == list(two.rows())
    assert np.array_equal(one.discount, two.discount)


RARE = ("QX100Z1", "QX200Z2", "QX300Z3", "1,234.5", "2026-03-04")


@given(st.lists(st.lists(st.sampled_from(RARE), min_size=1, max_size=3), min_size=2, max_size=6))
def test_no_match_reaches_from_one_text_into_the_next(words):
    texts = list(dict.fromkeys(" ".join(each) for each in words))
    index = build_index(texts)
    found = list(index.links().rows())
    for number in range(1, len(texts)):
        found += index.between(number, list(range(number)))
    for match in found:
        source = texts[match.source][match.source_start : match.source_end]
        assert source
        assert source == texts[match.target][match.target_start : match.target_end]


@pytest.mark.parametrize("times", [2, 4_000])
def test_a_long_span_that_repeats_itself_is_found_wherever_it_stands(times):
    text = "one two " * times
    span = text.strip()
    index = build_index([f"three {text * 2}", text.upper(), "one two"])
    starts = [6 + 8 * at for at in range(times + 1)]
    assert index.find(span) == [*((0, at, at + len(span)) for at in starts), (1, 0, len(span))]
