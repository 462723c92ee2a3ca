"""Steps that say what they take and give: checked at each hand-off, and never converted."""

import functools
import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError

from explainkit.errors import CompositionError, HandOffError
from explainkit.flow.checks.shapes import UNSET, Unset
from explainkit.flow.compositions.children import Child
from explainkit.flow.compositions.naming import checked_name, label_or, shown
from explainkit.flow.compositions.sequences import Sequence
from explainkit.safety import shorten


@dataclass(frozen=True, slots=True)
class Form:
    """A type that a value is looked at with.

    Attributes:
        text: The type in words.
        adapter: Looks; None looks at nothing.
    """

    text: str
    adapter: TypeAdapter[Any] | None

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value; it is neither converted nor changed."""
        if self.adapter is None:
            return None
        try:
            self.adapter.validate_python(value, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = "".join(f"[{part!r}]" for part in first["loc"])
            return shorten(f"{where + ': ' if where else ''}{first['msg']}", 200)
        except Exception as error:  # noqa: BLE001 - a validator of the user may raise anything
            return shorten(f"{type(error).__name__}: {error}", 200)
        return None


_ANYTHING = Form("anything", None)


@dataclass(frozen=True, slots=True)
class TypedStep:
    """A step and its types; made by `step`.

    Attributes:
        runner: What runs.
        takes: The type of its input; from the annotations of a function when not said.
        gives: The type of its answer.
        name: Its word in messages.
    """

    runner: Any
    takes: Any = UNSET
    gives: Any = UNSET
    name: str | None = None


def step(
    runner: Any, *, takes: Any = UNSET, gives: Any = UNSET, name: str | None = None
) -> TypedStep:
    """Say what a step of a workflow takes and gives.

    Args:
        runner: A runner, a function of one input, or an object with `run(input)`.
        takes: The type of its input; the annotation of a function's first parameter otherwise.
        gives: The type of its answer; the annotation of what a function returns otherwise.
        name: Its word in messages.

    Example:
        >>> workflow(step(len, takes=str, gives=int)).run_sync("four")
        4
    """
    return TypedStep(runner, takes, gives, name)


class Workflow(Sequence):
    """A `Sequence` whose steps say what they take and give; made by `workflow`."""

    kind: ClassVar[str] = "workflow"

    def __init__(
        self,
        *steps: Any,
        name: str | None = None,
        on_exhausted: Callable[[Any], Any] | None = None,
    ) -> None:
        label = label_or(name, "workflow")
        typed = [each if isinstance(each, TypedStep) else TypedStep(each) for each in steps]
        super().__init__(*(each.runner for each in typed), name=label, on_exhausted=on_exhausted)
        self._forms: list[tuple[Form, Form]] = []
        self._names: list[str] = []
        for number, (each, child) in enumerate(zip(typed, self._steps, strict=True), 1):
            place = f"step {number} of {label}"
            named = child.label if each.name is None else checked_name(each.name, place=place)
            self._names.append(f"step {number} ({shorten(named, 80)})")
            self._forms.append(_forms(each, child, f"{place} ({shorten(named, 80)})"))

    def _check_takes(self, number: int, value: Any) -> None:
        takes = self._forms[number - 1][0]
        problem = takes.problem(value)
        if problem is not None:
            giver = self._names[number - 2] if number > 1 else "The caller"
            raise HandOffError(
                f"{giver} handed on {type(value).__name__} {shown(value)}, and "
                f"{self._names[number - 1]} takes {takes.text}: {problem}. "
                "Put a step between them that converts it."
            )

    def _check_gives(self, number: int, value: Any) -> None:
        gives = self._forms[number - 1][1]
        problem = gives.problem(value)
        if problem is not None:
            taker = self._names[number] if number < len(self._names) else "The caller"
            raise HandOffError(
                f"{self._names[number - 1]} handed on {type(value).__name__} {shown(value)} to "
                f"{taker}, and says that it gives {gives.text}: {problem}. "
                "Correct what it gives, or what it says."
            )


def workflow(
    *steps: Any, name: str | None = None, on_exhausted: Callable[[Any], Any] | None = None
) -> Workflow:
    """Steps, each given the answer of the one before, with their types checked.

    A type is that of an annotation, or what `step` says; without one nothing is checked. The
    check is pydantic's strict one, and its result is dropped: values arrive as they are.

    Args:
        steps: Functions, runners, or what `step` gives.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a step that used up its budget, from its last value.

    Raises:
        CompositionError: There is no step, one cannot be run, or a type cannot be checked.

    Example:
        >>> def count(text: str) -> int:
        ...     return len(text)
        >>> workflow(count, lambda n: n + 1).run_sync("four")
        5
    """
    return Workflow(*steps, name=name, on_exhausted=on_exhausted)


def _forms(each: TypedStep, child: Child, place: str) -> tuple[Form, Form]:
    takes, gives = each.takes, each.gives
    if isinstance(takes, Unset) or isinstance(gives, Unset):
        found = _annotated(getattr(child, "call", None), place)
        takes = found[0] if isinstance(takes, Unset) else takes
        gives = found[1] if isinstance(gives, Unset) else gives
    return _form(takes, f"{place}, takes="), _form(gives, f"{place}, gives=")


def _annotated(call: Any, place: str) -> tuple[Any, Any]:
    """Annotations of a function's first parameter and of what it returns."""
    if call is None or isinstance(call, type):
        return UNSET, UNSET
    try:
        parameters = list(inspect.signature(call).parameters)
    except (TypeError, ValueError):
        return UNSET, UNSET
    while isinstance(call, functools.partial):
        call = call.func
    plain = inspect.isroutine(call)
    try:
        hints = typing.get_type_hints(call if plain else type(call).__call__, include_extras=True)
    except (NameError, TypeError, AttributeError) as problem:
        raise CompositionError(
            f"{place}: its annotations cannot be read ({problem}). Say takes= and gives= in step()."
        ) from problem
    return hints.get(parameters[0] if parameters else "", UNSET), hints.get("return", UNSET)


def _form(said: Any, place: str) -> Form:
    if isinstance(said, Unset) or said is Any or said is object:
        return _ANYTHING
    text = said.__name__ if isinstance(said, type) and not typing.get_args(said) else str(said)
    try:
        try:
            adapter = TypeAdapter(said, config=ConfigDict(arbitrary_types_allowed=True))
        except PydanticUserError:  # a model or a dataclass brings its own configuration
            adapter = TypeAdapter(said)
    except Exception as problem:
        raise CompositionError(
            f"{place}{shown(said)} cannot be checked ({shorten(str(problem), 120)}). "
            "Give a type, or Any."
        ) from problem
    return Form(shorten(text, 120), adapter)
