"""Reads what stands behind `%%trace`."""

import shlex
from argparse import ArgumentParser
from dataclasses import dataclass
from typing import NoReturn

from IPython.core.error import UsageError

USAGE = "%%trace NAME [--to FOLDER] [--question TEXT]"


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """How a cell is recorded.

    Attributes:
        name: Name of the run.
        to: Folder of its file.
        question: What was asked.
    """

    name: str
    to: str | None = None
    question: str | None = None


def read_options(text: str) -> TraceOptions:
    """Read the options of a traced cell.

    Args:
        text: What stands behind the name of the magic.

    Raises:
        UsageError: They cannot be read; nothing of the cell has run.

    Example:
        >>> read_options('claim --question "How long may it be late?"')
        TraceOptions(name='claim', to=None, question='How long may it be late?')
    """
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("name", nargs="*")
    parser.add_argument("--to")
    parser.add_argument("--question")
    found = parser.parse_intermixed_args(_words(text))
    if not found.name:
        raise UsageError(f"A traced cell needs a name: {USAGE}. Nothing was run.")
    return TraceOptions(" ".join(found.name), found.to, found.question)


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}. Write {USAGE}. Nothing was run.")


def _words(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    lexer.escape = ""  # folders of Windows hold backslashes
    try:
        return list(lexer)
    except ValueError as error:
        raise UsageError(f"{error} in {text!r:.80}. Write {USAGE}. Nothing was run.") from error
