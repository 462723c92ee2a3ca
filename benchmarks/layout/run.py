"""Times of the layout engines on graphs of growing size, in one process on one machine.

Run: python benchmarks/layout/run.py
"""

import random
import statistics
import time
from collections.abc import Callable

from explainkit.view.dot import dot_of_sketch
from explainkit.view.geometry import Layout, Sketch
from explainkit.view.layered import layered_layout
from explainkit.view.layout import dot_engine, layout_of, parse_plain

SIZES = (50, 200, 400, 1_000, 5_000, 10_000)
DOT_UP_TO = 1_000
ROUNDS = 3


def sketch(count: int, *, reach: int = 12) -> Sketch:
    """A run-like graph: most boxes follow a recent one, a third have a second source."""
    rng = random.Random(count)
    arrows = {
        (rng.randrange(max(0, b - reach), b), b)
        for b in range(1, count)
        for _ in range(rng.choice((1, 1, 2)))
    }
    return Sketch(tuple((188.0, 50.0) for _ in range(count)), tuple(sorted(arrows)))


def crossed(found: Layout, graph: Sketch) -> int:
    """Pairs of arrows whose straight chords cross: a rough measure, the same for every engine."""
    chords = [(found.centres[a], found.centres[b]) for a, b in graph.arrows]
    total = 0
    for i, (a, b) in enumerate(chords):
        for c, d in chords[i + 1 :]:
            if (
                len({a, b, c, d}) == 4
                and _side(a, b, c) != _side(a, b, d)
                and _side(c, d, a) != _side(c, d, b)
            ):
                total += 1
    return total


def _side(a, b, c) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def timed(place: Callable[[Sketch], Layout], graph: Sketch) -> tuple[float, Layout]:
    """Median milliseconds and the last layout."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        found = place(graph)
        times.append((time.perf_counter() - begun) * 1_000)
    return statistics.median(times), found


def main() -> None:
    """Print a row for each size."""
    begun = time.perf_counter()
    engine = dot_engine()
    first = (time.perf_counter() - begun) * 1_000
    name = engine.name if engine else "no dot"
    print(f"dot: {name}, found and compiled in {first:.0f} ms (once in a process)")
    print(
        f"{'boxes':>7} {'arrows':>7} {'dot ms':>9} {'layered ms':>11} {'ratio':>7} "
        f"{'crossings':>19}  chosen"
    )
    for count in SIZES:
        graph = sketch(count)
        layered_ms, layered = timed(layered_layout, graph)
        dot_ms, dot = (None, None)
        if engine is not None and count <= DOT_UP_TO:
            plain = engine.plain
            dot_ms, dot = timed(
                lambda g, run=plain: parse_plain(run(dot_of_sketch(g)), g, name), graph
            )
        ratio = f"{dot_ms / layered_ms:.1f}" if dot_ms else "-"
        lines = (
            f"{crossed(dot, graph)} / {crossed(layered, graph)}" if dot and count <= 400 else "-"
        )
        chosen = layout_of(graph).engine
        shown = f"{dot_ms:.0f}" if dot_ms else "-"
        print(
            f"{count:>7,} {len(graph.arrows):>7,} {shown:>9} {layered_ms:>11.1f} {ratio:>7} "
            f"{lines:>19}  {chosen}"
        )


if __name__ == "__main__":
    main()
