"""Finds what undecorated code may draw by chance, or keep from one call to the next.

A re-run of such code is one of many, whatever the links in it are declared to be. The search
follows the helpers that the code names. Lists, tables and other plain data that they read are
watched: as long as they stay as they were, nothing was kept in them. What it cannot look into
counts as if it kept something, because the wrong guess in that direction costs repeats only.
"""

import dis
import inspect
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, time, timedelta, tzinfo
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from logging import Logger
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from explainkit.flow.models import CallableModel, ReadingModel
from explainkit.flow.runners import Runner
from explainkit.safety.encoding import encode
from explainkit.tracing.decorated import spec_of
from explainkit.tracing.own_runs import is_traced
from explainkit.tracing.untracked import MISSING, ambient, ambient_of, cell_of, imports, reads
from explainkit.whatif.rerunning.entries import CalledEntry, CellEntry, Entry
from explainkit.whatif.rerunning.watched_values import (
    is_container,
    is_made_by_dataclass,
    is_own_object,
    mark_of,
    parts_of,
)

KEEP_NOTHING: Final = frozenset(
    "abc asyncio base64 binascii bisect builtins calendar cmath collections contextlib copy csv "
    "dataclasses datetime decimal difflib enum explainkit fractions functools hashlib heapq hmac "
    "html inspect itertools json logging math numbers numpy operator orjson pprint pydantic re "
    "statistics string struct textwrap time types typing typing_extensions unicodedata uuid "
    "warnings zlib".split()
)
"""Modules whose functions give the same for the same; their clocks and chance are told apart."""

_REACH_OUT: Final = frozenset(
    "__import__ breakpoint delattr eval exec globals id input locals open setattr vars".split()
)
_PLAIN: Final = (
    str, bytes, int, float, complex, type(None), type(...), range, date, time, timedelta, tzinfo,
    Decimal, Fraction, Enum, re.Pattern, Logger, Runner,
)  # fmt: skip
_REBINDS: Final = frozenset(("STORE_GLOBAL", "DELETE_GLOBAL"))
_REBINDS_CELL: Final = frozenset(("STORE_DEREF", "DELETE_DEREF"))
_MOST: Final = 300
"""Functions and classes that are looked into; code that names more is not followed to its end."""


@dataclass(eq=False)
class Undeclared:
    """What surrounds the links of a run that is made again.

    Attributes:
        source: What the code may draw or keep, in words; None when nothing was found.
        draws: Whether it may draw by chance.
        data: Plain data that it reads, by name, with what it held when the search was made.
    """

    source: str | None
    draws: bool = False
    data: dict[str, tuple[Any, bytes]] = field(default_factory=dict)

    def found(self) -> str | None:
        """The source; or the first data that is not as it was."""
        if self.source is None:
            changed = (name for name, (each, was) in self.data.items() if _held(each) != was)
            self.source = next(changed, None)
        return self.source


def undeclared(
    entry: Entry, *, elsewhere: bool = False, beside: Iterable[tuple[str, Any]] = ()
) -> Undeclared:
    """What the code around the links may draw or keep.

    Args:
        entry: What is called.
        elsewhere: It is called in other processes, where data cannot be watched.
        beside: Functions by name that a runner calls and no link stands for, such as predicates.
    """
    search = _Search()
    parts = (search.value(name, each) for name, each in beside)
    sources = list(itertools.chain(search.entry(entry), *parts))
    if not sources and elsewhere:
        sources = list(search.data)
    draws = any(each.startswith("randomness ") for each in sources)
    return Undeclared(next(iter(sources), None), draws, search.data)


class _Search:
    """One search, which looks at each function once."""

    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}
        self._held: list[Any] = []
        self.data: dict[str, tuple[Any, bytes]] = {}

    def entry(self, entry: Entry) -> Iterator[str]:
        """What is called, and the live objects that it is given."""
        if isinstance(entry, CellEntry):
            yield from self._cell(entry)
        elif isinstance(entry, CalledEntry):
            yield from self.value(getattr(entry.fn, "__name__", "what is called"), entry.fn)
            names = _parameters(entry)
            for at, each in enumerate(entry.args):
                yield from self._argument(entry, names[at] if at < len(names) else str(at), each)
            for name, each in entry.kwargs.items():
                yield from self._argument(entry, name, each)
        elif not _is_ours(entry):
            yield "what is called"

    def _argument(self, entry: CalledEntry, name: str, value: Any) -> Iterator[str]:
        """Each call has its own copy of arguments that are on record; engines look after theirs."""
        if name not in entry.own and not _is_ours(value):
            yield from self.value(f"argument {name}", value)

    def _cell(self, entry: CellEntry) -> Iterator[str]:
        """Each re-run has its own copy of the plain data that a cell reads."""
        cell = entry.cell
        if not isinstance(getattr(cell, "compiled", None), CodeType):
            yield "the cell"
            return
        scope = {name: each for name, each in cell.names.items() if name not in cell.own}
        yield from self._code(cell.compiled, {}, scope)

    def value(self, name: str, value: Any, parts: tuple[str, ...] = ()) -> Iterator[str]:
        """What may come of a name that code reads."""
        drawn = ambient_of(name, value, parts)
        if drawn is not None:
            yield drawn
        elif is_a(value, ModuleType):
            yield from self._module(name, value, parts)
        elif is_a(value, MethodType):
            yield from self.value(name, value.__func__)
            if not _is_ours(value.__self__):
                yield from self.value(name, value.__self__)
        elif is_a(value, FunctionType):
            yield from self._function(name, value)
        elif is_a(value, type):
            yield from self._class(name, value)
        elif is_a(value, BuiltinFunctionType):
            if not _keeps_nothing(value) or value.__name__ in _REACH_OUT:
                yield name
        elif not is_plain(value):
            yield from self._object(name, value)

    def _object(self, name: str, value: Any) -> Iterator[str]:
        """Something that can keep; of our own models only what a function of the user's keeps."""
        if type(value) is CallableModel:
            yield from self.value(f"{name}.function", value.function)
        elif type(value) is ReadingModel:
            return
        elif _is_data(value):
            self.data.setdefault(name, (value, _held(value)))
        elif is_container(value) or is_own_object(value):
            yield from self._parts(name, value)
        else:
            yield name

    def _parts(self, name: str, value: Any) -> Iterator[str]:
        """An object of the user's, or a list of such: it is watched, and its methods followed."""
        if not self._is_new(value):
            return
        if len(self._seen) > _MOST:
            yield f"{name}, which holds too much to follow"
            return
        if not is_container(value):
            yield from self._class(type(value).__name__, type(value))
        for part, each in parts_of(value):
            self._held.append(each)
            yield from self.value(f"{name}.{part}", each)
        self.data.setdefault(name, (value, _held(value)))

    def _module(self, name: str, module: ModuleType, parts: tuple[str, ...]) -> Iterator[str]:
        if root_of(module.__name__) in KEEP_NOTHING:
            return
        inner = getattr(module, parts[0], MISSING) if parts else MISSING
        if inner is MISSING:
            yield f"module {name}"
        else:
            yield from self.value(f"{name}.{parts[0]}", inner, parts[1:])

    def _function(self, name: str, fn: FunctionType) -> Iterator[str]:
        if is_traced(fn):
            yield from self.value(name, inspect.unwrap(fn))
            return
        if spec_of(fn) is not None or _keeps_nothing(fn) or not self._is_new(fn):
            return
        if len(self._seen) > _MOST:
            yield f"{name}, which calls too much to follow"
            return
        cells = {each: cell_of(fn, each) for each in fn.__code__.co_freevars}
        yield from self._code(fn.__code__, cells, fn.__globals__)
        for each in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()):
            yield from self.value(f"a default of {name}", each)

    def _class(self, name: str, kind: type) -> Iterator[str]:
        """The functions of a class and of its bases, and what stands in them as data."""
        for each in kind.__mro__:
            if root_of(each.__module__) in KEEP_NOTHING or not self._is_new(each):
                continue
            for key, part in vars(each).items():
                inner = getattr(part, "__func__", getattr(part, "fget", part))
                if is_made_by_dataclass(each, inner):
                    continue
                if is_a(inner, FunctionType) or not key.startswith("__"):
                    yield from self.value(f"{name}.{key}", inner)

    def _code(
        self, code: CodeType, cells: Mapping[str, Any], scope: Mapping[str, Any]
    ) -> Iterator[str]:
        yield from _rebound(code, frozenset(code.co_freevars))
        stored = frozenset(_stored(code))
        around = scope.get("__builtins__", {})
        around = vars(around) if isinstance(around, ModuleType) else around
        for name, parts in dict.fromkeys(reads(code)):
            value = cells.get(name, scope.get(name, around.get(name, MISSING)))
            if value is MISSING:
                continue
            if is_a(value, FunctionType, type, ModuleType):
                kept = stored & vars(value).keys()
                yield from (f"{name}.{each}" for each in sorted(kept))
            yield from self.value(name, value, parts)
        for module, parts in imports(code):
            drawn = ambient(module, module, parts)
            if drawn is not None or root_of(module) not in KEEP_NOTHING:
                yield drawn or f"import of {module}"

    def _is_new(self, value: Any) -> bool:
        if id(value) in self._seen:
            return False
        self._seen[id(value)] = value  # held, so that no other one gets its number
        return True


def is_a(value: Any, *kinds: type) -> bool:
    """Whether a value is of one of some types, without asking it for its ``__class__``."""
    return issubclass(type(value), kinds)


def root_of(module: object) -> str:
    """The package of a module by its name."""
    return str(module).partition(".")[0].removeprefix("_")


def _keeps_nothing(fn: Any) -> bool:
    """Whether a function is of a module that keeps nothing; a method of an object is of none."""
    owner = getattr(fn, "__self__", None)
    if owner is not None and not is_a(owner, ModuleType, type):
        return False
    return root_of(getattr(fn, "__module__", None) or "builtins") in KEEP_NOTHING


def is_plain(value: Any) -> bool:
    """Whether nothing can be changed in a value, as deep as it goes.

    Args:
        value: The value; of an object that stands for another one, its own type counts.
    """
    if is_a(value, *_PLAIN):
        return True
    if is_a(value, tuple, frozenset):
        return all(is_plain(each) for each in value)
    kind = type(value)
    settings = getattr(kind, "__dataclass_params__", None)
    if is_dataclass(kind) and settings is not None and settings.frozen:
        return all(is_plain(getattr(value, each.name, MISSING)) for each in fields(value))
    return False


def _is_data(value: Any) -> bool:
    """Whether a value is made of lists, tables and plain values, all of which a record holds."""
    if not is_a(value, dict, list, set, tuple, frozenset):
        return is_plain(value)
    if type(value).__module__ not in ("builtins", "collections"):
        return False
    inner = [*value, *value.values()] if is_a(value, dict) else list(value)
    return all(map(_is_data, inner)) and encode(value).fidelity == "exact"


def _held(value: Any) -> bytes:
    return mark_of(value, is_data=_is_data(value))


def _is_ours(value: Any) -> bool:
    return root_of(type(value).__module__) == "explainkit"


def _parameters(entry: CalledEntry) -> list[str]:
    try:
        return list(inspect.signature(entry.fn).parameters)
    except (TypeError, ValueError):
        return []


def _rebound(code: CodeType, free: frozenset[str]) -> Iterator[str]:
    """Names outside of the function that it gives another value."""
    for step in dis.get_instructions(code):
        if step.opname in _REBINDS:
            yield f"global {step.argval}"
        elif step.opname in _REBINDS_CELL and step.argval in free:
            yield f"closure {step.argval}"
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _rebound(constant, free & frozenset(constant.co_freevars))


def _stored(code: CodeType) -> Iterator[str]:
    """Attributes that the code sets, of whatever it is."""
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_ATTR", "DELETE_ATTR"):
            yield str(step.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _stored(constant)
