"""The one place where a recorded point can be given its value instead of computing it.

Replay and what-if are the same act: at a recording point, hand out another value. Every point
(context, assemble, link result, event, override) asks ``run.supply`` when the run has one, and what
goes into a link or a template is shown to ``run.rewrite`` first; a run that only records has
neither and pays one comparison.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

PointKind = Literal["context", "assemble", "link", "event", "override", "admission", "runner"]


class HeldBack(BaseException):
    """What was asked for the value of a point would not have it happen: the run stops there."""


@dataclass(frozen=True, slots=True)
class Point:
    """A recording point that is about to take its value.

    Attributes:
        kind: Which kind of point; an ``admission`` is a piece of an Agent that would stay outside,
            a ``runner`` an Agent or a composition, whose answer may be given instead.
        name: The context's, link's or event's name; for an override, who overrides.
        inputs: Digests of the input slots in order; for a context, event or override its value's.
        type: The link's type, such as ``model`` or ``effect``; empty for other points.
        code: Hash of the link's code, when it is known.
        link: The link's own ``seq`` in the run that goes on; -1 for other points.
        deterministic: Whether the link is declared to give the same output for the same inputs.
        streams: Whether the link gives its items one by one.
        value: The value as it comes, of a context, event or template; of an override, the answer
            that it would replace; None for a link, which has not run.
        stands_for: Of a link that does not run in a block that is told again, the recorded one
            whose result is told.
        runs: What runs where nothing is supplied, when it is a function that can be looked at.
    """

    kind: PointKind
    name: str
    inputs: tuple[str, ...]
    type: str = ""
    code: str | None = None
    link: int = -1
    deterministic: bool = False
    streams: bool = False
    value: Any = None
    stands_for: int | None = None
    runs: Callable[..., Any] | None = None


@dataclass(frozen=True, slots=True)
class Supplied:
    """A value handed out in place of the computed one.

    Attributes:
        value: The value; for a link that streams, its items.
        reused: ``seq`` of the link, in the run that is varied, whose recorded value it is.
    """

    value: object
    reused: int | None = None

    @property
    def attrs(self) -> dict[str, int]:
        """What to say of a link that gives it, when it closes."""
        return {} if self.reused is None else {"reused": self.reused}


class Supplier(Protocol):
    """Decides, point by point, whether a value is supplied."""

    def __call__(self, point: Point) -> Supplied | None:
        """Return the value to use, or ``None`` to go on as written."""


class Rewriter(Protocol):
    """Changes what goes into a link or a template, before it is recorded and used."""

    def __call__(
        self,
        kind: PointKind,
        name: str,
        values: Mapping[str, Any],
        digests: Callable[[], Mapping[str, str]] | None = None,
    ) -> Mapping[str, Any] | None:
        """Return the inputs that change, by slot, or ``None`` to go on as written.

        ``digests`` tells, where a link asks, what the record would hold of each.
        """
