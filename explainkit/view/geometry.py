"""Sizes in, positions out: the one shape in which every layout engine is asked and answers."""

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is laid out: boxes and arrows, with no text at all.

    Attributes:
        sizes: Width and height of each box, in pixels.
        arrows: ``(source, target)`` as indices into ``sizes``.
    """

    sizes: tuple[Point, ...]
    arrows: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes, sources above what they feed.

    Attributes:
        engine: Which engine placed it, as a person would say it.
        width: Of the whole drawing, in pixels.
        height: Of the whole drawing, in pixels.
        centres: Centre of each box.
        routes: Points of each arrow from the border of its source to the border of its target;
            ``1 + 3 n`` points are ``n`` cubic Bézier curves.
    """

    engine: str
    width: float
    height: float
    centres: tuple[Point, ...]
    routes: tuple[tuple[Point, ...], ...]
