"""Finds references of a JSON Schema that lead to no schema, before a value is judged by it."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing import Specification
from referencing.exceptions import Unresolvable
from referencing.jsonschema import specification_with

_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_NOWHERE: Final = (Unresolvable, ValueError, TypeError, LookupError)
"""What looking one up raises; the last ones where it is no pointer or URI at all."""


def dangling(schema: Mapping[str, Any], kind: Any) -> Iterator[str]:
    """Yield the references that lead nowhere or only to each other, in the order of the schema.

    Args:
        schema: A valid schema.
        kind: The class of its validators; its draft says what a reference is.

    Example:
        >>> from jsonschema import Draft202012Validator
        >>> schema = {"$defs": {"day": {}}, "items": {"$ref": "#/$defs/days"}}
        >>> list(dangling(schema, Draft202012Validator))
        ['#/$defs/days']
    """
    said = str(kind.META_SCHEMA.get("$schema", ""))
    draft: Specification[Any] = specification_with(said, default=Specification.OPAQUE)
    keywords = [each for each in _REFERENCES if each in kind.VALIDATORS]
    root = draft.create_resource(schema)
    waiting = [(root, REGISTRY.resolver_with_root(root))]
    seen: set[int] = set()
    leads: dict[int, int] = {}
    while waiting:
        resource, resolver = waiting.pop()
        contents: Any = resource.contents
        if not isinstance(contents, Mapping) or id(contents) in seen:
            continue
        seen.add(id(contents))
        further = [(each, resolver.in_subresource(each)) for each in resource.subresources()]
        for keyword in (each for each in keywords if each in contents):
            reference = contents[keyword]
            try:
                found = resolver.lookup(reference)
            except _NOWHERE:
                yield str(reference)
                continue
            further.append((draft.create_resource(found.contents), found.resolver))
            if keyword == "$ref":
                leads[id(contents)] = id(found.contents)
                if _is_ring(leads, id(contents)):
                    yield str(reference)
        waiting += reversed(further)


def _is_ring(leads: Mapping[int, int], start: int) -> bool:
    """Whether one who follows each reference at once comes back to where he began."""
    place = leads.get(start)
    for _ in leads:
        if place is None or place == start:
            break
        place = leads.get(place)
    return place == start
