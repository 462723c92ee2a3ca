"""The graph as SVG: shapes and words for kinds, line styles for grades, the walked path lit."""

from collections.abc import Iterator, Sequence

from explainkit.safety import Html, element, joined
from explainkit.view.chart import Chart, ChartEdge, ChartNode
from explainkit.view.geometry import Layout, Point, Sketch
from explainkit.view.lettering import Room, Verb, verbs_of
from explainkit.view.words import flat

WIDTH = 188.0
HEIGHT = 50.0
LETTERS = 25
"""Characters of a label that fit a box; the whole of it is the title."""
LONG = 17
"""Characters from which on a label is set smaller."""

W, H = WIDTH / 2, HEIGHT / 2
SHAPES: dict[str, str] = {
    "question": f"M{-W + 25} {-H}H{W - 25}A25 25 0 0 1 {W - 25} {H}H{-W + 25}A25 25 0 0 1 "
    f"{-W + 25} {-H}Z",
    "context": f"M{-W} {-H}H{W - 14}L{W} {-H + 14}V{H}H{-W}ZM{W - 14} {-H}V{-H + 14}H{W}",
    "model": f"M{-W + 14} {-H}H{W - 14}L{W} 0L{W - 14} {H}H{-W + 14}L{-W} 0Z",
    "event": f"M{-W} {-H}H{W - 14}L{W} 0L{W - 14} {H}H{-W}L{-W + 10} 0Z",
    "answer": f"M{-W} {-H}H{W}V{H}H{-W}ZM{-W + 4} {-H + 4}H{W - 4}V{H - 4}H{-W + 4}Z",
    "override": f"M{-W + 12} {-H}H{W}L{W - 12} {H}H{-W}Z",
    "verdict": f"M{-W + 12} {-H}H{W - 12}L{W} {-H + 12}V{H - 12}L{W - 12} {H}H{-W + 12}"
    f"L{-W} {H - 12}V{-H + 12}Z",
    "fold": f"M{-W} {-H + 6}H{W - 6}V{H}H{-W}ZM{-W + 6} {-H + 6}V{-H}H{W}V{H - 6}H{W - 6}",
}
BOX = f"M{-W} {-H}H{W}V{H}H{-W}Z"


def sketch_of(chart: Chart) -> Sketch:
    """The chart without its text, for a layout engine."""
    arrows = [(edge.source, edge.target) for edge in chart.edges]
    return Sketch(tuple((WIDTH, HEIGHT) for _ in chart.nodes), (*arrows, *chart.hints))


def svg_of(chart: Chart, layout: Layout) -> Html:
    """Draw a chart.

    Args:
        chart: What is drawn.
        layout: Where; for ``sketch_of(chart)``.

    Returns:
        An ``svg`` element with classes and our own numbers as its only attributes; recorded
        text is only ever text.
    """
    verbs = verbs_of(chart, layout, [*_covered(chart, layout)])
    edges = [
        _edge(number, edge, layout.routes[number], verbs.get(number))
        for number, edge in enumerate(chart.edges)
    ]
    # Lit arrows are drawn last, on top of the dimmed ones.
    order = sorted(range(len(edges)), key=lambda number: chart.edges[number].lit)
    nodes = [_node(number, node, layout.centres[number]) for number, node in enumerate(chart.nodes)]
    width, height = max(layout.width, WIDTH + 24), max(layout.height, HEIGHT + 24)
    return element(
        "svg",
        element("title", "Graph of the run: sources above what they feed"),
        element("defs", _arrow("ek-arrow"), _arrow("ek-arrow-lit")),
        element("g", *(edges[number] for number in order)),
        element("g", *nodes),
        **{
            "class": "ek-svg ek-has-path" if chart.any_lit else "ek-svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "role": "img",
        },
    )


def _arrow(name: str) -> Html:
    return element(
        "marker",
        element("path", d="M0 0L8 4L0 8Z", **{"class": name}),
        id=name,
        viewBox="0 0 8 8",
        refX="7",
        refY="4",
        markerWidth="8",
        markerHeight="8",
        orient="auto",
        markerUnits="userSpaceOnUse",
    )


def _covered(chart: Chart, layout: Layout) -> Iterator[Room]:
    """What no verb may cover: the boxes, and the flags above those where words start."""
    for node, (x, y) in zip(chart.nodes, layout.centres, strict=True):
        yield x - W, y - H - (22 if node.origin else 0), x + W, y + H


def _edge(number: int, edge: ChartEdge, route: Sequence[Point], verb: Verb | None) -> Html:
    if not route:
        return joined()
    lit = " ek-lit" if edge.lit else ""
    count = f", {edge.count:,} times" if edge.count > 1 else ""
    parts = [
        element(
            "path",
            element("title", f"{edge.role} ({edge.grade}{count})"),
            **{
                "class": f"ek-edge ek-grade-{edge.grade}{lit}",
                "d": _curve(route),
                "marker-end": f"url(#ek-arrow{'-lit' if edge.lit else ''})",
            },
        )
    ]
    if verb is not None:
        x, y, anchor = verb
        place = {"class": f"ek-verb-label ek-{anchor}", "x": f"{x:g}", "y": f"{y:g}"}
        parts.append(element("text", edge.role, **place))
    return element("g", *parts, **{"data-edge": str(number)})


def _curve(route: Sequence[Point]) -> str:
    start = f"M{route[0][0]:g} {route[0][1]:g}"
    rest = " ".join(f"{x:g} {y:g}" for x, y in route[1:])
    return f"{start}C{rest}"


def _node(number: int, node: ChartNode, centre: Point) -> Html:
    classes = ["ek-node", f"ek-kind-{node.kind}"]
    classes += ["ek-lit"] if node.lit else []
    classes += ["ek-source"] if node.origin else []
    classes += ["ek-absent"] if node.absent else []
    name = "ek-label ek-long" if len(node.label) > LONG else "ek-label"
    flag = [element("text", "the words start here", **{"class": "ek-flag", "y": f"{-H - 7:g}"})]
    return element(
        "g",
        element("title", f"{flat(node.word, 60)}: {flat(node.label, 200)}"),
        element("path", **{"class": "ek-shape", "d": SHAPES.get(node.kind, BOX)}),
        element("text", flat(node.word, 30), **{"class": "ek-word", "y": "-6"}),
        element("text", flat(node.label, LETTERS), **{"class": name, "y": "12"}),
        *(flag if node.origin else []),
        **{
            "class": " ".join(classes),
            "data-node": str(number),
            "transform": f"translate({centre[0]:g} {centre[1]:g})",
        },
    )
