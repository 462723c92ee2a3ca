"""A walk as plain JSON data, with the keys that the shell command promises."""

from dataclasses import asdict
from typing import Any

from explainkit.backtrack.ranking import bounds_of_shortlist, shortlist
from explainkit.backtrack.results import Hop, Place, Walk
from explainkit.graph.evidence import Evidence


def to_json(evidence: Evidence, walk: Walk, *, k: int = 5) -> dict[str, Any]:
    """The result of a backtrack as JSON data.

    Args:
        evidence: The run.
        walk: A backtrack of it.
        k: Rows of the shortlist.

    Returns:
        ``run``, ``question``, ``answer``, ``span``, ``hops``, ``contexts``, ``shortlist``,
        ``coverage``, ``unsupported``, ``left_out``, ``lost``, ``overrides`` and ``verdicts``. A run
        without an answer that is walked back from its end says in ``answer`` what was ``ended``.
        What the result was cut to stands in ``lost``.
    """
    return {
        "run": walk.run,
        "question": walk.question,
        "answer": _answer(walk),
        "span": None if walk.span is None else list(walk.span),
        "hops": [_hop(hop) for hop in walk.hops],
        "contexts": [asdict(each) for each in walk.contexts],
        "shortlist": [
            {
                "rank": each.rank,
                "tied": each.tied,
                "seq": each.seq,
                "source_index": each.source_index,
                "actor": each.actor,
                "reasons": [reason.word for reason in each.reasons],
            }
            for each in shortlist(evidence, walk, k)
        ],
        "coverage": [asdict(each) for each in walk.coverage],
        "unsupported": [_place(each) for each in walk.unsupported],
        "left_out": [asdict(each) for each in walk.left_out],
        "lost": [*walk.lost, *walk.caps, *bounds_of_shortlist(evidence, walk)],
        "overrides": [asdict(each) for each in walk.overrides],
        "verdicts": [asdict(each) for each in walk.verdicts],
    }


def _answer(walk: Walk) -> dict[str, Any]:
    told = {"text": walk.answer, "version": walk.version, "inferred": walk.inferred}
    return told if walk.ended is None else {**told, "ended": walk.ended}


def _hop(hop: Hop) -> dict[str, Any]:
    told = {
        "verb": hop.verb,
        "seq": hop.target.seq,
        "grade": hop.grade,
        "src": _place(hop.source),
        "dst": _place(hop.target),
    }
    return {**told, "replaced": True} if hop.replaced else told


def _place(place: Place) -> dict[str, Any]:
    return {
        "seq": place.seq,
        "slot": place.slot,
        "path": place.path,
        "start": place.start,
        "end": place.end,
        "text": place.text,
    }
