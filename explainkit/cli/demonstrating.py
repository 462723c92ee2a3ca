"""`explainkit demo`: the whole job on a run that anybody can make, offline."""

from pathlib import Path
from typing import Annotated

import typer

from explainkit.cli.printing import put, tell

PAGE = Path("explainkit-demo.html")


def demonstrate(
    to: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write the page.")
    ] = PAGE,
) -> int:
    """Walk a wrong answer back, offline.

    A railway's claims desk promises half of the fare for a delay that the tariff does not cover.
    Prints the question, the answer, the walk, the override and the verdict, and writes one page.
    """
    from explainkit.demos.claims_desk import run_demo, story

    demo = run_demo()
    put(story(demo).rstrip("\n"))
    demo.back.to_html(to)
    tell(f"the same as one page, to click through: {to}")
    return 0
