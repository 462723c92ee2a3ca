"""A runner that starts outside of any run opens its own."""

from typing import TYPE_CHECKING, Any, Protocol

from explainkit.openers import run_opener

if TYPE_CHECKING:
    from explainkit.tracing.active import ActiveRun


class OwnRun(Protocol):
    """A run that a runner opened for itself."""

    active: "ActiveRun"
    run: Any

    def open(self) -> Any:
        """Open it without making it current here; give what a user holds."""
        ...

    def close(self, status: str, error: BaseException | None = None) -> None:
        """End it; a second call does nothing."""
        ...


def own_run(name: str, **settings: Any) -> OwnRun:
    """A run for a runner that starts outside of any.

    Args:
        name: Its name.
        **settings: As `ek.trace` takes them.
    """
    opened: OwnRun = run_opener()(name, **settings)
    return opened
