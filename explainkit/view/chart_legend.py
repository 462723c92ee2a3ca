"""What a drawing of a run means, for a page that no script explains: the shapes and lines in it."""

from typing import Final

from explainkit.safety import Html, element
from explainkit.view.chart import KIND_WORDS, Chart
from explainkit.view.drawing import BOX, SHAPES, H, W
from explainkit.view.words import GRADES

_FRAME: Final = f"{-W - 6:g} {-H - 6:g} {2 * W + 12:g} {2 * H + 12:g}"


def legend_of(chart: Chart) -> Html:
    """A list of what the drawing uses, each with a word; what it does not use is not in it.

    Args:
        chart: What is drawn.

    Example:
        >>> from explainkit.view.chart import ChartNode
        >>> drawn = Chart((ChartNode(1, "model", "model", "ask"),), ())
        >>> "model</li>" in legend_of(drawn), "declared" in legend_of(drawn)
        (True, False)
    """
    kinds = {node.kind for node in chart.nodes}
    grades = {edge.grade for edge in chart.edges}
    marks = {
        "absent": ("left out", any(node.absent for node in chart.nodes)),
        "lit": ("on the path", chart.any_lit),
        "source": ("the words start here", any(node.origin for node in chart.nodes)),
    }
    return element(
        "ul",
        *(_grade(grade, meaning) for grade, meaning in GRADES.items() if grade in grades),
        *(
            element("li", _shape(kind, "absent" if kind == "lost" else ""), word)
            for kind, word in KIND_WORDS.items()
            if kind in kinds
        ),
        *(element("li", _shape("", mark), word) for mark, (word, used) in marks.items() if used),
        **{"class": "ek-legend", "aria-label": "Shapes and lines"},
    )


def _grade(grade: str, meaning: str) -> Html:
    line = element(
        "svg",
        element("path", d="M2 7H34", **{"class": f"ek-edge ek-grade-{grade}"}),
        width="36",
        height="14",
        **{"aria-hidden": "true"},
    )
    return element("li", line, element("b", grade), f" {meaning}")


def _shape(kind: str, mark: str) -> Html:
    return element(
        "svg",
        element("path", d=SHAPES.get(kind, BOX), **{"class": "ek-shape"}),
        width="52",
        height="16",
        viewBox=_FRAME,
        **{"aria-hidden": "true", "class": f"ek-key-{mark}" if mark else "ek-key"},
    )
