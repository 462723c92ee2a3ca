"""Which contexts are likely to be copies: those that hold the same text, or say the same words."""

import re
from collections.abc import Iterator, Sequence
from math import log
from typing import Final

_WORD: Final = re.compile(r"\w+(?:[.,]\d+)*")


def likely_sets(
    texts: Sequence[str], *, gone: Sequence[Sequence[str]] = ()
) -> Iterator[tuple[int, ...]]:
    """Sets of places that may be copies of each other, the likeliest first; each once.

    First every text with all others that hold what is taken away with it: alone its removal is not
    applied. Then each text with the one that shares most with it, a shared word being worth the
    more the fewer texts hold it; two that share only what many hold are no pair.

    Args:
        texts: What each item says.
        gone: For each item the texts that must not reach a model once it is removed.

    Example:
        >>> texts = ["The fare is 60.", "It rains.", "Printed: the fare is 60.", "The fare is 4."]
        >>> next(likely_sets(texts))
        (0, 2)
    """
    known: set[tuple[int, ...]] = set()
    for found in (*_holding_the_same(texts, gone), *_saying_the_same(texts)):
        if len(found) > 1 and found not in known:
            known.add(found)
            yield found


def _holding_the_same(
    texts: Sequence[str], gone: Sequence[Sequence[str]]
) -> Iterator[tuple[int, ...]]:
    for at, probes in enumerate(gone):
        held = (
            n
            for n, text in enumerate(texts)
            if n == at or any(probe and probe in text for probe in probes)
        )
        yield tuple(held)


def _saying_the_same(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """Each text with its nearest one; words that more than half of the texts hold tell nothing."""
    words = [frozenset(_WORD.findall(text.casefold())) for text in texts]
    holders: dict[str, list[int]] = {}
    for at, each in enumerate(words):
        for word in sorted(each):
            holders.setdefault(word, []).append(at)
    worth = {
        word: log(len(texts) / len(at))
        for word, at in holders.items()
        if 1 < len(at) <= max(2, len(texts) // 2)
    }
    scored: dict[tuple[int, ...], float] = {}
    for at, each in enumerate(words):
        shared: dict[int, float] = {}
        for word in sorted(each & worth.keys()):
            for other in holders[word]:
                shared[other] = shared.get(other, 0.0) + worth[word]
        shared.pop(at, None)
        if shared:
            best = min(shared, key=lambda other: (-shared[other], other))
            scored[min(at, best), max(at, best)] = shared[best]
    return sorted(scored, key=lambda pair: (-scored[pair], pair))
