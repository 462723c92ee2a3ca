"""JSON Pointers, because every part remembers where in its message it stood."""

from typing import Any


def join(path: str, *tokens: str | int) -> str:
    """Extend a JSON Pointer (RFC 6901).

    Example:
        >>> join("/content", 0, "a/b")
        '/content/0/a~1b'
    """
    steps = (str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
    return path + "".join(f"/{step}" for step in steps)


def parent(path: str) -> tuple[str, str]:
    """Split a pointer into that of the container and the last token.

    Example:
        >>> parent("/content/0")
        ('/content', '0')
    """
    head, _, last = path.rpartition("/")
    return head, last.replace("~1", "/").replace("~0", "~")


def at(value: Any, path: str) -> Any:
    """The node that a pointer leads to; ``None`` when there is none.

    Example:
        >>> at({"content": [{"text": "hi"}]}, "/content/0/text")
        'hi'
    """
    for token in path.split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
