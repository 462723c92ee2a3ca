"""Finds runs again: the last one of this process, and those of a folder."""

from typing import TYPE_CHECKING

from explainkit.errors import UnknownRecordError

if TYPE_CHECKING:
    from explainkit.session.run import Run

_last: list["Run"] = []


def remember(run: "Run") -> None:
    """Keep the run as the last one."""
    _last[:] = [run]


def opened_last() -> "Run | None":
    """As `last`, with None where no run was opened yet."""
    return _last[0] if _last else None


def last() -> "Run":
    """The run that was opened last in this process.

    Raises:
        UnknownRecordError: No run was opened yet.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello"):
        ...     pass
        >>> ek.last().name
        'hello'
    """
    if not _last:
        raise UnknownRecordError(
            "No run was traced in this process yet. Call a function decorated with "
            "@ek.traced(...), or open a recorded one with ek.load(path)."
        )
    return _last[0]
