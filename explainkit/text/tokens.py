"""Cut a text into comparable tokens, because every match is a run of equal tokens.

Words are case-folded and decomposed, numbers have one form (`1,234.50` is `1234.5`), a unit after a
number has one form (`min` is `minutes`), white space and punctuation separate and are dropped,
scripts without spaces and symbols give one token per character. Keys are 64 bits and the same in
every process. Everything is vectorized.

    >>> tokens = tokenize("Fee: 1,234.50 EUR")
    >>> [(int(start), int(end)) for start, end in zip(tokens.starts, tokens.ends)]
    [(0, 3), (5, 13), (14, 17)]
    >>> bool((tokenize("fee 1234.5 euros").keys == tokens.keys).all())
    True
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from explainkit.text.characters import ASCII_KINDS, DIGIT, LETTER, SINGLE, TABLE
from explainkit.text.digit_groups import Codes, Ints, rewrite_numbers, spread
from explainkit.text.hashing import key_of, run_keys
from explainkit.text.json_keys import key_ranges
from explainkit.text.measures import CANONICAL

WORD: Final = 1
NUMBER: Final = 2
CODE: Final = 3  # letters and digits in one word: an id, a version, a variable
SYMBOL: Final = 4  # one character that is a token by itself
FIELD: Final = 5  # a word inside the key of a JSON object: it carries no information


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text, in order.

    Attributes:
        starts: Code point offsets, int32[n].
        ends: Offsets after each token, int32[n].
        keys: Equal for tokens that fold to the same form, uint64[n].
        kinds: WORD, NUMBER, CODE, SYMBOL or FIELD, uint8[n].
        digits: Significant digits of a NUMBER, characters of a CODE, else 0, uint8[n].
    """

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    digits: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.starts)


class _Folded(NamedTuple):
    """A text ready to be cut: characters, their kinds and where each came from."""

    codes: Codes
    kinds: NDArray[np.uint8]
    origin: NDArray[np.int32] | None
    origin_end: NDArray[np.int32] | None


def _fold(text: str) -> _Folded:
    origin: NDArray[np.int32] | None = None
    codes: Codes
    if text.isascii():
        raw = text.encode("ascii")
        codes = np.frombuffer(raw.lower(), np.uint8)
        kinds = np.frombuffer(bytearray(raw.translate(ASCII_KINDS)), np.uint8)
    else:
        wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        codes, kinds, origin = TABLE.folded(wide)
    rewrite = rewrite_numbers(codes, kinds)
    if rewrite is None:
        return _Folded(codes, kinds, origin, None if origin is None else origin + 1)
    if origin is None:
        origin = np.arange(len(codes), dtype=np.int32)
    origin_end = origin + 1
    origin_end[rewrite.last] = origin[rewrite.end - 1] + 1
    kinds[rewrite.points] = DIGIT
    codes = codes.copy()
    codes[rewrite.points] = ord(".")
    keep = np.ones(len(codes), bool)
    keep[rewrite.drop] = False
    return _Folded(codes[keep], kinds[keep], origin[keep], origin_end[keep])


def _edges(flags: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Starts and ends of the runs of set flags."""
    padded = np.zeros(len(flags) + 2, np.int8)
    padded[1:-1] = flags
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return edges[0::2], edges[1::2]


def _cut(kinds: NDArray[np.uint8]) -> tuple[Ints, Ints, Ints]:
    """Starts and ends of tokens, and starts of the digit runs."""
    starts, ends = _edges((kinds == LETTER) | (kinds == DIGIT))
    digit_starts, digit_ends = _edges(kinds == DIGIT)
    leads = digit_starts[(digit_starts == 0) | (kinds[digit_starts - 1] != LETTER)]
    stops = digit_ends[(digit_starts == 0) | (kinds[digit_starts - 1] != LETTER)]
    inside = stops < len(kinds)
    leads, stops = leads[inside], stops[inside]
    splits = stops[kinds[stops] == LETTER]  # 20MB is 20 and MB, but A4 is one word
    singles = np.flatnonzero(kinds == SINGLE)
    if len(splits) or len(singles):
        starts = np.sort(np.concatenate((starts, splits, singles)))
        ends = np.sort(np.concatenate((ends, splits, singles + 1)))
    return starts, ends, digit_starts


def _keys(codes: Codes, starts: Ints, ends: Ints) -> NDArray[np.uint64]:
    if codes.dtype == np.uint8:
        return run_keys(codes.tobytes(), starts, ends)
    data = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    width = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
    offset = np.concatenate(([0], np.cumsum(width)))
    return run_keys(data.encode("utf-8", "surrogatepass"), offset[starts], offset[ends])


def _significant(codes: Codes, starts: Ints, ends: Ints) -> NDArray[np.uint8]:
    """Digits that tell a number from others: no leading zeros, no closing run of two or more."""
    size = ends - starts
    lead, trail = np.zeros_like(size), np.zeros_like(size)
    pointed = np.zeros(len(size), bool)
    active = np.arange(len(size))
    for step in range(int(min(size.max(initial=0), 24))):
        active = active[size[active] > step]
        pointed[active] |= codes[starts[active] + step] == ord(".")
        opening = active[lead[active] == step]
        at = codes[starts[opening] + step]
        lead[opening[(at == ord("0")) | (at == ord("."))]] += 1
        closing = active[trail[active] == step]
        trail[closing[codes[ends[closing] - 1 - step] == ord("0")]] += 1
    trail[pointed | (trail < 2)] = 0
    inner_point = pointed & (lead == 0)
    significant = np.maximum(size - lead - trail - inner_point, 1)
    digits: NDArray[np.uint8] = np.minimum(significant, 255).astype(np.uint8)
    return digits


_UNIT_KEYS: Final = {key_of(spelling): key_of(unit) for spelling, unit in CANONICAL.items()}
_UNIT_FROM: Final = np.array(sorted(_UNIT_KEYS), np.uint64)
_UNIT_TO: Final = np.array([_UNIT_KEYS[key] for key in sorted(_UNIT_KEYS)], np.uint64)


def _unify_units(keys: NDArray[np.uint64], kinds: NDArray[np.uint8], opening: Ints) -> None:
    """Give the unit after a number, and every currency sign, its canonical key; in place.

    What stands between number and unit does not matter, because space and punctuation are folded;
    only the first token of a text (`opening`) follows nothing.
    """
    follows = np.zeros(len(kinds), bool)
    follows[1:] = kinds[:-1] == NUMBER
    follows[opening[opening < len(kinds)]] = False
    after = np.flatnonzero(follows & (kinds == WORD))
    at = np.concatenate((after, np.flatnonzero(kinds == SYMBOL)))
    place = np.minimum(np.searchsorted(_UNIT_FROM, keys[at]), len(_UNIT_FROM) - 1)
    known = _UNIT_FROM[place] == keys[at]
    keys[at[known]] = _UNIT_TO[place[known]]


def tokenize(text: str) -> Tokens:
    """Cut a text into tokens.

    Args:
        text: Any string; lone surrogates and NUL characters separate.

    Returns:
        The tokens, with offsets in code points of `text`.
    """
    return tokenize_joined(text, np.zeros(1, np.int64))


def tokenize_joined(text: str, begins: Ints) -> Tokens:
    """Cut many texts, joined by separators, into tokens.

    Args:
        text: The joined texts.
        begins: Offset at which each text begins, int64[t].

    Returns:
        The tokens, with offsets in code points of the joined text.
    """
    codes, kinds, origin, origin_end = _fold(text)
    starts, ends, digit_starts = _cut(kinds)
    keys = _keys(codes, starts, ends)
    token_kinds = np.full(len(starts), WORD, np.uint8)
    digits = np.zeros(len(starts), np.uint8)
    first = kinds[starts]
    token_kinds[first == SINGLE] = SYMBOL
    owner = np.searchsorted(starts, digit_starts, side="right") - 1
    leading = starts[owner] == digit_starts if len(owner) else np.zeros(0, bool)
    codes_at = np.unique(owner[~leading])
    token_kinds[codes_at] = CODE
    digits[codes_at] = np.minimum(ends[codes_at] - starts[codes_at], 255)
    numbers = owner[leading]
    token_kinds[numbers] = NUMBER
    digits[numbers] = _significant(codes, starts[numbers], ends[numbers])
    low, high = key_ranges(codes, starts, ends)
    token_kinds[spread(low, np.maximum(high - low, 0))] = FIELD
    if origin is None or origin_end is None:
        places, stops = starts.astype(np.int32), ends.astype(np.int32)
    else:
        places, stops = origin[starts], origin_end[ends - 1]
    _unify_units(keys, token_kinds, np.searchsorted(places, begins))
    return Tokens(places, stops, keys, token_kinds, digits)
