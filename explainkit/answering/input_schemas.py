"""What a task takes: one way to parse an input, whatever its schema is written in."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import PydanticUserError, TypeAdapter, ValidationError

from explainkit.answering.entries import listed, shown, told
from explainkit.answering.json_schemas import SchemaReader
from explainkit.errors import AnswerFlowError, PayloadError
from explainkit.flow.checks.asking import told_error

Parse = Callable[[Any], Any]


def parser_of(schema: Any, *, place: str) -> Parse:
    """The function that parses an input.

    Args:
        schema: A pydantic model or type; a JSON Schema, which leaves the input as it is; or an
            object with `parse`, also as a mapping `{parse, json_schema}`, whose schema is looked
            at first.
        place: Where it was given, for messages.

    Returns:
        A function that gives the parsed input, or raises `PayloadError`.

    Raises:
        AnswerFlowError: It is none of these.

    Example:
        >>> parser_of(int, place="count")("7")
        7
    """
    if isinstance(schema, Mapping):
        return _parser_of_mapping(schema, place)
    parse = None if isinstance(schema, type) else getattr(schema, "parse", None)
    if callable(parse):
        return _guarded(parse, place)
    if schema is None or isinstance(schema, str):
        raise AnswerFlowError(
            f"{place}: {shown(schema)} is no schema. Give a pydantic model or type, a JSON Schema "
            "or an object with parse; typing.Any takes everything."
        )
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(schema)
    except (PydanticUserError, TypeError, NameError) as problem:
        raise AnswerFlowError(
            f"{place}: {shown(schema)} is no schema: {told_error(problem)}. Give a pydantic model "
            "or type, a JSON Schema or an object with parse."
        ) from problem
    return _guarded(adapter.validate_python, place)


def _parser_of_mapping(schema: Mapping[str, Any], place: str) -> Parse:
    if not callable(schema.get("parse")):
        return _schema_parser(schema, place)
    unknown = [key for key in schema if key not in ("parse", "json_schema")]
    if unknown:
        raise AnswerFlowError(
            f"{place}: {listed(unknown)} beside parse. Give json_schema, or nothing."
        )
    parse = _guarded(schema["parse"], place)
    if "json_schema" not in schema:
        return parse
    first = _schema_parser(schema["json_schema"], place)
    return lambda value: parse(first(value))


def _schema_parser(schema: Any, place: str) -> Parse:
    reader = SchemaReader(schema, place=place)

    def parse(value: Any) -> Any:
        for issue in reader.problems(value):
            at = f" at {issue.path}" if issue.path else ""
            raise ValueError(f"{issue.message}{at}")
        return value

    return _guarded(parse, place)


def _guarded(parse: Parse, place: str) -> Parse:
    def guarded(value: Any) -> Any:
        try:
            return parse(value)
        except ValidationError as problem:
            raise PayloadError(f"{place}: the input does not fit: {told(problem)}.") from problem
        except Exception as problem:
            why = str(problem) if type(problem) is ValueError else told_error(problem)
            raise PayloadError(f"{place}: the input does not fit: {why}.") from problem

    return guarded
