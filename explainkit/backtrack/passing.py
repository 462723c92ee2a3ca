"""What every path passes through, found in one sweep over a walk."""

from explainkit.backtrack.following import Trail
from explainkit.backtrack.naming import Names


def dominators(names: Names, trail: Trail, start: int) -> tuple[int, ...]:
    """Records that lie on every path from the answer to any source, nearest the answer first.

    Places are numbered in time and moves go back in time, so a place is on every path exactly
    when no move of the walk jumps over it.

    Args:
        names: The run.
        trail: The walk.
        start: Place of the answer.
    """
    if not trail.carries:
        return ()
    nodes = sorted(trail.depth, reverse=True)
    rank = {node: at for at, node in enumerate(nodes)}
    # One more place behind all others: every source leads to it.
    over = [0] * (len(nodes) + 2)
    moves = [(rank[each.target.node], rank[each.source.node]) for each in trail.carries]
    moves += [(rank[node], len(nodes)) for node in trail.leaves if node in rank]
    for begin, end in moves:
        over[begin + 1] += 1
        over[end] -= 1
    found: dict[int, None] = {}
    jumping = 0
    for at, node in enumerate(nodes):
        jumping += over[at]
        if jumping == 0 and node != start:
            found.setdefault(names.record(node))
    return tuple(found)
