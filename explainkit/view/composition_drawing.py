"""The tree of runners as a drawing and in the DOT language: shapes and words say every end.

The picture carries its own light ground, so that it reads the same on a dark page. Recorded text is
only ever text of an element; every attribute is a number or a style of ours.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from explainkit.safety import Html, element, joined, label
from explainkit.view.composition_rows import hidden_words, row_words
from explainkit.view.composition_tree import ToldTree, shown_rows
from explainkit.view.palette import FAILED, INK, LINE, MUTED, PAPER, PASSED
from explainkit.view.words import flat, status_words

if TYPE_CHECKING:
    from explainkit.store import Recording

MOST_ROWS: Final = 200
ROW: Final = 30.0
STEP: Final = 26.0
LEFT: Final = 18.0
HEAD: Final = 44.0
FOOT: Final = 34.0
LETTER: Final = 7.4
_DEEPEST: Final = 24
_FONT = "font-family:system-ui, sans-serif"
_NAME = f"{_FONT};font-size:13px;font-weight:600;fill:{INK}"
_TEXT = f"{_FONT};font-size:12px;fill:{INK}"
_DIM = f"{_FONT};font-size:11.5px;fill:{MUTED}"
_ENDS = {"verdict": FAILED, "error": FAILED, "answered": PASSED}
LEGEND = (
    "● answered  ■ refused  ▲ failed  ◆ paused  ◇ exhausted  ○ cancelled. "
    "Thick line: the way of the end."
)
_DOT_SHAPES = {
    "●": "ellipse", "■": "box", "▲": "triangle", "◆": "diamond", "◇": "diamond", "○": "ellipse",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of the drawing.

    Attributes:
        number: Its own number, in order; -1 for a line that counts what is not shown.
        above: Number of the row that it lies in; -1 for none.
        depth: How deep it lies.
        shape: The shape of its end.
        colour: The colour of the shape.
        what: What ran.
        end: How it ended, and what else is known.
        on_path: Whether the run's end went through it.
    """

    number: int
    above: int
    depth: int
    shape: str
    colour: str
    what: str
    end: str
    on_path: bool


def drawn_rows(recording: "Recording", tree: ToldTree) -> tuple[DrawnRow, ...]:
    """The rows of a drawing, those that count what is not shown included."""
    shown = shown_rows(tree.rows, MOST_ROWS)
    found: list[DrawnRow] = []
    for at in shown.rows:
        row = tree.rows[at]
        said = row_words(recording, tree, row)
        notes = f" ({'; '.join(said.notes)})" if said.notes else ""
        answer = f" → {flat(said.answer, 50)}" if said.answer else ""
        colour = _ENDS.get({"●": "answered", "■": "verdict", "▲": "error"}.get(said.shape, ""), INK)
        end = f"{said.end}{notes}{answer}"
        found.append(
            DrawnRow(at, row.above, row.depth, said.shape, colour, said.what, end, row.on_path)
        )
        if at in shown.hidden:
            end = hidden_words(shown.hidden[at])
            found.append(DrawnRow(-1, at, row.depth + 1, "…", MUTED, "", end, on_path=False))
    if -1 in shown.hidden:
        end = hidden_words(shown.hidden[-1])
        found.append(DrawnRow(-1, -1, 0, "…", MUTED, "", end, on_path=False))
    return tuple(found)


def svg_of_tree(recording: "Recording", tree: ToldTree) -> str:
    """The tree as a whole SVG file; no layout engine is asked."""
    rows = drawn_rows(recording, tree)
    title = f"{flat(tree.name, 60)}: {status_words(tree.status)}"
    widths = [_x(row) + 26 + LETTER * (_cells(row.what) + _cells(row.end) + 2) for row in rows]
    width = max([*widths, LETTER * (_cells(LEGEND) + 4), LETTER * (_cells(title) + 6)])
    height = HEAD + ROW * len(rows) + FOOT
    places = {row.number: at for at, row in enumerate(rows) if row.number >= 0}
    drawn = element(
        "svg",
        element("title", title),
        element("rect", style=f"fill:{PAPER}", width=f"{width:g}", height=f"{height:g}"),
        _text(LEFT, 24, _NAME, title),
        *(_elbow(rows, places, at) for at in _by_path(rows)),
        *(_row(row, at) for at, row in enumerate(rows)),
        _text(LEFT, height - 12, _DIM, LEGEND),
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )
    return str(drawn).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def dot_of_tree(recording: "Recording", tree: ToldTree) -> str:
    """The tree in the DOT language; no recorded name becomes syntax in it."""
    rows = ["digraph {", "  rankdir=LR;", '  node [fontname="sans-serif"];']
    for at, row in enumerate(drawn_rows(recording, tree)):
        name = f"n{row.number}" if row.number >= 0 else f"more{at}"
        words = label(f"{row.shape} {row.what}\n{row.end}", limit=240)
        wide = ", penwidth=3" if row.on_path else ""
        shape = _DOT_SHAPES.get(row.shape, "plaintext")
        rows.append(f'  {name} [label="{words}", shape={shape}{wide}];')
        if row.above >= 0:
            bold = " [penwidth=3]" if row.on_path else ""
            rows.append(f"  n{row.above} -> {name}{bold};")
    return "\n".join([*rows, "}"]) + "\n"


def _by_path(rows: Sequence[DrawnRow]) -> list[int]:
    """Thick lines are drawn last, over the others."""
    return sorted(range(len(rows)), key=lambda at: (rows[at].on_path, at))


def _elbow(rows: Sequence[DrawnRow], places: dict[int, int], at: int) -> Html:
    row = rows[at]
    above = places.get(row.above)
    if above is None:
        return joined()
    x, y = _x(rows[above]) + 6, _y(above) + 10
    colour, wide = (INK, "2.6px") if row.on_path else (LINE, "1.4px")
    return element(
        "path",
        d=f"M{x:g} {y:g}V{_y(at):g}H{max(_x(row) - 5, x):g}",
        style=f"fill:none;stroke:{colour};stroke-width:{wide}",
    )


def _row(row: DrawnRow, at: int) -> Html:
    """The shape and the words; the browser sets them one after the other."""
    shape = element("tspan", row.shape, style=f"{_FONT};font-size:15px;fill:{row.colour}")
    name = [element("tspan", f" {row.what}", style=_NAME)] if row.what else []
    said = element("tspan", f"  {row.end}", style=_TEXT if row.what else _DIM)
    return element("text", shape, *name, said, x=f"{_x(row):.1f}", y=f"{_y(at) + 4.5:.1f}")


def _x(row: DrawnRow) -> float:
    return LEFT + STEP * min(row.depth, _DEEPEST)


def _y(at: int) -> float:
    return HEAD + ROW * at + ROW / 2 - 4


def _cells(text: str) -> int:
    """How many letters wide a text is; wide characters count twice."""
    return sum(1 + (unicodedata.east_asian_width(each) in "WF") for each in text)


def _text(x: float, y: float, style: str, words: str) -> Html:
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", style=style)
