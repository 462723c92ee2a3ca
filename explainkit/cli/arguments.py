"""Arguments that several commands share, so that they mean the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

RunFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A recorded run: an explainkit file, or one of another tool.",
        show_default=False,
    ),
]
RunChoice = Annotated[
    str | None,
    typer.Option(
        "--run",
        metavar="ID|N",
        help="Which run of a file with many: its id, or its position from 0.",
        show_default=False,
    ),
]
