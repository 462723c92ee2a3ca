"""The keys of JSON objects carry no information: the same tool writes them in every result."""

from typing import Final

import numpy as np

from explainkit.text.digit_groups import Codes, Ints

_LONGEST: Final = 64
_QUOTE, _COLON, _SPACE, _BACKSLASH = map(ord, '": \\')


def key_ranges(codes: Codes, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Find the tokens that stand inside keys, such as `name` in `{"name": 1}`.

    Args:
        codes: Folded characters, [n].
        starts: Starts of tokens in `codes`, int64[t].
        ends: Ends of tokens, int64[t].

    Returns:
        First tokens and the tokens after the last, int64[k] each.
    """
    quotes = np.flatnonzero(codes == _QUOTE)
    if len(quotes) < 2:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    padded = np.concatenate((codes[-2:] * 0, codes, codes[-2:] * 0))[: len(codes) + 4]
    shift = len(padded) - len(codes) - 2  # code i stands at padded[i + shift]
    closing = quotes[1:]
    opening = quotes[:-1]
    next_one, next_two = padded[closing + shift + 1], padded[closing + shift + 2]
    is_key = (next_one == _COLON) | ((next_one == _SPACE) & (next_two == _COLON))
    is_key &= closing - opening <= _LONGEST
    breaks = np.flatnonzero(codes == 0)  # NUL stands between joined texts: no key reaches over it
    is_key &= np.searchsorted(breaks, opening) == np.searchsorted(breaks, closing)
    opening, closing = opening[is_key], closing[is_key]
    before = opening + shift - 1
    before = before - (padded[before] == _BACKSLASH)
    one, two = padded[before], padded[np.maximum(before - 1, 0)]
    at_field = np.isin(one, list(map(ord, "{,\n\t"))) | (
        (one == _SPACE) & np.isin(two, list(map(ord, "{, \n\t")))
    )
    opening, closing = opening[at_field], closing[at_field]
    return np.searchsorted(starts, opening), np.searchsorted(ends, closing, side="right")
