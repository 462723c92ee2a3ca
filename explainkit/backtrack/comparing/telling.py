"""Values, overrides and verdicts of a run in words, for who compares it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import orjson

from explainkit.backtrack.comparing.naming import Names
from explainkit.errors import ExplainkitError
from explainkit.safety.decoding import Opaque

if TYPE_CHECKING:
    from explainkit.store import Recording

_DIGESTS: Final = frozenset("value output question receipt chart".split())


def text_of(recording: "Recording", digest: Any) -> str:
    """A recorded value as text.

    Args:
        recording: The run.
        digest: The value; None is no text.
    """
    if digest is None:
        return ""
    try:
        return recording.values.shown(str(digest))
    except (ExplainkitError, LookupError):
        return "(cannot be read)"


def error_of(recording: "Recording", digest: Any) -> str:
    """A recorded error as its type and message; where in the code it was raised is left out.

    Args:
        recording: The run.
        digest: The error.
    """
    try:
        error = recording.values.object(str(digest))
    except (ExplainkitError, LookupError):
        error = None
    if not isinstance(error, Opaque):
        return text_of(recording, digest)
    return f"{error.type}: {error.repr}" if error.repr else error.type


def part_told(recording: "Recording", key: str, part: Any) -> str:
    """A part of a record as text.

    Args:
        recording: The run.
        key: The field.
        part: What is in it.
    """
    if part is None or isinstance(part, str):
        return text_of(recording, part) if key in _DIGESTS else part or ""
    return orjson.dumps(part, option=orjson.OPT_SORT_KEYS).decode()


def record_told(row: Mapping[str, Any], names: Names) -> str:
    """An override or a verdict in words.

    Args:
        row: Its record.
        names: What the records of its run are called.
    """
    reason = f": {row['reason']}" if row.get("reason") else ""
    if row["kind"] == "override":
        at = "" if row.get("slot") in (None, "answer") else f" of {names.slot(row['slot'])}"
        return f"override{at} by {row.get('by')}, {row.get('outcome')}{reason}"
    slot, link = row.get("slot"), row.get("link")
    target = names.slot(slot) if slot else "a link" if link is None else names.of(link)
    return f"{row.get('status')}, says {row.get('judge') or 'nobody'} of {target}{reason}"
