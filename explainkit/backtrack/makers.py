"""Whose words an output is: what says an answer, or judges it, is no source of what it says."""

from typing import Final

from explainkit.backtrack.naming import Names

SAYING: Final = frozenset(
    {"model", "agent", "machine", "answer-flow", "round", "generate", "chunk", "fallback"}
)
"""Types of links that make answers or drafts of them."""
JUDGING: Final = frozenset({"check", "review", "guard", "policy"})
"""Types of links that judge what others said, and may quote it."""


def is_saying(names: Names, node: int) -> bool:
    """Whether a place is the output of what makes answers.

    Args:
        names: The run.
        node: A place.
    """
    link = _link(names, node)
    said = link is not None and names.evidence.links.type_of(link) in SAYING
    return said and not is_judging(names, node)


def is_judging(names: Names, node: int) -> bool:
    """Whether a place is the output of what judges answers, or of a model that a review asks.

    Args:
        names: The run.
        node: A place.
    """
    link, links = _link(names, node), names.evidence.links
    if link is None:
        return False
    around = (links.row(seq) for seq in links.scopes(links.opened[link]))
    return any(links.type_of(row) in JUDGING for row in around if row is not None)


def _link(names: Names, node: int) -> int | None:
    """The link that a place is the output of."""
    is_output = names.evidence.places.kind_of(node) == "output"
    return names.evidence.link_of(node) if is_output else None


def own_words(names: Names, node: int) -> bool:
    """Whether text that begins at a place is an answer's own: said, put in or judged there.

    Args:
        names: The run.
        node: A place.
    """
    kind = names.evidence.places.kind_of(node)
    if kind == "output":
        return is_saying(names, node) or is_judging(names, node)
    if kind == "event":  # what an Agent picks comes with words of its own
        return names.row(names.evidence.places.seq[node]).get("arrival") == "pick"
    return kind in ("override", "answer") and node not in names.evidence.nearest.receipts
