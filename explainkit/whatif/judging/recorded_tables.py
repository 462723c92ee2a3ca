"""Whether two recorded arrays, columns or tables are one answer, cell by cell.

Their digests tell rounding apart, so they show that two are the same and never that they are not.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

from explainkit.errors import RerunError
from explainkit.safety import shorten
from explainkit.safety.decoding import Opaque
from explainkit.whatif.judging.recorded_forms import form_of, is_table, is_whole, words_of

_CELLS: Final = ("rows", "sample")


def is_same_table(a: Opaque, b: Opaque, same: Callable[[Any, Any], bool]) -> bool:
    """Whether two recorded tables are the same but for rounding.

    Args:
        a: One array, column or table as it was recorded.
        b: Another one.
        same: Compares two cells, or lists of them.

    Raises:
        RerunError: What is on record of them is the same, and the rest may not be.

    Example:
        >>> kept = {"dtype": "float64", "shape": [1], "sha256": None}
        >>> one, other = (Opaque("$array", {**kept, "sample": [x]}) for x in (0.3, 0.1 + 0.2))
        >>> import math
        >>> is_same_table(one, other, lambda x, y: all(map(math.isclose, x, y)))
        True
    """
    if a.type != b.type or not is_table(b) or _about(a) != _about(b):
        return False
    if not all(same(a.fields[name], b.fields[name]) for name in _CELLS if name in a.fields):
        return False
    digests = [each.fields["sha256"] for each in (a, b)]
    if digests[0] is not None and digests[0] == digests[1]:
        return True
    if is_whole(a) and is_whole(b) and (_has_no_labels(a) or all(map(_is_numbered, (a, b)))):
        return True
    rest = "only the first items are" if not is_whole(a) else "the labels of its rows are not"
    raise RerunError(
        f"the answers look the same, but of {shorten(words_of(a), 100)} {rest} on record, so they "
        "may be two. Give judge= or span= for what can be read of the answer, or let it be plain "
        "data (a list, a dict)"
    )


def _about(table: Opaque) -> dict[str, Any]:
    """Shape, names and types."""
    skipped = ("sha256", *_CELLS)
    return {name: each for name, each in table.fields.items() if name not in skipped}


def _has_no_labels(table: Opaque) -> bool:
    return table.type == "$array" or table.type.endswith("Index")


def _is_numbered(table: Opaque) -> bool:
    """Whether its rows have no labels but their numbers, as the digest tells."""
    try:
        import pandas as pd

        hashed = pd.util.hash_pandas_object(form_of(table), index=True).to_numpy().tobytes()
    except Exception:  # noqa: BLE001 - cells of any kind, or a library that is not here
        return False
    return bool(sha256(hashed).hexdigest() == table.fields["sha256"])
