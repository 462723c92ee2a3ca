"""DOT through the `graphviz` package, with labels that hostile text cannot turn into markup."""

from functools import partial
from typing import TYPE_CHECKING

from explainkit.backtrack.results import Walk
from explainkit.safety import label
from explainkit.view.carried import edges_of
from explainkit.view.chart import Chart, ChartNode, walked_part
from explainkit.view.collecting import collect
from explainkit.view.folding import chart_of
from explainkit.view.geometry import Sketch
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.graph import Evidence

LABEL = 80
"""Characters of a label; labels of 16,000 characters crash `dot`."""

STYLES = {"declared": "solid", "value": "dashed", "exposure": "dotted", "order": "dotted"}
SHAPES = {
    "question": "oval",
    "context": "note",
    "model": "hexagon",
    "event": "cds",
    "answer": "box",
    "override": "parallelogram",
    "verdict": "octagon",
    "lost": "box",
    "fold": "box3d",
}


def dot_of(evidence: "Evidence", walk: Walk) -> str:
    """DOT source of the walk's part of the graph; of the whole run when nothing was walked.

    Args:
        evidence: The run.
        walk: A backtrack of it.

    Returns:
        DOT source that shows hostile text as text.
    """
    chart = chart_of(collect(evidence.recording, walk, edges_of(evidence)))
    return dot_of_chart(walked_part(chart))


def dot_of_chart(chart: Chart) -> str:
    """DOT source of a chart: kinds as shapes and words, grades as line styles and words.

    Args:
        chart: What is drawn.

    Returns:
        DOT source; the walked path is bold, the rest grey.
    """
    import graphviz

    graph = graphviz.Digraph(
        "explainkit",
        graph_attr={"rankdir": "TB"},
        node_attr={"fontname": "Helvetica", "fontsize": "11", "shape": "box"},
        edge_attr={"fontname": "Helvetica", "fontsize": "9"},
    )
    for index, node in enumerate(chart.nodes):
        graph.node(
            f"n{index}",
            label=_two_lines(node),
            shape=SHAPES.get(node.kind, "box"),
            penwidth="2" if node.lit else "1",
            color="black" if node.lit or not chart.any_lit else "grey50",
        )
    for edge in chart.edges:
        graph.edge(
            f"n{edge.source}",
            f"n{edge.target}",
            label=label(f"{edge.role} ({edge.grade})"),
            style=STYLES[edge.grade] if not edge.lit else "bold",
            color="black" if edge.lit or not chart.any_lit else "grey50",
        )
    source: str = graph.source
    return source


def dot_of_sketch(sketch: Sketch) -> str:
    """DOT source of bare boxes, for positions only: no recorded text reaches a layout engine."""
    import graphviz

    graph = graphviz.Digraph(
        graph_attr={"rankdir": "TB", "nodesep": "0.3", "ranksep": "0.55"},
        node_attr={"shape": "box", "fixedsize": "true", "label": ""},
        edge_attr={"arrowhead": "none"},
    )
    inches = partial("{:.3f}".format)
    for index, (width, height) in enumerate(sketch.sizes):
        graph.node(f"n{index}", width=inches(width / 72), height=inches(height / 72))
    for a, b in sketch.arrows:
        graph.edge(f"n{a}", f"n{b}")
    source: str = graph.source
    return source


def _two_lines(node: ChartNode) -> str:
    """Kind and name; no empty line, because Graphviz in WebAssembly fails on a leading one."""
    lines = [flat(text, LABEL) for text in (node.word, node.label)]
    return label("\n".join(line for line in lines if line), limit=3 * LABEL)
