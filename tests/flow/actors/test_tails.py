"""Laws of the end of an output: it is bounded, whole characters, and counts what is missing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.flow.actors.tails import Tail

MARK = re.compile(r"\A\[… ([\d,]+) bytes left out …\]\n")
PIECES = st.lists(st.one_of(st.binary(max_size=12), st.text(max_size=6).map(str.encode)))


def tail_of(pieces, characters):
    tail = Tail(characters)
    for piece in pieces:
        tail.add(piece)
    return tail.text()


@given(PIECES, st.integers(1, 20))
def test_a_tail_is_the_end_of_the_output_and_says_how_much_is_missing(pieces, characters):
    output, text = b"".join(pieces), tail_of(pieces, characters)
    mark = MARK.match(text)
    left_out = int(mark[1].replace(",", "")) if mark else 0
    shown = text[mark.end() :] if mark else text
    assert shown == output[left_out:].decode("utf-8", "replace")
    assert len(shown) <= characters
    if left_out == 0:
        assert len(output.decode("utf-8", "surrogateescape")) <= characters


@given(st.text(min_size=1), st.integers(1, 20))
def test_of_good_text_exactly_the_last_characters_are_shown(text, characters):
    data = text.encode()
    shown = tail_of([data[i : i + 1] for i in range(len(data))], characters)
    assert shown.endswith(text[-characters:])
    assert ("left out" in shown.partition("\n")[0]) or shown == text


@pytest.mark.parametrize("character", ["x", "é", "€", "😀"])
def test_long_outputs_are_cut_between_characters(character):
    tail = Tail(3)
    for _ in range(3):
        tail.add((character * 100_000).encode())
    wide = len(character.encode())
    assert tail.text() == f"[… {(300_000 - 3) * wide:,} bytes left out …]\n{character * 3}"
    assert len(tail._kept) < 200_000


def test_nothing_is_nothing():
    assert Tail(5).text() == ""
