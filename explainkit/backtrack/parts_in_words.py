"""Names a part of a value as a reader of Python would write it."""

from collections.abc import Iterable
from typing import Final

from explainkit.safety import visible

DEPTH: Final = 3
"""Steps of a path into a value that a sentence shows; of a longer one, the first and the last.

The ranks in lists are shown too, at most as many again: they tell one item from the next.
"""
PARTS: Final = 3
"""Parts of one value that a sentence names."""
_NAME: Final = 60
"""Code points of one step of a path."""


def place_words(label: str, slot: str, paths: Iterable[str]) -> str:
    """A value and the parts of it, written as a reader of Python would.

    Args:
        label: What holds the value.
        slot: Name of the slot that holds it; a label often starts with it.
        paths: JSON pointers into the value; an empty one is all of it. More than three parts
            are not named.

    Example:
        >>> place_words("output of retrieve", "output", ["/1/text"])
        'output[1].text of retrieve'
        >>> place_words("output of retrieve", "output", ["/0/text", "/4/text"])
        'output[0].text, [4].text of retrieve'
        >>> place_words("output of chat", "output", ["/tool_calls/0/function/arguments"])
        'output.tool_calls[0]….arguments of chat'
        >>> place_words("input of f", "input", ["/items/2/data/source"])
        'input.items[2]….source of f'
        >>> place_words("context prices", "value", ["/max fare"])
        "context prices['max fare']"
    """
    parts = list(dict.fromkeys(paths))
    if "" in parts or len(parts) > PARTS:
        return label
    words = ", ".join(_path_words(path) for path in parts)
    if label.startswith(f"{slot} of "):
        return f"{slot}{words}{label[len(slot) :]}"
    return label + words


def _path_words(path: str) -> str:
    steps = path.split("/")[1:]
    if len(steps) <= DEPTH:
        return "".join(map(_step_words, steps))
    ranks = [at for at, step in enumerate(steps) if at and _is_rank(step)][:DEPTH]
    found, before = "", -1
    for at in sorted({0, *ranks, len(steps) - 1}):
        found += ("" if at == before + 1 else "…") + _step_words(steps[at])
        before = at
    return found


def _is_rank(step: str) -> bool:
    return step.isascii() and step.isdigit()


def _step_words(step: str) -> str:
    name = _flat(step.replace("~1", "/").replace("~0", "~"))
    if _is_rank(name):
        return f"[{name}]"
    return f".{name}" if name.isidentifier() else f"[{name!r}]"


def _flat(name: str) -> str:
    line = " ".join(visible(name[: 4 * _NAME]).split())
    return f"{line[: _NAME - 1].rstrip()}…" if len(line) > _NAME or len(name) > 4 * _NAME else line
