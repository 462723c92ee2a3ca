"""Tells in which other answer of a run words are that were looked for in the wrong one."""

from collections.abc import Callable
from typing import Final

from explainkit.backtrack.answers import Chosen
from explainkit.backtrack.shown_values import Shown
from explainkit.backtrack.spans import Span, select
from explainkit.errors import SpanNotFoundError
from explainkit.graph.evidence import Evidence
from explainkit.safety import shorten

_LOOKED_AT: Final = 400
"""Answers looked at, the last ones."""
_NAMED: Final = 3


def found_elsewhere(
    evidence: Evidence, chosen: Chosen, span: Span, shown: Callable[[Chosen], Shown]
) -> str:
    """A sentence about the other answers, and other versions, that hold a span; else empty.

    Args:
        evidence: The run.
        chosen: The answer in which it is not.
        span: Words or a pattern; offsets belong to one answer only.
        shown: Gives the text of an answer version.
    """
    if isinstance(span, tuple):
        return ""
    versions = [
        Chosen(node, evidence.places.seq[node], number, slot)
        for slot, nodes in evidence.answers.items()
        for number, node in enumerate(nodes, start=1)
        if node != chosen.node
    ]
    versions.sort(key=lambda each: -(each.node or 0))
    found: list[str] = []
    more = ""
    for each in versions[:_LOOKED_AT]:
        try:
            select(shown(each).text, span)
        except SpanNotFoundError:
            continue
        if len(found) == _NAMED:
            more = " and others"
            break
        found.append(_named(evidence, each))
    if not found:
        most = f" Of the other answers only the last {_LOOKED_AT} were looked at."
        return most if len(versions) > _LOOKED_AT else ""
    return f" Other answers of the run hold them: {'; '.join(found)}{more}."


def _named(evidence: Evidence, each: Chosen) -> str:
    last = len(evidence.answers[each.slot]) == each.version
    version = "" if last else f", answer={each.version}"
    return f"slot={shorten(each.slot, 60)!r}{version}"
