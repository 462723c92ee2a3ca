"""The units of code of a run: each of its links by itself, and all that runs around them."""

import inspect
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from explainkit.flow.agents.callable_tools import Tool
from explainkit.flow.compositions.children import CalledChild
from explainkit.flow.models import Model
from explainkit.tracing.decorated import functions_named, spec_of
from explainkit.whatif.rerunning import CalledEntry, CellEntry, Entry, Origin
from explainkit.whatif.rerunning.surroundings import is_a, root_of
from explainkit.whatif.shared_state.followed_code import Following
from explainkit.whatif.shared_state.kinds_of_values import is_model, is_own_instance
from explainkit.whatif.shared_state.things import Key, Known, Scope
from explainkit.whatif.shared_state.touching import Touched
from explainkit.whatif.shared_state.wrapped_functions import method_of
from explainkit.whatif.varying.recorded_points import RecordedPoint

_MOST: Final = 2_000
"""Parts of a runner that are looked at."""
_LAYERS: Final = 20
"""Decorators of a link that are looked into."""


@dataclass(frozen=True)
class Unit:
    """Links of one name and code.

    Attributes:
        name: Their name.
        links: The recorded links; none of a tool that was offered only.
        touched: What they touch.
    """

    name: str
    links: tuple[RecordedPoint, ...]
    touched: Touched


@dataclass
class Units:
    """What runs in a run.

    Attributes:
        known: What is known of all of it.
        around: The code around the links.
        each: The links.
    """

    known: Known
    around: Touched
    each: list[Unit] = field(default_factory=list)

    def outlives(self, key: Key) -> bool:
        """Whether something is there before a re-run, and after it."""
        if key in self.known.copied and not any(key in each.touched.keys for each in self.each):
            return False
        return self.known.outlives(key)


def units_of(origin: Origin, entry: Entry) -> Units:
    """Look into the code of a run.

    Args:
        origin: The run.
        entry: How it is called again.
    """
    grouped: dict[tuple[str, str, str | None], list[RecordedPoint]] = {}
    for point in origin.recorded.points.values():
        if point.kind == "link":
            grouped.setdefault((point.type, point.name, point.code), []).append(point)
    known = Known(frozenset(code for _, _, code in grouped if code))
    parts = _parts(entry)
    around = _around(known, entry, parts, {name for _, name, _ in grouped})
    models = [*parts.models, *filter(is_model, known.handed_on)]
    found = Units(known, around)
    for (kind, name, code), links in grouped.items():
        touched = Touched(known, is_link=True)
        called = models if kind == "model" else parts.named.get(name, [])
        if _look(touched, name, code, called):
            found.each.append(Unit(name, tuple(links), touched.end()))
    for name, tool in parts.uncalled({name for _, name, _ in grouped}):
        touched = Touched(known, is_link=True)
        Following(touched).given(tool)
        found.each.append(Unit(name, (), touched.end()))
    return found


def is_runner(entry: Entry) -> bool:
    """Whether a runner of this package is called, and no function of the user's.

    Args:
        entry: How a run is called again.
    """
    return isinstance(entry, CalledEntry) and is_a(entry.fn, MethodType) and _is_ours(entry.fn)


def functions_beside(origin: Origin, entry: Entry) -> list[tuple[str, Any]]:
    """Functions that a runner calls and no link of the run stands for, such as predicates.

    Args:
        origin: The run.
        entry: How it is called again.
    """
    names = {each.name for each in origin.recorded.points.values() if each.kind == "link"}
    found = _parts(entry).beside(names)
    return [(name or getattr(each, "__name__", "a function"), each) for name, each in found]


def _look(touched: Touched, name: str, code: str | None, called: list[Any]) -> bool:
    """Look into the function of a link, else into what it may call; False where nobody knows."""
    following = Following(touched)
    if code is not None:
        if nested := touched.known.nested.get(code):
            following.code(nested.code, nested.cells, nested.scope)
            touched.reads |= {nested.defaults} if nested.defaults else set()
            return True
        specs = [spec_of(each) for each in functions_named(name, code)]
        for spec in specs:
            for each in () if spec is None else _layers(spec.fn):
                following.body(each)
                _methods_of_given(following, each)
        if specs:
            return True
    for each in called:
        following.given(each)
    return bool(called)


def _methods_of_given(following: Following, fn: FunctionType) -> None:
    """What a link may call of objects that the code around it hands on."""
    if not fn.__code__.co_argcount + fn.__code__.co_kwonlyargcount:
        return
    for kind in {type(each): None for each in following.touched.known.handed_on}:
        for name in fn.__code__.co_names:
            if (method := method_of(kind, name)) is not None:
                following.function(method, owner=kind)


def _layers(fn: Any) -> Iterator[FunctionType]:
    """A function and those that decorators put around it, the outermost first."""
    for _ in range(_LAYERS):
        if is_a(fn, FunctionType):
            yield fn
        fn = getattr(fn, "__wrapped__", None)


def _around(known: Known, entry: Entry, parts: "_Parts", names: set[str]) -> Touched:
    """What is touched by the code that no link stands for."""
    touched = Touched(known)
    following = Following(touched)
    if isinstance(entry, CellEntry):
        cell = entry.cell
        compiled, scope = getattr(cell, "compiled", None), getattr(cell, "scope", {})
        begun: frozenset[str] = getattr(cell, "begun", frozenset())
        held = {name: each for name, each in scope.items() if name not in begun}
        if isinstance(compiled, CodeType):
            following.code(compiled, {}, Scope(held, id(scope), "__main__"), of_cell=True)
        for name in getattr(cell, "own", frozenset()) | begun:
            known.copied |= {Key("name", id(scope), name), Key("object", id(scope.get(name)), "")}
    elif isinstance(entry, CalledEntry):
        if not _is_ours(entry.fn):
            following.called(entry.fn, _arguments(entry))
        for _, each in parts.beside(names):
            following.given(each)
    return touched.end()


def _arguments(entry: CalledEntry) -> dict[str, Any]:
    """What is given by each name; plain data that each re-run has a copy of is left out."""
    try:
        bound = inspect.signature(entry.fn).bind(*entry.args, **entry.kwargs)
    except (TypeError, ValueError):
        return {str(at): each for at, each in enumerate(entry.args)}
    return {name: each for name, each in bound.arguments.items() if name not in entry.own}


@dataclass
class _Parts:
    """Functions of a user that a runner holds.

    Attributes:
        each: All of them, by the name of the link that stands for them.
        models: Those that models ask.
        tools: Numbers of those that are tools: each call of one is a link.
    """

    each: list[tuple[str, Any]] = field(default_factory=list)
    models: list[Any] = field(default_factory=list)
    tools: set[int] = field(default_factory=set)

    def beside(self, links: Container[str]) -> list[tuple[str, Any]]:
        """Those that no link stands for.

        Args:
            links: Names of the links of the run.
        """
        apart = {*map(id, self.models), *self.tools}
        return [(n, each) for n, each in self.each if n not in links and id(each) not in apart]

    def uncalled(self, links: Container[str]) -> list[tuple[str, Any]]:
        """Tools that no link stands for: only a re-run that calls one does what it does.

        Args:
            links: Names of the links of the run.
        """
        return [(n, each) for n, each in self.each if n not in links and id(each) in self.tools]

    @property
    def named(self) -> dict[str, list[Any]]:
        """They, by name."""
        found: dict[str, list[Any]] = {}
        for name, each in self.each:
            found.setdefault(name, []).append(each)
        return found


def _parts(entry: Entry) -> _Parts:
    """The functions and models of a runner that is called."""
    found = _Parts()
    if not isinstance(entry, CalledEntry) or not _is_ours(entry.fn):
        return found
    start = getattr(entry.fn, "__self__", entry.fn)
    waiting: list[tuple[str, Any, bool]] = [("", start, False)]
    seen: dict[int, Any] = {}
    while waiting and len(seen) < _MOST:
        name, each, of_model = waiting.pop()
        if id(each) in seen or is_a(each, type):
            continue
        seen[id(each)] = each
        if is_a(each, dict):
            waiting += [(str(key), inner, of_model) for key, inner in each.items()]
        elif is_a(each, list, tuple, set, frozenset):
            waiting += [(name, inner, of_model) for inner in each]
        elif _is_ours(each) and not is_a(each, FunctionType, MethodType):
            in_model = of_model or isinstance(each, Model)
            if is_a(each, Tool):
                found.tools.add(id(each.call))
            own = getattr(each, "label", name) if isinstance(each, CalledChild) else _name(each)
            waiting += [(str(own or name), inner, in_model) for inner in _held(each)]
        elif is_a(each, FunctionType) and _is_ours(each):
            cells = [cell.cell_contents for cell in each.__closure__ or () if _is_filled(cell)]
            waiting += [(name, inner, of_model) for inner in cells]
        elif callable(each) or is_own_instance(each):
            found.each.append((name or getattr(each, "__name__", ""), each))
            if of_model or is_model(each):
                found.models.append(each)
    return found


def _name(value: Any) -> str:
    spec = getattr(value, "spec", None)
    return str(getattr(spec, "name", "") or "")


def _held(value: Any) -> Iterator[Any]:
    yield from getattr(value, "__dict__", {}).values()
    for kind in type(value).__mro__:
        for slot in getattr(kind, "__slots__", ()):
            if isinstance(slot, str) and hasattr(value, slot):
                yield getattr(value, slot)


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - an empty cell raises
    except ValueError:
        return False
    return True


def _is_ours(value: Any) -> bool:
    """Whether something is of this package: an object by its class, a function by its module."""
    if is_a(value, MethodType):
        return _is_ours(value.__self__)
    own = value.__module__ if is_a(value, FunctionType, type) else type(value).__module__
    return root_of(own) == "explainkit"
