"""What is said while something is measured, and at its end."""

from explainkit.view.explorer.causes.doors import Wanted
from explainkit.view.explorer.causes.spoken import in_panel
from explainkit.view.explorer.pieces import Json, line_of
from explainkit.view.words import counted

LINE = 400


def measuring(
    wanted: Wanted,
    *,
    reruns: int = 0,
    calls: int = 0,
    arms: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0)),
    sets: int = 0,
    stopping: bool = False,
    waits: bool = False,
) -> Json:
    """Something is measured.

    Args:
        wanted: What.
        reruns: Re-runs so far.
        calls: Calls so far.
        arms: Flips and re-runs with the change, and without it.
        sets: Of a search, sets that were begun.
        stopping: Whether it was asked to stop.
        waits: Whether it waits for the kernel's loop, which a cell holds.
    """
    (flips, n), (base_flips, base_n) = arms
    where = f"set {sets}, " if wanted.is_search and sets else ""
    words = (
        f"{where}{counted(reruns, 're-run')} done; flips so far {flips} of {n} with the change, "
        f"{base_flips} of {base_n} without; {calls:,} of {counted(wanted.calls, 'call')} used"
    )
    if waits:
        words = "Waits until the kernel's loop is free: what runs again has to be awaited there"
    if stopping:
        words += ". Stops after the present re-run"
    return {
        "state": "running",
        "said": list(wanted.said),
        "search": wanted.is_search,
        "words": f"{words}.",
        "calls": calls,
        "budget": wanted.calls,
        "stopping": stopping,
        "lines": [],
        "seq": None,
    }


def ended(
    wanted: Wanted, lines: list[str], *, seq: int | None, reruns: int, calls: int, stopped: bool
) -> Json:
    """Something was measured.

    Args:
        wanted: What.
        lines: What came of it, the most important first.
        seq: Its finding.
        reruns: Re-runs that were made.
        calls: Calls that were made.
        stopped: Whether a person stopped it.
    """
    kept = f"Stopped after {counted(reruns, 're-run')}; what was done is kept. " if stopped else ""
    return {
        **measuring(wanted, reruns=reruns, calls=calls),
        "state": "stopped" if stopped else "done",
        "words": kept + line_of(in_panel(lines[0]) if lines else "Nothing came of it.", LINE),
        "lines": [line_of(in_panel(each), LINE) for each in lines[1:8]],
        "seq": seq,
    }


def refused(wanted: Wanted, why: str) -> Json:
    """Nothing could be measured."""
    return {**measuring(wanted), "state": "refused", "words": line_of(in_panel(why), 1_200)}
