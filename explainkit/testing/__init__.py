"""For users' own tests: recorded faults, and what a valid trace is, as data and as strategies."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explainkit.testing.recorded_faults import RecordedFault

__all__ = ["RecordedFault"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"explainkit.testing has no attribute {name!r}")
    from explainkit.testing.recorded_faults import RecordedFault

    return RecordedFault
