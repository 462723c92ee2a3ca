"""The one place where a recorded point can be given its value instead of computing it.

Replay and what-if are the same act: at a recording point, hand out another value. Every point
(context, assemble, link result, event, override) asks ``run.supply`` when the run has one; a run
that only records has none and pays one comparison.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

PointKind = Literal["context", "assemble", "link", "event", "override"]


@dataclass(frozen=True, slots=True)
class Point:
    """A recording point that is about to take its value.

    Attributes:
        kind: Which kind of point.
        name: The context's, link's or event's name; for an override, who overrides.
        inputs: Digests of the input slots in order; for a context, event or override its value's.
    """

    kind: PointKind
    name: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supplied:
    """A value handed out in place of the computed one."""

    value: object


class Supplier(Protocol):
    """Decides, point by point, whether a value is supplied."""

    def __call__(self, point: Point) -> Supplied | None:
        """Return the value to use, or ``None`` to go on as written."""
