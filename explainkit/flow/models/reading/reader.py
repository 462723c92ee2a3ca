"""One reading from prompt to answer, with the sentences that made it what it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from explainkit.flow.models.reading.arithmetic import (
    calculated,
    collected,
    share_asked,
    share_of,
)
from explainkit.flow.models.reading.directions import Direction, Order, directions_in
from explainkit.flow.models.reading.forms import last_of, number_only, shaped, yes_or_no
from explainkit.flow.models.reading.passages import Passage, passages_of
from explainkit.flow.models.reading.queries import Query, find_query
from explainkit.flow.models.reading.results import is_json, result_candidates, result_measures
from explainkit.flow.models.reading.support import candidates
from explainkit.flow.models.reading.wording import content, words
from explainkit.flow.models.vocabulary import Message

NOT_SAID = "The context does not say."
NO_QUESTION = "There is no question."


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read.

    Attributes:
        answer: The text of the answer.
        used: Where the sentences stand that determined it, as `(start, end)` in
            `prompt_text(prompt)`, in order: the question, what answers it, the instructions that
            changed it, and results of tools.
    """

    answer: str
    used: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """A prompt taken apart.

    Attributes:
        context: Sentences that may answer, in order.
        results: Tool messages since the question.
        directions: Orders of the instructions, in order.
        query: The question, if there is one.
    """

    context: tuple[Passage, ...]
    results: tuple[Passage, ...]
    directions: tuple[Direction, ...]
    query: Query | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    says: str
    used: tuple[Passage, ...]
    statement: str | None = None


def open_pages(messages: Sequence[Message]) -> Pages:
    """Take a prompt apart into question, instructions, tool results and context."""
    last_user = max((i for i, m in enumerate(messages) if m.role == "user"), default=-1)
    fresh = {i for i, m in enumerate(messages) if i > last_user and m.role == "tool"}
    whole = {i for i in fresh if is_json(messages[i].content)}
    directions: list[Direction] = []
    statements: list[Passage] = []
    results: list[Passage] = []
    for passage in passages_of(messages, whole=whole):
        orders = [] if passage.message in whole else directions_in(passage)
        directions.extend(orders)
        if passage.message in fresh:
            results.append(passage)
        if not orders:
            statements.append(passage)
    asking = [passage for passage in statements if passage.message == last_user]
    query = find_query(asking, alone=len(messages) == 1)
    own = {passage.start for passage in query.passages} if query else set()
    return Pages(
        context=tuple(p for p in statements if p.start not in own and p.message not in whole),
        results=tuple(results),
        directions=tuple(directions),
        query=query,
    )


def read_pages(pages: Pages) -> Reading:
    """Answer the question of a prompt from the rest of it."""
    if pages.query is None:
        return Reading(NO_QUESTION, ())
    if not pages.query.is_request or not words(f"{pages.query.given} {pages.query.asked}"):
        return Reading(NO_QUESTION, tuple((p.start, p.end) for p in pages.query.passages))
    found = _told(pages) or _computed(pages) or _best(pages) or _nothing(pages)
    form = shaped(found.says, pages.directions)
    used = (*pages.query.passages, *found.used, *form.used, *pages.results)
    return Reading(form.text, tuple(sorted({(passage.start, passage.end) for passage in used})))


def _told(pages: Pages) -> _Found | None:
    """Follow an instruction that says what to say: one for this question before one for all."""
    assert pages.query is not None
    asked = content(" ".join(passage.text for passage in pages.query.passages))
    for direction in reversed(pages.directions):
        topic = content(direction.topic)
        if direction.order is Order.IF_MENTIONED and topic and all(key in asked for key in topic):
            return _Found(says=direction.text, used=(direction.passage,))
    fixed = last_of(pages.directions, Order.FIXED)
    return _Found(says=fixed.text, used=(fixed.passage,)) if fixed else None


def _computed(pages: Pages) -> _Found | None:
    assert pages.query is not None
    result = calculated(pages.query) or collected(pages.query, pages.context)
    return _in_form(pages, _Found(says=result.says, used=result.used)) if result else None


def _best(pages: Pages) -> _Found | None:
    """Give what the best supported clause says, or the share or number that it leads to."""
    assert pages.query is not None
    query = pages.query
    known = (*query.measures, *result_measures(pages.results))
    able = [*candidates(pages.context, query, known), *result_candidates(pages.results, query)]
    if not able:
        return None
    best = max(able, key=lambda candidate: candidate.rank)
    numeric = last_of(pages.directions, Order.NUMBER_ONLY)
    result = share_asked(query, best)
    triggers: tuple[Passage, ...] = ()
    if result is None and (query.wants_amount or numeric):
        result = share_of(best, query, pages.context)
        triggers = (numeric.passage,) if result and numeric and not query.wants_amount else ()
    if result:
        return _in_form(pages, _Found(says=result.says, used=(*result.used, *triggers)))
    found = _Found(says=best.says, used=(best.passage,), statement=best.says)
    return _in_form(pages, found)


def _in_form(pages: Pages, found: _Found) -> _Found:
    """Answer yes or no, or with the number only, if an instruction asks for it."""
    assert pages.query is not None
    says, used = found.says, found.used
    polar = last_of(pages.directions, Order.YES_OR_NO) if found.statement is not None else None
    numeric = last_of(pages.directions, Order.NUMBER_ONLY)
    if polar:
        says, used = yes_or_no(pages.query, says), (*used, polar.passage)
    elif numeric and number_only(pages.query, says) != says:
        says, used = number_only(pages.query, says), (*used, numeric.passage)
    return _Found(says=says, used=used)


def _nothing(pages: Pages) -> _Found:
    unknown = last_of(pages.directions, Order.IF_UNKNOWN)
    if unknown is None:
        return _Found(says=NOT_SAID, used=())
    return _Found(says=unknown.text, used=(unknown.passage,))
