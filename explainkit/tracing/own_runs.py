"""A runner that starts outside of any run opens its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

from explainkit.openers import run_opener

if TYPE_CHECKING:
    from explainkit.tracing.active import ActiveRun


@dataclass(frozen=True, slots=True, eq=False)
class Again:
    """How a run is made again while the process that made it lives.

    Attributes:
        fn: What is called; a coroutine function is awaited.
        args: What it was called with, by position; the objects themselves.
        kwargs: What it was called with by name.
        settings: Settings of the run that matter again, as `ek.trace` takes them.
        told: Of a machine, as `fn`, given also the events that came from outside.
    """

    fn: Callable[..., Any]
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    told: Callable[..., Any] | None = None


_TRACED: WeakSet[Callable[..., Any]] = WeakSet()


def mark_traced(fn: Callable[..., Any]) -> None:
    """Remember a function whose calls are runs, as long as it lives."""
    _TRACED.add(fn)


def is_traced(fn: Callable[..., Any]) -> bool:
    """Whether every call of a function is a run."""
    return fn in _TRACED


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
