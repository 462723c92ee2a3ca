"""Which sentence answers, judged by it and the question alone, so that no other can matter."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from explainkit.flow.models.reading.clauses import Clause, clauses_of, said_by
from explainkit.flow.models.reading.measured import Measure, measures
from explainkit.flow.models.reading.passages import Passage
from explainkit.flow.models.reading.queries import Query
from explainkit.flow.models.reading.wording import Word, content, is_negated

Rank: TypeAlias = tuple[int, float, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A clause that can answer.

    Attributes:
        passage: The sentence that holds it.
        says: Its answer.
        rank: Compared from the left, larger first: words and names asked for (an applying limit
            counts two), closeness of the limit, words given, words in the clause itself, and at
            last the place in the prompt, so that of equals the later one wins.
        asked: How many words and names of the question the sentence holds.
        limited: Whether a limit of it was met.
    """

    passage: Passage
    says: str
    rank: Rank
    asked: int
    limited: bool


def candidates(
    passages: Sequence[Passage], query: Query, known: Sequence[Measure]
) -> Iterator[Candidate]:
    """Find every clause that supports an answer.

    Args:
        passages: The context, in order.
        query: The question.
        known: Measures that limits are held against.
    """
    for passage in passages:
        text = passage.text.rstrip()
        if passage.role == "assistant" or text.endswith("?"):
            continue
        found = content(text)
        asked = sum(key in found for key in query.words)
        names = sum(key in found for key in query.names)
        given = sum(key in found for key in query.given_words)
        if asked or names or given or not (query.words or query.names or query.given_words):
            overlap = _Overlap(asked=asked, names=names, given=given)
            yield from _clauses(passage, query, known, found, overlap)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Overlap:
    asked: int
    names: int
    given: int

    def supports(self, query: Query) -> bool:
        """Half of what is asked (two words are enough), and a name if one is asked for."""
        if query.names and not self.names:
            return False
        if query.words:
            return self.asked >= min(len(query.words) / 2, 2)
        if query.names:
            return True
        return bool(query.given_words) and self.given >= min(len(query.given_words) / 2, 2)


def _clauses(
    passage: Passage,
    query: Query,
    known: Sequence[Measure],
    found: dict[str, Word],
    overlap: _Overlap,
) -> Iterator[Candidate]:
    for clause in clauses_of(passage.text):
        part = passage.text[clause.start : clause.end]
        own = content(part)
        closeness = _closeness(clause, known)
        if not own or closeness is None:
            continue  # it says nothing, or is about another case
        limited = closeness > 0
        if not limited and not (overlap.supports(query) and _is_new(passage.text, query, found)):
            continue
        asked = overlap.asked + overlap.names
        weight = asked + 2 * limited + _stated(part, query)
        inside = sum(key in own for key in (*query.words, *query.names))
        yield Candidate(
            passage=passage,
            says=said_by(passage.text, clause),
            rank=(weight, closeness, overlap.given, inside, passage.start),
            asked=asked,
            limited=limited,
        )


def _closeness(clause: Clause, known: Iterable[Measure]) -> float | None:
    """Give how near its limits are; 0 if nothing known concerns them, `None` if one is not met."""
    nearest = 0.0
    known = tuple(known)
    for limit in clause.limits:
        concerned = [measure for measure in known if limit.concerns(measure)]
        admitted = [limit.closeness(measure) for measure in concerned if limit.admits(measure)]
        if concerned and not admitted:
            return None
        nearest = max([nearest, *(max(near, 1e-9) for near in admitted)])
    return nearest


def _stated(part: str, query: Query) -> int:
    if not query.measures:
        return 0
    stated = measures(part)
    exact = {measure.base for measure in stated}
    bare = {measure.value for measure in stated if measure.unit is None}
    counted = bare | {measure.value for measure in stated if measure.counts}
    return sum(
        one.base in exact
        or (one.unit is None and one.value in counted)
        or (one.counts and one.value in bare)
        for one in query.measures
    )


def _is_new(text: str, query: Query, found: dict[str, Word]) -> bool:
    """Whether a sentence says more than the question; to confirm it is enough for yes or no."""
    echoed = {*content(query.asked), *content(query.given)}
    return any(key not in echoed for key in found) or query.is_polar or is_negated(text)
