"""Which handlers answer an event's name: its own, then wildcards, the longest first."""

from collections.abc import Iterator, Sequence

from explainkit.flow.statecharts.nodes import Node, Transition


def candidates(node: Node, name: str) -> Iterator[Sequence[Transition]]:
    """The candidates of a state for an event, one handler after the other."""
    exact = node.exact.get(name)
    if exact is not None:
        yield exact
    for prefix, transitions in node.wildcards:
        if takes(prefix, name):
            yield transitions


def takes(prefix: str, name: str) -> bool:
    """Whether `prefix.*` takes a name: the prefix itself and what is below it; empty takes all.

    Example:
        >>> takes("order", "order"), takes("order", "order.paid"), takes("order", "orders")
        (True, True, False)
    """
    if not prefix:
        return True
    return name.startswith(prefix) and (len(name) == len(prefix) or name[len(prefix)] == ".")
