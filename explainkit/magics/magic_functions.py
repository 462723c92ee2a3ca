"""What `%%trace` and `%backtrack` do, each a thin form of a call that needs no notebook."""

from collections.abc import Callable
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import no_var_expand

from explainkit.errors import ExplainkitError
from explainkit.magics.options import read_options
from explainkit.magics.traced_executions import TracedExecutions
from explainkit.session.recent import last

_TEXT_QUOTES = ('"', "'")


class ShellMagics:
    """The magics of one shell.

    Args:
        shell: The shell.
        traced: Opens and closes the runs of its cells.
    """

    def __init__(self, shell: Any, traced: TracedExecutions) -> None:
        self._shell = shell
        self.traced = traced

    def by_kind(self) -> dict[str, dict[str, Callable[..., Any]]]:
        """The line magics and the cell magics, by name.

        A cell that begins with `%%trace` is rewritten before the cell magic could be called.
        """
        line: dict[str, Callable[..., Any]] = {"trace": self.trace, "backtrack": self.backtrack}
        return {"line": line, "cell": {"trace": self.trace_cell}}

    @no_var_expand  # words are words: a brace or a dollar sign in them runs nothing
    def trace(self, line: str) -> None:
        """Record the rest of this cell as one run: `%%trace NAME [--to FOLDER] [--question TEXT]`.

        The run is that of `ek.trace(NAME, to=FOLDER, question=TEXT)`. It ends with the cell, also
        when the cell fails or is interrupted. `await` works.
        """
        self.traced.arm(read_options(line))

    @no_var_expand
    def trace_cell(self, line: str, cell: str) -> None:
        """Record this cell as one run: `%%trace NAME [--to FOLDER] [--question TEXT]`.

        The run is that of `ek.trace(NAME, to=FOLDER, question=TEXT)`. It ends with the cell, also
        when the cell fails or is interrupted. `await` works.
        """
        # Only a call by hand comes here, without what rewrites a cell that a person runs.
        self._shell.run_cell(f"%%trace {line}\n{cell}").raise_error()

    @no_var_expand
    def backtrack(self, line: str) -> Any:
        """Walk back from words of the last run's answer: `%backtrack [WORDS]`.

        Without words it is the whole answer, or what the run ended on. The value is that of
        `ek.last().backtrack(span=WORDS)`.
        """
        words = _unquoted(line.strip())
        try:
            return last().backtrack(span=words or None)
        except ExplainkitError as error:
            raise UsageError(str(error)) from error


def _unquoted(words: str) -> str:
    """The words without the quotes around them, which nobody needs and many write."""
    quoted = len(words) > 1 and words[0] == words[-1] and words[0] in _TEXT_QUOTES
    return words[1:-1] if quoted else words
