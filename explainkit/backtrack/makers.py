"""Whose words an output is: what says an answer, or judges it, is no source of what it says."""

from typing import Final

from explainkit.backtrack.naming import Names

_SAYING: Final = frozenset(
    {"model", "agent", "machine", "answer-flow", "round", "generate", "chunk", "fallback"}
)
"""Types of links that make answers or drafts of them."""
JUDGING: Final = frozenset({"check", "review", "guard", "policy"})
"""Types of links that judge what others said, and may quote it."""


def own_words(names: Names, node: int) -> bool:
    """Whether text that begins at a place is an answer's own: said, put in or judged there.

    Args:
        names: The run.
        node: A place.
    """
    kind = names.evidence.places.kind_of(node)
    if kind == "output":
        link = names.evidence.link_of(node)
        return link is not None and names.evidence.links.type_of(link) in _SAYING | JUDGING
    return kind in ("override", "answer") and node not in names.evidence.nearest.receipts
