"""Walks back from what a run ended on, when there is no answer to walk back from."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from explainkit.backtrack import walk
from explainkit.backtrack.answers import Chosen
from explainkit.backtrack.results import Hop, Place, Walk
from explainkit.view.composition_ends import Ending, ending_of
from explainkit.view.composition_leads import Lead, leads_of
from explainkit.view.composition_links import ToldLink, links_of
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.graph import Evidence

_SLOT = "end"
"""Stands for the end of a link among the slots of its values."""

MOST_PARTS = 50
"""Parts of the record that the walk goes on from which a hop of their own leads to."""


def walk_from_end(evidence: "Evidence", *, span: Any = None, grade: str = "value") -> Walk | None:
    """The walk from the verdict or error that a run ended on, through who handed it on.

    Args:
        evidence: The run.
        span: Words of the record that the end came from, as for an answer.
        grade: Weakest evidence to follow.

    Returns:
        The walk; None for a run that gave an answer, and where the record tells of no end.

    Raises:
        SpanNotFoundError: The words are not in that record.
        ValueError: No such grade.
    """
    recording = evidence.recording
    if "answer" in evidence.answers:
        return None
    links = links_of(recording)
    ending = ending_of(recording, links)
    if ending is None or ending.link is None:
        return None
    ends = [(each, leads_of(recording, links, each)) for each in ending.branches or (ending,)]
    starts = [start for _, leads in ends if (start := _start(evidence, leads)) is not None]
    known = [lead for _, leads in ends for lead in leads]
    if not known:
        return None
    chosen = Chosen(None, None, 0, "answer")
    if starts:
        chosen = Chosen(_node(evidence, starts[0]), starts[0].seq, 0, "answer")
    found = walk(evidence, answer=chosen, span=span, grade=grade)
    before = [hop for each, leads in ends for hop in _hops(evidence, each, leads, found)]
    deep = max(hop.depth for hop in before)
    after = [replace(hop, depth=hop.depth + deep) for hop in found.hops]
    return replace(
        found,
        inferred=False,
        hops=(*dict.fromkeys(sorted(before, key=lambda hop: hop.depth)), *after),
        caps=(*found.caps, *_caps(starts)),
        ended=(starts or known)[0].words,
    )


def _start(evidence: "Evidence", leads: Sequence[Lead]) -> Lead | None:
    """The record furthest from the end that has a value to walk on from."""
    return next((each for each in reversed(leads) if _node(evidence, each) is not None), None)


def _node(evidence: "Evidence", lead: Lead) -> int | None:
    return evidence.places.find(lead.seq, lead.slot) if lead.slot else None


def _caps(starts: Sequence[Lead]) -> tuple[str, ...]:
    if len(starts) < 2:
        return ()
    first = starts[0]
    return (f"{len(starts):,} branches ended so; the walk goes on from {first.words} alone",)


def _hops(
    evidence: "Evidence", ending: Ending, leads: Sequence[Lead], found: Walk
) -> Iterator[Hop]:
    """From the outermost end inwards, and from where it came about to what it came from."""
    if ending.link is None:
        return
    chain = [_end_of(link, "") for link in reversed(ending.carriers)]
    chain.append(_end_of(ending.link, ending.message))
    for depth, (outer, inner) in enumerate(pairwise(chain), 1):
        yield Hop("carried", "declared", outer, inner, depth, "handed on")
    target = chain[-1]
    for depth, lead in enumerate(leads, len(chain)):
        places = _places(evidence, lead, found)
        for place in places:
            yield Hop("carried", lead.grade, target, place, depth, lead.words)
        target = places[0]


def _end_of(link: ToldLink, message: str) -> Place:
    label = f"end of {flat(link.kind, 30)} {flat(link.name, 60)}"
    return Place(link.seq, _SLOT, "", 0, len(message), message, label)


def _places(evidence: "Evidence", lead: Lead, found: Walk) -> list[Place]:
    """A record as it is, or those parts of it that the walk goes on from, so that both meet."""
    label = _label(evidence, lead)
    starts = (hop.target for hop in found.hops if hop.target.seq == lead.seq)
    paths = list(dict.fromkeys(each.path for each in starts if each.slot == lead.slot))
    mark = next((mark for mark in lead.marks if mark in found.answer), "")
    at = found.answer.find(mark) if mark else 0
    return [
        Place(lead.seq, lead.slot, path, at, at + len(mark), mark, label)
        for path in paths[:MOST_PARTS] or [""]
    ]


def _label(evidence: "Evidence", lead: Lead) -> str:
    from explainkit.backtrack.walking import names_of

    node = _node(evidence, lead)
    if node is None:
        return str(evidence.recording.raw(lead.seq).get("kind"))
    return names_of(evidence).label(node)
