"""The shape of an xstate v5 config, checked key by key, because charts come from other tools."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from explainkit.errors import ChartError
from explainkit.flow.statecharts.definitions import Definition
from explainkit.flow.statecharts.outline import DEEPEST
from explainkit.flow.statecharts.reading_shapes import ShapeReader
from explainkit.safety import shorten


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _transition(value: Any) -> Any:
    return {"target": value} if isinstance(value, str) else value


class TransitionShape(BaseModel):
    """One candidate of a handler; a text alone is a target."""

    model_config = ConfigDict(extra="forbid")

    target: Annotated[list[str], BeforeValidator(_listed)] = []
    guard: Any = None
    actions: Annotated[list[Any], BeforeValidator(_listed)] = []
    reenter: StrictBool = False


Candidates = Annotated[
    list[Annotated[TransitionShape, BeforeValidator(_transition)]], BeforeValidator(_listed)
]
Actions = Annotated[list[Any], BeforeValidator(_listed)]


class InvokeShape(BaseModel):
    """An actor that a state invokes."""

    model_config = ConfigDict(extra="forbid")

    src: str
    id: str | None = None
    input: Any = None
    on_done: Candidates = Field(default=[], alias="onDone")
    on_error: Candidates = Field(default=[], alias="onError")
    holds: StrictBool = True


class StateShape(BaseModel):
    """A state of a config."""

    model_config = ConfigDict(extra="forbid")

    id: str | None = None
    type: Literal["atomic", "compound", "parallel", "final", "history"] | None = None
    initial: str | None = None
    states: dict[str, "StateShape"] = {}
    entry: Actions = []
    exit: Actions = []
    on: dict[str, Candidates] = {}
    always: Candidates = []
    after: dict[str | int, Candidates] = {}
    on_done: Candidates = Field(default=[], alias="onDone")
    history: Literal["shallow", "deep"] | None = None
    target: str | None = None
    output: Any = None
    invoke: Annotated[list[InvokeShape], BeforeValidator(_listed)] = []
    description: str | None = None
    tags: str | list[str] | None = None
    meta: Any = None


class MachineShape(StateShape):
    """The root of a config."""

    id: str = "(machine)"
    context: Any = None


def read_shape(
    shape: object, *, guards: Mapping[str, Any], actions: Mapping[str, Any]
) -> tuple[str, Definition, Any]:
    """Check a config and give the machine's id, its root, and its context.

    Raises:
        ChartError: A key is unknown, a value has the wrong type, or a name stands for nothing.
    """
    name = shape.get("id", "(machine)") if isinstance(shape, Mapping) else "(machine)"
    machine = shorten(str(name), 80)
    if not isinstance(shape, Mapping) or _is_too_deep(shape):
        raise ChartError(
            f'Machine "{machine}": a config is a mapping with states nested at most {DEEPEST} deep.'
        )
    try:
        read = MachineShape.model_validate(dict(shape))
    except ValidationError as error:
        raise ChartError(_told(machine, error)) from error
    return read.id, ShapeReader(machine, guards, actions).definition(read, read.id), read.context


def _is_too_deep(shape: Mapping[str, Any]) -> bool:
    level: list[Any] = [shape]
    for _ in range(DEEPEST + 1):
        level = [below for state in level for below in _below(state)]
        if not level:
            return False
    return True


def _below(state: Any) -> Iterator[Any]:
    states = state.get("states") if isinstance(state, Mapping) else None
    return iter(states.values() if isinstance(states, Mapping) else ())


def _told(machine: str, error: ValidationError) -> str:
    first, more = error.errors()[0], error.error_count() - 1
    state, place = _where(machine, first["loc"])
    problem = first["msg"]
    if first["type"] == "extra_forbidden":
        problem = f"this key is not supported. Supported here: {', '.join(_keys(first['loc']))}"
    rest = f" ({more} more)" if more else ""
    return f'Machine "{machine}", state "{state}", {shorten(place, 120)}: {problem}.{rest}'


def _where(machine: str, loc: tuple[int | str, ...]) -> tuple[str, str]:
    keys, rest = [machine], list(loc)
    while len(rest) >= 2 and rest[0] == "states":
        keys.append(str(rest[1]))
        rest = rest[2:]
    return shorten(".".join(keys), 200), ".".join(str(part) for part in rest) or "the state itself"


def _keys(loc: tuple[int | str, ...]) -> list[str]:
    depth = 0
    while len(loc) >= depth + 2 and loc[depth] == "states":
        depth += 2
    model: type[BaseModel] = StateShape if depth else MachineShape
    if len(loc) > depth + 1:
        is_invoke = loc[depth] == "invoke" and len(loc) == depth + 3
        model = InvokeShape if is_invoke else TransitionShape
    return [field.alias or name for name, field in model.model_fields.items()]
