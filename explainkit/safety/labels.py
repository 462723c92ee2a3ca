"""JSON of a record's fields, for labels that JSON cannot hold as they are."""

from typing import Any

import orjson

from explainkit.safety.surrogates import without_surrogates


def fields_json(fields: Any) -> bytes:
    """Compact JSON; a lone surrogate in a label becomes the replacement character.

    Content never comes here: a value with lone surrogates is stored exactly, under a tag.

    Example:
        >>> fields_json({"name": "half"})
        b'{"name":"half"}'
    """
    try:
        return orjson.dumps(fields)
    except TypeError:
        return orjson.dumps(_labels(fields))


def _labels(node: Any) -> Any:
    if isinstance(node, str):
        return without_surrogates(str(node))
    if isinstance(node, dict):
        return {without_surrogates(str(key)): _labels(item) for key, item in node.items()}
    if isinstance(node, (list, tuple)):
        return [_labels(item) for item in node]
    if node is None or isinstance(node, (bool, int, float)):
        return node
    return without_surrogates(repr(node)[:200])
