"""Tables of a run as pandas DataFrames, with the same columns whether there are rows or not."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from explainkit.safety import formula_safe, visible
from explainkit.view.error_words import error_text

if TYPE_CHECKING:
    import pandas as pd

    from explainkit.backtrack.results import Walk
    from explainkit.store import Recording
    from explainkit.view.composition_tree import ToldTree
    from explainkit.view.machine_steps import MachineStory

SHOWN = 200
"""Code points of a value in a cell; the whole value is ``recording.values.shown(digest)``."""

LINKS: dict[str, str] = {
    "seq": "Int64", "parent": "Int64", "type": "object", "name": "object", "status": "object",
    "actor": "object", "source_index": "Int64", "started": "datetime64[ns, UTC]",
    "seconds": "Float64", "inputs": "object", "output": "object", "output_size": "Int64",
    "error": "object",
}  # fmt: skip
CONTEXTS: dict[str, str] = {
    "seq": "Int64", "name": "object", "type": "object", "source": "object", "why": "object",
    "admitted": "boolean", "how": "object", "slot": "object", "parent": "Int64", "size": "Int64",
    "text": "object", "source_index": "Int64",
}  # fmt: skip
OVERRIDES: dict[str, str] = {
    "seq": "Int64", "slot": "object", "from_version": "Int64", "outcome": "object",
    "by": "object", "reason": "object", "site": "object", "before": "object", "after": "object",
}  # fmt: skip
VERDICTS: dict[str, str] = {
    "seq": "Int64", "slot": "object", "version": "Int64", "link": "Int64", "status": "object",
    "judge": "object", "reason": "object", "issues": "object", "terminal": "object",
    "stale": "boolean",
}  # fmt: skip
PICKS: dict[str, str] = {
    "seq": "Int64", "slot": "object", "machine": "object", "agent": "object", "event": "object",
    "payload": "object", "status": "object", "moved": "boolean", "chain": "object",
    "read": "object", "source": "object", "overrides": "object", "turn_complete": "boolean",
    "held_by": "object",
}  # fmt: skip
STEPS: dict[str, str] = {
    "step": "Int64", "seq": "Int64", "event": "object", "exited": "object", "entered": "object",
    "configuration": "object",
}  # fmt: skip
TREE: dict[str, str] = {
    "seq": "Int64", "parent": "Int64", "depth": "Int64", "type": "object", "name": "object",
    "end": "object", "seconds": "Float64", "answer": "object", "folded": "object",
    "handed_on_from": "Int64", "path": "object",
}  # fmt: skip
HOPS: dict[str, str] = {
    "depth": "Int64", "verb": "object", "grade": "object", "target": "object",
    "target_seq": "Int64", "target_slot": "object", "target_path": "object",
    "target_start": "Int64", "target_end": "Int64", "source": "object", "source_seq": "Int64",
    "source_slot": "object", "source_path": "object", "source_start": "Int64",
    "source_end": "Int64", "text": "object", "note": "object",
}  # fmt: skip
"""Columns and their types: ``seq``, ``parent`` and ``link`` are record numbers, sizes are bytes of
the stored value, offsets are code points, times are UTC; what was not recorded is missing."""

Row = Mapping[str, Any]


def links(recording: "Recording") -> "pd.DataFrame":
    """The links of a run, one row each (columns: ``LINKS``).

    Args:
        recording: The run.

    Returns:
        In order of ``seq``; a link that never ended has the status ``crashed``, one that may still
        end ``running``.
    """
    from explainkit.graph.links import unended_status

    unended = unended_status(recording.status)
    closed = _ends(recording)
    return _frame(
        (
            _link(recording, row, closed.get(row["seq"]), unended)
            for row in recording.rows("link_opened")
        ),
        LINKS,
    )


def contexts(recording: "Recording") -> "pd.DataFrame":
    """The pieces of context offered or left out, one row each (columns: ``CONTEXTS``)."""
    rows = (
        {
            **row,
            "admitted": row.get("admitted", True),
            "type": row.get("type", "fact"),
            "size": _size(recording, row.get("value")),
            "text": _shown(recording, row.get("value")),
        }
        for row in recording.rows("context")
    )
    return _frame(rows, CONTEXTS)


def overrides(recording: "Recording") -> "pd.DataFrame":
    """The overrides of a run with the text before and after (columns: ``OVERRIDES``)."""
    versions: dict[tuple[str, int], str | None] = {}
    rows: list[dict[str, Any]] = []
    for row in recording.rows("answer", "override"):
        slot = str(row.get("slot") or "answer")
        if row["kind"] == "answer":
            versions.setdefault((slot, 1), row.get("value"))
            continue
        version = row.get("from_version")
        before = versions.get((slot, version)) if isinstance(version, int) else None
        outcome = row.get("outcome", "applied")
        if isinstance(version, int) and outcome in {"applied", "cleared"}:
            versions[slot, version + 1] = row.get("value")
        rows.append(
            {
                **row,
                "slot": row.get("slot", "answer"),
                "outcome": outcome,
                "before": _shown(recording, before),
                "after": _shown(recording, row.get("value")),
            }
        )
    return _frame(rows, OVERRIDES)


def verdicts(recording: "Recording") -> "pd.DataFrame":
    """The verdicts on answers and links (columns: ``VERDICTS``).

    ``stale`` is true where a later version replaced the one that was judged.
    """
    rows: list[dict[str, Any]] = []
    for row in recording.rows("verdict"):
        fold = recording.effective(row["slot"]) if isinstance(row.get("slot"), str) else None
        version = row.get("version")
        stale = fold is not None and version is not None and version != fold.final.version
        issues = "; ".join(_issue(issue) for issue in row.get("issues") or ()) or None
        rows.append({**row, "stale": stale, "issues": issues})
    return _frame(rows, VERDICTS)


def picks(recording: "Recording") -> "pd.DataFrame":
    """The picks of the machines of a run, one row each (columns: ``PICKS``).

    ``slot`` is that of its answer, to walk back from: ``run.backtrack(slot=...)``. ``chain`` and
    ``overrides`` are short words, oldest first; ``read`` is what the Agent read, the receipt where
    there was nothing else, and the reason of a pick that was refused, which has no answer and no
    slot; ``held_by`` is told of picks that are still open.
    """
    from explainkit.view.picks_told import picks_of

    rows = (
        {
            **{name: getattr(pick, name, None) for name in PICKS},
            "payload": _shown(recording, pick.payload),
            "slot": pick.slot,
            "status": pick.status,
            "chain": "; ".join(pick.chain) or None,
            "read": pick.refused or _shown(recording, pick.read),
            "overrides": ", ".join(pick.outcomes) or None,
            "held_by": ", ".join(pick.held_by) or None,
        }
        for pick in picks_of(recording)
    )
    return _frame(rows, PICKS)


def steps(story: "MachineStory") -> "pd.DataFrame":
    """The steps of a machine, one row each (columns: ``STEPS``)."""
    rows = (
        {
            "step": number,
            "seq": step.seq,
            "event": step.event,
            "exited": ", ".join(step.exited),
            "entered": ", ".join(step.entered),
            "configuration": ", ".join(step.configuration),
        }
        for number, step in enumerate(story.steps)
    )
    return _frame(rows, STEPS)


def tree(recording: "Recording", told: "ToldTree") -> "pd.DataFrame":
    """The runners of a run, one row each, those inside after those around (columns: ``TREE``)."""
    from explainkit.view.composition_words import end_words

    rows = (
        {
            "seq": row.link.seq,
            "parent": told.rows[row.above].link.seq if row.above >= 0 else None,
            "depth": row.depth,
            "type": row.link.kind,
            "name": row.link.name,
            "end": end_words(recording, row.link, terminal=told.terminal_of(row.link)),
            "seconds": row.link.seconds,
            "answer": _shown(recording, row.link.output),
            "folded": ", ".join(f"{kind}: {count}" for kind, count in row.folded) or None,
            "handed_on_from": row.link.source,
            "path": " > ".join(row.link.path) or None,
        }
        for row in told.rows
    )
    return _frame(rows, TREE)


def hops(walk: "Walk") -> "pd.DataFrame":
    """The hops of a walk from the answer back, one row each (columns: ``HOPS``)."""
    return _frame(
        (
            {
                "depth": hop.depth,
                "verb": hop.verb,
                "grade": hop.grade,
                "target": hop.target.label,
                "source": hop.source.label,
                "text": hop.source.text,
                "note": hop.note,
                **{
                    f"{side}_{name}": getattr(place, name)
                    for side, place in (("target", hop.target), ("source", hop.source))
                    for name in ("seq", "slot", "path", "start", "end")
                },
            }
            for hop in walk.hops
        ),
        HOPS,
    )


def csv_of(frame: "pd.DataFrame") -> str:
    """A table as CSV that a spreadsheet opens without running anything in it.

    Args:
        frame: Any table.

    Returns:
        CSV with a header; cells and column names that would be formulas are prefixed with ``'``
        and control characters are shown as symbols.
    """
    safe = frame.copy()
    safe.columns = [_cell(str(name)) for name in frame.columns]
    for place, name in enumerate(safe.columns):
        column = frame.iloc[:, place]
        if column.dtype == object:
            safe[name] = [_cell(each) if isinstance(each, str) else each for each in column]
    text: str = safe.to_csv(index=False)
    return text


def _cell(text: str) -> str:
    return formula_safe(visible(text))


def _frame(rows: Iterable[Row], columns: Mapping[str, str]) -> "pd.DataFrame":
    import pandas as pd

    found = list(rows)
    data = {
        name: _column(pd, [_plain(row.get(name)) for row in found], kind)
        for name, kind in columns.items()
    }
    return pd.DataFrame(data, columns=list(columns))


def _column(pd: Any, cells: list[Any], kind: str) -> Any:
    if kind.startswith("datetime"):
        return pd.to_datetime(pd.Series(cells, dtype="Int64"), unit="ns", utc=True)
    if kind in {"Int64", "Float64"}:
        numbers = [each if isinstance(each, int | float) else None for each in cells]
        return pd.array(numbers, dtype=kind)
    return pd.Series(cells, dtype=kind)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _link(
    recording: "Recording", row: dict[str, Any], end: dict[str, Any] | None, unended: str
) -> Row:
    begun, ended = row.get("at"), (end or {}).get("at")
    inputs = [str(item.get("slot")) for item in row.get("inputs") or () if isinstance(item, dict)]
    output = (end or {}).get("output")
    return {
        **row,
        "type": row.get("type", "function"),
        "status": end.get("status") if end else unended,
        "started": begun,
        "seconds": _seconds(begun, ended),
        "inputs": ", ".join(inputs),
        "output": _shown(recording, output),
        "output_size": _size(recording, output),
        "error": _error(recording, (end or {}).get("error")),
    }


def _ends(recording: "Recording") -> dict[Any, dict[str, Any]]:
    """The records that closed links, by link, each with the status that is shown."""
    from explainkit.graph.gate_ends import GateEnds

    gates, closed = GateEnds(), {}
    for row in recording.rows("link_opened", "event", "link_closed"):
        if row["kind"] == "link_opened":
            gates.opened(row)
        elif row["kind"] == "event":
            gates.arrived(row)
        else:
            closed[row.get("link")] = {**row, "status": gates.status(row)}
    return closed


def _seconds(begun: Any, ended: Any) -> float | None:
    timed = isinstance(begun, int) and isinstance(ended, int)
    return (ended - begun) / 1e9 if timed else None


def _shown(recording: "Recording", digest: Any) -> str | None:
    if not isinstance(digest, str):
        return None
    try:
        return _cut(recording.values.shown(digest))
    except (ValueError, LookupError) as error:
        return f"cannot be read: {error}"


def _error(recording: "Recording", digest: Any) -> str | None:
    """An error with where it was raised, which a cut takes away last."""
    if not isinstance(digest, str):
        return None
    try:
        return _cut(error_text(recording, digest))
    except (ValueError, LookupError) as error:
        return f"cannot be read: {error}"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} … {len(text) - SHOWN:,} more"


def _size(recording: "Recording", digest: Any) -> int | None:
    if not isinstance(digest, str):
        return None
    try:
        return recording.values.size(digest)
    except (ValueError, LookupError):
        return None


def _issue(issue: Any) -> str:
    if isinstance(issue, dict):
        return " ".join(str(issue[key]) for key in ("code", "message", "path") if issue.get(key))
    return str(issue)
