"""Errors of run files: read, written, damaged or unsafe."""

from collections.abc import Sequence

from explainkit.errors.family import ExplainkitError


class ReadError(ExplainkitError, ValueError):
    """A file cannot be read as what it should be."""


class UnknownFormatError(ReadError):
    """The content has no shape that any reader knows."""


class NewerFormatError(ReadError):
    """The file was written by a newer explainkit."""


class DamagedFileError(ReadError):
    """Not even a valid prefix could be read."""


class UnsafeFileError(ReadError):
    """The file breaks a limit of size, depth or ratio, or is not a plain file."""


class ForeignNotesError(ReadError):
    """The notes are about another run, or about other content of it."""


class ManyRunsError(ReadError):
    """The file holds many runs and none was chosen.

    Attributes:
        count: How many runs.
        ids: Their ids, in file order.
    """

    def __init__(self, message: str, ids: Sequence[str]) -> None:
        """Keep the ids so that code can choose one."""
        super().__init__(message)
        self.ids = tuple(ids)
        self.count = len(self.ids)


class DamagedValueError(ExplainkitError, ValueError):
    """Stored content does not decode, or does not match its digest."""


class UnsafePathError(ExplainkitError, ValueError):
    """A name leads out of the folder that it should stay in."""


class WriteError(ExplainkitError, OSError):
    """A run file cannot be written."""
