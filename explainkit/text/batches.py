"""Tokenize many texts at the price of one, and a long one without holding tables for all of it."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explainkit.text.tokens import Tokens, tokenize, tokenize_joined

_BATCH: Final = 1_000_000
_REACH: Final = 10_000
_BETWEEN: Final = "\0"


class TokenTable(NamedTuple):
    """The tokens of many texts, text after text.

    Attributes:
        starts: Code point offsets within their own text, int32[n].
        ends: int32[n].
        keys: uint64[n].
        kinds: uint8[n].
        digits: uint8[n].
        bounds: First token of each text, and n at the end, int64[texts + 1].
    """

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    digits: NDArray[np.uint8]
    bounds: NDArray[np.int64]


def _safe_cut(text: str, low: int, high: int) -> int:
    """Find a place at which cutting cannot divide a token."""
    line = text.rfind("\n", low, high)
    if line > low:
        return line
    at = text.rfind(" ", low, high - 1)
    while at > low:
        # A space before a digit may group the digits of one number.
        if not text[at + 1].isdigit():
            return at
        at = text.rfind(" ", low, at)
    return -1


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    while len(text) - start > _BATCH:
        high = start + _BATCH
        cut = _safe_cut(text, high - _REACH, high)
        while cut < 0 and high < len(text):
            low, high = high, min(high + _BATCH, len(text))
            cut = _safe_cut(text, low, high)
        if cut < 0:
            break
        yield start, text[start:cut]
        start = cut
    yield start, text[start:]


def _batches(texts: Sequence[str]) -> Iterator[tuple[list[int], list[int], list[str]]]:
    """Yield texts, their numbers and the offset of each piece in its own text."""
    numbers: list[int] = []
    offsets: list[int] = []
    pieces: list[str] = []
    size = 0
    for number, text in enumerate(texts):
        for offset, piece in _pieces(text):
            if size and size + len(piece) > _BATCH:
                yield numbers, offsets, pieces
                numbers, offsets, pieces, size = [], [], [], 0
            numbers.append(number)
            offsets.append(offset)
            pieces.append(piece)
            size += len(piece) + len(_BETWEEN)
    if pieces:
        yield numbers, offsets, pieces


def tokenize_all(texts: Sequence[str]) -> TokenTable:
    """Tokenize every text.

    Args:
        texts: Any strings.

    Returns:
        One table; tokens never reach from one text into the next.
    """
    counts = np.zeros(len(texts) + 1, np.int64)
    parts: list[Tokens] = []
    for numbers, offsets, pieces in _batches(texts):
        begins = np.cumsum([0, *(len(piece) + len(_BETWEEN) for piece in pieces[:-1])])
        fresh = begins[np.array(offsets) == 0]
        tokens = tokenize_joined(_BETWEEN.join(pieces), fresh)
        owner = np.searchsorted(begins, tokens.starts, side="right") - 1
        shift = (np.array(offsets) - begins)[owner].astype(np.int32)
        counts[1:] += np.bincount(np.array(numbers)[owner], minlength=len(texts))
        parts.append(
            Tokens(
                tokens.starts + shift, tokens.ends + shift, tokens.keys, tokens.kinds, tokens.digits
            )
        )
    parts = parts or [tokenize("")]
    return TokenTable(
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.ends for part in parts]),
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.kinds for part in parts]),
        np.concatenate([part.digits for part in parts]),
        np.cumsum(counts),
    )
