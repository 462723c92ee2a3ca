"""The walked path as a picture in what `explore()` writes, drawn as the explorer draws it."""

import base64
from dataclasses import replace
from typing import TYPE_CHECKING

from explainkit.safety import Html, element
from explainkit.view.carried import edges_of
from explainkit.view.chart import walked_part
from explainkit.view.collecting import Collected, collect
from explainkit.view.drawing import sketch_of, svg_of
from explainkit.view.explorer.raster import png_of
from explainkit.view.folding import chart_of
from explainkit.view.geometry import Layout, Point
from explainkit.view.layered import layered_layout
from explainkit.view.palette import PAPER
from explainkit.view.skin import NOTEBOOK
from explainkit.view.words import counted

if TYPE_CHECKING:
    from explainkit.backtrack.results import Walk
    from explainkit.graph import Evidence

MOST_BOXES = 80
"""Boxes of a picture that can be read; a bigger path is shown by the explorer alone."""
MOST_BYTES = 400_000
_MARGIN = 36
"""Around the boxes: there stand the words above the first one and the ends of long verbs."""


def picture_of(evidence: "Evidence", walk: "Walk") -> Html:
    """The walked path as a picture that an untrusted notebook keeps, or a line that says why not.

    Characters are not compared for it, so that nobody waits: the walk knows what moved.

    Args:
        evidence: The run.
        walk: The walk whose path is drawn; the whole run when nothing was walked.

    Returns:
        HTML that names the layout engine. It is the layered one: Graphviz would have to be
        compiled before the board is shown.
    """
    found = collect(evidence.recording, walk, edges_of(evidence, compared=False))
    chart = walked_part(chart_of(_walked(found)))
    boxes = counted(len(chart.nodes), "box", "boxes")
    if not chart.nodes:
        return _said("it would have no box")
    if len(chart.nodes) > MOST_BOXES:
        return _said(f"it would have {boxes}")
    layout = _framed(layered_layout(sketch_of(chart)))
    try:
        png = png_of(svg_of(chart, layout))
    except ValueError as error:
        return _said(str(error))
    if len(png) > MOST_BYTES:
        return _said("it would be too big for a notebook")
    return element(
        "div",
        element(
            "img",
            src=f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}",
            alt=f"The walked path as a graph: {boxes}. The list above says the same in words.",
            width=f"{layout.width:.0f}",
            style=f"max-width:100%;background-color:{PAPER}",
        ),
        NOTEBOOK.make("p", "kicker", f"The walked path, {boxes}, placed by {layout.engine}."),
    )


def _walked(found: Collected) -> Collected:
    """Only the boxes of the path and what judges them, so that nothing of it is folded."""
    lit = {seq for seq, node in found.nodes.items() if node.lit}
    if not lit:
        return found
    lit |= {each.target for each in found.edges if each.role == "judges" and each.source in lit}
    edges = [each for each in found.edges if each.source in lit and each.target in lit]
    return replace(found, nodes={seq: found.nodes[seq] for seq in sorted(lit)}, edges=edges)


def _framed(layout: Layout) -> Layout:
    """The same places with a margin around them."""

    def moved(point: Point) -> Point:
        return point[0] + _MARGIN, point[1] + _MARGIN

    return replace(
        layout,
        width=layout.width + 2 * _MARGIN,
        height=layout.height + 2 * _MARGIN,
        centres=tuple(map(moved, layout.centres)),
        routes=tuple(tuple(map(moved, route)) for route in layout.routes),
    )


def _said(why: str) -> Html:
    return NOTEBOOK.make(
        "p", "kicker", f"No picture of the graph here: {why}. Every hop is listed above in words."
    )
