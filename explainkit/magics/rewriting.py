"""Rewrites `%%trace` to a line magic, because a cell magic would end top-level await."""

import re
from typing import Any

from IPython.core import inputtransformer2

TRACE = re.compile(r"%%trace(?:[ \t]+(?P<options>[^\n]*))?\n?\Z")
"""A line that makes a cell a traced one."""


def rewrite(lines: list[str]) -> list[str]:
    r"""Replace `%%trace` in the first line by a call that arms the run; the rest stays code.

    The lines keep their numbers, so a traceback names the line that a person sees. A cell magic
    below, another `%%trace` included, is taken as one that begins a cell.

    Args:
        lines: A cell, each line with its newline.

    Example:
        >>> rewrite(["%%trace claim\n", "await ask()\n"])
        ["get_ipython().run_line_magic('trace', 'claim')\n", 'await ask()\n']
    """
    found = TRACE.match(lines[0]) if lines else None
    if found is None:
        return lines
    options = (found["options"] or "").strip()
    armed = f"get_ipython().run_line_magic('trace', {options!r})\n"
    blank = 1
    while blank < len(lines) and lines[blank].isspace():
        blank += 1
    return [armed, *lines[1:blank], *_body(lines[blank:])]


def _body(lines: list[str]) -> list[str]:
    if not lines or not lines[0].startswith("%%"):
        return lines
    again = rewrite(lines)
    own: Any = inputtransformer2  # typed in some releases of IPython only
    return list(own.cell_magic(lines)) if again is lines else again
