"""`explainkit doctor`: whether a file is what was recorded, and keeps the laws of records."""

from pathlib import Path
from typing import TYPE_CHECKING

from explainkit.cli.arguments import RunFile
from explainkit.cli.printing import one_line, put, tell
from explainkit.errors import UnsafeFileError
from explainkit.safety import visible

if TYPE_CHECKING:
    from explainkit.session import Run


def check(path: RunFile) -> int:
    """Check integrity and the laws of records.

    Prints what is wrong, and ends with 1 if anything is.
    """
    from explainkit.session import load_all

    if path.is_dir():
        raise UnsafeFileError(f"{path} is a folder. Name a run file; list them with: explainkit ls")
    wrong = 0
    for run in load_all(path):
        wrong += _check_run(run, path)
    return 1 if wrong else 0


def _check_run(run: "Run", path: Path) -> int:
    """Print what is wrong with one run; returns how much that is."""
    if run.report is not None:
        tell(
            f"{path.name} was written by another tool, so only its import is checked.\n{run.report}"
        )
    wrong = 0
    for problem in run.doctor():
        wrong += 1
        at = "" if problem.seq is None else f" at record {problem.seq}"
        put(f"{problem.law}{at}: {visible(problem.message)}")
    put(f"{one_line(run.id, 4_096)}: {_summary(run, wrong)}", style="red" if wrong else "green")
    return wrong


def _summary(run: "Run", wrong: int) -> str:
    if wrong:
        return "1 problem" if wrong == 1 else f"{wrong:,} problems"
    head = f", head {run.head}" if run.head is not None else ", without an end line"
    return f"in order ({run.status}, {len(run.recording):,} records{head})"
