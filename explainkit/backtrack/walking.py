"""The backtrack itself: an answer, or words of it, followed back to the exact context."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from explainkit.backtrack import (
    covering,
    custody,
    introducing,
    makers,
    missing,
    omissions,
    outside_sources,
    supporting,
    versioning,
)
from explainkit.backtrack.answers import Answer, Chosen, choose
from explainkit.backtrack.bounding import bounds_told
from explainkit.backtrack.claims import UNCLAIMED, claims_of, shown_at
from explainkit.backtrack.elsewhere import found_elsewhere
from explainkit.backtrack.facts import FACTS, facts_in, introducers_of
from explainkit.backtrack.following import GRADES, Trail, follow
from explainkit.backtrack.hopping import fused, hops_of
from explainkit.backtrack.naming import Names
from explainkit.backtrack.passing import dominators
from explainkit.backtrack.promoting import set_drafts_apart
from explainkit.backtrack.results import ContextUse, Grade, Place, Walk
from explainkit.backtrack.shown_values import Shown
from explainkit.backtrack.spans import Selected, Span, select
from explainkit.errors import SpanNotFoundError
from explainkit.graph.cycles import uncollected
from explainkit.graph.evidence import Evidence
from explainkit.graph.small_values import SHORTEST
from explainkit.graph.stretches import REST, Stretch

_MOST_IGNORED = 200
_FEW_WORDS = 8
_FEWEST_DIGITS = 3
_FEWEST_CHARACTERS = 4
"""Letters and digits below which even a unique answer may be one by chance: ``no``, ``12``."""
_LONGEST = 1_000
"""Code points of an answer that may count as short."""


@dataclass(frozen=True, slots=True)
class _Start:
    """What a walk begins with."""

    names: Names
    chosen: Chosen
    answer: Shown
    selected: Selected | None
    stretches: tuple[Stretch, ...]
    grade: Grade
    caps: tuple[str, ...]

    @property
    def span(self) -> tuple[int, int] | None:
        return None if self.selected is None else self.selected.ranges[0]


def walk(
    evidence: Evidence,
    *,
    answer: Answer | Chosen | None = None,
    span: Span | None = None,
    grade: str = "value",
) -> Walk:
    """Follow an answer, or words of it, back to where its characters came from.

    Args:
        evidence: The run.
        answer: Which answer: a slot, a version of the slot ``answer``, or ``(slot, version)``;
            the version that the reader got when not given. Or any place that stands for one.
        span: Words of the answer (folded; numbers match by value), ``(start, end)`` in code
            points, or a compiled regular expression. When it stands in several places all of
            them are followed and ``caps`` says how many.
        grade: The weakest grade of evidence admitted: declared, value, exposure or order.

    Returns:
        The whole result.

    Raises:
        SpanNotFoundError: The span is not in the answer.
        UnknownRecordError: There is no such answer.
        ValueError: No such grade.
    """
    chosen = answer if isinstance(answer, Chosen) else choose(evidence, answer)
    start = _start(evidence, chosen, span, _grade(grade))
    words = _short(start) if start.selected is None else start.selected.words
    with uncollected():
        trail = follow(evidence, start.stretches, grade=grade, words=words)
        set_drafts_apart(start.names, trail, chosen.node, selected=words is not None)
        return _result(start, trail)


def _short(start: _Start) -> str | None:
    """A short answer as selected words: it is too short to tell a copy from chance by its length.

    An answer below the least length of a value edge must be unique and more than a few
    characters: ``6`` stands everywhere.
    """
    text = start.answer.text.strip()
    if not text or len(text) > _LONGEST or len(text.split()) > _FEW_WORDS:
        return None
    telling = len(text) >= SHORTEST or sum(map(str.isdigit, text)) >= _FEWEST_DIGITS
    return text if telling or _is_unique(start, text) else None


def _is_unique(start: _Start, text: str) -> bool:
    """Whether one text alone brought words into the run, and no model said them by itself."""
    node, places = start.chosen.node, start.names.evidence.places
    if node is None or sum(map(str.isalnum, text)) < _FEWEST_CHARACTERS:
        return False
    first = introducers_of(start.names, text, before=node)
    nodes = [places.find(place.seq, place.slot) for place in first]
    return (
        len(nodes) == 1 and nodes[0] is not None and (not makers.own_words(start.names, nodes[0]))
    )


def _grade(word: str) -> Grade:
    for grade in GRADES:
        if grade == word:
            return grade
    raise ValueError(f"There is no grade {word!r:.40}. The grades are: {', '.join(GRADES)}.")


def names_of(evidence: Evidence) -> Names:
    """The names of a run's places, kept with the run."""
    if "names" not in evidence.memo:
        evidence.memo["names"] = Names(evidence)
    known: Names = evidence.memo["names"]
    return known


def _start(evidence: Evidence, chosen: Chosen, span: Span | None, grade: Grade) -> _Start:
    answer = shown_answer(evidence, chosen)
    selected = None if span is None else _select(evidence, chosen, answer.text, span)
    claims = claims_of(evidence, chosen.node, answer)
    ranges = tuple((leaf.start, leaf.end) for leaf in claims)
    if selected is not None:
        ranges = selected.ranges
    stretches = (
        ()
        if chosen.node is None
        else tuple(
            Stretch(chosen.node, path, low, high)
            for start, end in ranges
            for path, low, high in answer.leaf_ranges(start, end)
        )
    )
    whole = selected is not None or len(claims) == len(answer.leaves)
    caps = () if whole else (UNCLAIMED,)
    return _Start(names_of(evidence), chosen, answer, selected, stretches, grade, caps)


def _select(evidence: Evidence, chosen: Chosen, text: str, span: Span) -> Selected:
    try:
        return select(text, span)
    except SpanNotFoundError as error:
        where = found_elsewhere(evidence, chosen, span, partial(shown_answer, evidence))
        if not where:
            raise
        raise SpanNotFoundError(f"{error}{where}", nearest=error.nearest) from None


def shown_answer(evidence: Evidence, chosen: Chosen) -> Shown:
    """The text of an answer version, with the way to its leaves."""
    if chosen.node is None:
        return Shown("", ())
    return shown_at(evidence, chosen.node)


def _result(start: _Start, trail: Trail) -> Walk:
    names, evidence = start.names, start.names.evidence
    carries = fused(names, trail.carries)
    uses = custody.uses_of(names, trail, carries)
    holders = _holders(start, trail, uses)
    unsupported, unchecked = supporting.unsupported_of(names, trail)
    exposures, uncompared = _exposures(start, trail, bool(unsupported))
    ignored, hidden = _ignored(start, trail)
    several = _several(start)
    coverage, uncovered = _coverage(start, trail)
    return Walk(
        run=evidence.recording.run,
        question=question_of(names),
        answer=start.answer.text,
        version=start.chosen.version,
        inferred=start.chosen.inferred,
        answer_seq=start.chosen.seq,
        span=start.span,
        grade=start.grade,
        hops=hops_of(names, trail, [*carries, *trail.replaced]),
        contexts=uses,
        introducers=holders.introducers,
        carriers=holders.carriers,
        dominators=() if start.chosen.node is None else dominators(names, trail, start.chosen.node),
        coverage=coverage,
        unsupported=unsupported,
        ignored=ignored,
        left_out=omissions.left_out_of(names),
        lost=missing.lost_of(names, trail.depth),
        overrides=versioning.overrides_of(names, start.chosen, trail),
        verdicts=versioning.verdicts_of(names, start.chosen.slot),
        untracked=outside_sources.untracked_of(names, trail.depth),
        exposures=exposures,
        caps=(
            *start.caps,
            *several,
            *trail.caps,
            *bounds_told(names, trail.bounded),
            *holders.caps,
            *uncovered,
            *unchecked,
            *uncompared,
            *hidden,
        ),
        slot=start.chosen.slot,
    )


def question_of(names: Names) -> str | None:
    """The text of the run's question."""
    for row in _first_rows(names):
        return versioning.text_of(names, row.get("question"))
    return None


def _first_rows(names: Names) -> list[dict[str, Any]]:
    if "run_started" not in names.evidence.memo:
        names.evidence.memo["run_started"] = list(names.evidence.recording.rows("run_started"))
    rows: list[dict[str, Any]] = names.evidence.memo["run_started"]
    return rows


def _several(start: _Start) -> tuple[str, ...]:
    count = 0 if start.selected is None else len(start.selected.ranges)
    if count < 2:
        return ()
    return (f"the span stands in {count} places of the answer; all of them were followed",)


def _holders(start: _Start, trail: Trail, uses: tuple[ContextUse, ...]) -> introducing.Holders:
    node = start.chosen.node
    if start.selected is not None and node is not None:
        words = [start.answer.text[low:high] for low, high in start.selected.ranges]
        found = introducing.holders_of(start.names, words, before=node)
        if found.introducers:
            return found
    seqs = {start.names.record(node) for node in trail.leaves}
    leaves = [place for use in uses if use.seq in seqs for place in use.places]
    leaves.sort(key=lambda place: (place.seq, place.slot, place.start))
    between: list[Place] = []
    for each in sorted(trail.held):
        if each != node and each not in trail.leaves:
            between.extend(introducing.carrier(start.names, node, s) for s in trail.held[each])
    return introducing.Holders(tuple(leaves), tuple(between), ())


def _coverage(start: _Start, trail: Trail) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Coverage by sentence; for a structured answer, of each text leaf that was followed."""
    node = start.chosen.node
    if node is None:
        return (), ()
    found: list[Any] = []
    caps: dict[str, None] = {}
    supports = supporting.supports_of(start.names, trail, node)
    by_path: dict[str, list[Stretch]] = {}
    for each in start.stretches:
        by_path.setdefault(each.path, []).append(each)
    for leaf in start.answer.leaves:
        followed = by_path.get(leaf.path)
        if not followed:
            continue
        support = supports.get(leaf.path) or supporting.Support([], [])
        text = start.answer.text[leaf.start : leaf.end]
        within = None
        if start.selected is not None:
            within = sorted((each.start, each.end) for each in followed)
        rows = covering.coverage_of(start.names, text, support, within)
        found.extend(covering.moved(row, leaf.start) for row in rows)
        caps |= dict.fromkeys(support.caps)
    rows_with_facts, passed = covering.with_facts(
        start.names, found, node, selected=start.selected is not None
    )
    return tuple(rows_with_facts), (*caps, *passed)


def _models(names: Names, trail: Trail) -> tuple[int, ...]:
    """Rows of the model links that the walk met."""
    links = names.evidence.links
    rows = {names.evidence.link_of(node) for node in trail.depth}
    return tuple(sorted(row for row in rows if row is not None and links.type_of(row) == "model"))


def _exposures(start: _Start, trail: Trail, unsupported: bool) -> tuple[Any, tuple[str, ...]]:
    """What the models saw, when something of the span was carried from nowhere."""
    models = _models(start.names, trail)
    node = start.chosen.node
    if not unsupported or not models or node is None:
        return (), ()
    read = omissions.landing(start.names.evidence, models)
    span = start.span
    text = start.answer.text if span is None else start.answer.text[span[0] : span[1]]
    return omissions.exposures_of(start.names, text, read, before=node, carried=set(trail.depth))


def _ignored(start: _Start, trail: Trail) -> tuple[tuple[ContextUse, ...], tuple[str, ...]]:
    """Contexts that a model of the walk read and of which the whole answer carries nothing."""
    names, node = start.names, start.chosen.node
    if node is None:
        return (), ()
    key = ("ignored", node)
    memo = names.evidence.memo
    if key not in memo:
        whole = trail
        if start.selected is not None or start.grade != "value":
            leaves = [
                Stretch(node, each.path, 0, each.end - each.start) for each in start.answer.leaves
            ]
            whole = follow(names.evidence, leaves)
        read = omissions.landing(names.evidence, _models(names, whole))
        held = _holding(names, whole, start.answer.text, node)
        nodes = [
            each
            for each in omissions.contexts(names.evidence)
            if each < node and each not in whole.depth and each not in held and read.is_read(each)
        ]
        nodes = _once(names, nodes)
        shown_nodes = nodes[:_MOST_IGNORED]
        uses = tuple(custody.plain_use(names, each, "exposure") for each in shown_nodes)
        hidden = len(nodes) - len(shown_nodes)
        memo[key] = uses, (f"{hidden:,} more ignored contexts are not listed",) if hidden else ()
    known: tuple[tuple[ContextUse, ...], tuple[str, ...]] = memo[key]
    return known


def _holding(names: Names, whole: Trail, answer: str, node: int) -> set[int]:
    """Places that hold facts of an answer first, or words that came into it another way."""
    evidence = names.evidence
    facts = facts_in(answer)[:FACTS]
    first = [place for word in facts for place in introducers_of(names, word, before=node)]
    found = {evidence.places.find(place.seq, place.slot) or 0 for place in first}
    ends = [leaf for leaves in whole.leaves.values() for leaf in leaves if leaf.end != REST]
    for leaf in sorted(ends, key=lambda each: (each.start - each.end, each))[:FACTS]:
        for hit in evidence.matches.find(evidence.carrying.text(leaf)):
            found.update(given.node for given in evidence.givers.holders(*hit, before=node))
    return found


def _once(names: Names, nodes: list[int]) -> list[int]:
    """Contexts of which several of one name hold the same, each once."""
    digest = names.evidence.places.digest
    found: dict[tuple[str, int], int] = {}
    for node in nodes:
        found.setdefault((names.label(node), digest[node]), node)
    return list(found.values())
