"""Stretches of text to be replaced, and how overlapping ones become one."""

import re
from collections.abc import Iterable
from typing import NamedTuple

MARK = "[redacted:"
_PLACED = re.compile(r"\[redacted:[a-z-]{1,40}#[0-9]{1,9}\]")


class Span(NamedTuple):
    """A secret at ``[start, end)`` of a text.

    Attributes:
        start: First code point.
        end: One past the last.
        kind: What sort of secret.
        secret: The secret itself, which for an encoded copy is not the text of the stretch.
    """

    start: int
    end: int
    kind: str
    secret: str


def merged(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return spans in order, overlapping ones joined, none touching what was redacted before."""
    ordered = sorted(spans, key=lambda span: (span.start, -span.end))
    if MARK in text:
        ordered = _outside(text, ordered)
    result: list[Span] = []
    for span in ordered:
        if result and span.start < result[-1].end:
            last = result[-1]
            if span.end > last.end:
                whole = text[last.start : span.end]
                result[-1] = Span(last.start, span.end, last.kind, whole)
        else:
            result.append(span)
    return result


def is_placed(text: str) -> bool:
    """Return whether a text is one mark of redaction and nothing else."""
    return _PLACED.fullmatch(text) is not None


def _outside(text: str, ordered: list[Span]) -> list[Span]:
    """Drop spans that overlap a mark of an earlier redaction."""
    marks = [match.span() for match in _PLACED.finditer(text)]
    kept: list[Span] = []
    at = 0
    for span in ordered:
        while at < len(marks) and marks[at][1] <= span.start:
            at += 1
        if at == len(marks) or marks[at][0] >= span.end:
            kept.append(span)
    return kept
