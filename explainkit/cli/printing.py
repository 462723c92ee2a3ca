"""Data to stdout, messages to stderr, and nothing recorded that could steer a terminal."""

import os
import re
import sys
from typing import Any

from explainkit.safety import shorten, visible

# JSON leaves these as they are; in a terminal they act (C1 controls, direction, line ends).
_ACTING = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def put(line: str = "", *, style: str | None = None) -> None:
    """Print one line, or several, of data.

    Args:
        line: Text in which everything recorded was made harmless before.
        style: A rich style such as ``bold``, used on terminals that want colour.
    """
    sys.stdout.write((painted(line, style) if style else line) + "\n")


def tell(message: str) -> None:
    """Print a message to stderr; what it quotes is made harmless here."""
    sys.stdout.flush()
    lines = visible(message).replace("\n", "\n  ")
    sys.stderr.write(f"explainkit: {lines}\n")
    sys.stderr.flush()


def put_json(data: Any) -> None:
    """Print plain JSON in UTF-8, indented by two, keys in their order."""
    sys.stdout.write(_ACTING.sub(_escaped, _dumped(data)) + "\n")


def one_line(text: str | None, limit: int = 160) -> str:
    """A recorded text on one line, harmless, with the cut said by an ellipsis."""
    return shorten(" ".join(visible(text or "").split()), limit)


def painted(text: str, style: str) -> str:
    """The text with the codes of a style, where stdout is a terminal that wants them."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    from rich.style import Style

    return Style.parse(style).render(text)


def give_up_stdout() -> None:
    """Nobody reads any more: let what is still buffered go nowhere, without a word."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _dumped(data: Any) -> str:
    import orjson

    try:
        return orjson.dumps(data, option=orjson.OPT_INDENT_2).decode()
    except TypeError:  # a lone surrogate or a very long integer, which JSON itself can hold
        import json

        return json.dumps(data, indent=2, ensure_ascii=False)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
