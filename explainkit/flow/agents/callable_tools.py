"""Plain functions as tools: what a model may send is read off their type hints."""

import copy
import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, PydanticUserError, ValidationError, create_model
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError

from explainkit.errors import AgentError, ToolCallError
from explainkit.flow.checks import OperationContext
from explainkit.flow.models import ToolSpec
from explainkit.safety import shorten
from explainkit.tracing.decorated import spec_of

NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that a model may call; made by `tool` and `ask_person`.

    Attributes:
        spec: What the model is told of it.
        call: The function; None for a tool that asks a person.
        accepts: Reads the arguments.
        timeout: Seconds that a call may take.
        consent: Whose consent a call needs before it is made.
        context_parameter: The parameter that is given the `OperationContext`.
        effect: It changes the world, so a what-if does not repeat it unasked.
        deterministic: It gives the same for the same arguments.
    """

    spec: ToolSpec
    call: Callable[..., Any] | None
    accepts: type[BaseModel]
    timeout: float | None = None
    consent: str | None = None
    context_parameter: str | None = None
    effect: bool = False
    deterministic: bool = False

    @property
    def name(self) -> str:
        """The name to call it by."""
        return self.spec.name

    def read(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What the function is given: a copy of its own, read by the type hints.

        Raises:
            ToolCallError: The arguments do not fit; the message says which and why.
        """
        try:
            found = self.accepts.model_validate(copy.deepcopy(dict(arguments)))
        except ValidationError as problem:
            raise ToolCallError(
                f'The arguments of "{self.name}" do not fit: {_told(problem)}'
            ) from None
        aliases = {field.alias or key: key for key, field in self.accepts.model_fields.items()}
        return {name: getattr(found, key) for name, key in aliases.items()}


def tool(
    fn: Callable[..., Any],
    *,
    name: str | None = None,
    description: str | None = None,
    timeout: float | None = None,
    consent: str | None = None,
    effect: bool = False,
    deterministic: bool = False,
) -> Tool:
    """A function as a tool, when more is to be said than the function itself says.

    A function that does not await runs in a worker thread with a copy of the context variables. A
    thread cannot be ended: past its time limit it runs on, and what it gives is dropped.

    Args:
        fn: The function. Its type hints are the schema of the arguments; a parameter with the
            hint `OperationContext` is given one and is no argument.
        name: The name to call it by; that of the function when not given.
        description: What it does; the function's docstring when not given.
        timeout: Seconds that a call may take.
        consent: Whose consent each call needs.
        effect: It changes the world: its link is of type `effect`, and a what-if does not repeat
            it unless it is allowed to.
        deterministic: It gives the same for the same arguments, so that a what-if may ask it once;
            so does a function with `@ek.link(deterministic=True)`.

    Raises:
        AgentError: It cannot be offered to a model; the message says why.

    Example:
        >>> def temperature(city: str, unit: str = "C") -> float:
        ...     "Current temperature of a city."
        ...     return 21.5
        >>> tool(temperature, timeout=5).spec.parameters["required"]
        ['city']
    """
    if not callable(fn):
        raise AgentError(f"tool({shorten(repr(fn), 80)}): this is no function. Pass one.")
    _require_no_maker(fn)
    said = str(name or getattr(fn, "__name__", type(fn).__name__))
    _require_name(said, "tool")
    if timeout is not None and not _is_time(timeout):
        raise AgentError(
            f'tool("{said}", timeout={shorten(repr(timeout), 40)}): give seconds above 0.'
        )
    accepts, taken = _arguments(fn, said)
    words = description if description is not None else inspect.getdoc(fn) or ""
    spec = ToolSpec(name=said, description=words, parameters=_schema(accepts, said))
    known = spec_of(fn)
    exact = deterministic or (known is not None and known.deterministic)
    return Tool(spec, fn, accepts, timeout, consent, taken, effect, exact)


def ask_person(
    name: str = "ask_person", *, description: str = "Ask a person and wait for the answer."
) -> Tool:
    """A tool with which the model asks a person: the run is `Paused` until they answer.

    Args:
        name: The name to call it by.
        description: When to ask, for the model.

    Raises:
        AgentError: The name is none that a model can call.

    Example:
        >>> ask_person().spec.parameters["required"]
        ['question']
    """
    _require_name(name, "ask_person")
    accepts = create_model(name, __config__=_STRICT, question=(str, ...))
    spec = ToolSpec(name=name, description=description, parameters=_schema(accepts, name))
    return Tool(spec, None, accepts)


def as_tool(value: Any) -> Tool:
    """A tool as it is, or a function as a tool."""
    return value if isinstance(value, Tool) else tool(value)


def _require_no_maker(fn: Callable[..., Any]) -> None:
    """A function that makes a part of an Agent was given instead of what it makes."""
    from explainkit.flow import agents  # not above: it is made of this module among others

    if inspect.isfunction(fn) and getattr(agents, fn.__name__, None) is fn:
        name = fn.__name__
        raise AgentError(
            f"{name} was given as a tool, and makes a part of an Agent. Call it, {name}(...), and "
            "give what it makes where it belongs."
        )


def _is_time(given: Any) -> bool:
    number = isinstance(given, int | float) and not isinstance(given, bool)
    return number and 0 < given < math.inf


def _require_name(name: str, what: str) -> None:
    if not NAME.fullmatch(name):
        raise AgentError(
            f"{what}(name={shorten(repr(name), 80)}): a model calls tools by names of letters, "
            "digits, _ and -, at most 64. Give such a name."
        )


_STRICT: Final = ConfigDict(extra="forbid", arbitrary_types_allowed=False, populate_by_name=False)


def _arguments(fn: Callable[..., Any], name: str) -> tuple[type[BaseModel], str | None]:
    try:
        parameters = inspect.signature(fn).parameters.values()
        hints = get_type_hints(_hinted(fn), include_extras=True)
    except (TypeError, ValueError, NameError) as error:
        raise AgentError(
            f'tool("{name}"): its parameters cannot be read ({error}). '
            "Write a function with type hints that calls it."
        ) from error
    fields: dict[str, Any] = {}
    taken = None
    for each in parameters:
        if each.kind not in _NAMED:
            raise AgentError(
                f'tool("{name}"): the parameter {each.name} cannot be given by name. '
                "A model sends arguments by name; use plain parameters."
            )
        if hints.get(each.name) is OperationContext:
            taken = each.name
            continue
        hint = hints.get(each.name, Any)
        default = ... if each.default is inspect.Parameter.empty else each.default
        # A field may not begin with an underscore or be named like a method of a model.
        fields[f"p{len(fields)}"] = (hint, _field(each.name, default))
    try:
        return create_model(name, __config__=_STRICT, **fields), taken
    except (PydanticUserError, PydanticSchemaGenerationError, TypeError) as error:
        raise AgentError(
            f'tool("{name}"): a type hint is nothing that a model can send '
            f"({shorten(str(error).partition(chr(10))[0], 200)}). Use types with a JSON form."
        ) from error


def _field(name: str, default: Any) -> Any:
    from pydantic import Field

    return Field(default, alias=name)


def _hinted(fn: Callable[..., Any]) -> Any:
    if inspect.isroutine(fn) or inspect.isclass(fn):
        return fn.__init__ if inspect.isclass(fn) else fn
    if hasattr(fn, "func"):  # functools.partial
        return fn.func
    return type(fn).__call__


def _schema(accepts: type[BaseModel], name: str) -> dict[str, Any]:
    try:
        schema = accepts.model_json_schema()
    except (PydanticInvalidForJsonSchema, PydanticUserError) as error:
        raise AgentError(
            f'tool("{name}"): a type hint has no JSON Schema '
            f"({shorten(str(error).partition(chr(10))[0], 200)}). Use types with a JSON form."
        ) from error
    schema.pop("title", None)
    return schema


def _told(problem: ValidationError) -> str:
    found = []
    for each in problem.errors(include_url=False, include_input=True)[:5]:
        place = ".".join(map(str, each["loc"])) or "arguments"
        given = "" if each["type"] == "missing" else f", not {shorten(repr(each['input']), 60)}"
        found.append(f"{place}: {each['msg']}{given}")
    return shorten("; ".join(found), 600)
