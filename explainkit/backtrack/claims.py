"""Knows which parts of an answer claim something, because an id or a status word does not."""

import re
from typing import Final

from explainkit.backtrack.shown_values import Shown, ShownLeaf, shown
from explainkit.errors import ExplainkitError
from explainkit.graph.evidence import Evidence

_FLOW: Final = "answer-flow"
_MARKS: Final = re.compile(r"/\d+/(?:id|status)")
UNCLAIMED: Final = (
    "the ids and status words of the items were not followed, for they claim nothing; "
    "select one to follow it"
)
"""What a walk of all results of a flow says that it left out."""


def shown_at(evidence: Evidence, node: int) -> Shown:
    """The text of what a place holds, with the way to its leaves; empty when it cannot be read."""
    digest = evidence.places.digest_of(node)
    if digest is None:
        return Shown("", ())
    try:
        return shown(evidence.recording.values.tagged(digest))
    except ExplainkitError:
        return Shown("", ())


def claims_of(evidence: Evidence, node: int | None, answer: Shown) -> tuple[ShownLeaf, ...]:
    """The leaves of an answer that claim something: of the results of a flow, their values.

    Where no item has a value, what became of the items is all there is, and so is given.

    Args:
        evidence: The run.
        node: Place of the answer.
        answer: Its text with its leaves.
    """
    if _is_call(answer):
        return tuple(leaf for leaf in answer.leaves if leaf.path != "/id")
    if node is None or evidence.places.digest[node] not in _results(evidence):
        return answer.leaves
    return tuple(leaf for leaf in answer.leaves if not _MARKS.fullmatch(leaf.path)) or answer.leaves


def _is_call(answer: Shown) -> bool:
    """Whether something is a call of a tool, whose id was given to it by its form."""
    paths = {leaf.path for leaf in answer.leaves}
    return {"/id", "/name"} <= paths and any(path.startswith("/arguments") for path in paths)


def _results(evidence: Evidence) -> frozenset[int]:
    """The values that answer flows put out."""
    if "flow results" not in evidence.memo:
        links, digest = evidence.links, evidence.places.digest
        evidence.memo["flow results"] = frozenset(
            digest[links.output[row]]
            for row in range(len(links))
            if links.output[row] >= 0 and links.type_of(row) == _FLOW
        )
    found: frozenset[int] = evidence.memo["flow results"]
    return found
