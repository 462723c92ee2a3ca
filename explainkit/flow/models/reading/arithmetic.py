"""Sums, differences and shares, computed when the question asks for an amount."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from explainkit.flow.models.reading.amounts import exact, number, written
from explainkit.flow.models.reading.limits import find_limits
from explainkit.flow.models.reading.measured import Measure, measures, same_kind
from explainkit.flow.models.reading.passages import Passage
from explainkit.flow.models.reading.queries import Query
from explainkit.flow.models.reading.shares import Share, find_share
from explainkit.flow.models.reading.support import Candidate, candidates
from explainkit.flow.models.reading.wording import content
from explainkit.text.sentence_bounds import sentences

_TOTAL = re.compile(
    r"\b(?:in\s+total|in\s+all|in\s+sum|altogether|(?:the\s+)?total|(?:the\s+)?sum|combined|"
    r"taken\s+together|together)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:the\s+)?difference\b|(?<=\bhow\smuch\s)\w+er\b|"
    r"(?<=\bhow\smuch\s)(?:more|less)\b|(?<=\bhow\smany\s)(?:more|fewer)\b",
    re.IGNORECASE,
)
_SIGNS = {
    "+": "+", "plus": "+", "-": "-", "−": "-", "–": "-", "minus": "-",
    "*": "*", "x": "*", "×": "*", "times": "*", "/": "/", "÷": "/", "divided by": "/",
}  # fmt: skip
_SUM_OF = re.compile(r"\b(?:sum\s+of|add)\s+\Z", re.IGNORECASE)
_DIFFERENCE_OF = re.compile(r"\bdifference\s+(?:between|of)\s+\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A computed answer and the sentences, besides the question, that it was computed from."""

    says: str
    used: tuple[Passage, ...] = ()


def calculated(query: Query) -> Result | None:
    """Compute what the question holds itself ("half of 80 EUR", "3 plus 4"), if anything."""
    text = query.asked
    found = measures(text)
    share = find_share(text)
    if share and len(found) > (1 if "%" in text[: share.end] else 0):
        base = next((m for m in found if m.start >= share.end), None)
        if base and not text[share.end : base.start].strip():
            return _result(_scaled(base, share))
    if len(found) != 2:
        return None
    between = " ".join(text[found[0].end : found[1].start].split()).casefold()
    sign = _SIGNS.get(between)
    if between == "and":
        before = text[: found[0].start]
        sign = "+" if _SUM_OF.search(before) else "-" if _DIFFERENCE_OF.search(before) else None
    return _result(_applied(sign, found[0], found[1])) if sign else None


def collected(query: Query, passages: Sequence[Passage]) -> Result | None:
    """Compute a total or a difference over the sentences that fit the question best."""
    total, difference = _TOTAL.search(query.asked), _DIFFERENCE.search(query.asked)
    asking = total or difference
    if asking is None:
        return None
    operation = content(asking[0])
    kept = {key: word for key, word in query.words.items() if key not in operation}
    query = replace(query, words=kept)
    pairs = _countable(passages, query)
    stated = [candidate for candidate, _ in pairs if asking.re.search(candidate.passage.text)]
    if stated:
        return Result(says=stated[-1].says, used=(stated[-1].passage,))
    pairs = [pair for pair in pairs if same_kind(pair[1], pairs[-1][1])]
    if not total:
        pairs = pairs[-2:]
    if len(pairs) < (1 if total else 2):
        return None
    amounts = [exact(measure.base[1]) for _, measure in pairs]
    return _combined(amounts, pairs, is_total=bool(total))


def _countable(passages: Sequence[Passage], query: Query) -> list[tuple[Candidate, Measure]]:
    """Find the sentences that fit best among those with a number, each once, with that number."""
    found: dict[int, tuple[Candidate, Measure]] = {}
    for candidate in candidates(passages, query, query.measures):
        measure = None if candidate.limited else _counted(candidate.passage.text, query)
        if measure:
            found.setdefault(candidate.passage.start, (candidate, measure))
    best = max((candidate.asked for candidate, _ in found.values()), default=0)
    return [pair for pair in found.values() if pair[0].asked == best]


def share_of(candidate: Candidate, query: Query, passages: Sequence[Passage]) -> Result | None:
    """Compute the share that an answer names ("half of the price") where its base is stated."""
    share = find_share(candidate.says)
    if share is None or not content(share.base):
        return None
    for start, end in sentences(query.given):
        given = _stated(share, query.given[start:end])
        if given:
            return _result(_scaled(given, share), candidate.passage)
    for passage in reversed(passages):
        if passage is candidate.passage or passage.role == "assistant":
            continue
        base = _stated(share, passage.text)
        if base:
            return _result(_scaled(base, share), candidate.passage, passage)
    return None


def share_asked(query: Query, candidate: Candidate) -> Result | None:
    """Compute a share that the question asks for, of the amount that the answer states."""
    share = find_share(query.asked)
    base = _counted(candidate.says, query) if share else None
    return _result(_scaled(base, share), candidate.passage) if base and share else None


def _stated(share: Share, text: str) -> Measure | None:
    """Find the amount that a text states for the base of a share; rules state none."""
    name = content(text).get(next(iter(content(share.base))))
    if name is None or text.rstrip().endswith("?") or find_share(text) or find_limits(text):
        return None
    amounts = [m for m in measures(text) if m.unit and not m.counts and m.unit != "percent"]
    return min(amounts, key=lambda m: abs(m.start - name.start), default=None)


def _counted(text: str, query: Query) -> Measure | None:
    found = measures(text)
    named = [m for m in found if m.unit in query.words]
    united = [m for m in found if m.unit and not m.counts]
    for chosen in (named, united, found):
        if chosen:
            return chosen[-1]
    return None


def _scaled(base: Measure, share: Share) -> str | None:
    amount = exact(base.value)
    return None if amount is None else written(amount * share.factor, base)


def _applied(sign: str, one: Measure, other: Measure) -> str | None:
    left, right = exact(one.value), exact(other.value)
    if left is None or right is None or (sign == "/" and right == 0):
        return None
    like = one if one.unit else other
    if sign in "+-" and one.unit and other.unit and one.unit != other.unit:
        return None
    amount = {"+": left + right, "-": left - right, "*": left * right}.get(sign)
    return written(left / right if amount is None else amount, like)


def _combined(
    amounts: Sequence[Fraction | None],
    pairs: Sequence[tuple[Candidate, Measure]],
    *,
    is_total: bool,
) -> Result | None:
    numbers = [amount for amount in amounts if amount is not None]
    if len(numbers) < len(amounts):
        return None
    like = max((measure for _, measure in pairs), key=lambda measure: measure.base[1])
    value = sum(numbers, Fraction(0)) if is_total else abs(numbers[0] - numbers[1])
    scale = exact(like.base[1]), exact(like.value)
    if scale[0] and scale[1]:
        value = value * scale[1] / scale[0]
    used = {candidate.passage.start: candidate.passage for candidate, _ in pairs}
    says = written(value, like) if like.unit else number(value)
    return Result(says=says, used=tuple(used.values()))


def _result(says: str | None, *used: Passage) -> Result | None:
    return None if says is None else Result(says=says, used=used)
