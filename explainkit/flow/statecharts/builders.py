"""Charts written in Python: small functions that give data, so that charts read like drawings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from explainkit.flow.statecharts.chains import Answer
from explainkit.flow.statecharts.definitions import (
    After,
    Always,
    Arrow,
    Definition,
    Invoke,
    Use,
)
from explainkit.flow.statecharts.vocabulary import Args, Assign, Guard, Kind, Raise

Arrows: TypeAlias = Arrow | str | Sequence[Arrow | str]
"""Candidates of a handler; a text alone is a target."""
Action: TypeAlias = Callable[[Args], object] | Assign | Raise | Answer
Actions: TypeAlias = Action | Sequence[Action]
Invokes: TypeAlias = Invoke | Sequence[Invoke]


def to(
    target: str | Sequence[str] | None = None,
    *,
    guard: Guard | None = None,
    do: Actions = (),
    reenter: bool = False,
) -> Arrow:
    """A transition: where to, if, and doing what.

    Args:
        target: `"sibling"`, `".child"` of the state where it is written, or `"#machine.state"`;
            several for regions of a parallel state. Without one the configuration stays;
            `to()` alone blocks the event from the states above.
        guard: Taken only if this function of `Args` gives something true.
        do: Actions, in order.
        reenter: Leave and enter the source too when the target is the source or inside it.

    Example:
        >>> to("paid", guard=lambda args: args.context["sum"] > 0).targets
        ('paid',)
    """
    targets = (target,) if isinstance(target, str) else tuple(target or ())
    use = None if guard is None else use_of(guard)
    return Arrow(targets=targets, guard=use, actions=uses_of(do), reenter=reenter)


def always(*arrows: Arrow) -> Always:
    """Transitions that need no event: the first whose guard holds is taken."""
    return Always(arrows)


def after(delay: int, *arrows: Arrow) -> After:
    """Transitions taken when the state has been active for `delay` milliseconds."""
    return After(delay, arrows)


def assign(update: Callable[[Args], Mapping[str, Any]] | Mapping[str, Any]) -> Assign:
    """An action that gives the context new values; the others stay.

    Args:
        update: A function of `Args` that gives a mapping, or values by name, where a value that
            is a function is called with `Args`. The context must be a mapping.

    Example:
        >>> count = assign({"tries": lambda args: args.context["tries"] + 1})
    """
    return Assign(update)


def raise_(name: str, payload: Any = None) -> Raise:
    """An action that tells the machine itself an event, taken before anything from outside.

    Args:
        name: The event's name.
        payload: Its payload, or a function of `Args` that gives it.
    """
    return Raise(name, payload)


def invoke(
    src: str,
    *,
    id: str | None = None,  # noqa: A002 - the word of every statechart
    input: Any = None,  # noqa: A002
    on_done: Arrows = (),
    on_error: Arrows = (),
    holds: bool = True,
) -> Invoke:
    """An actor that is started when the state is entered and stopped when it is left.

    Args:
        src: Key of the actor among the machine's `actors`.
        id: Its own id, needed when one state invokes the same actor twice.
        input: What it is started with: a value, or a function of `Args`; in a mapping each value
            may be a function. It is computed after the entry actions.
        on_done: Transitions taken when it gave its output, `args.event.output`.
        on_error: Transitions taken when it raised, `args.event.error`. Without one, the run faults.
        holds: Whether it can keep a pick open; false for a gate that always stands.

    Example:
        >>> invoke("tests", on_done=to("ready")).src
        'tests'
    """
    return Invoke(src, id, input, _arrows(on_done), _arrows(on_error), holds)


def state(
    *parts: Always | After,
    id: str | None = None,  # noqa: A002 - the word of every statechart
    initial: str | None = None,
    states: Mapping[str, Definition] | None = None,
    parallel: bool = False,
    entry: Actions = (),
    exit: Actions = (),  # noqa: A002
    on: Mapping[str, Arrows] | None = None,
    on_done: Arrows = (),
    invoke: Invokes = (),
    description: str | None = None,
    tags: Sequence[str] | None = None,
    meta: Any = None,
) -> Definition:
    """A state: plain, with an `initial` child among its `states`, or with all of them at once.

    Args:
        *parts: What `always(...)` and `after(...)` give.
        id: An id for `"#id"` targets; the path of keys when not given.
        initial: Key of the child to enter by default.
        states: States below, in document order.
        parallel: Whether all states below are active together.
        entry: Actions on the way in.
        exit: Actions on the way out.
        on: Transitions by event name, a text alone being a target; `"order.*"` takes `order` and
            all below it, `"*"` the rest.
        on_done: Transitions taken when the state is finished.
        invoke: Actors that live as long as the state is active.
        description: What it means, for people.
        tags: Words that group states.
        meta: Any other data; it changes nothing.

    Example:
        >>> door = state(initial="shut", states={
        ...     "shut": state(on={"open": to("wide")}),
        ...     "wide": state(after(5000, to("shut")), on={"close": to("shut")}),
        ... })
        >>> list(door.states)
        ['shut', 'wide']
    """
    kind: Kind | None = "parallel" if parallel else None
    return Definition(
        kind=kind,
        id=id,
        initial=initial,
        states=dict(states or {}),
        entry=uses_of(entry),
        exit=uses_of(exit),
        on={name: _arrows(arrows) for name, arrows in (on or {}).items()},
        always=tuple(a for part in parts if isinstance(part, Always) for a in part.arrows),
        after=tuple(part for part in parts if isinstance(part, After)),
        on_done=_arrows(on_done),
        invoke=(invoke,) if isinstance(invoke, Invoke | str) else tuple(invoke),
        description=description,
        tags=None if tags is None else list(tags),
        meta=meta,
    )


def final(
    *,
    entry: Actions = (),
    exit: Actions = (),  # noqa: A002
    output: Any = None,
    description: str | None = None,
    tags: Sequence[str] | None = None,
    meta: Any = None,
) -> Definition:
    """A state that finishes its parent.

    Args:
        entry: Actions on the way in.
        exit: Actions on the way out.
        output: What the parent is done with: a value, or a function of `Args`.
        description: What it means, for people.
        tags: Words that group states.
        meta: Any other data; it changes nothing.
    """
    return Definition(
        kind="final",
        entry=uses_of(entry),
        exit=uses_of(exit),
        output=output,
        description=description,
        tags=None if tags is None else list(tags),
        meta=meta,
    )


def history(target: str | None = None, *, deep: bool = False) -> Definition:
    """A target that leads back to where its parent was when it was left.

    Args:
        target: Where to go the first time; the parent's initial state when not given.
        deep: Whether the states below are remembered too, down to the leaves.
    """
    return Definition(kind="history", target=target, deep=deep)


def use_of(run: Action) -> Use:
    """A function or action as used in a chart, called by its own name."""
    if isinstance(run, Raise):
        return Use(f"raise {run.name}", run)
    if isinstance(run, Answer):
        return Use(f"answer {_name_of(run.fn)}", run)
    if isinstance(run, Assign):
        return Use(_name_of(run.update) if callable(run.update) else "assign", run)
    return Use(_name_of(run), run)


def _name_of(function: object) -> str:
    return str(getattr(function, "__name__", "function")).strip("<>")


def uses_of(actions: Actions) -> tuple[Use, ...]:
    """One action or several, as used in a chart."""
    if isinstance(actions, Assign | Raise | Answer) or callable(actions):
        return (use_of(actions),)
    return tuple(use_of(action) for action in actions)


def _arrows(arrows: Arrows) -> tuple[Arrow, ...]:
    written = (arrows,) if isinstance(arrows, Arrow | str) else tuple(arrows)
    return tuple(to(each) if isinstance(each, str) else each for each in written)
