"""Finds the words that a person selected, wherever they stand in the answer."""

import re
from dataclasses import dataclass

from explainkit.errors import SpanNotFoundError
from explainkit.text.matching import build_index, nearest_phrases

Span = str | tuple[int, int] | re.Pattern[str]
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Selected:
    """The selected stretches of a shown answer.

    Attributes:
        ranges: ``(start, end)`` in code points, ascending.
        words: The words themselves, when they were given as words.
    """

    ranges: tuple[tuple[int, int], ...]
    words: str | None


def select(text: str, span: Span) -> Selected:
    """Find a span: words as written, else folded and numbers by value; offsets; or a pattern.

    Args:
        text: The shown answer.
        span: Words, ``(start, end)`` in code points, or a compiled regular expression.

    Raises:
        SpanNotFoundError: It is not in the text; the nearest phrases are named.
        TypeError: It is none of the three.

    Example:
        >>> select("It is 1,234.5 km.", "1234.5").ranges
        ((6, 16),)
        >>> select("half, half", "half").ranges
        ((0, 4), (6, 10))
    """
    _require_span(span)
    if isinstance(span, tuple):
        return _by_offsets(text, span)
    if isinstance(span, re.Pattern):
        ranges = tuple(each.span() for each in span.finditer(text) if each.end() > each.start())
        if not ranges:
            raise SpanNotFoundError(
                f"The pattern {span.pattern!r:.{_SHOWN}} matches nothing in the answer "
                f"{_short(text)}. Select words of it, or offsets (start, end)."
            )
        return Selected(ranges, None)
    ranges = _as_written(text, span)
    if not ranges and span.strip():
        ranges = tuple((start, end) for _, start, end in build_index([text]).find(span))
    if not ranges:
        nearest = nearest_phrases(text, span)
        known = "; ".join(repr(each) for each in nearest)
        hint = f"Nearest: {known}." if known else f"The answer is {_short(text)}."
        raise SpanNotFoundError(
            f"The words {_short(span)} are not in the answer. {hint}", nearest=nearest
        )
    return Selected(ranges, span)


def _require_span(span: object) -> None:
    if isinstance(span, str):
        return
    if isinstance(span, re.Pattern) and isinstance(span.pattern, str):
        return
    if isinstance(span, tuple) and len(span) == 2 and all(type(each) is int for each in span):
        return
    raise TypeError(
        "A span is words of the answer, (start, end) in code points, or a compiled pattern of "
        f"text; got {type(span).__name__}."
    )


def _by_offsets(text: str, span: tuple[int, int]) -> Selected:
    start, end = span
    if not 0 <= start < end <= len(text):
        raise SpanNotFoundError(
            f"The offsets {span!r} are not a stretch of the answer, which has {len(text):,} "
            "characters. Give (start, end) with 0 <= start < end."
        )
    return Selected((span,), text[start:end])


def _as_written(text: str, words: str) -> tuple[tuple[int, int], ...]:
    found = []
    at = text.find(words) if words else -1
    while at >= 0:
        found.append((at, at + len(words)))
        at = text.find(words, at + len(words))
    return tuple(found)


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}\u2026")
