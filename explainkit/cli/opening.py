"""Opens the run that was asked for, and says what a reader of a partial one must know."""

from pathlib import Path
from typing import TYPE_CHECKING

from explainkit.cli.printing import tell
from explainkit.errors import ManyRunsError, UnknownRecordError

if TYPE_CHECKING:
    from explainkit.adapters import ImportReport
    from explainkit.session import Run

SHOWN_IDS = 10


def opened(path: Path, chosen: str | None) -> "Run":
    """Open one run.

    Args:
        path: A file.
        chosen: The text of ``--run``; digits are a position first, then an id.

    Raises:
        ManyRunsError: The file holds many and none was chosen; the message is for a shell.
        ReadError: The file cannot be read.
        UnknownRecordError: There is no such run.
    """
    from explainkit.session import load

    try:
        if chosen is not None and chosen.isascii() and chosen.isdigit() and len(chosen) < 10:
            try:
                return load(path, run=int(chosen))
            except UnknownRecordError as error:
                return _by_id(path, chosen, error)
        return load(path, run=chosen)
    except ManyRunsError as error:
        raise ManyRunsError(_many(path, error.ids), error.ids) from None


def damaged(run: "Run") -> bool:
    """Tell what is damaged in a run's file; whether anything is."""
    damage = run.recording.damage
    for item in damage:
        tell(f"damaged, {item}")
    if damage:
        tell("What is shown is the part that can be relied on. Run: explainkit doctor FILE")
    return bool(damage)


def gaps(report: "ImportReport | None") -> None:
    """Tell the import report when something of the source is missing in the run."""
    if report and (report.skipped or report.dangling or report.content_missing[0]):
        tell(str(report))


def _by_id(path: Path, chosen: str, error: UnknownRecordError) -> "Run":
    from explainkit.session import load

    try:
        return load(path, run=chosen)
    except UnknownRecordError:
        raise error from None


def _many(path: Path, ids: tuple[str, ...]) -> str:
    if not ids:
        return f"{path.name} holds no runs."
    lines = [
        f"{path.name} holds {len(ids):,} runs. Choose one with --run ID, or --run N from 0:",
        *ids[:SHOWN_IDS],
    ]
    if len(ids) > SHOWN_IDS:
        lines.append(f"... and {len(ids) - SHOWN_IDS:,} more; list them with: explainkit ls FILE")
    return "\n".join(lines)
