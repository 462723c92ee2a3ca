"""From a checked config to a definition: every named guard and action gets its implementation."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from explainkit.errors import ChartError
from explainkit.flow.statecharts.builders import use_of
from explainkit.flow.statecharts.chains import Answer
from explainkit.flow.statecharts.compiling import RAISE
from explainkit.flow.statecharts.definitions import After, Arrow, Definition, Invoke, Use
from explainkit.flow.statecharts.vocabulary import Assign, Raise
from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.flow.statecharts.shapes import InvokeShape, StateShape, TransitionShape


_OWN = ("xstate.done.", "xstate.error.", "xstate.after.")


class ShapeReader:
    """Reads the states of one config.

    Args:
        machine: The machine's id, for errors.
        guards: Implementations by name.
        actions: Implementations by name.
    """

    def __init__(self, machine: str, guards: Mapping[str, Any], actions: Mapping[str, Any]) -> None:
        self._machine = machine
        self._guards = guards
        self._actions = actions

    def definition(self, shape: "StateShape", path: str) -> Definition:
        """A state and what is below it."""
        is_root = path == shape.id and "context" in type(shape).model_fields
        if shape.history is not None and shape.type != "history":
            self._fail(path, 'history is given, but the type is not "history"')
        if is_root and shape.on_done:
            self._fail(path, "onDone of the machine itself is never taken; leave it out")
        return Definition(
            kind=shape.type,
            id=None if is_root else shape.id,
            initial=shape.initial,
            states={k: self.definition(below, f"{path}.{k}") for k, below in shape.states.items()},
            entry=self._uses(shape.entry, path, "entry"),
            exit=self._uses(shape.exit, path, "exit"),
            on=self._handlers(shape, path),
            always=self._arrows(shape.always, path, "always"),
            after=tuple(
                After(_delay(delay), self._arrows(c, path, f"after.{delay}"))
                for delay, c in shape.after.items()
            ),
            on_done=self._arrows(shape.on_done, path, "onDone"),
            deep=shape.history == "deep",
            target=shape.target,
            output=shape.output,
            invoke=tuple(
                self._invoke(use, path, f"invoke[{position}]")
                for position, use in enumerate(shape.invoke)
            ),
            description=shape.description,
            tags=shape.tags,
            meta=shape.meta,
        )

    def _invoke(self, shape: "InvokeShape", path: str, place: str) -> Invoke:
        return Invoke(
            src=shape.src,
            id=shape.id,
            input=shape.input,
            on_done=self._arrows(shape.on_done, path, f"{place}.onDone"),
            on_error=self._arrows(shape.on_error, path, f"{place}.onError"),
            holds=shape.holds,
        )

    def _handlers(self, shape: "StateShape", path: str) -> dict[str, tuple[Arrow, ...]]:
        """Handlers by event; the interpreter's own events go without the prefix of xstate."""
        handlers: dict[str, tuple[Arrow, ...]] = {}
        for written, candidates in shape.on.items():
            name = written.removeprefix("xstate.") if written.startswith(_OWN) else written
            arrows = self._arrows(candidates, path, f"on.{written}")
            handlers[name] = (*handlers.get(name, ()), *arrows)
        return handlers

    def _arrows(
        self, candidates: "Sequence[TransitionShape]", path: str, place: str
    ) -> tuple[Arrow, ...]:
        return tuple(
            Arrow(
                targets=tuple(candidate.target),
                guard=self._guard(candidate.guard, path, f"{place}[{position}].guard"),
                actions=self._uses(candidate.actions, path, f"{place}[{position}].actions"),
                reenter=candidate.reenter,
            )
            for position, candidate in enumerate(candidates)
        )

    def _guard(self, written: Any, path: str, place: str) -> Use | None:
        if written is None:
            return None
        if callable(written):
            return use_of(written)
        name, params = self._named(written, path, place)
        return Use(name, self._known(self._guards, "guards", name, path, place), params, fixed=True)

    def _uses(self, written: Sequence[Any], path: str, place: str) -> tuple[Use, ...]:
        return tuple(self._action(action, path, place) for action in written)

    def _action(self, written: Any, path: str, place: str) -> Use:
        if callable(written) or isinstance(written, Assign | Raise | Answer):
            return use_of(written)
        name, params = self._named(written, path, place)
        if name == RAISE:
            if not isinstance(params, Mapping) or not isinstance(params.get("event"), str):
                self._fail(path, f'{place}: {RAISE} needs params with "event", the event\'s name')
            return use_of(Raise(params["event"], params.get("payload")))
        run = self._known(self._actions, "actions", name, path, place)
        return Use(name, run, params, fixed=True)

    def _named(self, written: Any, path: str, place: str) -> tuple[str, Any]:
        if isinstance(written, str):
            return written, None
        if isinstance(written, Mapping) and isinstance(written.get("type"), str):
            unknown = [str(key) for key in written if key not in ("type", "params")]
            if not unknown:
                return written["type"], written.get("params")
        return self._fail(
            path,
            f"{place}: {shorten(repr(written), 120)} is neither a name, nor a mapping with type "
            "and params, nor a function",
        )

    def _known(self, known: Mapping[str, Any], what: str, name: str, path: str, place: str) -> Any:
        if name not in known:
            listed = shorten(", ".join(known) or "none", 300)
            self._fail(
                path,
                f'{place}: "{shorten(name, 80)}" is not among the {what}. Declared: {listed}. '
                f"Pass it in {what}=",
            )
        return known[name]

    def _fail(self, path: str, problem: str) -> NoReturn:
        raise ChartError(f'Machine "{self._machine}", state "{shorten(path, 200)}": {problem}.')


def _delay(written: str | int) -> object:
    """A delay; JSON has only texts for keys. One that is no number is refused with its place."""
    is_number = isinstance(written, str) and written.isascii() and written.isdecimal()
    return int(written) if is_number else written
