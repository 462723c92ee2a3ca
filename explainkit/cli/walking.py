"""`explainkit backtrack`: from the answer, or words of it, back to the context."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explainkit.cli.arguments import RunChoice, RunFile
from explainkit.cli.opening import damaged, gaps, opened
from explainkit.cli.printing import put, put_json, tell
from explainkit.errors import WriteError
from explainkit.safety import visible

if TYPE_CHECKING:
    from explainkit.session.backtracked import Backtrack


class GradeChoice(StrEnum):
    """The evidence grades as words of the command line."""

    DECLARED = "declared"
    VALUE = "value"
    EXPOSURE = "exposure"
    ORDER = "order"


def walk_back(
    path: RunFile,
    run: RunChoice = None,
    span: Annotated[
        str | None,
        typer.Option(
            "--span",
            metavar="TEXT",
            help="Words of the answer; the whole answer when not given.",
            show_default=False,
        ),
    ] = None,
    slot: Annotated[
        str,
        typer.Option(
            "--slot",
            metavar="SLOT",
            help="Which answer, such as pick:25 for what an Agent read of a pick.",
        ),
    ] = "answer",
    grade: Annotated[
        GradeChoice, typer.Option("--grade", help="Weakest evidence to follow.")
    ] = GradeChoice.VALUE,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="OUT",
            help="Write one self-contained page too.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Walk back from the answer.

    From the answer, or words of it, to the exact context; each hop says how it is known.
    """
    found = opened(path, run)
    gaps(found.report)
    back = found.backtrack(span=span, grade=grade.value, slot=slot)
    if json:
        put_json(back.to_json())
    else:
        for line in visible(back.text()).split("\n"):
            put(line)
    if html is not None:
        _write_page(back, html, path)
    return int(damaged(found))


def _write_page(back: "Backtrack", to: Path, source: Path) -> None:
    if to.exists() and to.samefile(source):
        raise WriteError(f"{to} is the run itself. Choose another name for the page.")
    back.to_html(to)
    tell(f"page written: {to}")
