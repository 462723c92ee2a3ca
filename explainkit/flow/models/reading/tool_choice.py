"""Which offered tool a question calls for, and with what, so that a tool loop works offline."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explainkit.flow.models.reading.measured import Measure, measures
from explainkit.flow.models.reading.queries import Query
from explainkit.flow.models.reading.reader import Pages
from explainkit.flow.models.reading.wording import content, words
from explainkit.flow.models.vocabulary import Message, ToolCall, ToolSpec

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_QUOTED = re.compile(r"[\"“«]([^\"”»]{1,200})[\"”»]")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_REACH = 8  # characters looked back for the end of a sentence
_WHOLE_QUESTION = frozenset({"query", "question", "text", "prompt", "input", "message", "search"})
_MISSING = object()


def choose_tool(
    pages: Pages, messages: Sequence[Message], tools: Sequence[ToolSpec]
) -> ToolCall | None:
    """Choose the tool that shares most words with the question, if its arguments can be filled.

    A word of the name counts two, of the description one; two are needed, of equals the first
    offered wins. A tool is called once for each question.
    """
    query = pages.query
    if query is None:
        return None
    last_user = max(i for i, message in enumerate(messages) if message.role == "user")
    called = {call.name for message in messages[last_user:] for call in message.tool_calls}
    count = sum(len(message.tool_calls) for message in messages)
    ranked = sorted(
        ((-_fit(tool, query), place) for place, tool in enumerate(tools) if tool.name not in called)
    )
    for negative, place in ranked:
        arguments = _arguments(tools[place], query, pages) if negative <= -2 else None
        if arguments is not None:
            return ToolCall(id=f"call_{count + 1}", name=tools[place].name, arguments=arguments)
    return None


def _fit(tool: ToolSpec, query: Query) -> int:
    wanted = {*query.words, *query.names, *query.given_words}
    name = content(_spelled(tool.name))
    described = content(tool.description)
    return 2 * sum(key in wanted for key in name) + sum(
        key in wanted for key in described if key not in name
    )


def _arguments(tool: ToolSpec, query: Query, pages: Pages) -> dict[str, Any] | None:
    """Fill the arguments, or give `None` if a required one cannot be filled."""
    properties = tool.parameters.get("properties")
    required = tool.parameters.get("required")
    needed = set(required) if isinstance(required, list | tuple) else set()
    filler = _Filler(query, pages)
    filled: dict[str, Any] = {}
    for name, schema in properties.items() if isinstance(properties, Mapping) else ():
        value = filler.value_of(str(name), schema if isinstance(schema, Mapping) else {})
        if value is not _MISSING and (name in needed or filler.is_certain):
            filled[name] = value
        elif name in needed:
            return None
    return filled


class _Filler:
    """Finds argument values in a question; each number and each name is used once."""

    def __init__(self, query: Query, pages: Pages) -> None:
        self._text = f"{query.given} {query.asked}".strip()
        self._measures = measures(self._text)
        self._strings = list(_strings(self._text))
        self._known = {key: value for page in pages.results for key, value in _pairs(page.text)}
        self.is_certain = False

    def value_of(self, name: str, schema: Mapping[str, Any]) -> Any:
        """Find a value, and note whether its name or its choices single it out."""
        kind = schema.get("type", "string")
        self.is_certain = True
        choices = schema.get("enum")
        if isinstance(choices, list | tuple):
            return self._choice(choices)
        if name in self._known:
            return self._known[name]
        named = content(f"{_spelled(name)} {schema.get('description', '')}")
        if kind in ("integer", "number"):  # a hostile kind may be unhashable
            return self._number(named, whole=kind == "integer")
        if kind == "boolean":
            return any(key in content(self._text) for key in content(_spelled(name)))
        if kind == "string":
            return self._string(name, schema)
        self.is_certain = False
        return _MISSING

    def _choice(self, choices: Sequence[Any]) -> Any:
        said = content(self._text)
        for choice in choices:
            meanings = content(_spelled(str(choice)))
            if meanings and all(key in said for key in meanings):
                return choice
        return _MISSING

    def _number(self, named: Mapping[str, Any], *, whole: bool) -> Any:
        fitting = [m for m in self._measures if _is_named(m, named)]
        self.is_certain = bool(fitting)
        for measure in (*fitting, *self._measures):
            if not measure.value.is_finite() or abs(measure.value.adjusted()) > 18:
                continue
            if whole and measure.value != measure.value.to_integral_value():
                continue
            self._measures.remove(measure)
            return int(measure.value) if whole else _plain(measure)
        return _MISSING

    def _string(self, name: str, schema: Mapping[str, Any]) -> Any:
        self.is_certain = False
        if schema.get("format") == "date":
            date = _DATE.search(self._text)
            return date[0] if date else _MISSING
        if name.casefold() in _WHOLE_QUESTION:
            return self._text
        return self._strings.pop(0) if self._strings else _MISSING


def _plain(measure: Measure) -> int | float:
    value = measure.value
    return int(value) if value == value.to_integral_value() else float(value)


def _is_named(measure: Measure, named: Mapping[str, Any]) -> bool:
    return any(key in named for key in content(measure.text))


def _strings(text: str) -> Iterator[str]:
    """Give quoted texts, then ids, then runs of capitalised words that do not open a sentence."""
    yield from (match[1] for match in _QUOTED.finditer(text))
    plain = _QUOTED.sub(" ", text)
    found = words(plain)
    yield from (
        word.text
        for word in found
        if any(c.isdigit() for c in word.text) and any(c.isalpha() for c in word.text)
    )
    run: list[str] = []
    for word in found:
        before = plain[max(0, word.start - _REACH) : word.start].rstrip()
        opens = not before or before[-1] in ".?!:"
        if word.text[0].isupper() and word.is_content and not opens and word.text.isalpha():
            run.append(word.text)
        elif run:
            yield " ".join(run)
            run = []
    if run:
        yield " ".join(run)


def _pairs(text: str) -> Iterator[tuple[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield from value.items()


def _spelled(name: str) -> str:
    return _CAMEL.sub(" ", name.replace("_", " "))
