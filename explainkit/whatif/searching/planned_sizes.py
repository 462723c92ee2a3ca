"""How many sets a search counts as planned, because it stops at what it finds and may go on long.

A search that tested its i-th set at the level of i suspects and stopped at the first one that
convicts would convict a wrong set more often than the family's level says. So the level is spent
in advance: the first sets share a half of it, as many again a quarter, twice as many an eighth, and
so on. However long a search goes on, all shares together never exceed the whole.
"""


def planned_size(at: int, *, first: int) -> int:
    """The size of the family that a set is tested in.

    Args:
        at: How many sets were tested before it.
        first: About how many sets the search needs when all goes well.

    Returns:
        A size; the sum of ``1 / size`` over all sets is at most 1.

    Example:
        >>> [planned_size(at, first=2) for at in range(8)]
        [4, 4, 8, 8, 32, 32, 32, 32]
        >>> sum(1 / planned_size(at, first=10) for at in range(10_000)) < 1
        True
    """
    size, start, inverse_share = first, 0, 2
    while at >= start + size:
        start += size
        size = start  # the second block is as large as the first, then each one doubles
        inverse_share *= 2
    return size * inverse_share


def planned_roles(at: int, *, items: int, holds: bool) -> int:
    """The size of the family that a set of a search for roles is tested in.

    Where removing everything flips, 2 n + 3 sets are enough. Where it does not, n + 2 are tested in
    the same family (everything, each item alone, all together that flip alone), and a search for
    several shares out what the other n + 1 would have had, however long it takes.

    Args:
        at: How many sets were tested before it.
        items: n.
        holds: Removing everything was shown not to flip.

    Returns:
        A size; on either way the sum of ``1 / size`` over all sets is at most 1.

    Example:
        >>> [planned_roles(at, items=4, holds=True) for at in range(4, 12)]
        [11, 11, 18, 18, 18, 18, 36, 36]
        >>> sum(1 / planned_roles(at, items=4, holds=True) for at in range(10_000)) < 1
        True
    """
    most = 2 * items + 3
    if not holds or at < items + 2:
        return most
    shared = planned_size(at - items - 2, first=items)
    return -(-shared * most // (items + 1))
