"""A runner that starts outside a run opens its own; who can open one is told at import."""

from collections.abc import Callable
from typing import Any, Protocol

from explainkit.tracing.active import ActiveRun


class OwnRun(Protocol):
    """A run that a runner opened for itself."""

    active: ActiveRun
    run: Any

    def open(self) -> Any:
        """Open it without making it current here; give what a user holds."""
        ...

    def close(self, status: str, error: BaseException | None = None) -> None:
        """End it; a second call does nothing."""
        ...


Opener = Callable[..., OwnRun]
_openers: list[Opener] = []


def set_run_opener(opener: Opener) -> None:
    """Say how a run is opened: a function of the name and keyword settings of `ek.trace`."""
    _openers[:] = [opener]


def own_run(name: str, **settings: Any) -> OwnRun:
    """A run for a runner that starts outside of any.

    Args:
        name: Its name.
        **settings: As `ek.trace` takes them.
    """
    return _openers[0](name, **settings)
