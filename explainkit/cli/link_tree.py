"""The links of a run as an indented tree, without recursion and without a line of it in memory."""

from collections.abc import Callable, Iterator

from explainkit.cli.printing import one_line
from explainkit.graph.gate_ends import GateEnds
from explainkit.records import LinkClosed, LinkOpened
from explainkit.store import Recording

DEEPEST = 40
"""Levels that are indented; deeper ones say their depth, or lines would grow with it."""


def link_lines(recording: Recording, ended: Callable[[LinkClosed], str]) -> Iterator[str]:
    """One line for each link, those inside it below it.

    Args:
        recording: The run.
        ended: Gives the text of what a link put out, or of its error.
    """
    children: dict[int | None, list[int]] = {}
    closed: dict[int, tuple[int, str]] = {}
    gates = GateEnds()
    for row in recording.rows("link_opened", "event", "link_closed"):
        if row["kind"] == "event":
            gates.arrived(row)
        elif row["kind"] == "link_opened":
            gates.opened(row)
            parent = row.get("parent")
            children.setdefault(parent if isinstance(parent, int) else None, []).append(row["seq"])
        elif isinstance(row.get("link"), int):
            closed[row["link"]] = row["seq"], gates.status(row)
    # A link inside what is no link of this run (a cut file has none) still has to be shown.
    known = {seq for below in children.values() for seq in below}
    roots = sorted(s for parent in children if parent not in known for s in children[parent])
    waiting = [(seq, 0) for seq in reversed(roots)]
    while waiting:
        seq, depth = waiting.pop()
        yield _line(recording, seq, depth, closed.get(seq), ended)
        waiting.extend((below, depth + 1) for below in reversed(children.get(seq, ())))


def _line(
    recording: Recording,
    seq: int,
    depth: int,
    end: tuple[int, str] | None,
    ended: Callable[[LinkClosed], str],
) -> str:
    opened = recording[seq]
    closed = None if end is None else recording[end[0]]
    if not isinstance(opened, LinkOpened):
        return f"  {seq:>5}  (no link)"
    margin = "  " * min(depth, DEEPEST) + (f"(level {depth}) " if depth > DEEPEST else "")
    who = f" by {one_line(opened.actor, 60)}" if opened.actor else ""
    start = f"  {seq:>5}  {margin}{one_line(opened.type, 40)} {one_line(opened.name, 80)}{who}"
    if end is None or not isinstance(closed, LinkClosed):
        return f"{start}  still open when the record stops"
    said = one_line(ended(closed), 100 if closed.error is None else 300)
    took = ""
    if opened.at is not None and closed.at is not None:
        took = f" in {(closed.at - opened.at) / 1e6:,.1f} ms"
    return f"{start}  {end[1]}{took}" + (f" → {said}" if said else "")
