"""One of several branches, the first whose predicate holds, with the decision on the record."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from explainkit.errors import CompositionError, ResumeError, UndecidedError
from explainkit.flow.compositions.checkpoints import stated
from explainkit.flow.compositions.children import Child, as_child, failed_at
from explainkit.flow.compositions.composed import Composition, State, input_places
from explainkit.flow.compositions.decisions import Deciding
from explainkit.flow.compositions.naming import checked_name, label_or, shown
from explainkit.flow.outcomes import Outcome, Paused
from explainkit.safety import shorten
from explainkit.tracing.current import Frame

OnError = Literal["raise", "fall-through"]
_DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class When:
    """A branch and when it is taken; made by `when`.

    Attributes:
        predicate: Says of the input whether it is taken.
        runner: What runs.
        name: The branch's name; its number when not given.
        on_error: What a predicate that raises means.
    """

    predicate: Callable[[Any], Any]
    runner: Any
    name: str | None = None
    on_error: OnError = "raise"


def when(
    predicate: Callable[[Any], Any],
    runner: Any,
    *,
    name: str | None = None,
    on_error: OnError = "raise",
) -> When:
    """A branch of a `Conditional`.

    A plain `dict` is shown to the predicate as a read-only mapping that notes the keys that are
    read, nested ones included, for the record; any other input is given as it is. A predicate is
    asked in the event loop, so it should be quick, or `async`.

    Args:
        predicate: A function of the input.
        runner: What runs when it holds.
        name: The branch's name; its number when not given.
        on_error: A predicate that raises ends the whole, or says no (`fall-through`).

    Raises:
        CompositionError: The predicate is no function, or `on_error` no word for what to do.

    Example:
        >>> when(lambda n: n > 3, str, name="many").name
        'many'
    """
    if not callable(predicate):
        raise CompositionError(
            f"when({shown(predicate)}): this is no predicate. Give a function of the input."
        )
    if on_error not in ("raise", "fall-through"):
        raise CompositionError(f'when(on_error={shown(on_error)}): say "raise" or "fall-through".')
    return When(predicate, runner, name, on_error)


class Conditional(Composition):
    """Runs the first branch whose predicate holds; the predicates after it are not asked.

    Args:
        branches: What `when` gives, in the order in which they are asked.
        default: What runs when none holds; without it that is an `UndecidedError`.
        name: Its word in paths and records.
        on_exhausted: Gives the answer of a branch that used up its budget, from its last value.

    Raises:
        CompositionError: There is no branch, one cannot be run, or two have one name.

    Example:
        >>> size = Conditional(when(lambda n: n > 3, lambda n: "many"), default=lambda n: "few")
        >>> size.run_sync(2)
        'few'
    """

    kind: ClassVar[str] = "conditional"

    def __init__(
        self,
        *branches: When,
        default: Any = None,
        name: str | None = None,
        on_exhausted: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(label_or(name, "Conditional"), on_exhausted)
        self._whens: dict[str, When] = {}
        self._children: dict[str, Child] = {}
        for number, each in enumerate(branches, 1):
            place = f"branch {number} of {self.label}"
            if not isinstance(each, When):
                raise CompositionError(f"{place}: {shown(each)} is none. Use when(predicate, ...).")
            named = str(number) if each.name is None else checked_name(each.name, place=place)
            self._add(named, each.runner, place)
            self._whens[named] = each
        if not branches:
            raise CompositionError(f"{self.label}: there is no branch. Give a when(...).")
        self._has_default = default is not None
        if self._has_default:
            self._add(_DEFAULT, default, f"the default of {self.label}")

    def _add(self, name: str, runner: Any, place: str) -> None:
        if name in self._children:
            raise CompositionError(
                f'{place}: the name "{shorten(name, 80)}" is taken. Give it another one.'
            )
        self._children[name] = as_child(runner, place=place)

    def _asks(self) -> Sequence[Callable[..., Any]]:
        return [each.predicate for each in self._whens.values()]

    def _parts(self) -> Sequence[str]:
        return [f"{name}={child.label}" for name, child in self._children.items()]

    async def _work(self, frame: Frame, input: Any, state: State | None) -> Outcome[Any]:  # noqa: A002
        resume: Any = None
        if state is None:
            chosen = await self._chosen(frame, input)
            if not isinstance(chosen, str):
                return chosen
        else:
            chosen, resume = stated(state, "branch", str), state.get("child")
            if chosen not in self._children:
                raise ResumeError(f"The checkpoint is damaged: no branch is {shown(chosen)}.")
        ended = await self._asked(
            self._children[chosen],
            input,
            step=f"{self.label}.{chosen}",
            places=input_places(frame, input, state),
            resume=resume,
        )
        if isinstance(ended.outcome, Paused):
            return self._waits(frame, branch=chosen, child=ended.outcome.checkpoint)
        return ended.outcome

    async def _chosen(self, frame: Frame, value: Any) -> str | Outcome[Any]:
        """Name of the branch to take, or how the choice ended instead."""
        deciding = Deciding(tuple(self._children), input_places(frame, value, None))
        for name, each in self._whens.items():
            try:
                held = await deciding.holds(each.predicate, value)
            except Exception as error:  # noqa: BLE001 - the error of the user's predicate
                if each.on_error == "fall-through":
                    continue
                deciding.decided(frame, None)
                return failed_at(error, f"{self.label}.{name}", "when")
            if held:
                deciding.decided(frame, name)
                return name
        if self._has_default:
            deciding.decided(frame, _DEFAULT)
            return _DEFAULT
        deciding.decided(frame, None)
        raise UndecidedError(
            f"{self.label}: no predicate held for {shown(value)}, and there is no default. "
            "Add a branch, or default=."
        )
