"""The actor that ends a run in a fault, because a chart must be able to say that it failed."""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Fail:
    """Faults the run of the machine that starts it; see `fail`.

    Attributes:
        kind: Always `fail`.
    """

    kind: Literal["fail"] = field(default="fail", init=False, repr=False)


def fail() -> Fail:
    """An actor that faults the run with the `reason` of its input.

    Example:
        >>> fail().kind
        'fail'
    """
    return Fail()
