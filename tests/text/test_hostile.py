"""Text that was written to hurt: no error, no result larger than linear in its size."""

import pytest

from explainkit.text.alignment import align
from explainkit.text.matching import all_matches, build_index, nearest_phrases
from explainkit.text.names import find_names, find_quotes
from explainkit.text.numbers import find_quantities
from explainkit.text.overlap import coverage
from explainkit.text.sentence_bounds import sentences
from explainkit.text.tokens import tokenize
from explainkit.text.units import find_units

SIZE = 20_000
SHAPES = {
    "one token": "a", "one word": "a ", "one phrase": "the quick brown fox ", "digits": "1",
    "grouped": "1,234,", "commas": "1,", "dots": "1.", "spaced": "123 ", "spaces": " ",
    "quotes": '"', "fields": '"a":', "lines": "\n", "capitals": "Aa ", "dashes": "a-1-",
    "surrogates": "\ud800", "reversed surrogates": "\udc00\ud800", "nul": "\0",
    "emoji": "\U0001f44d\U0001f3fd",
    "right to left": "\u05e9\u05dc\u05d5\u05dd \u202e", "chinese": "\u6f22\u5b57",
    "mail": "a.b@", "urls": "http://",
    "signs": "+-", "stops": ". ", "underscores": "_", "marks": "\u0301", "zeros": "1.000",
    "open quotes": "\u201c", "joiners": "\u200d", "ids": "HAT069 ", "dates": "2025-12-03 ",
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_repeats_of_one_thing(shape):
    text = shape * (SIZE // len(shape))
    assert len(tokenize(text)) <= len(text)
    assert len(find_quantities(text)) <= len(text)
    assert len(find_units(text)) <= len(text)
    assert len(sentences(text)) <= len(text)
    assert len(find_names(text)) + len(find_quotes(text)) <= len(text)
    assert len(align(text, text[: SIZE // 2] + "Q" + text[SIZE // 2 - 3 :])) <= 8
    assert len(nearest_phrases(text, "half of the fare 1")) <= 3
    index = build_index([text, text[3:], "x" + text[: SIZE // 2]])
    table = all_matches(index)
    # Bounded by the distinct pieces, not by the length: 64 seeds for each at most.
    assert len(table) <= 1000
    for match in table.rows():
        assert match.source < match.target
    assert len(index.between(2, [0, 1])) <= 1000
    assert len(index.find(shape * 3)) <= 3 * len(text)


def test_repeats_that_are_not_looked_up_are_counted():
    text = "the quick brown fox " * 500
    table = all_matches(build_index([text, f"see {text}"]))
    assert table.left_out > 0
    (match,) = [m for m in table.rows() if m.target_end - m.target_start > len(text) - 5]
    assert match.strong


def test_a_line_of_ten_megabytes():
    text = "lorem ipsum dolor sit amet 1,234.50 " * 290_000
    index = build_index(
        [text, "x" * 10_000_000, f"they said lorem ipsum dolor sit amet 1234.5 {'z' * 9}"]
    )
    assert len(index.find("x" * 10_000_000)) == 1
    assert index.find("said lorem ipsum") == [(2, 5, 21)]
    assert len(all_matches(index)) <= 100


def test_sources_of_one_word_and_an_answer():
    (found,) = coverage("fare " * 2000, ["fare " * 3000])
    assert found.share in {0.0, 1.0}


def test_work_grows_with_length_for_alternating_anchors():
    # One anchor at a time at the left end would be quadratic without the depth limit.
    before = " ".join(f"{'ab' * (i % 3)} u{i}" for i in range(20_000))
    after = " ".join(f"{'ba' * (i % 3)} u{19_999 - i}" for i in range(20_000))
    pieces = align(before, after)
    assert pieces[-1].before_end == len(before)
    assert len(pieces) <= 50_000
