"""The one line after a traced cell: which run it was, how it ended, how to go on."""

from typing import TYPE_CHECKING

from explainkit.safety import shorten, visible

if TYPE_CHECKING:
    from explainkit.session import Run

_NAME = 60


def pointer_to(run: "Run") -> str:
    """The line that points to a run which has just ended.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     _ = ek.answer("world")
        >>> print(pointer_to(run))
        explainkit: run "hello" answered, in memory only. %backtrack [WORDS] walks back from it.
    """
    try:
        status = run.status
        if status == "answered" and run.recording.effective() is None:
            status = "ended without an answer"
        kept = "in memory only" if run.path is None else f"kept in {_flat(str(run.path), 200)}"
        walk = "%backtrack [WORDS] walks back from it."
        return f'explainkit: run "{_flat(run.name, _NAME)}" {status}, {kept}. {walk}'
    except Exception as error:  # noqa: BLE001 - a line about a cell must not fail the cell
        return f"explainkit: the run cannot be read ({type(error).__name__}: {str(error)[:200]})."


def _flat(text: str, limit: int) -> str:
    return visible(shorten(" ".join(text.split()), limit))
