"""The arguments of a traced function as fields of ``run_started``."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explainkit.tracing.definitions import Definition
from explainkit.tracing.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Arguments:
    """A call of a traced function, so that it can be recorded and made again.

    Attributes:
        fn: The function.
        values: Parameter names to what was passed, ``self`` left out.
        question: The question's text, when one is known.
        code: Hash of the function's code.
        untracked: What it reads from outside its arguments.
        definition: The notebook cell that defined it.
    """

    fn: Callable[..., Any]
    values: Mapping[str, Any]
    question: str | None
    code: str | None
    untracked: list[str]
    definition: Definition | None = None

    def fields(self, recorder: Recorder) -> dict[str, Any]:
        """Fields of ``run_started``; stores the values."""
        inputs = [
            {"slot": name, "value": recorder.value(value, name=name)}
            for name, value in self.values.items()
        ]
        fields: dict[str, Any] = {
            "inputs": inputs,
            "callable": f"{self.fn.__module__}:{self.fn.__qualname__}",
            "code": self.code,
            "untracked": self.untracked or None,
        }
        if self.definition is not None:
            fields |= self.definition.fields
        if self.question is not None:
            fields["question"] = recorder.value(self.question)
        return fields


def arguments_of(
    fn: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    *,
    question: str | None,
    code: str | None,
    untracked: list[str],
    definition: Definition | None = None,
) -> Arguments:
    """Bind a call to parameter names; the function itself refuses a call that does not fit."""
    try:
        bound = inspect.signature(fn).bind(*args, **kwargs)
        values = dict(bound.arguments)
    except TypeError:
        values = {}
    first = next(iter(values), None)
    if first in ("self", "cls"):
        del values[first]
    return Arguments(fn, values, _question(values, question), code, untracked, definition)


def _question(values: Mapping[str, Any], name: str | None) -> str | None:
    if name is not None:
        chosen = values.get(name)
        return chosen if isinstance(chosen, str) else None
    texts = [value for value in values.values() if isinstance(value, str)]
    if len(texts) == 1:
        return texts[0]
    return next((text for value in values.values() if (text := _last_user(value))), None)


def _last_user(value: Any) -> str | None:
    """The text of the last user message of a list of chat messages."""
    if not isinstance(value, list):
        return None
    for message in reversed(value):
        if isinstance(message, Mapping) and message.get("role") == "user":
            content = message.get("content")
            return content if isinstance(content, str) else None
    return None
