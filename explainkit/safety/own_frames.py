"""Tells the user's own code from that of libraries, because that is where an error is mended."""

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import PurePath
from types import CodeType, TracebackType
from typing import Final

from explainkit.safety.surrogates import without_surrogates

OWN: Final = 5
"""Frames of the user's own code that are kept of one traceback, the innermost ones."""
CELLS: Final[list[Callable[[str], int | None]]] = []
"""Functions that know which notebook cell a file name stands for; none outside a notebook."""
_OURS: Final = PurePath(__file__).parents[1]
_STANDARD: Final = PurePath(os.path.realpath(os.__file__)).parent
_INSTALLED: Final = frozenset(("site-packages", "dist-packages"))


def frames_of(trace: TracebackType | None, limit: int) -> tuple[list[str], list[str]]:
    """The frames of a traceback as ``file:line function``, without the machine's folders.

    Args:
        trace: The traceback.
        limit: Innermost frames that are kept.

    Returns:
        Those of the user's own code, innermost first, and all, innermost last.

    Example:
        >>> def fare():
        ...     return {}["tariff"]
        >>> try:
        ...     fare()
        ... except KeyError as error:
        ...     own, every = frames_of(error.__traceback__, 20)
        >>> [frame.partition(":")[2] for frame in own]
        ['2 fare', '2 <module>']
    """
    every: list[str] = []
    own: list[str] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        every.append(site_of(code.co_filename, trace.tb_lineno, code.co_name))
        if is_own(code):
            own.append(every[-1])
        trace = trace.tb_next
    return own[: -OWN - 1 : -1], every[-limit:]


def site_of(file: str, line: int, name: str) -> str:
    """A line of code as ``file:line function``; one of a notebook cell by the cell's number.

    Args:
        file: File name of the code, of which the folders are left out.
        line: The line.
        name: Of the function.

    Example:
        >>> site_of("src/desk.py", 12, "fare")
        'desk.py:12 fare'
    """
    cell = next((found for known in CELLS if (found := known(file)) is not None), None)
    if cell is None:
        return without_surrogates(f"{PurePath(file).name}:{line} {name}")
    within = "" if name == "<module>" else f", in {name}"
    return without_surrogates(f"cell {cell}, line {line}{within}")


def is_own(code: CodeType) -> bool:
    """Whether code is neither of this package, nor of Python, nor installed beside it."""
    name = code.co_filename
    if name == "<string>":  # `python -c`, or a method that a dataclass wrote
        return not code.co_name.startswith("__")
    return not name.startswith("<frozen") and _is_own_file(name)


@lru_cache(maxsize=1024)
def _is_own_file(name: str) -> bool:
    path = PurePath(name)
    if _OURS in path.parents or not _INSTALLED.isdisjoint(path.parts):
        return False
    return (
        _STANDARD not in path.parents and _STANDARD not in PurePath(os.path.realpath(name)).parents
    )
