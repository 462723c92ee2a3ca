"""`explainkit prompt`: what the model saw, each stretch under the name of its origin."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from explainkit.cli.arguments import RunChoice, RunFile
from explainkit.cli.opening import damaged, gaps, opened
from explainkit.cli.printing import one_line, put
from explainkit.safety import visible

if TYPE_CHECKING:
    from explainkit.backtrack.results import Prompt

WIDTH = 78
NUMBER = re.compile("[0-9]{1,9}")


def show_prompt(
    path: RunFile,
    link: Annotated[
        str | None,
        typer.Option(
            "--link",
            metavar="N|NAME",
            help="A link: its number, as `show` prints it, or its name; the last model link when "
            "not given.",
            show_default=False,
        ),
    ] = None,
    run: RunChoice = None,
) -> int:
    """Print what the model saw.

    The whole prompt of one call, each stretch under the name of its origin.
    """
    found = opened(path, run)
    gaps(found.report)
    chosen = int(link) if link is not None and NUMBER.fullmatch(link) else link
    for line in lines_of_prompt(found.prompt(chosen).prompt):
        put(line, style="bold" if line.startswith("──") else None)
    return int(damaged(found))


def lines_of_prompt(prompt: "Prompt") -> Iterator[str]:
    """The whole prompt; recorded text stands behind a bar, or it could pass for a heading."""
    count = len(prompt.text)
    yield f"What {one_line(prompt.name)} saw (link {prompt.link}): {count:,} characters"
    for segment in prompt.segments:
        place = f"characters {segment.start:,} to {segment.end:,}"
        origin = one_line(segment.name)
        if segment.origin is not None:
            origin += f", record {segment.origin.seq}, {segment.grade}"
        yield f"── {origin}, {place} ".ljust(WIDTH, "─")
        for line in visible(segment.text).split("\n"):
            yield f"│ {line}"
