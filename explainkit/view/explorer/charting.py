"""The drawing of a run as plain JSON: what is folded, where boxes stand, how arrows run."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Final

from explainkit.view.chart import Chart, ChartNode
from explainkit.view.drawing import sketch_of
from explainkit.view.explorer.pieces import Json
from explainkit.view.geometry import Layout, Sketch
from explainkit.view.layered import layered_layout
from explainkit.view.layout import layout_of
from explainkit.view.words import flat

RANGES: Final = 6_000
"""Ranges of records that a chart tells the boxes of."""
KEPT: Final = 24
"""Layouts that are kept, whatever runs they belong to."""


class Layouts:
    """Layouts by the structure that was laid out: boxes and arrows, no text."""

    def __init__(self) -> None:
        """Keep none yet."""
        self._kept: OrderedDict[Sketch, Layout] = OrderedDict()
        self._lock = Lock()

    def of(self, sketch: Sketch, *, quick: bool = False) -> Layout:
        """Where everything goes; made at most once for a structure while it is kept.

        Args:
            sketch: Boxes and arrows.
            quick: Ask no engine but the one in Python, as for a chart that is folded and opened.
        """
        with self._lock:
            found = self._kept.get(sketch)
            if found is not None:
                self._kept.move_to_end(sketch)
                return found
        made = layered_layout(sketch) if quick else layout_of(sketch)
        with self._lock:
            self._kept[sketch] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made


LAYOUTS: Final = Layouts()
"""Those of this process: the same structure is laid out once, in whatever widget it is shown."""


def chart_told(chart: Chart, alias: Mapping[int, int], *, only: str, opened: Sequence[int]) -> Json:
    """A chart with its places.

    Args:
        chart: What is drawn.
        alias: The record whose box stands for another one.
        only: ``run`` or ``path``.
        opened: First records of the folds that are open in it.
    """
    layout = layout_for(chart)
    return {
        "only": only,
        "opened": list(opened),
        "engine": layout.engine,
        "width": layout.width,
        "height": layout.height,
        "notes": [*chart.notes, *_lacks(chart)],
        "nodes": [
            _node(node, *centre) for node, centre in zip(chart.nodes, layout.centres, strict=True)
        ],
        "arrows": [
            {
                "source": edge.source,
                "target": edge.target,
                "role": edge.role,
                "grade": edge.grade,
                "count": edge.count,
                "route": [list(point) for point in layout.routes[number]],
            }
            for number, edge in enumerate(chart.edges)
        ],
        "boxOf": box_of(chart, alias),
    }


def layout_for(chart: Chart) -> Layout:
    """The places of a chart; one with folds is laid out quickly, because it changes by opening."""
    return LAYOUTS.of(sketch_of(chart), quick=any(node.members for node in chart.nodes))


def lighted(chart: Chart, lit: Json) -> Chart:
    """A chart with a walk lit in it, for a picture that nobody can ask.

    Args:
        chart: What is drawn.
        lit: What the walk lights, by record.
    """
    boxes, by_seq = chart.nodes, chart.by_seq
    on = {by_seq[seq] for seq in lit["boxes"] if seq in by_seq}
    origins = {by_seq[seq] for seq in lit["origins"] if seq in by_seq}
    ways = {
        (by_seq[source], by_seq[target]): (verb, grade)
        for source, target, verb, grade in lit["arrows"]
        if source in by_seq and target in by_seq
    }
    nodes = tuple(
        replace(node, lit=number in on, origin=number in origins)
        for number, node in enumerate(boxes)
    )
    edges = tuple(
        edge
        if (way := ways.get((edge.source, edge.target))) is None
        else replace(edge, role=way[0], grade=way[1], lit=True)
        for edge in chart.edges
    )
    return Chart(nodes, edges, chart.hints, chart.notes)


def box_of(chart: Chart, alias: Mapping[int, int]) -> list[list[int]]:
    """Which box shows a record: ``[first seq, last seq, box]``, ascending.

    What stands in no range has no box, or there are more ranges than are told; ``nearest`` knows.
    """
    boxes = dict(chart.by_seq)
    boxes |= {seq: boxes[at] for seq, at in alias.items() if at in boxes}
    found: list[list[int]] = []
    for seq in sorted(boxes):
        box = boxes[seq]
        if found and found[-1][2] == box:
            found[-1][1] = seq
        elif len(found) == RANGES:
            break
        else:
            found.append([seq, seq, box])
    return found


def _lacks(chart: Chart) -> list[str]:
    evidence = any(edge.grade != "order" for edge in chart.edges)
    several = len(chart.nodes) > 1
    return [] if evidence or not several else ["nothing shows that any record fed another"]


def _node(node: ChartNode, x: float, y: float) -> Json:
    return {
        "seq": node.seq,
        "kind": node.kind,
        "word": flat(node.word, 100),
        "label": flat(node.label, 300),
        "absent": node.absent,
        "members": len(node.members),
        "x": x,
        "y": y,
    }
