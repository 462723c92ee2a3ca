"""Fills a list of chat messages: fields inside their texts, and whole messages spliced in."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from explainkit.errors import TemplateError
from explainkit.safety.pointers import token
from explainkit.tracing.template import Field, Filled, fill, parse


class FilledLeaf(NamedTuple):
    """A text leaf of the assembled messages that has fields: its pointer and pieces."""

    path: str
    pieces: list[Filled]


class Spliced(NamedTuple):
    """Messages ``[start, end)`` of the assembled list that are a value handed in whole."""

    start: int
    end: int
    name: str
    many: bool


class FilledMessages(NamedTuple):
    """The assembled list and where its parts came from."""

    messages: list[Any]
    leaves: list[FilledLeaf]
    spliced: list[Spliced]


def fill_messages(template: list[Any], values: Mapping[str, Any]) -> FilledMessages:
    """Fill the texts of each message; a bare ``"{name}"`` item splices a value in.

    Raises:
        TemplateError: A field without a value, or a spliced value that is neither a message nor
            a list of messages.

    Example:
        >>> fill_messages(["{history}", {"role": "user", "content": "{q}"}],
        ...               {"history": [{"role": "system", "content": "Be brief."}], "q": "why"}
        ...              ).messages[1]
        {'role': 'user', 'content': 'why'}
    """
    filled = FilledMessages([], [], [])
    for item in template:
        if isinstance(item, str):
            _splice(item, values, filled)
        else:
            path = f"/{len(filled.messages)}"
            filled.messages.append(_fill_node(item, path, values, filled.leaves))
    return filled


def _splice(item: str, values: Mapping[str, Any], filled: FilledMessages) -> None:
    pieces = parse(item)
    field = pieces[0] if len(pieces) == 1 else None
    if not isinstance(field, Field):
        raise TemplateError(
            f"The item {item!r:.60} of a message template is neither a message nor one field. "
            'Write {"role": "user", "content": ...}, or "{history}" to splice messages in.'
        )
    if field.name not in values:
        raise TemplateError(f"The template has {item} but ek.assemble got no {field.name}=.")
    value = values[field.name]
    start = len(filled.messages)
    if isinstance(value, (list, tuple)):
        filled.messages.extend(value)
    elif isinstance(value, Mapping):
        filled.messages.append(value)
    else:
        raise TemplateError(
            f"{item} should splice a message or a list of messages; got {value!r:.60}."
        )
    many = isinstance(value, (list, tuple))
    filled.spliced.append(Spliced(start, len(filled.messages), field.name, many))


def _fill_node(node: Any, path: str, values: Mapping[str, Any], found: list[FilledLeaf]) -> Any:
    if isinstance(node, str):
        pieces = fill(node, values)
        if any(piece.name for piece in pieces):
            found.append(FilledLeaf(path, pieces))
        return "".join(piece.text for piece in pieces)
    if isinstance(node, dict):
        return {
            key: _fill_node(item, f"{path}/{token(key)}", values, found)
            for key, item in node.items()
        }
    if isinstance(node, list):
        return [
            _fill_node(item, f"{path}/{index}", values, found) for index, item in enumerate(node)
        ]
    return node
