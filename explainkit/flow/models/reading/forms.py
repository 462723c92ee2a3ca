"""The forms an answer can be asked in, applied in one fixed order, so that order never matters."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explainkit.flow.models.reading.directions import Direction, Order
from explainkit.flow.models.reading.limits import find_limits
from explainkit.flow.models.reading.measured import Measure, measures, same_kind
from explainkit.flow.models.reading.passages import Passage
from explainkit.flow.models.reading.queries import MEASURES_AT_MOST, Query
from explainkit.flow.models.reading.wording import are_opposed, is_negated
from explainkit.text.sentence_bounds import sentences

_NUMBER = re.compile(r"[-+−]?\d(?:[\d.,'\u00a0\u202f]*\d)?")
_FORMS = (
    Order.ONE_SENTENCE,
    Order.AT_MOST_WORDS,
    Order.UPPER_CASE,
    Order.LOWER_CASE,
    Order.BEGIN_WITH,
    Order.END_WITH,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """An answer in its form, with the instructions that changed it."""

    text: str
    used: tuple[Passage, ...]


def last_of(directions: Sequence[Direction], order: Order) -> Direction | None:
    """Give the direction that counts when an order is given several times: the last."""
    return next((one for one in reversed(directions) if one.order is order), None)


def shaped(text: str, directions: Sequence[Direction]) -> Shaped:
    """Bring an answer into the form that was asked for.

    Of one order only the last direction counts, and an instruction is used only if it changed
    the text, so removing any other changes nothing.
    """
    used = []
    for order in _FORMS:
        direction = last_of(directions, order)
        changed = _CHANGES[order](text, direction.text) if direction else text
        if direction and changed != text:
            used.append(direction.passage)
            text = changed
    return Shaped(text=text, used=tuple(used))


def yes_or_no(query: Query, statement: str) -> str:
    """Say whether a statement confirms the question: by its measures, else by its negation."""
    stated = [] if find_limits(statement) else measures(statement)
    for limit in find_limits(query.asked)[:MEASURES_AT_MOST]:
        concerned = [measure for measure in stated if limit.concerns(measure)]
        if concerned:
            return _word(any(limit.admits(measure) for measure in concerned))
    for asked in measures(query.asked)[:MEASURES_AT_MOST]:
        concerned = [measure for measure in stated if same_kind(asked, measure)]
        if concerned:
            return _word(any(measure.base[1] == asked.base[1] for measure in concerned))
    agrees = is_negated(statement) == is_negated(query.asked)
    return _word(agrees is not are_opposed(query.asked, statement))


def number_only(query: Query, answer: str) -> str:
    """Reduce an answer to its first number that the question does not hold; else leave it."""
    for measure in measures(answer):
        if not any(_equal(measure, other) for other in query.measures):
            digits = _NUMBER.search(measure.text)
            return digits[0] if digits else measure.text
    return answer


def _equal(one: Measure, other: Measure) -> bool:
    return same_kind(one, other) and one.base[1] == other.base[1]


def _word(is_so: bool) -> str:
    return "Yes." if is_so else "No."


def _first_sentence(text: str, _words: str) -> str:
    spans = sentences(text)
    return text[spans[0][0] : spans[0][1]] if len(spans) > 1 else text


def _at_most(text: str, words: str) -> str:
    kept = text.split()
    limit = max(1, int(words))
    return " ".join(kept[:limit]) if len(kept) > limit else text


_CHANGES: dict[Order, Callable[[str, str], str]] = {
    Order.ONE_SENTENCE: _first_sentence,
    Order.AT_MOST_WORDS: _at_most,
    Order.UPPER_CASE: lambda text, _words: text.upper(),
    Order.LOWER_CASE: lambda text, _words: text.lower(),
    Order.BEGIN_WITH: lambda text, words: f"{words} {text}",
    Order.END_WITH: lambda text, words: f"{text} {words}",
}
