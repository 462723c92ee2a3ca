"""Where verbs stand beside the arrows of a drawing that no script arranges: over nothing else."""

from collections.abc import Iterator, Sequence
from typing import Final

from explainkit.view.chart import Chart
from explainkit.view.geometry import Layout, Point

LETTER: Final = 7.6
"""Pixels of a letter of a verb, which is bold: rather too many, because no browser measures."""
RISE: Final = 12.0
FALL: Final = 5.0
BESIDE: Final = 7.0

Room = tuple[float, float, float, float]
Verb = tuple[float, float, str]
"""Where a verb is drawn, and which of its ends is there."""


def verbs_of(chart: Chart, layout: Layout, taken: Sequence[Room]) -> dict[int, Verb]:
    """Places for the verbs of lit arrows, by arrow; one that finds no room is not among them.

    None is cut by the edge of the drawing.

    Args:
        chart: What is drawn.
        layout: Where.
        taken: ``(left, top, right, bottom)`` of what no verb may cover.
    """
    rooms, found = list(taken), {}
    for number, edge in enumerate(chart.edges):
        if not edge.lit:
            continue
        width = len(edge.role) * LETTER
        for x, y, anchor in _beside(layout.routes[number]):
            left = x if anchor == "start" else x - width
            room = (left - 2, y - RISE, left + width + 2, y + FALL)
            inside = room[0] >= 0 and room[2] <= layout.width
            if inside and not any(_meet(room, other) for other in rooms):
                rooms.append(room)
                found[number] = (round(x, 1), round(y, 1), anchor)
                break
    return found


def _beside(route: Sequence[Point]) -> Iterator[Verb]:
    """Right and left of the middle of an arrow, then of its other stretches."""
    stretches = len(route) // 3
    for stretch in sorted(range(stretches), key=lambda each: abs(each - stretches // 2)):
        (_, (x1, y1), (x2, y2), _) = route[3 * stretch : 3 * stretch + 4]
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        away = BESIDE + min(40.0, abs((x2 - x1) / ((y2 - y1) or 1.0)) * BESIDE)
        yield x + away, y + 4, "start"
        yield x - away, y + 4, "end"


def _meet(one: Room, other: Room) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
