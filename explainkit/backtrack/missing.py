"""Honest lines about what a run does not hold whole."""

from collections.abc import Iterable
from typing import Any, Final

from explainkit.backtrack.naming import Names
from explainkit.errors import ExplainkitError
from explainkit.graph.evidence import Evidence
from explainkit.graph.losing import loss_words

_LISTED: Final = 50
_FIDELITIES: Final = {
    "redacted": "with secrets replaced",
    "partial": "in part",
    "opaque": "by its type and repr only",
}
_UNFINISHED: Final = {
    "crashed": "never closed: the run ended or crashed in it",
    "abandoned": "was abandoned",
    "running": "is still open: its end is not recorded yet",
}


def lost_of(names: Names, walked: Iterable[int]) -> tuple[str, ...]:
    """Lines about what was not recorded whole.

    Args:
        names: The run.
        walked: Places of the walk; what was kept only in part is said for these.
    """
    evidence = names.evidence
    lines = [*_general(names)]
    seen: dict[str, None] = {}
    for node in sorted(walked):
        digest = evidence.places.digest_of(node)
        fidelity = "exact" if digest is None else _fidelity(evidence, digest)
        if fidelity != "exact" and not evidence.losses.is_whole(digest or ""):
            # A chat holds the same replaced secret at every turn: one line for each place's name.
            seen.setdefault(f"{names.label(node)} was recorded {fidelity}")
    more = len(seen) - _LISTED
    told = (f"and {more:,} more places that were not recorded whole",) if more > 0 else ()
    return (*lines, *list(seen)[:_LISTED], *told)


def _fidelity(evidence: Evidence, digest: str) -> str:
    known: dict[str, str] = evidence.memo.setdefault("fidelity", {})
    if digest not in known:
        known[digest] = _read_fidelity(evidence, digest)
    return known[digest]


def _read_fidelity(evidence: Evidence, digest: str) -> str:
    try:
        found = evidence.recording.values.fidelity(digest)
    except ExplainkitError:
        return "without its content"
    return _FIDELITIES.get(found, found)


def _general(names: Names) -> tuple[str, ...]:
    evidence = names.evidence
    if "lost" not in evidence.memo:
        lines = [f"line {each.line}: {each.reason}" for each in evidence.recording.damage]
        lines += [_lost_line(names.row(seq)) for seq in evidence.lost[:_LISTED]]
        if len(evidence.lost) > _LISTED:
            lines.append(f"and {len(evidence.lost) - _LISTED:,} more lost records")
        lines += _unfinished(evidence)
        if evidence.dangling:
            lines.append(f"{evidence.dangling:,} declared origins name no earlier place")
        if evidence.unreadable:
            lines.append(f"{evidence.unreadable:,} records of the wrong shape were left aside")
        if evidence.contents.damaged:
            lines.append(f"{evidence.contents.damaged:,} stored values cannot be read")
        evidence.memo["lost"] = tuple(lines)
    known: tuple[str, ...] = evidence.memo["lost"]
    return known


def _lost_line(row: dict[str, Any]) -> str:
    count = row.get("count", 1)
    times = f" ({count:,})" if isinstance(count, int) and count > 1 else ""
    target = row.get("target")
    where = f" at {target['seq']}:{target.get('slot', 'value')}" if isinstance(target, dict) else ""
    return f"record {row['seq']}: {loss_words(row)}{where}{times}"


def _unfinished(evidence: Evidence) -> list[str]:
    links = evidence.links
    found = []
    for row in range(len(links)):
        status = links.status_of(row)
        if status in _UNFINISHED:
            found.append(f"link {links.name_of(row)} ({links.opened[row]}) {_UNFINISHED[status]}")
    if len(found) > _LISTED:
        found = [*found[:_LISTED], f"and {len(found) - _LISTED:,} more unfinished links"]
    return found
