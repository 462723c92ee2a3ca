"""The types that a definition was written with: looked at where values come in, never converted."""

from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic.errors import PydanticUserError

from explainkit.answering.entries import shown
from explainkit.errors import AnswerFlowError
from explainkit.flow.compositions.typed_steps import Form
from explainkit.safety import shorten

_ANYTHING = Form("anything", None)


@dataclass(frozen=True, slots=True)
class TypedParts:
    """The forms of the three parts.

    Attributes:
        data: Of the data of an item.
        value: Of a value.
        app: Of `context.app`.
    """

    data: Form = _ANYTHING
    value: Form = _ANYTHING
    app: Form = _ANYTHING


def typed_parts(definition: BaseModel) -> TypedParts:
    """What `AnswerFlowDefinition[Data, Value, App]` says; anything where it says nothing.

    Raises:
        AnswerFlowError: A type cannot be looked at.
    """
    said = type(definition).__pydantic_generic_metadata__["args"]
    return TypedParts(*map(_form, said)) if len(said) == 3 else TypedParts()


def _form(said: Any) -> Form:
    if isinstance(said, TypeVar) or said is Any or said is object:
        return _ANYTHING
    text = said.__name__ if isinstance(said, type) else str(said)
    try:
        try:
            adapter = TypeAdapter(said, config=ConfigDict(arbitrary_types_allowed=True))
        except PydanticUserError:  # a model or a dataclass brings its own configuration
            adapter = TypeAdapter(said)
    except Exception as problem:
        raise AnswerFlowError(
            f"{shown(said)} cannot be checked ({shorten(str(problem), 120)}). Give a type, or Any."
        ) from problem
    return Form(shorten(text, 120), adapter)
