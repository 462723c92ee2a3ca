"""Which recorded results a fix of a module's data would not reach, so that they are made anew."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from explainkit.answering import AnswerCheckCatalog, AnswerChecker
from explainkit.safety.encoding import encode
from explainkit.tracing.called_functions import values_read
from explainkit.tracing.decorated import function_named
from explainkit.tracing.seam import Point
from explainkit.tracing.untracked import MISSING
from explainkit.whatif.rerunning import Origin

_HOLDS_DATA: Final = ("global ", "closure ", "attribute ", "bound argument ")
"""How lines begin that name something which may be data."""
_KEPT: Final = ("model", "effect")
"""A model's data is its prompt, and its client costs; an effect never runs again."""
_ASKS_NOBODY: Final = (AnswerChecker, AnswerCheckCatalog)
"""Objects of explainkit that are made of data and rules."""


def is_made_anew(point: Point) -> bool:
    """Whether a link runs because it reads data of a module, a closure or an object.

    What such a link read is not on record: its recorded result may come from data that was mended
    since. Where only a live object is read, such as a client, the recorded result is kept.

    Args:
        point: The link, which is about to be given its recorded result.
    """
    if point.type in _KEPT or point.runs is None:
        return False
    return _reads_data(point.runs)


def holding_made_anew(origin: Origin) -> frozenset[int]:
    """Links that hold one which may be made anew, so that they have to run for it to run.

    Args:
        origin: The run.
    """
    found: set[int] = set()
    for row in origin.recording.rows("link_opened"):
        if row.get("type") not in _KEPT and _may_read_data(row):
            found.update(origin.recorded.around(row["seq"]))
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


def _may_read_data(row: Mapping[str, Any]) -> bool:
    """As the record says it: a tool, a step or a port is met only when the run comes to it."""
    if not any(str(each).startswith(_HOLDS_DATA) for each in row.get("untracked") or ()):
        return False
    fn = function_named(str(row.get("name")), row.get("code"))
    return fn is None or _reads_data(fn)


def _reads_data(fn: Callable[..., Any]) -> bool:
    return any(
        value is not MISSING and (isinstance(value, _ASKS_NOBODY) or _is_whole(value))
        for value in values_read(fn).values()
    )


def _is_whole(value: Any) -> bool:
    return encode(value).fidelity == "exact"
