"""Where the states of a machine go: boxes inside of boxes, with no recorded text in the engine."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import east_asian_width

from explainkit.view.geometry import Point, Sketch
from explainkit.view.layered import layered_layout
from explainkit.view.layout import dot_engine
from explainkit.view.machine_lighting import LitArrow, LitChart, LitState

MOST_STATES = 150
MOST_ARROWS = 300
"""Above these `dot` takes seconds; states then stand side by side, without frames."""

LETTER = 7.6
ARROW_LETTER = 6.2
LINE = 17.0
AWAY = 30.0
"""Pixels from an arrow at which its words no longer seem to belong to it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle in pixels, from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> Point:
        """Its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class MachineLayout:
    """Where everything goes.

    Attributes:
        engine: What placed it, as a person would say it.
        width: Of all of it, in pixels.
        height: Of all of it, in pixels.
        states: What stands in the boxes; where they are not nested, names tell what is around.
        frames: One for each state.
        nested: Whether composite states are frames around theirs.
        starts: By composite state: the dot from which its initial state is entered.
        routes: One for each arrow of the chart, then one for each initial one; ``1 + 3 n`` points.
        labels: Where the words of each arrow stand; None where there is no room.
        anchors: Points inside of composite states at which arrows begin or end.
    """

    engine: str
    width: float
    height: float
    states: tuple[LitState, ...]
    frames: tuple[Frame, ...]
    nested: bool
    starts: dict[int, Point]
    routes: tuple[tuple[Point, ...], ...]
    labels: tuple[Point | None, ...]
    anchors: tuple[Point, ...]


def lines_of(state: LitState) -> tuple[str, ...]:
    """The lines in a state: name, actors, and what the run did with it."""
    name = f"{state.name} (parallel)" if state.kind == "parallel" else state.name
    told = (name, state.actors, state.words)
    return tuple(line for line in told if line)


def initials_of(lit: LitChart) -> tuple[tuple[int, int], ...]:
    """Composite states and the states that are entered with them."""
    numbers = lit.chart.numbers
    return tuple(
        (number, numbers[state.initial])
        for number, state in enumerate(lit.chart.states)
        if state.initial is not None and not lit.chart.is_box(number)
    )


def layout_of_machine(lit: LitChart) -> MachineLayout:
    """Place a lit chart; any failure of an engine ends in states side by side."""
    fits = len(lit.states) <= MOST_STATES and len(lit.arrows) <= MOST_ARROWS
    engine = dot_engine() if fits else None
    if engine is not None:
        try:
            return _read(json.loads(engine.render(_dot(lit), "json0")), lit, engine.name)
        except Exception:  # noqa: BLE001, S110 - an engine that fails must not cost the picture
            pass
    return _side_by_side(lit)


def size_of(state: LitState) -> Point:
    """Width and height of a state without others in it."""
    lines = lines_of(state)
    return max(92.0, max(map(letters, lines)) * LETTER + 26), len(lines) * LINE + 16


def _dot(lit: LitChart) -> str:
    """DOT of bare boxes; room for words is made with letters of our own."""
    head = 'digraph{compound=true;rankdir=TB;nodesep=0.35;ranksep=0.45;node[shape=box,label=""];'
    rows = [
        head,
        'edge[fontname="Courier",fontsize=10];graph[fontname="Courier",fontsize=12,labeljust=l];',
    ]
    _inside(lit, 0, rows)
    for number, arrow in enumerate(lit.arrows):
        rows.append(_arrow(lit, f"e{number}", arrow.source, arrow.target, letters(arrow.words)))
    for number, (outer, inner) in enumerate(initials_of(lit)):
        rows.append(f"i{outer}->{_end(lit, inner)}[id=i{number}{_cut(lit, outer, inner)}];")
    return "\n".join([*rows, "}"])


def _inside(lit: LitChart, number: int, rows: list[str]) -> None:
    if lit.chart.is_box(number):
        width, height = size_of(lit.states[number])
        rows.append(f"s{number}[fixedsize=true,width={width / 72:.3f},height={height / 72:.3f}];")
        return
    lines = lines_of(lit.states[number])
    room = "\\n".join("x" * (letters(line) + 2) for line in lines)
    rows.append(f'subgraph cluster_{number}{{margin=14;label="{room}";')
    initials = initials_of(lit)
    ends = {end for arrow in lit.arrows for end in (arrow.source, arrow.target)}
    if number in ends or any(inner == number for _, inner in initials):
        rows.append(f"a{number}[shape=point,fixedsize=true,width=0.08,height=0.08];")
    if any(outer == number for outer, _ in initials):
        rows.append(f"i{number}[shape=circle,fixedsize=true,width=0.14,height=0.14];")
    for below in lit.chart.children[number]:
        _inside(lit, below, rows)
    rows.append("}")


def _arrow(lit: LitChart, name: str, source: int, target: int, letters: int) -> str:
    told = f'[id={name},label="{"x" * (letters + 1)}"'
    ends = f"{_end(lit, source)}->{_end(lit, target)}"
    tail = "" if source == target else _border(lit, source, target, "ltail")
    return f"{ends}{told}{tail}{_cut(lit, source, target)}];"


def letters(line: str) -> int:
    """Letters of common width that take as much room; those of East Asia take two."""
    return len(line) + sum(east_asian_width(letter) in "WF" for letter in line)


def _end(lit: LitChart, number: int) -> str:
    return f"s{number}" if lit.chart.is_box(number) else f"a{number}"


def _cut(lit: LitChart, source: int, target: int) -> str:
    return "" if source == target else _border(lit, target, source, "lhead")


def _border(lit: LitChart, number: int, other: int, name: str) -> str:
    """Cut an arrow at the border of a composite state that only one of its ends is inside of."""
    inside = lit.chart.states[number].id in lit.chart.above(lit.chart.states[other].id)
    return "" if lit.chart.is_box(number) or inside else f",{name}=cluster_{number}"


def _read(told: dict[str, Any], lit: LitChart, engine: str) -> MachineLayout:
    _, _, width, height = _numbers(told["bb"])
    frames: dict[int, Frame] = {}
    anchors: dict[int, Point] = {}
    starts: dict[int, Point] = {}
    for each in told["objects"]:
        name = each["name"]
        if name.startswith("cluster_"):
            left, low, right, high = _numbers(each["bb"])
            frames[int(name[8:])] = Frame(left, height - high, right, height - low)
            continue
        x, y = _point(each["pos"], height)
        if name[0] == "s":
            half, tall = float(each["width"]) * 36, float(each["height"]) * 36
            frames[int(name[1:])] = Frame(x - half, y - tall, x + half, y + tall)
        else:
            (starts if name[0] == "i" else anchors)[int(name[1:])] = (x, y)
    edges = {str(each["id"]): each for each in told.get("edges", ())}
    names = [f"e{number}" for number in range(len(lit.arrows))]
    names += [f"i{number}" for number in range(len(initials_of(lit)))]
    used = {n for a in lit.arrows for n in _anchored(lit, a)}
    routes = tuple(_route(str(edges[name]["pos"]), height) for name in names)
    return MachineLayout(
        engine,
        width,
        height,
        lit.states,
        tuple(frames[number] for number in range(len(lit.states))),
        True,
        starts,
        routes,
        tuple(
            _beside(routes[number], _point(edges[f"e{number}"]["lp"], height), arrow)
            for number, arrow in enumerate(lit.arrows)
        ),
        tuple(anchors[number] for number in sorted(used)),
    )


def _anchored(lit: LitChart, arrow: LitArrow) -> list[int]:
    """Composite states at whose anchor an arrow is seen to begin or end."""
    found = []
    ends = ((arrow.source, arrow.target, "ltail"), (arrow.target, arrow.source, "lhead"))
    for number, other, name in ends:
        if not lit.chart.is_box(number) and not _border(lit, number, other, name):
            found.append(number)
    return found


def _beside(route: Sequence[Point], place: Point, arrow: LitArrow) -> Point:
    """Where the words of an arrow stand: on what is left of it, when it was cut at a border."""
    wide = letters(arrow.words) * ARROW_LETTER / 2 + AWAY
    xs, ys = [x for x, _ in route], [y for _, y in route]
    near_x = min(xs) - wide <= place[0] <= max(xs) + wide
    near_y = min(ys) - AWAY <= place[1] <= max(ys) + AWAY
    if near_x and near_y:
        return place
    middle = len(route) // 2
    (left, low), (right, high) = route[middle - 1], route[middle]
    return (left + right) / 2, (low + high) / 2


def _route(pos: str, height: float) -> tuple[Point, ...]:
    """Graphviz's spline, with the point of its arrow as a last straight piece."""
    points: list[Point] = []
    tip: Point | None = None
    for each in pos.split(" "):
        if each.startswith("e,"):
            tip = _point(each[2:], height)
        elif not each.startswith("s,"):
            points.append(_point(each, height))
    return (*points, points[-1], tip, tip) if tip is not None else tuple(points)


def _point(text: str, height: float) -> Point:
    x, y = _numbers(text)
    return round(x, 1), round(height - y, 1)


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _side_by_side(lit: LitChart) -> MachineLayout:
    """Every state a box under the name of the one around it."""
    pairs = [(arrow.source, arrow.target) for arrow in lit.arrows]
    around = {below: n for n, found in enumerate(lit.chart.children) for below in found}
    states = tuple(
        replace(state, name=f"{lit.states[around[state.number]].name} / {state.name}")
        if around.get(state.number)
        else state
        for state in lit.states
    )
    sizes = [size_of(state) for state in states]
    inner = [(n, below) for n, found in enumerate(lit.chart.children) for below in found]
    placed = layered_layout(Sketch(tuple(sizes), (*pairs, *inner)))
    frames = tuple(
        Frame(x - width / 2, y - tall / 2, x + width / 2, y + tall / 2)
        for (x, y), (width, tall) in zip(placed.centres, sizes, strict=True)
    )
    routes = placed.routes[: len(pairs)]
    labels = tuple(route[len(route) // 2] if route else None for route in routes)
    given = (placed.engine, placed.width, placed.height)
    return MachineLayout(*given, states, frames, False, {}, routes, labels, ())
