"""Templates: an author's words with named fields, parsed once, filled without re-reading values.

Only the template is parsed. What is filled in is never looked at for braces, so recorded text
cannot become a field.
"""

import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from explainkit.errors import TemplateError


@dataclass(frozen=True, slots=True)
class Field:
    """``{name!conversion:spec}`` of a template."""

    name: str
    conversion: str | None
    spec: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A stretch of the filled text.

    Attributes:
        text: The stretch.
        name: The field that it came from; ``None`` for the template's own words.
        verbatim: The value was a text and stands in the stretch unchanged.
    """

    text: str
    name: str | None
    verbatim: bool


@lru_cache(maxsize=256)
def parse(template: str) -> tuple[str | Field, ...]:
    """Split a template into literals and fields.

    Raises:
        TemplateError: Unbalanced braces, an empty field, or a field that reaches into a value.

    Example:
        >>> parse("Q: {q}")
        ('Q: ', Field(name='q', conversion=None, spec=''))
    """
    pieces: list[str | Field] = []
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError as error:
        raise TemplateError(
            f"The template {template!r:.80} is not balanced ({error}). Write {{{{ for a brace."
        ) from error
    for literal, name, spec, conversion in parsed:
        if literal:
            pieces.append(literal)
        if name is None:
            continue
        if not name.isidentifier():
            raise TemplateError(
                f"The field {{{name}}} of the template {template!r:.80} is not a plain name. "
                "Give the value its own name: ek.assemble('... {city}', city=user['city']); "
                "a brace that is meant as text is written twice, {{ or }}."
            )
        if spec and "{" in spec:
            raise TemplateError(f"The format {spec!r:.40} of {{{name}}} may not hold fields.")
        if conversion not in _CONVERSIONS:
            raise TemplateError(
                f"The conversion !{conversion} of {{{name}}} is none of !s, !r and !a."
            )
        pieces.append(Field(name, conversion, spec or ""))
    return tuple(pieces)


def fill(template: str, values: Mapping[str, Any]) -> list[Filled]:
    """Fill a template as ``str.format`` does and keep where each stretch came from.

    Raises:
        TemplateError: A field has no value, or its format does not fit.

    Example:
        >>> [piece.text for piece in fill("Q: {q}!", {"q": "why"})]
        ['Q: ', 'why', '!']
    """
    filled = []
    for piece in parse(template):
        if isinstance(piece, str):
            filled.append(Filled(piece, None, True))
        else:
            filled.append(_filled(piece, values))
    return filled


def names_of(template: str) -> list[str]:
    """Field names in order of appearance."""
    return [piece.name for piece in parse(template) if isinstance(piece, Field)]


def _filled(field: Field, values: Mapping[str, Any]) -> Filled:
    if field.name not in values:
        raise TemplateError(
            f"The template has a field {{{field.name}}} but ek.assemble got no "
            f"{field.name}=. It got: {', '.join(sorted(values)) or 'nothing'}."
        )
    value = values[field.name]
    if type(value) is str and not field.spec and field.conversion in (None, "s"):
        return Filled(value, field.name, True)
    converted = _CONVERSIONS[field.conversion](value)
    try:
        return Filled(format(converted, field.spec), field.name, False)
    except (TypeError, ValueError) as error:
        raise TemplateError(
            f"{{{field.name}:{field.spec}}} does not fit the value {value!r:.60}: {error}"
        ) from error


_CONVERSIONS: dict[str | None, Any] = {None: lambda value: value, "s": str, "r": repr, "a": ascii}
