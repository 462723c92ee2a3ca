"""Which recorded results a fix of a module's data would not reach, so that they are made anew."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from explainkit.safety.encoding import encode
from explainkit.tracing.decorated import function_named
from explainkit.whatif.rerunning import Origin

_SCOPES: Final = ("global ", "closure ")
_KEPT: Final = ("model", "effect")
"""A model's data is its prompt, and its client costs; an effect never runs again."""


def made_anew(origin: Origin) -> frozenset[int]:
    """Links that read data of a module or a closure, with the links that they lie in.

    What such a link read is not on record: its recorded result may come from data that was mended
    since. Where a live object is read, such as a client, the recorded result is kept.

    Args:
        origin: The run.
    """
    found: set[int] = set()
    for row in origin.recording.rows("link_opened"):
        if row.get("type") not in _KEPT and _reads_data(row):
            found |= {row["seq"], *origin.recorded.around(row["seq"])}
    kept = {seq for seq, point in origin.recorded.points.items() if point.type in _KEPT}
    return frozenset(found - kept)


def kept_though_they_read(origin: Origin, reused: frozenset[int]) -> list[str]:
    """Names of reused links that read from outside, with what they read.

    Args:
        origin: The run.
        reused: The links whose recorded results were handed out.
    """
    return [
        f"{row.get('name')} ({', '.join(map(str, row['untracked'][:4]))})"
        for row in origin.recording.rows("link_opened")
        if row["seq"] in reused and row.get("untracked")
    ]


def _reads_data(row: Mapping[str, Any]) -> bool:
    names = [str(each) for each in row.get("untracked") or () if str(each).startswith(_SCOPES)]
    fn = function_named(str(row.get("name")), row.get("code")) if names else None
    if fn is None:
        return False
    values = _values(fn)
    read = [values[name] for name in (each.partition(" ")[2] for each in names) if name in values]
    return any(encode(value).fidelity == "exact" for value in read)


def _values(fn: Callable[..., Any]) -> Mapping[str, Any]:
    """What a function sees from outside: the names of its module, and of its closure."""
    inner = inspect.unwrap(fn)
    closure = inspect.getclosurevars(inner)
    return {**closure.globals, **closure.nonlocals}
