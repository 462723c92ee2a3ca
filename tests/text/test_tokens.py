"""Tokens keep their places in any script, and the same keys everywhere."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explainkit.text.batches import tokenize_all
from explainkit.text.tokens import CODE, FIELD, NUMBER, SYMBOL, WORD, tokenize

from .strategies import texts


def words(text):
    tokens = tokenize(text)
    return [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]


def same(a, b):
    return tokenize(a).keys.tolist() == tokenize(b).keys.tolist()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,234.5", "1234.50"),
        ("1\u00a0234.5", "1'234.5"),
        ("1 234.5", "1.234,5"),
        ("1 234 km", "1,234 kilometres"),
        ("$1,234.00", "$1234"),
        ("40 min", "40 Minutes"),
        ("5%", "5 percent"),
        ("20MB", "20 megabytes"),
        ("\u0661\u0662\u0663", "123"),
        ("Stra\u00dfe", "STRASSE"),
        ("caf\u00e9", "CAFE\u0301"),
        ("Half  of\nthe fare.", "half of the FARE"),
        ("it\u2019s", "it's"),
        ("so\u00adft", "soft"),
        ("\U0001f44d\ufe0f", "\U0001f44d"),
    ],
)
def test_spellings_of_the_same_words_have_the_same_keys(one, other):
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,234", "1.234"),
        ("3.11.7", "3117"),
        ("100 200 300", "100200300"),
        ("a,450,120", "a,450120"),
        ("[1,234]", "[1234]"),
        ("5 minutes", "5 hours"),
        ("A4", "A 4"),
        ("caf\u00e9", "cafe"),
    ],
)
def test_different_content_has_different_keys(one, other):
    assert not same(one, other)


def test_tokens_cover_words_numbers_and_single_characters():
    text = "Fee: 1,234.50 EUR, 20MB (HAT069) \u6f22\u5b57 \U0001f44d! \u05e9\u05dc\u05d5\u05dd"
    assert words(text) == [
        "Fee", "1,234.50", "EUR", "20", "MB", "HAT069", "\u6f22", "\u5b57", "\U0001f44d",
        "\u05e9\u05dc\u05d5\u05dd",
    ]  # fmt: skip


def test_kinds_and_significant_digits():
    tokens = tokenize("fee 1,500 0.050 1234.50 HAT069 \u6f22")
    assert tokens.kinds.tolist() == [WORD, NUMBER, NUMBER, NUMBER, CODE, SYMBOL]
    assert tokens.digits.tolist() == [0, 2, 1, 5, 6, 0]


def test_keys_of_json_objects_are_fields():
    text = '{"name": "Mia Li", \n  "id" : 7, "inner": {"x":1}} he said "no": 5'
    tokens = tokenize(text)
    fields = [
        text[a:b]
        for a, b, kind in zip(tokens.starts, tokens.ends, tokens.kinds, strict=True)
        if kind == FIELD
    ]
    assert fields == ["name", "id", "inner", "x"]


def test_long_tokens_are_told_apart_by_their_last_character():
    for size in (7, 8, 9, 16, 17, 64, 65, 300):
        assert not same("a" * size + "b", "a" * size + "c")
        assert same("a" * size + "b", "A" * size + "B")


def test_keys_are_the_same_in_every_process():
    code = (
        "from explainkit.text.tokens import tokenize\n"
        "print(tokenize('Half 1,234.50 stra\\u00dfe').keys.tolist())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert runs == {f"{tokenize('half 1234.5 STRASSE').keys.tolist()}\n"}


@given(texts())
def test_offsets_are_valid_and_ordered(text):
    tokens = tokenize(text)
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    assert all(0 <= a < b <= len(text) for a, b in zip(starts, ends, strict=True))
    assert starts == sorted(starts)
    assert ends == sorted(ends)


@given(texts())
def test_a_wide_character_far_away_changes_no_token(text):
    # ASCII and other texts take different paths, which must agree.
    narrow = tokenize(text)
    wide = tokenize(text + "\n\n\u05e9")
    assert wide.keys[: len(narrow)].tolist() == narrow.keys.tolist()
    assert wide.starts[: len(narrow)].tolist() == narrow.starts.tolist()
    assert wide.ends[: len(narrow)].tolist() == narrow.ends.tolist()


@example([',"', '0": V '])
@example(['{"a', 'b": 2'])
@given(st.lists(texts(12), max_size=6))
def test_many_texts_give_the_tokens_of_each(parts):
    table = tokenize_all(parts)
    for number, part in enumerate(parts):
        alone = tokenize(part)
        low, high = table.bounds[number], table.bounds[number + 1]
        assert table.keys[low:high].tolist() == alone.keys.tolist()
        assert table.kinds[low:high].tolist() == alone.kinds.tolist()
        assert table.starts[low:high].tolist() == alone.starts.tolist()
        assert table.ends[low:high].tolist() == alone.ends.tolist()


def test_a_long_text_is_cut_where_no_token_is_divided():
    text = "fee 1,234.50 EUR and 12 345.5 km of Stra\u00dfe, " * 60_000
    table, alone = tokenize_all(["x", text]), tokenize(text)
    assert np.array_equal(table.keys[1:], alone.keys)
    assert np.array_equal(table.starts[1:], alone.starts)
    assert np.array_equal(table.ends[1:], alone.ends)
