"""Finds the template of a recorded prompt again, from which characters came from which value."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from explainkit.errors import TemplateError
from explainkit.safety.pointers import token
from explainkit.tracing.messages import fill_messages
from explainkit.tracing.template import fill

Segment = Mapping[str, Any]


def template_of(made: Any, segments: Sequence[Segment], values: Mapping[str, Any]) -> Any:
    """The template that makes a text, or a list of messages, of values.

    Args:
        made: What was made.
        segments: Which stretches, and which items of a list, came from which value.
        values: The values by name.

    Returns:
        None when it cannot be found, as where a field had a format of its own.

    Example:
        >>> template_of("Q: why", [{"start": 3, "end": 6, "origin": {"slot": "q"}}], {"q": "why"})
        'Q: {q}'
    """
    if isinstance(made, str):
        template: Any = _text(made, segments)
    elif isinstance(made, list):
        template = _messages(made, segments)
    else:
        return None
    return template if _fills(template, values, made) else None


def _fills(template: Any, values: Mapping[str, Any], made: Any) -> bool:
    try:
        if isinstance(template, str):
            return bool("".join(piece.text for piece in fill(template, values)) == made)
        return bool(fill_messages(template, values).messages == made)
    except TemplateError:
        return False


def _text(text: str, segments: Iterable[Segment]) -> str:
    found, at = "", 0
    for start, end, name in sorted(_stretches(segments)):
        found += _literal(text[at:start]) + f"{{{name}}}"
        at = end
    return found + _literal(text[at:])


def _stretches(segments: Iterable[Segment]) -> list[tuple[int, int, str]]:
    """Stretches of one value that follow each other are one field."""
    found: list[tuple[int, int, str]] = []
    for each in sorted(segments, key=lambda one: int(one["start"])):
        start, end, origin = int(each["start"]), int(each["end"]), each["origin"]
        goes_on = bool(found) and found[-1][1:] == (start, str(origin["slot"]))
        if goes_on and origin.get("start"):
            found[-1] = (found[-1][0], end, found[-1][2])
        else:
            found.append((start, end, str(origin["slot"])))
    return found


def _messages(made: list[Any], segments: Sequence[Segment]) -> list[Any]:
    leaves: dict[str, list[Segment]] = {}
    spliced: dict[int, Segment] = {}
    for each in segments:
        if each.get("path"):
            leaves.setdefault(str(each["path"]), []).append(each)
        else:
            spliced[int(each["start"])] = each
    found: list[Any] = []
    at = 0
    while at < len(made):
        splice = spliced.get(at)
        if splice is None:
            found.append(_node(made[at], f"/{at}", leaves))
            at += 1
        else:
            found.append(f"{{{splice['origin']['slot']}}}")
            at = max(int(splice["end"]), at + 1)
    return found


def _node(node: Any, path: str, leaves: Mapping[str, Sequence[Segment]]) -> Any:
    if isinstance(node, str):
        return _text(node, leaves.get(path, ()))
    if isinstance(node, dict):
        return {key: _node(each, f"{path}/{token(key)}", leaves) for key, each in node.items()}
    if isinstance(node, list):
        return [_node(each, f"{path}/{at}", leaves) for at, each in enumerate(node)]
    return node


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
