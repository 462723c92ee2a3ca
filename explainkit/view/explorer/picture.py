"""The graph as a picture in what `explore()` writes, where an engine on this machine draws PNG."""

import base64
import shutil
import subprocess
from typing import TYPE_CHECKING

from explainkit.safety import Html, element
from explainkit.view.carried import edges_of
from explainkit.view.chart import walked_part
from explainkit.view.collecting import collect
from explainkit.view.dot import dot_of_chart
from explainkit.view.folding import chart_of
from explainkit.view.skin import NOTEBOOK
from explainkit.view.words import counted

if TYPE_CHECKING:
    from explainkit.backtrack.results import Walk
    from explainkit.graph import Evidence

MOST_BOXES = 80
"""Boxes of a picture that can be read; a bigger path is shown by the explorer alone."""
MOST_BYTES = 400_000
SECONDS = 10
_BEGINNING = b"\x89PNG\r\n\x1a\n"


def picture_of(evidence: "Evidence", walk: "Walk") -> Html:
    """The walked path as a picture that an untrusted notebook keeps, or a line that says why not.

    Args:
        evidence: The run.
        walk: The walk whose path is drawn; the whole run when nothing was walked.

    Returns:
        HTML that names the engine. Graphviz in WebAssembly draws no PNG, so it takes a ``dot`` of
        the machine.
    """
    path = shutil.which("dot")
    if path is None:
        return _said("Graphviz's dot is not installed here, and nothing else draws one")
    chart = walked_part(chart_of(collect(evidence.recording, walk, edges_of(evidence))))
    if len(chart.nodes) > MOST_BOXES:
        return _said(f"it would have {counted(len(chart.nodes), 'box', 'boxes')}")
    try:
        png = _png(path, dot_of_chart(chart))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return _said(f"dot failed ({type(error).__name__})")
    boxes = counted(len(chart.nodes), "box", "boxes")
    return element(
        "div",
        element(
            "img",
            src=f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}",
            alt=f"The walked path as a graph: {boxes}. The list above says the same in words.",
            style="max-width:100%;background-color:#ffffff",
        ),
        NOTEBOOK.make("p", "kicker", f"The walked path, {boxes}, drawn by Graphviz dot (system)."),
    )


def _said(why: str) -> Html:
    return NOTEBOOK.make(
        "p", "kicker", f"No picture of the graph here: {why}. Every hop is listed above in words."
    )


def _png(path: str, source: str) -> bytes:
    done = subprocess.run(  # noqa: S603 - the path is what `which` found; labels are escaped
        [path, "-Tpng", "-Gdpi=96"],
        input=source.encode("utf-8"),
        capture_output=True,
        timeout=SECONDS,
        check=True,
    )
    if not done.stdout.startswith(_BEGINNING) or len(done.stdout) > MOST_BYTES:
        raise ValueError("dot gave no PNG, or one that is too big for a notebook")
    return done.stdout
