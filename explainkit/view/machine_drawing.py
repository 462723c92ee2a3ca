"""A lit machine as SVG: a thick border says active, a fill says visited, dashes say never entered.

The picture carries its own light ground, so that it reads the same on a dark page. Recorded text is
only ever text of an element; every attribute is a number or a style of ours.
"""

from collections.abc import Sequence

from explainkit.safety import Html, element, joined
from explainkit.view.geometry import Point
from explainkit.view.machine_layout import Frame, MachineLayout, initials_of, letters, lines_of
from explainkit.view.machine_lighting import LitArrow, LitChart, LitState
from explainkit.view.palette import INK, MUTED, PAPER, TINTS, WASH

PADDING = 14.0
HEAD = 34.0
FOOT = 30.0
LEGEND = "Thick border: active. Filled: visited. Dashed: never entered. Thick arrow: taken last."
CAPTION = 8.4
WORD = 7.0
"""Pixels of a letter of the caption, which is bold, and of the legend."""

_FONT = "font-family:system-ui, sans-serif"
_NAME = f"{_FONT};font-size:13px;font-weight:600;fill:{INK}"
_LINE = f"{_FONT};font-size:11.5px;fill:{INK}"
_DIM = f"{_FONT};font-size:11.5px;fill:{MUTED}"
_SAID = f"{_FONT};font-size:11.5px;font-weight:700;fill:{INK}"
_HALO = f"paint-order:stroke;stroke:{PAPER};stroke-width:3px"
_SHAPES = {
    "active": f"fill:{TINTS[0][0]};stroke:{INK};stroke-width:4px",
    "visited": f"fill:{TINTS[0][0]};stroke:{TINTS[0][1]};stroke-width:1.3px",
    "never": f"fill:{PAPER};stroke:{MUTED};stroke-width:1.3px;stroke-dasharray:5 4",
}
_AROUND = {
    "active": f"fill:{WASH};stroke:{INK};stroke-width:4px",
    "visited": f"fill:{WASH};stroke:{TINTS[0][1]};stroke-width:1.3px",
    "never": _SHAPES["never"],
}


def svg_of_machine(lit: LitChart, layout: MachineLayout) -> Html:
    """Draw a lit machine.

    Args:
        lit: What is drawn.
        layout: Where; of the same chart.
    """
    words = max(len(LEGEND) * WORD, letters(lit.caption) * CAPTION)
    width = max(layout.width, words) + 2 * PADDING
    height = layout.height + HEAD + FOOT + PADDING
    outer = [number for number in range(len(lit.states)) if not lit.chart.is_box(number)]
    boxes = [number for number in range(len(lit.states)) if lit.chart.is_box(number)]
    around = outer if layout.nested else []
    inside = boxes if layout.nested else range(len(lit.states))
    order = sorted(range(len(lit.arrows)), key=lambda number: lit.arrows[number].taken)
    drawn = element(
        "g",
        *(_frame(layout.states[number], layout.frames[number]) for number in around),
        *(_initial(layout, len(lit.arrows) + place, n) for place, n in _starts(lit, layout)),
        *(_box(layout.states[number], layout.frames[number]) for number in inside),
        *(_line(lit.arrows[number], layout.routes[number]) for number in order),
        *(_dot(point, 3.2) for point in layout.anchors),
        *(_said(lit.arrows[number], layout.labels[number]) for number in order),
        transform=f"translate({PADDING:g} {HEAD:g})",
    )
    return element(
        "svg",
        element("title", lit.caption),
        element("defs", _arrowhead("ek-machine-arrow"), _arrowhead("ek-machine-taken")),
        element("rect", style=f"fill:{PAPER}", width=f"{width:g}", height=f"{height:g}"),
        _text(PADDING, 21, _NAME, lit.caption),
        drawn,
        _text(PADDING, height - 12, _DIM, LEGEND),
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )


def svg_file(lit: LitChart, layout: MachineLayout) -> str:
    """The drawing as a whole file: what a page need not say, a file must."""
    drawn = str(svg_of_machine(lit, layout))
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _starts(lit: LitChart, layout: MachineLayout) -> list[tuple[int, int]]:
    if not layout.nested:
        return []
    return [(place, outer) for place, (outer, _) in enumerate(initials_of(lit))]


def _frame(state: LitState, frame: Frame) -> Html:
    lines = lines_of(state)
    rows = [
        _text(frame.left + 12, frame.top + 19 + 15 * place, _style(state, place, len(lines)), line)
        for place, line in enumerate(lines)
    ]
    return element("g", _rect(frame, _AROUND[state.standing], 10), *rows)


def _box(state: LitState, frame: Frame) -> Html:
    lines = lines_of(state)
    x, y = frame.centre
    top = y - 17 * (len(lines) - 1) / 2 + 4.5
    rows = [
        _text(x, top + 17 * place, _style(state, place, len(lines)), line, middle=True)
        for place, line in enumerate(lines)
    ]
    corner = (frame.bottom - frame.top) / 2 if state.kind == "history" else 8
    shape = [_rect(frame, _SHAPES[state.standing], corner)]
    if state.kind == "final":
        inner = Frame(frame.left + 5, frame.top + 5, frame.right - 5, frame.bottom - 5)
        line = f"fill:none;stroke:{MUTED if state.standing == 'never' else INK};stroke-width:1px"
        shape.append(_rect(inner, line, 5))
    return element("g", *shape, *rows)


def _style(state: LitState, place: int, count: int) -> str:
    if place == 0:
        return _NAME
    if place < count - 1:
        return _LINE
    return _SAID if state.standing == "active" else _LINE if state.standing == "visited" else _DIM


def _line(arrow: LitArrow, route: Sequence[Point]) -> Html:
    if not route:
        return joined()
    wide, colour = ("3px", INK) if arrow.taken else ("1.3px", MUTED)
    return element(
        "path",
        d=_curve(route),
        style=f"fill:none;stroke:{colour};stroke-width:{wide}",
        **{"marker-end": f"url(#ek-machine-{'taken' if arrow.taken else 'arrow'})"},
    )


def _said(arrow: LitArrow, place: Point | None) -> Html:
    if place is None:
        return joined()
    style = f"{_SAID if arrow.taken else _LINE};{_HALO}"
    return _text(place[0], place[1] + 4, style, arrow.words, middle=True)


def _initial(layout: MachineLayout, route: int, outer: int) -> Html:
    path = element(
        "path",
        d=_curve(layout.routes[route]),
        style=f"fill:none;stroke:{MUTED};stroke-width:1.3px",
        **{"marker-end": "url(#ek-machine-arrow)"},
    )
    return element("g", path, _dot(layout.starts[outer], 5))


def _dot(point: Point, radius: float) -> Html:
    return element(
        "circle", cx=f"{point[0]:g}", cy=f"{point[1]:g}", r=f"{radius:g}", style=f"fill:{MUTED}"
    )


def _rect(frame: Frame, style: str, corner: float) -> Html:
    return element(
        "rect",
        x=f"{frame.left:.1f}",
        y=f"{frame.top:.1f}",
        width=f"{frame.right - frame.left:.1f}",
        height=f"{frame.bottom - frame.top:.1f}",
        rx=f"{corner:g}",
        style=style,
    )


def _text(x: float, y: float, style: str, words: str, *, middle: bool = False) -> Html:
    anchor = {"text-anchor": "middle"} if middle else {}
    return element("text", words, x=f"{x:.1f}", y=f"{y:.1f}", style=style, **anchor)


def _curve(route: Sequence[Point]) -> str:
    rest = " ".join(f"{x:g} {y:g}" for x, y in route[1:])
    if (len(route) - 1) % 3:
        return f"M{route[0][0]:g} {route[0][1]:g}L{rest}"
    return f"M{route[0][0]:g} {route[0][1]:g}C{rest}"


def _arrowhead(name: str) -> Html:
    colour, size = (INK, "10") if name.endswith("taken") else (MUTED, "8")
    return element(
        "marker",
        element("path", d="M0 0L8 4L0 8Z", style=f"fill:{colour}"),
        id=name,
        viewBox="0 0 8 8",
        refX="7",
        refY="4",
        markerWidth=size,
        markerHeight=size,
        orient="auto",
        markerUnits="userSpaceOnUse",
    )
