"""Random charts in the shape of an xstate config, every one of them valid, for the order's laws."""

import warnings
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from explainkit.errors import ChartWarning
from explainkit.flow.statecharts import Machine, assign, define_event
from tests.flow.statecharts.casts import AGENT, EFFECT, GATE

EVENTS = ("A", "B", "a.x", "a.x.z")
HANDLED = (*EVENTS, "a.*", "a.x.*", "*")
GUARDS = {
    "even": lambda args: args.context["n"] % 2 == 0,
    "odd": lambda args: args.context["n"] % 2 == 1,
    "never": lambda _: False,
}
ACTORS = {"coder": AGENT, "tests": EFFECT, "person": GATE}
DEFINED = [define_event(name) for name in EVENTS if "." not in name]
DEEPEST = 3


def mark(_):
    """An action that is only seen in the order."""


def counted(args):
    """The input of every actor: what was counted until its state was entered."""
    return args.context["n"]


ACTIONS = {
    "mark": mark,
    "count": assign({"n": lambda args: args.context["n"] + 1}),
}


@dataclass
class Tree:
    """A drawn chart and the paths that transitions can lead to."""

    cfg: dict[str, Any]
    states: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


@st.composite
def configs(draw) -> dict[str, Any]:
    """A config with nested and parallel states, histories, guards, timers, actors and more."""
    tree = Tree({"id": "m", "context": {"n": 0}})
    _fill(draw, tree, tree.cfg, "m", 0)
    for path, cfg in tree.states:
        if cfg.get("type") not in ("final", "history"):
            _handle(draw, tree, cfg, path)
    return tree.cfg


def charts():
    """Machines of random configs."""
    return configs().map(build)


def build(cfg: dict[str, Any]) -> Machine:
    """The machine of a random config; that a Gate hides an event from an Agent is no matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ChartWarning)
        return Machine.from_dict(cfg, guards=GUARDS, actions=ACTIONS, actors=ACTORS, events=DEFINED)


def events():
    """A few events in a row; some are timers and actors of states that may be active."""
    return st.lists(st.sampled_from((*EVENTS, "timer", "actor")), min_size=2, max_size=8)


def _fill(draw, tree: Tree, cfg: dict[str, Any], path: str, depth: int) -> None:
    tree.states.append((path, cfg))
    cfg["entry"], cfg["exit"] = _actions(draw), _actions(draw)
    if path != "m":
        tree.targets.append(f"#{path}")
    kinds = ["atomic", "compound", "parallel"]
    kind = draw(st.sampled_from(kinds[1:] if depth == 0 else kinds[: 1 if depth == DEEPEST else 3]))
    if kind == "atomic":
        return
    keys = [f"s{i}" for i in range(draw(st.integers(1, 3)))]
    cfg["states"] = {key: {} for key in keys}
    for key in keys:
        _fill(draw, tree, cfg["states"][key], f"{path}.{key}", depth + 1)
    if kind == "parallel":
        cfg["type"] = "parallel"
    else:
        cfg["initial"] = draw(st.sampled_from(keys))
        if draw(st.booleans()):
            cfg["states"]["f"] = {"type": "final"}
            tree.targets.append(f"#{path}.f")
    if draw(st.booleans()):
        _remember(draw, tree, cfg, path)


def _remember(draw, tree: Tree, cfg: dict[str, Any], path: str) -> None:
    history: dict[str, Any] = {
        "type": "history",
        "history": draw(st.sampled_from(["shallow", "deep"])),
    }
    inside = [
        target for target in tree.targets if target.startswith(f"#{path}.") and target[-1] != "h"
    ]
    if draw(st.booleans()):
        history["target"] = draw(st.sampled_from(inside))
        if "initial" in cfg and draw(st.booleans()):
            cfg["initial"] = "h"
    cfg["states"]["h"] = history
    tree.targets.append(f"#{path}.h")


def _handle(draw, tree: Tree, cfg: dict[str, Any], path: str) -> None:
    names = draw(st.lists(st.sampled_from(HANDLED), max_size=2, unique=True))
    cfg["on"] = {name: _candidates(draw, tree) for name in names}
    if draw(st.integers(0, 4)) == 4:
        cfg["after"] = {str(draw(st.sampled_from([1, 5]))): _candidates(draw, tree)}
    if draw(st.integers(0, 2)) == 2:
        cfg["invoke"] = [_invoke(draw, tree) for _ in range(draw(st.integers(1, 2)))]
    if draw(st.integers(0, 9)) == 9:
        cfg["always"] = _candidates(draw, tree, eventless=True)
    if path != "m" and "states" in cfg and draw(st.booleans()):
        cfg["onDone"] = _candidates(draw, tree)


def _invoke(draw, tree: Tree) -> dict[str, Any]:
    made: dict[str, Any] = {"src": draw(st.sampled_from(["tests", "person"])), "input": counted}
    for key in draw(st.lists(st.sampled_from(["onDone", "onError"]), unique=True)):
        made[key] = _candidates(draw, tree)
    if draw(st.booleans()):
        made["holds"] = draw(st.booleans())
    return made


def _candidates(draw, tree: Tree, *, eventless: bool = False) -> list[dict[str, Any]]:
    return [_candidate(draw, tree, eventless) for _ in range(draw(st.integers(1, 2)))]


def _candidate(draw, tree: Tree, eventless: bool) -> dict[str, Any]:
    made: dict[str, Any] = {"actions": _actions(draw, eventless=eventless)}
    if draw(st.integers(0, 3)):
        made["target"] = draw(st.sampled_from([*tree.targets, "#m"]))
    if eventless:
        made["guard"] = draw(st.sampled_from(["even", "odd"]))
        made["actions"] = ["count", *made["actions"]]  # so that the guard soon says no
    elif draw(st.booleans()):
        made["guard"] = draw(st.sampled_from(list(GUARDS)))
    if draw(st.integers(0, 3)) == 3:
        made["reenter"] = True
    return made


def _actions(draw, *, eventless: bool = False) -> list[Any]:
    if not eventless and draw(st.integers(0, 9)) == 9:  # rarely, or most charts never settle
        return [{"type": "xstate.raise", "params": {"event": draw(st.sampled_from(EVENTS))}}]
    choices = ["mark", "mark", "count"]
    return [draw(st.sampled_from(choices)) for _ in range(draw(st.integers(0, 2)))]
