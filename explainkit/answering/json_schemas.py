"""A JSON Schema that is checked when it is given, and that never fetches another one."""

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, SchemaError
from jsonschema.validators import validator_for
from referencing import Registry

from explainkit.answering.entries import listed, shown
from explainkit.answering.schema_references import dangling
from explainkit.errors import AnswerFlowError
from explainkit.flow.checks import Issue
from explainkit.safety import shorten
from explainkit.safety.described import without_addresses
from explainkit.safety.pointers import token


class SchemaReader:
    """Finds what does not fit a JSON Schema.

    References lead into the schema itself only, or to the published schema of a draft. `format`
    is not looked at, as the specification has it, and a `pattern` is run by Python's `re`.

    Args:
        schema: The schema; of the draft in its `$schema`, else 2020-12.
        place: Where it was given, for the message.

    Raises:
        AnswerFlowError: It is no valid schema, or a reference in it leads to none.

    Example:
        >>> found = SchemaReader({"type": "string"}, place="input_schema").problems(7)
        >>> [issue.message for issue in found]
        ["7 is not of type 'string'"]
    """

    def __init__(self, schema: Mapping[str, Any], *, place: str) -> None:
        given: Any = schema
        if not isinstance(given, Mapping):
            raise AnswerFlowError(f"{place}: {shown(given)} is no JSON Schema. Give a mapping.")
        plain = dict(schema)
        try:
            kind = validator_for(plain, default=Draft202012Validator)
            kind.check_schema(plain)
        except (SchemaError, TypeError, AttributeError) as problem:
            message = without_addresses(getattr(problem, "message", str(problem)))
            raise AnswerFlowError(
                f"{place}: this is no valid JSON Schema: {shorten(message, 200)}."
            ) from problem
        lost = list(dict.fromkeys(dangling(plain, kind)))
        if lost:
            raise AnswerFlowError(
                f"{place}: {listed(lost)} leads to no schema. Let each $ref lead to one in this "
                "JSON Schema itself; others are never fetched."
            )
        self._validator = kind(plain, registry=Registry())

    def problems(self, value: Any) -> Iterator[Issue]:
        """Yield what does not fit, in the order of the schema."""
        for error in self._validator.iter_errors(value):
            path = "".join(f"/{token(part)}" for part in error.absolute_path)
            told = shorten(without_addresses(error.message), 300)
            yield Issue(f"SCHEMA_{error.validator}".upper(), told, path)
