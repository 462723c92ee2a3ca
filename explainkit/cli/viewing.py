"""`explainkit view`: a run as one page, opened in the browser of this machine."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from explainkit.cli.arguments import RunChoice, RunFile
from explainkit.cli.opening import damaged, gaps, opened
from explainkit.cli.printing import put, tell
from explainkit.errors import WriteError

PAGE = "run.html"


def view_run(
    path: RunFile,
    run: RunChoice = None,
    span: Annotated[
        str | None,
        typer.Option(
            "--span",
            metavar="TEXT",
            help="Words of the answer to open it on; the whole answer when not given.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Where to write the page; a folder for temporary files when not given.",
            show_default=False,
        ),
    ] = None,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Write the page and open nothing.")
    ] = False,
) -> int:
    """Write a run as one page and open it.

    The page is self-contained and asks nothing of any network. Its path is printed.
    """
    found = opened(path, run)
    gaps(found.report)
    if to is not None and to.exists() and to.samefile(path):
        raise WriteError(f"{to} is the run itself. Choose another name for the page.")
    back = found.backtrack(span=span)
    page = to or Path(tempfile.mkdtemp(prefix="explainkit-")) / PAGE
    back.to_html(page)
    put(str(page))
    return int(damaged(found) or not (no_open or _is_opened(page)))


def _is_opened(page: Path) -> bool:
    import webbrowser

    try:
        if webbrowser.open(page.resolve().as_uri()):
            return True
    except webbrowser.Error:
        pass
    tell(f"No browser could be opened here. Open this page yourself: {page}")
    return False
