"""Follows the code of one unit: its helpers, the methods that it calls, and what they touch."""

import functools
import inspect
import os
from collections import deque
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any, Final

from explainkit.safety.own_frames import is_own
from explainkit.tracing.decorated import spec_of
from explainkit.tracing.spec import code_hash
from explainkit.tracing.untracked import MISSING, cell_of
from explainkit.whatif.rerunning.surroundings import is_a, is_plain
from explainkit.whatif.shared_state import hooks, of_process
from explainkit.whatif.shared_state.kinds_of_values import (
    attributes_of,
    held_by,
    holds_more,
    instances_in,
    is_container,
    is_iterator,
    is_of_context,
    is_own_instance,
    items_of,
    keeps_nothing,
    own_bases,
    told_class,
)
from explainkit.whatif.shared_state.name_uses import Use, uses_of
from explainkit.whatif.shared_state.telling_names import (
    begins_anew,
    leaves_something,
)
from explainkit.whatif.shared_state.things import EVERY, Bound, Cells, Key, Nested, Place, Scope
from explainkit.whatif.shared_state.touching import Touched
from explainkit.whatif.shared_state.wrapped_functions import (
    FUNCTIONS,
    MAKERS,
    builtins_of,
    class_of,
    method_of,
    plain_function,
)

_MOST: Final = 400
"""Functions that are looked into."""
_SETTERS: Final = frozenset(("setattr", "delattr"))
_GIVEN: Final = "given"
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(eq=False)
class Following:
    """Looks into the functions of a unit, each of them once.

    Attributes:
        touched: What was found.
    """

    touched: Touched
    _seen: set[Any] = field(default_factory=set)

    def function(self, fn: Any, *, owner: type | None = None, inner: bool = False) -> None:
        """Look into a function, whatever it is wrapped in; links are units of their own.

        Args:
            fn: The function.
            owner: The class that it is a method of.
            inner: Of an object that nobody else sees.
        """
        fn = plain_function(fn)
        if is_a(fn, FunctionType) and spec_of(fn) is not None:
            return
        if is_a(fn, functools.partial):
            for each in (fn.func, *fn.args, *fn.keywords.values()):
                self.given(each)
        elif is_a(fn, MethodType):
            self.given(fn.__self__)
            self.function(fn.__func__, owner=type(fn.__self__))
        elif is_a(fn, BuiltinFunctionType):
            self.touched.bound_method(fn)
        elif is_a(fn, FunctionType) and is_own(fn.__code__):
            self.body(fn, owner=owner, inner=inner)

    def called(self, fn: Any, given: Mapping[str, Any]) -> None:
        """Look into a function that is called with known arguments.

        Args:
            fn: The function.
            given: Its arguments by name.
        """
        fn = plain_function(fn)
        if is_a(fn, FunctionType) and is_own(fn.__code__):
            self.body(fn, given=given)
            return
        self.function(fn)
        for each in given.values():
            self.given(each)

    def body(
        self,
        fn: FunctionType,
        *,
        owner: type | None = None,
        inner: bool = False,
        given: Mapping[str, Any] = _NOTHING,
    ) -> None:
        """Look into a function, also that of a link; the arguments are those of `function`."""
        scope = Scope(fn.__globals__, id(fn.__globals__), str(fn.__globals__.get("__name__")))
        cells = {}
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
            key = self.touched.named(Key("cell", id(cell), name), name, lasting=True)
            cells[name] = Bound(key, cell_of(fn, name))
        self._look(Place(fn.__code__, cells, scope, owner, inner, given))
        for each in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()):
            self.given(each, word=f"a default of {fn.__name__}")

    def code(self, code: CodeType, cells: Cells, scope: Scope, *, of_cell: bool = False) -> None:
        """Look into code that no function is known of.

        Args:
            code: The code.
            cells: What the names of its closure stand for.
            scope: Where its global names stand.
            of_cell: It is that of a notebook cell.
        """
        self._look(Place(code, cells, scope), of_cell=of_cell)

    def given(self, value: Any, *, word: str | None = None) -> None:
        """A value that the code is given and may do anything with.

        Args:
            value: The value.
            word: What it is called, where it outlives a run.
        """
        if is_a(value, FunctionType, MethodType, functools.partial):
            self.function(value)
            return
        for each in instances_in(value):
            self._escaped(each)
        if word is not None and not is_plain(value) and is_container(value):
            key = self.touched.named(Key("object", id(value), ""), word, lasting=True)
            self.touched.note(key, Use("global", word, escapes=True), holds_more=True)

    def _look(self, place: Place, *, of_cell: bool = False) -> None:
        code, cells, touched = place.code, place.cells, self.touched
        mark = (code, place.owner, place.inner, tuple(each.key for each in cells.values()))
        if mark in self._seen or len(self._seen) > _MOST:
            return
        self._seen.add(mark)
        found = uses_of(code, of_cell=of_cell, given=frozenset(place.given))
        touched.changes_others |= found.changes_others
        touched.sets_parts |= not _SETTERS.isdisjoint(code.co_names)
        of_process.look_for(touched, code, place.scope)
        for use in found.uses:
            self._use(place, use)
        for each in hooks.methods_of_bases(place.owner, code.co_names) if place.owner else ():
            self.function(each, owner=place.owner, inner=place.inner)
        within = dict(cells)
        taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for name in code.co_cellvars:
            # Two functions that are called by code may be given one thing under two names.
            is_given = name in taken and not touched.is_link
            key = Key("cell", _GIVEN, "") if is_given else Key("cell", code, name)
            touched.named(key, name)
            touched.owned.add(key)
            within[name] = Bound(key, place.given.get(name, MISSING))
            touched.writes |= {key} if name in found.computed else set()
        for each in code.co_consts:
            if isinstance(each, CodeType):
                own = {name: within[name] for name in each.co_freevars if name in within}
                self._defined(place, each, own, defaulted=each in found.defaulted)

    def _defined(self, place: Place, code: CodeType, cells: Cells, *, defaulted: bool) -> None:
        """A function or class that is defined in other code; a link is a unit of its own."""
        made = FunctionType(code, {}, closure=tuple(CellType() for _ in code.co_freevars))
        hashed, known = str(code_hash(made)), self.touched.known
        if hashed not in known.links:
            inner = place.inner or self.touched.is_link
            self._look(Place(code, cells, place.scope, inner=inner))
            return
        nested = known.nested.setdefault(hashed, Nested(code, cells, place.scope))
        if defaulted:
            key = Key("cell", code, "")
            nested.defaults = self.touched.named(key, f"a default of {code.co_name}")
            self.touched.writes.add(nested.defaults)

    def _use(self, place: Place, use: Use) -> None:
        named, scope, name = self.touched.named, place.scope, use.name
        if use.where == "self":
            self._use_of_self(place, use)
        elif use.where == "given":
            self._value(place, named(Key("given", place.code, name), name), place.given[name], use)
        elif use.where == "cell" and (use.name != "__class__" or use.parts):  # of super()
            own = named(Key("cell", place.code, name), name)
            bound = place.cells.get(name, Bound(own, MISSING))
            self._value(place, bound.key, bound.value, use)
        elif use.where == "global":
            value = scope.names.get(name, builtins_of(scope).get(name, MISSING))
            self._value(
                place, named(Key("name", scope.owner, name), name, lasting=True), value, use
            )

    def _use_of_self(self, place: Place, use: Use) -> None:
        kind = place.owner or class_of(place.code, place.scope)
        if use.writes and place.code.co_name in MAKERS:
            return  # the object is new
        method = None if kind is None else method_of(kind, use.name, sets=use.writes)
        if method is not None:
            self.function(method, owner=kind, inner=place.inner)
            return
        common = MISSING if kind is None else inspect.getattr_static(kind, use.name, MISSING)
        if is_own_instance(common):
            self._instance(place, common, use)
        if common is not MISSING and not use.rebinds and is_container(common):
            word = f"{told_class(kind).rpartition('.')[2]}.{use.name}" if kind else use.name
            key = self.touched.named(Key("object", id(common), ""), word, lasting=True)
            self.touched.note(key, use, holds_more=True)
        if place.inner and self.touched.is_link:
            return
        own = f"{place.scope.module}.{place.code.co_qualname.rpartition('.')[0]}"
        for each in own_bases(kind) if kind else [own]:
            self._part(each, hooks.part_of_self(kind, use.name), place, use)

    def _part(self, owner: str, name: str, place: Place, use: Use) -> None:
        """A part of an object of a class of the user's."""
        if use.parts and leaves_something(use.parts[-1], place.code):
            use = replace(use, writes=True)
        word = owner.rpartition(".")[2] + hooks.word_of_part(name)
        key = self.touched.named(Key("part", owner, name), word)
        self.touched.note(key, use, holds_more=True)

    def _value(self, place: Place, key: Key, value: Any, use: Use) -> None:
        """What is done with what a name stands for."""
        if is_a(value, ModuleType):
            self._module(place, value, use)
        elif is_a(value, type):
            self._class(place, value, use)
        elif is_a(value, *FUNCTIONS, functools.partial):
            self._part_of_function(key, value, use)
        elif is_own_instance(value):
            self.touched.rebound(key, use)
            self._instance(place, value, use)
            if is_a(value, dict, list, set, deque):  # of a class that is made of one
                self._content(place, key, value, use)
        else:
            self._content(place, key, value, use)

    def _content(self, place: Place, key: Key, value: Any, use: Use) -> None:
        touched = self.touched
        if value is MISSING:
            touched.note(key, use, holds_more=True)
        elif is_plain(value):
            touched.rebound(key, use)
        elif not keeps_nothing(value):
            whole = touched.named(Key("object", id(value), ""), touched.known.words[key])
            if is_of_context(value):
                self._of_context(whole, value, use)
                return
            touched.known.lasting.add(whole)
            if use.rebinds and not use.parts:
                touched.begins |= {whole} if use.begins else set()
            touched.rebound(key, use)
            if is_container(value) or is_a(value, dict, list, set, deque):
                if hooks.is_changed_by_reading(value, use.parts):
                    use = replace(use, writes=True)
                    self.given(getattr(value, "default_factory", None))
                if not use.rebinds or use.parts:
                    touched.note(whole, use, holds_more=holds_more(value))
                for each in items_of(value):
                    self.given(each)
            elif not use.rebinds or use.parts:
                self._object_of_library(place, whole, value, use)

    def _of_context(self, whole: Key, value: ContextVar[Any], use: Use) -> None:
        """A variable is set for one re-run; a table that it holds is there for all of them."""
        is_set = use.parts[:1] in (("set",), ("reset",))
        stays = not is_plain(held_by(value))
        self.touched.known.lasting |= {whole} if stays else set()
        told = replace(use, reads=not is_set, writes=is_set)
        self.touched.note(whole, told, holds_more=stays)

    def _object_of_library(self, place: Place, whole: Key, value: Any, use: Use) -> None:
        """What is done with an object of which only the names of methods tell something."""
        method = use.parts[-1] if use.parts else ""
        is_set = not use.parts and not _SETTERS.isdisjoint(place.code.co_names)
        writes = use.writes or is_set or is_iterator(value)
        writes = writes or leaves_something(method, place.code)
        begins = use.begins or begins_anew(method, place.code)
        self.touched.note(whole, replace(use, writes=writes, begins=begins))

    def _module(self, place: Place, module: ModuleType, use: Use) -> None:
        if not use.parts:
            return
        first, rest = use.parts[0], use.parts[1:]
        inner = vars(module).get(first, MISSING)
        is_known = inner is not MISSING and not is_a(inner, *FUNCTIONS)
        if module.__name__ == "os" and first in ("getenv", "getenvb"):
            inner, is_known, rest = os.environ, True, ("get",)
            first = "environ"
        if is_known or use.writes or is_a(inner, FunctionType):
            word = f"{module.__name__.rpartition('.')[2]}.{first}"
            key = self.touched.named(Key("name", id(vars(module)), first), word, lasting=True)
            self._value(place, key, inner, replace(use, parts=rest))

    def _class(self, place: Place, kind: type, use: Use) -> None:
        own = own_bases(kind)
        if not own:
            return
        if use.parts:
            self._part_of_class(place, kind, use)
        else:
            key = self.touched.named(Key("part", told_class(kind), EVERY), kind.__name__)
            self.touched.classes.add(key)
        self._methods(kind, inner=True)

    def _part_of_class(self, place: Place, kind: type, use: Use) -> None:
        first, meta = use.parts[0], type(kind)
        for each in own_bases(meta):
            self.touched.known.classes.add(each)
        for method in hooks.methods_on_reading(meta, first, vars(kind)) if own_bases(meta) else ():
            self.function(method, owner=meta)
        if method_of(kind, first) is not None:
            return
        inner = inspect.getattr_static(kind, first, MISSING)
        if is_own_instance(inner):
            self._instance(place, inner, replace(use, parts=use.parts[1:]))
        for each in own_bases(kind):
            self._part(each, first, place, use)
            self.touched.known.lasting.add(Key("part", each, first))

    def _part_of_function(self, key: Key, fn: Any, use: Use) -> None:
        if use.parts and not use.parts[0].startswith("__"):
            word = f"{getattr(fn, '__name__', 'function')}.{use.parts[0]}"
            told = self.touched.named(Key("part", id(fn), use.parts[0]), word, lasting=True)
            self.touched.note(told, use, holds_more=True)
        elif use.writes:
            self.touched.note(key, use)
        self.function(fn)

    def _instance(self, place: Place, value: Any, use: Use) -> None:
        """An object of a class of the user's: its parts, and the methods that are called."""
        self.touched.known.outlive([value])
        if not use.parts:
            self._escaped(value)
            return
        first, kind, held = use.parts[0], type(value), attributes_of(value)
        setter = method_of(kind, first, sets=True) if use.writes else None
        methods = [setter] if setter else [*hooks.methods_on_reading(kind, first, held)]
        for method in methods:
            self.function(method, owner=kind)
        if method_of(kind, "__getitem__" if first == hooks.ITEM else first) is not None:
            return
        inner = held.get(first, inspect.getattr_static(kind, first, MISSING))
        for each in own_bases(kind):
            self._part(each, first, place, replace(use, parts=use.parts[1:]))
            if methods and first != hooks.ITEM:  # what a catch-all keeps is found by any name
                self.touched.reads.add(self.touched.named(Key("part", each, EVERY), each))
        if len(use.parts) > 1 and is_own_instance(inner):
            self._instance(place, inner, replace(use, parts=use.parts[1:]))

    def _escaped(self, value: Any) -> None:
        """Any method of an object may be called, and any of its parts set."""
        self.touched.known.outlive([value])
        if not self.touched.is_link:
            self.touched.known.handed_on.append(value)
        for each in own_bases(type(value)):
            key = Key("part", each, EVERY)
            self.touched.handed_on.add(self.touched.named(key, type(value).__name__))
            if any(hooks.catch_alls(type(value))):
                self.touched.reads.add(key)
        self._methods(type(value), inner=False)

    def _methods(self, kind: type, *, inner: bool) -> None:
        for each in kind.__mro__ if own_bases(kind) else ():
            for part in vars(each).values():
                if is_a(plain_function(part), FunctionType):
                    self.function(part, owner=kind, inner=inner)
