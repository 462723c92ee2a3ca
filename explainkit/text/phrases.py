"""What a person may have meant by words that a text does not hold, for messages about them."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explainkit.text.tokens import Tokens, tokenize

_CANDIDATES: Final = 24
_JOINTS: Final = ":.,/-"
_LONGEST_WANTED: Final = 40  # words of the wanted phrase that are compared
_WORDS_COMPARED: Final = 4000


def nearest_phrases(text: str, wanted: str, k: int = 3) -> list[str]:
    """Return the phrases of a text that come nearest to the wanted words.

    Args:
        text: Where to look.
        wanted: Words that are not in it.
        k: How many phrases at most.

    Returns:
        Phrases as they stand in `text`, best first, ties by place; empty if nothing is near.

    >>> nearest_phrases("You get half of the fare back.", "half the fares")
    ['half of the fare']
    >>> nearest_phrases("We close at 22:00 today.", "23:00")
    ['22:00']
    """
    tokens, asked = tokenize(text), tokenize(wanted)
    size = min(len(asked), _LONGEST_WANTED)
    if not len(tokens) or not size or k < 1:
        return []
    shared = np.isin(tokens.keys, asked.keys[:size])
    missing = [
        wanted[asked.starts[at] : asked.ends[at]]
        for at in range(size)
        if asked.keys[at] not in tokens.keys
    ]
    shared |= _alike(text, missing)
    if not shared.any():
        return []
    window = min(size + 1, len(tokens))
    sums = np.concatenate(([0], np.cumsum(shared)))
    hits = sums[window:] - sums[:-window]
    order = np.argsort(-hits, kind="stable")[: _CANDIDATES * 4]
    ranked = []
    for at in order[hits[order] > 0].tolist():
        inside = np.flatnonzero(shared[at : at + window]) + at
        first, last = _whole_number(text, tokens, int(inside[0]), int(inside[-1]))
        phrase = text[tokens.starts[first] : tokens.ends[last]]
        ratio = SequenceMatcher(None, phrase.casefold(), wanted.casefold(), autojunk=False).ratio()
        ranked.append((-ratio, first, last, phrase))
    return _separate(sorted(set(ranked)), k)


def _whole_number(text: str, tokens: Tokens, first: int, last: int) -> tuple[int, int]:
    """A stretch of tokens with the rest of the times, dates and numbers at its ends.

    Half of a time is nothing that a person meant: 22:00, not 00.
    """

    def joined(at: int) -> bool:
        low, high = int(tokens.ends[at]), int(tokens.starts[at + 1])
        return (
            high - low == 1
            and text[low - 1].isdigit()
            and text[high].isdigit()
            and (text[low] in _JOINTS)
        )

    while first > 0 and joined(first - 1):
        first -= 1
    while last + 1 < len(tokens) and joined(last):
        last += 1
    return first, last


def _alike(text: str, missing: Sequence[str]) -> NDArray[np.bool_]:
    """Flag the words of a text that look like a wanted word that it does not hold."""
    tokens = tokenize(text)
    words = [word.casefold() for word in missing]
    flags = np.zeros(len(tokens), bool)
    matcher = SequenceMatcher(autojunk=False)
    for at, (start, end) in enumerate(_ranges(text)[:_WORDS_COMPARED]):
        matcher.set_seq2(text[start:end].casefold()[:64])
        for word in words:
            matcher.set_seq1(word[:64])
            if matcher.real_quick_ratio() > 0.7 and matcher.ratio() > 0.7:
                flags[at] = True
                break
    return flags


def _ranges(text: str) -> list[tuple[int, int]]:
    tokens = tokenize(text)
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


def _separate(ranked: list[tuple[float, int, int, str]], k: int) -> list[str]:
    """Take the best phrases that do not overlap and differ."""
    chosen: list[tuple[int, int, str]] = []
    for _, first, last, phrase in ranked:
        if all(last < a or first > b for a, b, _ in chosen) and phrase not in {
            other for _, _, other in chosen
        }:
            chosen.append((first, last, phrase))
        if len(chosen) == k:
            break
    return [phrase for _, _, phrase in chosen]
