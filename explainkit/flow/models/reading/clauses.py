"""Rules cut into their clauses, each with its limits and what it says once they are met."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from explainkit.flow.models.reading.limits import Limit, find_limits
from explainkit.flow.models.reading.wording import content

_JOINT = re.compile(r",\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*•+]\s+|\(?\d{1,3}[.)]\s+|[a-z]\)\s+|#+\s+|>\s+)?")
_SEPARATOR = re.compile(r"\s*(?:[:,=|→–—]|-\s)\s*|\s+then\s+", re.IGNORECASE)
_NEAR_SEPARATOR = re.compile(r"(?:\s*[^\s:,]+){1,4}[:,]\s+")
_LEADING = re.compile(
    r"(?:for|if|when|whenever|where|with|once|in|from|after|on|at|as)\b", re.IGNORECASE
)
_CONNECTIVE = re.compile(
    r"[\s,]+(?:only\s+)?(?:for|if|when|whenever|where|once|after|provided|in\s+case|with|on|in|at)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^:]*:\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a sentence that stands or falls with its own limits."""

    start: int
    end: int
    limits: tuple[Limit, ...]


def clauses_of(text: str) -> list[Clause]:
    """Cut a sentence at semicolons, and at commas between two rules; whole if it has no limit."""
    limits = find_limits(text) if any(character.isdigit() for character in text) else []
    if not limits:
        return [Clause(start=0, end=len(text), limits=())]
    cuts = sorted({*_semicolons(text), *_between_rules(text, limits)})
    bounds = [0, *cuts, len(text)]
    return list(_with_limits(bounds, limits))


def said_by(text: str, clause: Clause) -> str:
    """Give what a clause says once its limits are met, or the whole of it.

    Example:
        >>> rule = "From 5 kg on: two stamps are needed."
        >>> said_by(rule, clauses_of(rule)[0])
        'Two stamps are needed.'
    """
    start = _skip(_BULLET, text, clause.start)
    if not clause.limits:
        return text[start : clause.end].strip()
    first, last = clause.limits[0], clause.limits[-1]
    tail = _tail(text, start, first.start, last.end, clause.end)
    if tail is not None:
        return polished(tail)
    if not content(text[last.end : clause.end]):
        head = _head(text[start : first.start])
        if head is not None:
            return polished(head)
    return polished(text[start : clause.end])


def polished(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    text = text.strip().strip(",;:|").strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else text + "."


def _tail(text: str, start: int, first: int, last: int, end: int) -> str | None:
    tail = text[last:end]
    separator = _SEPARATOR.match(tail)
    before = text[start:first]
    opening = before[_skip(_LABEL, before, 0) :].strip()
    if separator is None and opening and not _LEADING.match(opening):
        return None
    near = None if separator else _NEAR_SEPARATOR.match(tail)
    after = separator or near
    tail = tail[after.end() :] if after else tail
    return tail if content(tail) else None


def _head(head: str) -> str | None:
    cuts = [match.start() for match in _CONNECTIVE.finditer(head)]
    shortened = head[: cuts[-1]] if cuts else head
    chosen = shortened if len(content(shortened)) > 1 else head
    return chosen if len(content(chosen)) > 1 else None


def _skip(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def _with_limits(bounds: list[int], limits: list[Limit]) -> Iterator[Clause]:
    at = 0
    for start, end in pairwise(bounds):
        first = at
        while at < len(limits) and limits[at].start < end:
            at += 1
        yield Clause(start=start, end=end, limits=tuple(limits[first:at]))


def _semicolons(text: str) -> Iterator[int]:
    return (match.end() for match in re.finditer(r";", text))


def _between_rules(text: str, limits: list[Limit]) -> Iterator[int]:
    for before, after in pairwise(limits):
        joints = list(_JOINT.finditer(text, before.end, after.start))
        if joints and content(text[before.end : joints[-1].start()]):
            yield joints[-1].end()
