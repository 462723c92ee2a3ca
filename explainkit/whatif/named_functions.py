"""A record names a function: that is no reason to import a module, or to call just anything."""

import inspect
import sys
from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from explainkit.safety import shorten
from explainkit.tracing.own_runs import is_traced


def function_at(path: str) -> Callable[..., Any] | None:
    """The function of a recorded `module:qualname`, of a module that this process has imported.

    Nothing is imported for a record: a file of somebody else may name any module, and importing it
    runs what stands in it.

    Args:
        path: What was recorded.
    """
    module, _, qualname = path.partition(":")
    first, *further = qualname.split(".")
    # Of a module only what stands in it: asking it for more may import more.
    found = getattr(sys.modules.get(module), "__dict__", {}).get(first)
    for step in further:
        found = getattr(found, step, None)
    return found if callable(found) else None


def why_missing(path: str) -> str:
    """Why there is no function at a path, and what to do: words that follow the path.

    Args:
        path: What was recorded.
    """
    module, _, qualname = path.partition(":")
    if "<" in qualname:
        return "cannot be imported here: it stands in another function. Put it into a module"
    if module in sys.modules:
        return "cannot be imported here: its module does not have it. Define it again"
    how = f"import {shorten(module, 60)}" if is_importable_name(module) else "import its module"
    return f"cannot be imported here by a record, which may name any code. Do so yourself ({how})"


def is_importable_name(path: str) -> bool:
    """Whether a dotted name could stand behind ``import``."""
    return all(step.isidentifier() and not iskeyword(step) for step in path.split("."))


def is_traced_function(fn: Any) -> bool:
    """Whether something is a function whose every call is a run, so that a record may call it."""
    return inspect.isfunction(fn) and is_traced(fn)
