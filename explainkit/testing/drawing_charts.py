"""Draws one chart in the shape of an xstate config, each of them valid, for laws of its order."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from explainkit.errors import ChartWarning
from explainkit.flow.statecharts import Machine, assign, define_event
from explainkit.flow.statecharts.vocabulary import Args

EVENTS = ("A", "B", "a.x", "a.x.z")
HANDLED = (*EVENTS, "a.*", "a.x.*", "*")
DEEPEST = 3


@dataclass(frozen=True, slots=True)
class NamedActor:
    """An actor that is only there to be named; the core asks what kind it is and no more."""

    kind: str


def mark(args: Args) -> None:
    """An action that is only seen in the order."""
    del args


def counted(args: Args) -> int:
    """The input of every actor: what was counted until its state was entered."""
    number: int = args.context["n"]
    return number


GUARDS = {
    "even": lambda args: args.context["n"] % 2 == 0,
    "odd": lambda args: args.context["n"] % 2 == 1,
    "never": lambda _: False,
}
ACTIONS = {"mark": mark, "count": assign({"n": lambda args: args.context["n"] + 1})}
ACTORS = {
    "coder": NamedActor("agent"),
    "tests": NamedActor("effect"),
    "person": NamedActor("gate"),
}
DEFINED = [define_event(name) for name in EVENTS if "." not in name]


def built(config: dict[str, Any]) -> Machine:
    """The machine of a drawn config; that a Gate hides an event from an Agent is no matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChartWarning)
        return Machine.from_dict(
            config, guards=GUARDS, actions=ACTIONS, actors=ACTORS, events=DEFINED
        )


class Draws:
    """Choices of Hypothesis.

    Args:
        draw: Its draw function.
        st: Its strategies.
    """

    def __init__(self, draw: Any, st: Any) -> None:
        self._draw, self._st = draw, st

    def one_of(self, choices: Sequence[Any]) -> Any:
        """One of several."""
        return self._draw(self._st.sampled_from(choices))

    def some_of(self, choices: Sequence[str], *, most: int) -> list[str]:
        """A few of several, each once."""
        strategy = self._st.lists(self._st.sampled_from(choices), max_size=most, unique=True)
        found: list[str] = self._draw(strategy)
        return found

    def number(self, least: int, most: int) -> int:
        """A whole number."""
        found: int = self._draw(self._st.integers(least, most))
        return found

    def flag(self) -> bool:
        """Yes or no."""
        return bool(self._draw(self._st.booleans()))


@dataclass
class Tree:
    """A chart that is being drawn, and the paths that transitions can lead to."""

    config: dict[str, Any]
    states: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


def drawn_config(draw: Draws) -> dict[str, Any]:
    """A config with nested and parallel states, histories, guards, timers, actors and more."""
    tree = Tree({"id": "m", "context": {"n": 0}})
    _fill(draw, tree, tree.config, "m", 0)
    for path, cfg in tree.states:
        if cfg.get("type") not in ("final", "history"):
            _handle(draw, tree, cfg, path)
    return tree.config


def _fill(draw: Draws, tree: Tree, cfg: dict[str, Any], path: str, depth: int) -> None:
    tree.states.append((path, cfg))
    cfg["entry"], cfg["exit"] = _actions(draw), _actions(draw)
    if path != "m":
        tree.targets.append(f"#{path}")
    kinds = ["atomic", "compound", "parallel"]
    kind = draw.one_of(kinds[1:] if depth == 0 else kinds[: 1 if depth == DEEPEST else 3])
    if kind == "atomic":
        return
    keys = [f"s{i}" for i in range(draw.number(1, 3))]
    cfg["states"] = {key: {} for key in keys}
    for key in keys:
        _fill(draw, tree, cfg["states"][key], f"{path}.{key}", depth + 1)
    if kind == "parallel":
        cfg["type"] = "parallel"
    else:
        cfg["initial"] = draw.one_of(keys)
        if draw.flag():
            cfg["states"]["f"] = {"type": "final"}
            tree.targets.append(f"#{path}.f")
    if draw.flag():
        _remember(draw, tree, cfg, path)


def _remember(draw: Draws, tree: Tree, cfg: dict[str, Any], path: str) -> None:
    history: dict[str, Any] = {
        "type": "history",
        "history": draw.one_of(["shallow", "deep"]),
    }
    inside = [
        target for target in tree.targets if target.startswith(f"#{path}.") and target[-1] != "h"
    ]
    if draw.flag():
        history["target"] = draw.one_of(inside)
        if "initial" in cfg and draw.flag():
            cfg["initial"] = "h"
    cfg["states"]["h"] = history
    tree.targets.append(f"#{path}.h")


def _handle(draw: Draws, tree: Tree, cfg: dict[str, Any], path: str) -> None:
    names = draw.some_of(HANDLED, most=2)
    cfg["on"] = {name: _candidates(draw, tree) for name in names}
    if draw.number(0, 4) == 4:
        cfg["after"] = {str(draw.one_of([1, 5])): _candidates(draw, tree)}
    if draw.number(0, 2) == 2:
        cfg["invoke"] = [_invoke(draw, tree) for _ in range(draw.number(1, 2))]
    if draw.number(0, 9) == 9:
        cfg["always"] = _candidates(draw, tree, eventless=True)
    if path != "m" and "states" in cfg and draw.flag():
        cfg["onDone"] = _candidates(draw, tree)


def _invoke(draw: Draws, tree: Tree) -> dict[str, Any]:
    made: dict[str, Any] = {"src": draw.one_of(["tests", "person"]), "input": counted}
    for key in draw.some_of(["onDone", "onError"], most=2):
        made[key] = _candidates(draw, tree)
    if draw.flag():
        made["holds"] = draw.flag()
    return made


def _candidates(draw: Draws, tree: Tree, *, eventless: bool = False) -> list[dict[str, Any]]:
    return [_candidate(draw, tree, eventless=eventless) for _ in range(draw.number(1, 2))]


def _candidate(draw: Draws, tree: Tree, *, eventless: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"actions": _actions(draw, eventless=eventless)}
    if draw.number(0, 3):
        made["target"] = draw.one_of([*tree.targets, "#m"])
    if eventless:
        made["guard"] = draw.one_of(["even", "odd"])
        made["actions"] = ["count", *made["actions"]]  # so that the guard soon says no
    elif draw.flag():
        made["guard"] = draw.one_of(list(GUARDS))
    if draw.number(0, 3) == 3:
        made["reenter"] = True
    return made


def _actions(draw: Draws, *, eventless: bool = False) -> list[Any]:
    if not eventless and draw.number(0, 9) == 9:  # rarely, or most charts never settle
        return [{"type": "xstate.raise", "params": {"event": draw.one_of(EVENTS)}}]
    choices = ["mark", "mark", "count"]
    return [draw.one_of(choices) for _ in range(draw.number(0, 2))]
