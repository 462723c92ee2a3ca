"""An error of a port in a sentence, with the line of the user's code that raised it."""

import sysconfig
from pathlib import Path, PurePath
from types import TracebackType
from typing import Final

from explainkit.flow.checks.asking import told_error

_OURS: Final = str(Path(__file__).parents[1])
_PATHS: Final = sysconfig.get_paths()
_OTHERS: Final = tuple(
    dict.fromkeys(_PATHS[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
)


def told_raised(error: BaseException) -> str:
    """An error in a sentence, and where it was raised: the last line that is no library's.

    Example:
        >>> def generate():
        ...     return {}["missing"]
        >>> try:
        ...     generate()
        ... except KeyError as error:
        ...     told_raised(error).partition("(")[0]
        "KeyError: 'missing' "
    """
    place = _place(error.__traceback__)
    return told_error(error) + (f" ({place})" if place else "")


def _place(step: TracebackType | None) -> str:
    found = ""
    while step is not None:
        code = step.tb_frame.f_code
        if not code.co_filename.startswith((_OURS, *_OTHERS, "<frozen")):
            found = f"{PurePath(code.co_filename).name}:{step.tb_lineno} in {code.co_name}"
        step = step.tb_next
    return found
