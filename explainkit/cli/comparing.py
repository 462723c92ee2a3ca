"""`explainkit diff`: how one recorded run differs from another."""

from pathlib import Path
from typing import Annotated

import typer

from explainkit.cli.opening import damaged, gaps, opened
from explainkit.cli.printing import put

File = typer.Argument(help="A run file, or a file of another tool.", show_default=False)


def compare_runs(
    a: Annotated[Path, File],
    b: Annotated[Path, File],
    run_a: Annotated[
        str | None,
        typer.Option("--run-a", metavar="ID|N", help="Which run of the first file."),
    ] = None,
    run_b: Annotated[
        str | None,
        typer.Option("--run-b", metavar="ID|N", help="Which run of the second file."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> int:
    """Hold two runs against each other: where they part, and what else differs."""
    import orjson

    from explainkit.session.diffs import diff

    first, second = opened(a, run_a), opened(b, run_b)
    for each in (first, second):
        gaps(each.report)
    found = diff(first, second)
    if as_json:
        put(orjson.dumps(found.to_json(), option=orjson.OPT_INDENT_2).decode())
    else:
        put(repr(found))
    return int(damaged(first) or damaged(second))
