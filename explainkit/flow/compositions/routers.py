"""One runner says which of several others is given the input, and the choice is on the record."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from explainkit.errors import CompositionError, ResumeError, UndecidedError
from explainkit.flow.compositions.checkpoints import kept, restored, stated
from explainkit.flow.compositions.children import as_child
from explainkit.flow.compositions.composed import Composition, State, input_places
from explainkit.flow.compositions.decisions import write_decision
from explainkit.flow.compositions.gathering import listed
from explainkit.flow.compositions.naming import by_name, shown
from explainkit.flow.outcomes import Answered, Outcome, Paused
from explainkit.tracing.current import Frame

_CHOICE, _DEFAULT = "choice", "default"


class Router(Composition):
    """A choice and its routes; made by `router`."""

    kind: ClassVar[str] = "router"

    def __init__(
        self,
        label: str,
        choose: Any,
        routes: Any,
        default: Any,
        on_exhausted: Callable[[Any], Any] | None,
    ) -> None:
        super().__init__(label, on_exhausted)
        named = by_name(routes, place=label, what="route")
        self._default = _DEFAULT if default is not None else None
        if default is not None:
            if _DEFAULT in named:
                raise CompositionError(f'{label}: the route name "default" is taken by default=.')
            named[_DEFAULT] = default
        self._choose = as_child(choose, place=f"the choice of {label}")
        self._routes = {n: as_child(each, place=f"{label}.{n}") for n, each in named.items()}

    def _parts(self) -> Sequence[str]:
        routes = (f"{name}={child.label}" for name, child in self._routes.items())
        return [self._choose.label, *routes]

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        places = input_places(frame, input, state)
        if state is not None and "branch" in state:
            name = stated(state, "branch", str)
            if name not in self._routes:
                raise ResumeError(f"The checkpoint is damaged: no route is {shown(name)}.")
            return await self._routed(frame, name, input, places, state.get("child"))
        resume = None if state is None else state.get("child")
        ended = await self._asked(
            self._choose, input, step=f"{self.label}.{_CHOICE}", places=places, resume=resume
        )
        if state is not None:
            input, places = restored(state.get("input")), ()  # noqa: A001
        if isinstance(ended.outcome, Paused):
            given = kept(input, f"the input of {self.label}")
            return self._waits(frame, input=given, child=ended.outcome.checkpoint)
        if not isinstance(ended.outcome, Answered):
            return ended.outcome
        name = self._decided(frame, ended.outcome.value, ended.places)
        return await self._routed(frame, name, input, places, None)

    def _decided(self, frame: Frame, said: Any, places: Sequence[dict[str, Any]]) -> str:
        """Name of the route.

        Raises:
            UndecidedError: The choice names none, and there is no default.
        """
        known = isinstance(said, str) and said in self._routes
        chosen = said if known else self._default
        write_decision(
            frame,
            options=list(self._routes),
            results=[known and name == said for name in self._routes],
            reads=places,
            chosen=chosen,
        )
        if chosen is None:
            raise UndecidedError(
                f"{self.label}: {shown(said)} is no route. Routes: {listed(self._routes)}. "
                "Let the choice give one of them, or add default=."
            )
        return str(chosen)

    async def _routed(
        self,
        frame: Frame,
        name: str,
        value: Any,
        places: Sequence[dict[str, Any]],
        resume: Any,
    ) -> Outcome[Any]:
        ended = await self._asked(
            self._routes[name],
            value,
            step=f"{self.label}.{name}",
            places=places,
            resume=resume,
        )
        if isinstance(ended.outcome, Paused):
            return self._waits(frame, branch=name, child=ended.outcome.checkpoint)
        return ended.outcome
