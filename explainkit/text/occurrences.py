"""Every place where a span stands, because introducers and carriers are looked up by span."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explainkit.text.index import TokenIndex
from explainkit.text.numbers import find_quantities, same_quantity
from explainkit.text.tokens import tokenize

Place = tuple[int, int, int]
_AROUND = 24
_AT_ONCE = 65_536
"""Tokens of all places that are compared in one step."""
_COMPARED = 8_000_000
"""Comparisons above which a text is read once from its start instead."""


def find_span(index: TokenIndex, span: str) -> list[Place]:
    """Find a span in all texts.

    Args:
        index: The table of all texts.
        span: Words to look for.

    Returns:
        `(text, start, end)` ascending; empty for a span of white space only.
    """
    wanted = span.strip()
    if not wanted:
        return []
    quantities = find_quantities(wanted)
    if len(quantities) == 1 and quantities[0].text == wanted:
        return _find_quantity(index, wanted)
    tokens = tokenize(wanted)
    if not len(tokens):
        return _find_literal(index, wanted)
    ids = index.vocabulary.lookup(tokens.keys)
    places = _find_tokens(index, ids) if (ids >= 0).all() else []
    return places or _find_ragged(index, wanted, ids)


def _starts_of(index: TokenIndex, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions at which the whole run of known tokens stands within one text."""
    rarest = int(np.argmin(index.vocabulary.counts[ids]))
    found: NDArray[np.int64] = np.flatnonzero(index.ids == np.int32(ids[rarest])) - rarest
    found = found[(found >= 0) & (found + len(ids) <= index.size)]
    first = 0
    while first < len(ids) and len(found):
        if len(found) * (len(ids) - first) > _COMPARED:
            found = np.intersect1d(found, runs_of(index.ids.tolist(), ids.tolist()))
            break
        # Many tokens at once where few places are left, so that a long span costs its length.
        steps = np.arange(first, min(len(ids), first + max(1, _AT_ONCE // len(found))))
        found = found[(index.ids[found[:, None] + steps] == ids[steps]).all(axis=1)]
        first = int(steps[-1]) + 1
    if not len(found):
        return found
    whole = index.documents(found) == index.documents(found + len(ids) - 1)
    inside: NDArray[np.int64] = found[whole]
    return inside


def runs_of(tokens: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """Where a run of tokens begins, in time that grows with both lengths, not their product.

    A text that repeats itself has a candidate at each repetition (Knuth, Morris and Pratt 1977).

    Example:
        >>> runs_of([7, 1, 2, 1, 2, 1], [1, 2, 1])
        [1, 3]
    """
    back, length = [0] * len(wanted), 0
    for at in range(1, len(wanted)):
        while length and wanted[at] != wanted[length]:
            length = back[length - 1]
        length += wanted[at] == wanted[length]
        back[at] = length
    found, length = [], 0
    for at, token in enumerate(tokens):
        while length and (length == len(wanted) or token != wanted[length]):
            length = back[length - 1]
        length += token == wanted[length]
        if length == len(wanted):
            found.append(at - length + 1)
    return found


def _find_tokens(index: TokenIndex, ids: NDArray[np.int64]) -> list[Place]:
    found = _starts_of(index, ids)
    return list(
        zip(
            index.documents(found).tolist(),
            index.starts[found].tolist(),
            index.ends[found + len(ids) - 1].tolist(),
            strict=True,
        )
    )


def _find_quantity(index: TokenIndex, wanted: str) -> list[Place]:
    """Find a number by value; a unit on both sides must agree."""
    quantity = find_quantities(wanted)[0]
    tokens = tokenize(str(format(abs(quantity.value), "f")))
    ids = index.vocabulary.lookup(tokens.keys)
    if len(ids) != 1 or ids[0] < 0:
        return []
    places = []
    for text, start, end in _find_tokens(index, ids):
        low = max(0, start - _AROUND)
        for other in find_quantities(index.texts[text][low : end + _AROUND]):
            covers = low + other.start <= start and end <= low + other.end
            if covers and same_quantity(quantity, other):
                places.append((text, low + other.start, low + other.end))
                break
    return places


def _find_literal(index: TokenIndex, wanted: str) -> list[Place]:
    places = []
    for number, text in enumerate(index.texts):
        at = text.find(wanted)
        while at >= 0:
            places.append((number, at, at + len(wanted)))
            at = text.find(wanted, at + len(wanted))
    return places


def _find_ragged(index: TokenIndex, wanted: str, ids: NDArray[np.int64]) -> list[Place]:
    """Find a span that begins or ends within a word: inner words whole, edges as written."""
    literal = _find_literal(index, wanted)
    inner = ids[1:-1]
    if literal or not len(inner) or (inner < 0).any():
        return literal
    tokens = tokenize(wanted)
    head = wanted[: tokens.ends[0]].strip().casefold()
    tail = wanted[tokens.starts[-1] :].strip().casefold()
    places = []
    for found in _starts_of(index, inner).tolist():
        text = int(index.documents(np.array([found]))[0])
        first, last = found - 1, found + len(inner)
        if first < index.bounds[text] or last >= index.bounds[text + 1]:
            continue
        content = index.texts[text]
        before = content[index.starts[first] : index.ends[first]]
        after = content[index.starts[last] :][: len(tail)]
        if before.casefold().endswith(head) and after.casefold() == tail:
            start = int(index.ends[first]) - len(head)
            places.append((text, start, int(index.starts[last]) + len(tail)))
    return places
