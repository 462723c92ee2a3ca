"""Every engine places boxes apart, the same way each time, and failures are survived."""

import itertools
import random

import pytest

from explainkit.view import layout
from explainkit.view.geometry import Sketch
from explainkit.view.layered import NAME, crossings, layered_layout
from explainkit.view.layout import Engine, layout_of, parse_plain


def random_sketch(count, seed):
    rng = random.Random(seed)
    arrows = {
        (rng.randrange(max(0, b - 12), b), b)
        for b in range(1, count)
        for _ in range(rng.choice([1, 1, 2]))
    }
    return Sketch(tuple((188.0, 50.0) for _ in range(count)), tuple(sorted(arrows)))


def overlaps(sketch, found):
    boxes = list(zip(found.centres, sketch.sizes, strict=True))
    return [
        (a, b)
        for (a, ((ax, ay), (aw, ah))), (b, ((bx, by), (bw, bh))) in itertools.combinations(
            enumerate(boxes), 2
        )
        if abs(ax - bx) < (aw + bw) / 2 - 0.5 and abs(ay - by) < (ah + bh) / 2 - 0.5
    ]


def engines():
    found = [("layered", layered_layout)]
    if layout.dot_engine() is not None:
        found.append(("dot", layout_of))
    return found


@pytest.mark.parametrize(
    ("name", "place"), engines(), ids=lambda each: each if isinstance(each, str) else ""
)
@pytest.mark.parametrize("count", [1, 2, 30, 120])
def test_boxes_never_overlap_and_arrows_point_down(name, place, count):
    sketch = random_sketch(count, seed=count)
    found = place(sketch)
    assert overlaps(sketch, found) == []
    for (a, b), route in zip(sketch.arrows, found.routes, strict=True):
        assert found.centres[a][1] < found.centres[b][1]
        assert len(route) % 3 == 1
        assert len(route) >= 4
    assert all(0 <= x <= found.width and 0 <= y <= found.height for x, y in found.centres)


@pytest.mark.parametrize(
    ("name", "place"), engines(), ids=lambda each: each if isinstance(each, str) else ""
)
def test_the_same_sketch_gives_the_same_positions(name, place):
    sketch = random_sketch(60, seed=3)
    assert place(sketch) == place(sketch)


def test_arrows_start_and_end_at_the_border_of_their_boxes():
    found = layered_layout(Sketch(((188, 50), (188, 50)), ((0, 1),)))
    (x0, y0), (x1, y1) = found.centres
    assert found.routes[0][0] == (x0, y0 + 25)
    assert found.routes[0][-1] == (x1, y1 - 25)


def test_cycles_loops_and_doubles_do_no_harm():
    sketch = Sketch(((188, 50),) * 3, ((0, 1), (1, 2), (2, 0), (1, 1), (0, 1)))
    found = layered_layout(sketch)
    assert overlaps(sketch, found) == []
    assert found.routes[3] == ()
    assert found.routes[0] == found.routes[4]


def test_ordering_removes_crossings_that_need_not_be():
    rows = [[0, 1, 2], [3, 4, 5]]
    arrows = [(0, 5), (1, 4), (2, 3)]
    assert crossings(rows, arrows) == 3
    found = layered_layout(Sketch(((100, 40),) * 6, tuple(arrows)))
    placed = [sorted(row, key=lambda node: found.centres[node][0]) for row in rows]
    assert crossings(placed, arrows) == 0


def test_ten_thousand_boxes_are_laid_out_in_layers():
    found = layout_of(random_sketch(10_000, seed=1))
    assert found.engine == NAME
    assert len(found.centres) == 10_000


def test_nothing_is_laid_out_without_boxes():
    assert layout_of(Sketch((), ())).centres == ()


def test_a_failing_engine_is_replaced_and_the_replacement_named(monkeypatch):
    def broken(source, form):
        raise OSError("killed")

    monkeypatch.setattr(layout, "dot_engine", lambda: Engine("dot", broken))
    assert layout_of(random_sketch(5, seed=0)).engine == NAME


def test_an_engine_that_forgets_a_box_is_not_believed():
    sketch = Sketch(((72, 36), (72, 36)), ((0, 1),))
    text = "graph 1 1 1\nnode n0 0.5 0.75 1 0.5 x solid box black lightgrey\nstop\n"
    with pytest.raises(ValueError, match="placed 1 of 2"):
        parse_plain(text, sketch, "dot")


def test_the_plain_format_is_turned_upright_and_into_pixels():
    text = (
        "graph 1 2 3\nnode n0 1 2.5 1 0.5 x solid box black lightgrey\n"
        "node n1 1 0.5 1 0.5 x solid box black lightgrey\n"
        "edge n0 n1 4 1 2.25 1 2 1 1 1 0.75 solid black\nstop\n"
    )
    found = parse_plain(text, Sketch(((72, 36), (72, 36)), ((0, 1),)), "dot")
    assert found.centres == ((72.0, 36.0), (72.0, 180.0))
    assert found.routes == (((72.0, 54.0), (72.0, 72.0), (72.0, 144.0), (72.0, 162.0)),)
