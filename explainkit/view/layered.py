"""A plain layered layout in Python, because graphs are drawn without any binary and above its size.

Longest-path layering, barycentre ordering (Sugiyama, Tagawa and Toda 1981) with the best of a few
sweeps kept, and least-squares placement in a layer by pooling adjacent violators. Everything is
linear or n log n in boxes and arrows, apart from the constant number of sweeps.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from explainkit.view.geometry import Layout, Point, Sketch

NAME = "explainkit layered"
SWEEPS = 8
GAP_X = 22.0
GAP_Y = 46.0
MARGIN = 12.0
BENDS = 6_000
"""Bends at most, the shortest arrows first; the arrows left over are drawn straight."""


def layered_layout(sketch: Sketch) -> Layout:
    """Lay a graph out from top to bottom.

    Args:
        sketch: Boxes and arrows. Arrows against the order of the boxes are laid out as if turned
            round, so cycles are harmless; loops get an empty route.

    Returns:
        Positions, the same for the same sketch.
    """
    count = len(sketch.sizes)
    down = [(min(a, b), max(a, b)) for a, b in sketch.arrows if a != b]
    layer = layers_of(count, down)
    sizes, links, chains, layer = _with_bends(sketch.sizes, sorted(set(down)), layer)
    rows = _ordered(len(sizes), links, layer)
    xs = _placed(rows, sizes, links)
    ys, tops = _heights(rows, sizes, layer)
    left = min((xs[i] - sizes[i][0] / 2 for i in range(len(sizes))), default=0.0)
    centres: list[Point] = [
        (round(xs[i] - left + MARGIN, 1), round(ys[i], 1)) for i in range(len(sizes))
    ]
    right = max((centres[i][0] + sizes[i][0] / 2 for i in range(len(sizes))), default=0.0)
    routes = tuple(_route(arrow, centres, sketch.sizes, chains) for arrow in sketch.arrows)
    return Layout(NAME, round(right + MARGIN, 1), round(tops, 1), tuple(centres[:count]), routes)


def crossed_layers(sketch: Sketch) -> int:
    """Layers that arrows cross between their ends, all added up: what a drawing costs."""
    down = [(min(a, b), max(a, b)) for a, b in sketch.arrows if a != b]
    layer = layers_of(len(sketch.sizes), down)
    return sum(layer[b] - layer[a] - 1 for a, b in down)


def crossings(order: Sequence[Sequence[int]], arrows: Iterable[tuple[int, int]]) -> int:
    """Pairs of arrows that cross between neighbouring layers of an ordering."""
    position = {node: index for row in order for index, node in enumerate(row)}
    row_of = {node: number for number, row in enumerate(order) for node in row}
    between: dict[int, list[tuple[int, int]]] = {}
    for a, b in arrows:
        if row_of[b] == row_of[a] + 1:
            between.setdefault(row_of[a], []).append((position[a], position[b]))
    total = 0
    for pairs in between.values():
        seen: list[int] = []
        for _, end in sorted(pairs):
            # Arrows already seen start no further right; those that end further right cross.
            at = bisect_left(seen, end + 1)
            total += len(seen) - at
            seen.insert(at, end)
    return total


def layers_of(count: int, arrows: Sequence[tuple[int, int]]) -> list[int]:
    """The longest path that leads to each box; boxes that nothing feeds stand near their use."""
    into: list[list[int]] = [[] for _ in range(count)]
    out: list[list[int]] = [[] for _ in range(count)]
    for a, b in arrows:
        into[b].append(a)
        out[a].append(b)
    layer = [0] * count
    for node in range(count):
        layer[node] = max((layer[a] + 1 for a in into[node]), default=0)
    for node in range(count):  # a source stands just above the first box that it feeds
        if not into[node] and out[node]:
            layer[node] = min(layer[b] for b in out[node]) - 1
    return layer


def _with_bends(
    sizes: Sequence[Point], arrows: Sequence[tuple[int, int]], layer: Sequence[int]
) -> tuple[list[Point], list[tuple[int, int]], dict[tuple[int, int], list[int]], list[int]]:
    """Give arrows that cross layers a narrow box in each, so that boxes make way for them."""
    all_sizes, layers = list(sizes), list(layer)
    links: list[tuple[int, int]] = []
    chains: dict[tuple[int, int], list[int]] = {}
    left = BENDS
    for a, b in sorted(arrows, key=lambda arrow: (layer[arrow[1]] - layer[arrow[0]], arrow)):
        needed = layer[b] - layer[a] - 1
        if needed < 1 or needed > left:
            links.append((a, b))
            continue
        left -= needed
        at, bends = a, []
        for between in range(layer[a] + 1, layer[b]):
            all_sizes.append((4.0, 0.0))
            layers.append(between)
            bend = len(all_sizes) - 1
            bends.append(bend)
            links.append((at, bend))
            at = bend
        links.append((at, b))
        chains[a, b] = bends
    return all_sizes, links, chains, layers


def _ordered(count: int, links: Sequence[tuple[int, int]], layer: Sequence[int]) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for node in range(count):
        rows[layer[node]].append(node)
    into: list[list[int]] = [[] for _ in range(count)]
    out: list[list[int]] = [[] for _ in range(count)]
    for a, b in links:
        into[b].append(a)
        out[a].append(b)
    best, fewest = [list(row) for row in rows], crossings(rows, links)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        downward = sweep % 2 == 0
        position = {node: index for row in rows for index, node in enumerate(row)}
        for row in rows if downward else reversed(rows):
            _by_barycentre(row, into if downward else out, position)
        found = crossings(rows, links)
        if found < fewest:
            best, fewest = [list(row) for row in rows], found
    return best


def _by_barycentre(row: list[int], near: Sequence[Sequence[int]], position: dict[int, int]) -> None:
    weight = {
        node: (
            sum(position[other] for other in near[node]) / len(near[node])
            if near[node]
            else float(position[node])
        )
        for node in row
    }
    row.sort(key=lambda node: (weight[node], position[node]))
    position.update((node, index) for index, node in enumerate(row))


def _placed(
    rows: Sequence[Sequence[int]], sizes: Sequence[Point], links: Sequence[tuple[int, int]]
) -> list[float]:
    near: list[list[tuple[int, int]]] = [[] for _ in sizes]
    for a, b in links:
        # Boxes pull each other harder than passing arrows do, so that the run's course is straight.
        pull = 6 if sizes[a][1] and sizes[b][1] else 1
        near[a].append((b, pull))
        near[b].append((a, pull))
    xs = [0.0] * len(sizes)
    for row in rows:
        at = 0.0
        for node in row:
            xs[node] = at + sizes[node][0] / 2
            at += sizes[node][0] + GAP_X
        shift = at / 2
        for node in row:
            xs[node] -= shift
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = [_pulled(near[node], xs, xs[node]) for node in row]
            for node, x in zip(row, _apart(row, wanted, sizes), strict=True):
                xs[node] = x
    return xs


def _pulled(near: Sequence[tuple[int, int]], xs: Sequence[float], here: float) -> float:
    total = sum(pull for _, pull in near)
    return sum(xs[other] * pull for other, pull in near) / total if total else here


def _apart(row: Sequence[int], wanted: Sequence[float], sizes: Sequence[Point]) -> list[float]:
    """The positions nearest to the wanted ones (least squares) that keep order and distance."""
    offsets: list[float] = []
    at = 0.0
    for index, node in enumerate(row):
        if index:
            before = row[index - 1]
            at += sizes[before][0] / 2 + _gap(sizes[before], sizes[node]) + sizes[node][0] / 2
        offsets.append(at)
    blocks: list[tuple[float, int]] = []  # mean of (wanted - offset), boxes in it
    for want, offset in zip(wanted, offsets, strict=True):
        mean, size = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            other, more = blocks.pop()
            mean = (mean * size + other * more) / (size + more)
            size += more
        blocks.append((mean, size))
    means = [mean for mean, size in blocks for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _gap(left: Point, right: Point) -> float:
    """Arrows that pass side by side (bends have no height) need less room than boxes."""
    bends = (left[1] == 0) + (right[1] == 0)
    return (GAP_X, GAP_X / 2, GAP_X / 4)[bends]


def _heights(
    rows: Sequence[Sequence[int]], sizes: Sequence[Point], layer: Sequence[int]
) -> tuple[list[float], float]:
    tall = [max((sizes[node][1] for node in row), default=0.0) for row in rows]
    middle: list[float] = []
    at = MARGIN
    for height in tall:
        middle.append(at + height / 2)
        at += height + GAP_Y
    return [middle[layer[node]] for node in range(len(sizes))], max(at - GAP_Y, 0.0) + MARGIN


def _route(
    arrow: tuple[int, int],
    centres: Sequence[Point],
    sizes: Sequence[Point],
    chains: dict[tuple[int, int], list[int]],
) -> tuple[Point, ...]:
    a, b = arrow
    if a == b:
        return ()
    forward = a < b
    bends = chains.get((min(a, b), max(a, b)), [])
    stops = [centres[bend] for bend in (bends if forward else reversed(bends))]
    sign = 1 if forward else -1
    start = (centres[a][0], round(centres[a][1] + sign * sizes[a][1] / 2, 1))
    end = (centres[b][0], round(centres[b][1] - sign * sizes[b][1] / 2, 1))
    points: list[Point] = [start]
    for here, there in zip([start, *stops], [*stops, end], strict=True):
        middle = round((here[1] + there[1]) / 2, 1)
        points += [(here[0], middle), (there[0], middle), there]
    return tuple(points)
