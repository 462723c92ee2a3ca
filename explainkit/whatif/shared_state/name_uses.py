"""Reads off a code object what it does with names that stand for something outside of its call.

Where a use cannot be told, it counts as one that may read and write: the wrong guess in that
direction costs a call that is made again.
"""

import dis
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Final, Literal, NamedTuple

Where = Literal["global", "cell", "self", "given"]

WRITERS: Final = frozenset(
    "append appendleft extend extendleft add insert update clear discard remove sort reverse "
    "rotate setdefault pop popleft popitem intersection_update difference_update "
    "symmetric_difference_update __setitem__ __delitem__ __setattr__ __delattr__".split()
)
"""Methods that change the list, table or set that they are called on."""

_GIVE_AS_WELL: Final = frozenset(("setdefault", "pop", "popleft", "popitem"))
_CHANGE_WHAT_THEY_GET: Final = frozenset(
    "setattr delattr setitem delitem heappush heappop heapify heapreplace insort insort_left "
    "insort_right shuffle".split()
)
"""Functions that change what they are given."""

_GLOBALS: Final = frozenset(
    ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
)  # fmt: skip
_CELLS: Final = frozenset(("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"))
_FAST: Final = frozenset(
    ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW", "LOAD_FAST_AND_CLEAR")
)
_CONSTANTS: Final = frozenset(("LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST"))
_SIMPLE: Final = _GLOBALS | _CELLS | _FAST | _CONSTANTS
_PARTS: Final = frozenset(("LOAD_ATTR", "LOAD_METHOD"))
_SILENT: Final = frozenset(
    "CACHE NOP RESUME PUSH_NULL PRECALL EXTENDED_ARG COPY_FREE_VARS MAKE_CELL NOT_TAKEN".split()
)
_STORES_PART: Final = frozenset(("STORE_ATTR", "DELETE_ATTR"))
_STORES_ITEM: Final = frozenset(("STORE_SUBSCR", "DELETE_SUBSCR"))
_STORES_NAME: Final = frozenset(("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_NAME"))
_STORES_CELL: Final = frozenset(("STORE_DEREF", "DELETE_DEREF"))
_DEFAULTS: Final = 0x03
"""Marks of a function that is made with defaults, by position or by name."""
_COMPREHENSIONS: Final = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>"))
_COPIES: Final = frozenset(("COPY", "DUP_TOP", "DUP_TOP_TWO"))
_SWAPS: Final = frozenset(("SWAP", "ROT_TWO", "ROT_THREE"))
_MAKES: Final = ("BUILD_", "LIST_", "SET_", "DICT_", "MAP_")
_TESTS: Final = frozenset(
    "UNARY_NOT TO_BOOL POP_JUMP_IF_FALSE POP_JUMP_IF_TRUE POP_JUMP_FORWARD_IF_FALSE "
    "POP_JUMP_FORWARD_IF_TRUE POP_JUMP_BACKWARD_IF_TRUE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE "
    "POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE JUMP_IF_TRUE_OR_POP "
    "JUMP_IF_FALSE_OR_POP".split()
)
_LOOKS: Final = _TESTS | frozenset(
    "GET_ITER CONTAINS_OP FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE COMPARE_OP "
    "IS_OP POP_TOP".split()
)
"""What looks at a value and hands it on to nobody."""


@dataclass(frozen=True, slots=True)
class Use:
    """What code does with a name.

    Attributes:
        where: Whose name it is.
        name: The name; of ``self`` the first attribute.
        parts: Attributes read of it one after the other; ``[]`` is an item.
        reads: Its value is read.
        writes: It is changed, or given another value.
        begins: It is emptied, or given a new value that depends on nothing.
        escapes: It is handed to other code, or kept under another name.
        rebinds: What is written is a name or an attribute, and not what it stands for.
    """

    where: Where
    name: str
    parts: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = False
    begins: bool = False
    escapes: bool = False
    rebinds: bool = False


@dataclass(frozen=True, slots=True)
class Uses:
    """What one code object does.

    Attributes:
        uses: Of each name.
        changes_others: It changes something of which it is not known what it is.
        computed: Names of its own that inner functions read, and that are not constant.
        defaulted: Inner functions whose parameters have defaults, which are worked out here.
    """

    uses: tuple[Use, ...]
    changes_others: bool
    computed: frozenset[str]
    defaulted: frozenset[CodeType]


class _Step(NamedTuple):
    op: str
    arg: object
    is_method: bool = False


def uses_of(code: CodeType, *, of_cell: bool = False, given: frozenset[str] = frozenset()) -> Uses:
    """What a code object does with names from outside, functions inside of it left out.

    Args:
        code: The code.
        of_cell: It is that of a notebook cell, whose names are those of the notebook.
        given: Parameters of which it is known what they stand for.
    """
    return _Reading(code, of_cell=of_cell, given=given).read()


class _Reading:
    def __init__(self, code: CodeType, *, of_cell: bool, given: frozenset[str]) -> None:
        self._code = code
        self._of_cell = of_cell
        self._steps = list(_steps(code))
        self._self = _name_of_self(code)
        self._given = given - {each.arg for each in self._steps if each.op == "STORE_FAST"}
        self._fresh = _fresh_names(self._steps)
        self._changes_others = False
        taken = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self._computed = set(taken) & {*code.co_cellvars}

    def read(self) -> Uses:
        found: list[Use] = []
        at = 0
        while at < len(self._steps):
            step = self._steps[at]
            if step.op in _STORES_NAME or step.op in _STORES_CELL:
                found += self._bound(at)
                at += 1
            elif self._where(step) is not None or step.op in _FAST:
                use, at = self._chain(at)
                found += [] if use is None else [use]
            else:
                self._changes_others |= self._is_change(at)
                at += 1
        computed, defaulted = frozenset(self._computed), frozenset(self._defaulted())
        return Uses(tuple(found), self._changes_others, computed, defaulted)

    def _defaulted(self) -> Iterator[CodeType]:
        """Functions that are made with defaults."""
        for at, step in enumerate(self._steps):
            made = self._at(at - 1).arg
            if step.op == "MAKE_FUNCTION" and isinstance(made, CodeType):
                after = itertools.takewhile(_sets_part, self._steps[at + 1 :])
                flags = [step.arg, *(each.arg for each in after)]
                if any(isinstance(each, int) and each & _DEFAULTS for each in flags):
                    yield made

    def _bound(self, at: int) -> Iterator[Use]:
        """A name that is given another value."""
        step, name = self._steps[at], str(self._steps[at].arg)
        is_new = _is_new(self._steps, at)
        if step.op in _STORES_CELL and name in self._code.co_cellvars:
            if not (is_new and _is_told_by_code(self._steps, at)):
                self._computed.add(name)
            return
        if step.op == "STORE_NAME" and (not self._of_cell or _is_told_by_code(self._steps, at)):
            return
        where: Where = "cell" if step.op in _STORES_CELL else "global"
        if self._is_made_when_missing(name, at):
            return
        yield Use(where, name, reads=False, writes=True, begins=is_new, rebinds=True)

    def _is_made_when_missing(self, name: str, stored: int) -> bool:
        """Whether it is made once, as by ``if kept is None: kept = Client()``."""
        if not self._at(stored - 1).op.startswith("CALL"):
            return False
        for at, step in enumerate(self._steps):
            first, second = self._at(at + 1), self._at(at + 2)
            is_none = first.op in _CONSTANTS and first.arg is None and second.op == "IS_OP"
            is_read = step.arg == name and step.op.startswith("LOAD_")
            if is_read and (is_none or first.op in _TESTS):
                return True
        return False

    def _where(self, step: _Step) -> Where | None:
        if step.op in _GLOBALS:
            return "global"
        if step.op in _CELLS:
            return "cell"
        if step.op in _FAST and step.arg in self._given:
            return "given"
        return "self" if step.op in _FAST and step.arg == self._self else None

    def _chain(self, at: int) -> tuple[Use | None, int]:
        """A name with the attributes and items that are read of it, and what is done with them."""
        step, where = self._steps[at], self._where(self._steps[at])
        begin, parts = at, []
        at += 1
        while True:
            if self._at(at).op in _PARTS:
                parts.append(str(self._at(at).arg))
                at += 1
            elif self._at(at).op in _SIMPLE and _gives_item(self._at(at + 1)):
                parts.append("[]")
                at += 2
            else:
                break
        end = self._stored(at)
        if where is None:
            if step.arg not in self._fresh:
                is_change = bool(parts and parts[-1] in WRITERS) or end > at
                self._changes_others |= is_change or self._is_counted_up(None, "", (), at)
            return None, end
        name = str(step.arg)
        if name in _CHANGE_WHAT_THEY_GET or (parts and parts[-1] in _CHANGE_WHAT_THEY_GET):
            self._changes_others = True
        return self._told(where, name, tuple(parts), begin, at), end

    def _stored(self, at: int) -> int:
        """Where it goes on after what was loaded just now is given an attribute or an item."""
        first, second, third = (self._at(at + more) for more in range(3))
        if first.op in _STORES_PART:
            return at + 1
        if first.op in _SIMPLE and second.op in _STORES_ITEM:
            return at + 2
        if first.op in _SIMPLE and second.op in _SIMPLE:
            if third.op == "STORE_SLICE":
                return at + 3
            if third.op == "BUILD_SLICE" and self._at(at + 3).op in _STORES_ITEM:
                return at + 4
        return at

    def _told(self, where: Where, name: str, parts: tuple[str, ...], begin: int, at: int) -> Use:
        if where == "self":
            if not parts:
                return self._of_self(at)
            name, parts = parts[0], parts[1:]
        last, step = (parts[-1] if parts else name), self._at(at)
        if (parts or where == "self") and last in WRITERS:
            reads, begins = last in _GIVE_AS_WELL, last == "clear"
            return Use(where, name, parts[:-1], reads=reads, writes=True, begins=begins)
        if step.op in _STORES_PART:
            begins, parts = _is_new(self._steps, begin), (*parts, str(step.arg))
            return Use(where, name, parts, False, True, begins=begins, rebinds=True)
        if self._stored(at) > at:
            is_whole = _is_whole_slice(self._at(at), self._at(at + 1))
            begins = is_whole and _is_new(self._steps, begin)
            return Use(where, name, parts, reads=False, writes=True, begins=begins)
        if self._is_counted_up(where, name, parts, at):
            if step.op in _COPIES and self._at(at + 1).op in _PARTS:
                parts = (*parts, str(self._at(at + 1).arg))
            return Use(where, name, parts, reads=False, writes=True)
        is_itself = not self._at(at - 1).is_method and parts[-1:] != ("[]",)
        is_looked_at = step.op in _LOOKS or self._is_tested(at)
        return Use(where, name, parts, escapes=is_itself and not is_looked_at)

    def _of_self(self, at: int) -> Use:
        """``self`` alone: an attribute of it is set, or it is handed on as a whole."""
        step = self._at(at)
        if step.op in _STORES_PART:
            if self._is_made_when_missing(str(step.arg), at - 1):
                return Use("self", str(step.arg))
            begins = _is_new(self._steps, at - 1)
            return Use("self", str(step.arg), (), False, True, begins=begins, rebinds=True)
        if step.op in _COPIES:  # self.count += 1
            return Use("self", str(self._at(at + 1).arg), reads=False, writes=True)
        if step.op.startswith("LOAD_SUPER_"):  # super().ask, from CPython 3.12 on
            return Use("self", str(step.arg))
        if self._stored(at) > at:  # self[key] = value
            return Use("self", "[]", reads=False, writes=True)
        return Use("self", "*", escapes=True)

    def _is_counted_up(
        self, where: Where | None, name: str, parts: tuple[str, ...], at: int
    ) -> bool:
        """Whether it is read only to be given a new value, as in ``count += 1``."""
        step, second, third = (self._at(at + more) for more in range(3))
        if step.op in _COPIES:
            return not (self._is_tested(at) or second.op.startswith("STORE_FAST"))
        if step.op in _SIMPLE and second.op in _COPIES:
            return True
        is_name = not parts and where in ("global", "cell")
        is_sum = step.op in _SIMPLE and second.op.startswith(("BINARY_OP", "INPLACE_"))
        return is_name and is_sum and third.op in _STORES_NAME | _STORES_CELL and third.arg == name

    def _is_tested(self, at: int) -> bool:
        """Whether it is copied for ``or`` and ``and``, as from CPython 3.12 on."""
        return self._at(at).op in _COPIES and self._at(at + 1).op in _TESTS

    def _is_change(self, at: int) -> bool:
        """Whether something is changed of which nothing told what it is."""
        step = self._at(at)
        if step.op in _PARTS:
            return step.arg in WRITERS or step.arg in _CHANGE_WHAT_THEY_GET
        if self._at(at - 1).op in _SWAPS:
            return False  # the end of `x.count += 1`, of which the begin was told
        return step.op in _STORES_PART or step.op in _STORES_ITEM or step.op == "STORE_SLICE"

    def _at(self, at: int) -> _Step:
        return self._steps[at] if 0 <= at < len(self._steps) else _Step("", None)


def _steps(code: CodeType) -> Iterator[_Step]:
    """The instructions, those that stand for two of them apart."""
    for step in dis.get_instructions(code):
        if step.opname in _SILENT:
            continue
        if isinstance(step.argval, tuple) and "FAST_" in step.opname:
            pairs = zip(_halves(step.opname), step.argval, strict=False)
            yield from (_Step(op, arg) for op, arg in pairs)
        else:
            is_method = step.opname == "LOAD_METHOD" or "NULL|self" in step.argrepr
            told = step.argrepr if step.opname == "BINARY_OP" else step.argval
            yield _Step(step.opname, told, is_method)


def _halves(op: str) -> tuple[str, str]:
    """``LOAD_FAST_LOAD_FAST`` as its two halves."""
    middle = max(op.rfind("_LOAD_"), op.rfind("_STORE_"))
    return op[:middle], op[middle + 1 :]


def _gives_item(step: _Step) -> bool:
    return step.op == "BINARY_SUBSCR" or (step.op == "BINARY_OP" and step.arg == "[]")


def _is_new(steps: Sequence[_Step], at: int) -> bool:
    """Whether what is stored is a constant, something empty, or what a plain name makes."""
    before = steps[at - 1] if at else _Step("", None)
    if before.op in _CONSTANTS or before.op == "MAKE_FUNCTION":
        return True
    if before.op in ("BUILD_LIST", "BUILD_MAP", "BUILD_SET", "BUILD_TUPLE"):
        return not before.arg
    made = steps[at - 2] if at > 1 else _Step("", None)
    return before.op in ("CALL", "CALL_FUNCTION") and made.op in _GLOBALS


def _is_told_by_code(steps: Sequence[_Step], at: int) -> bool:
    """Whether what is stored is said by the code alone: a constant, a function, a module."""
    before = steps[at - 1].op if at else ""
    return before in _CONSTANTS or before.startswith(("MAKE_FUNCTION", "SET_FUNCTION", "IMPORT_"))


def _sets_part(step: _Step) -> bool:
    return step.op == "SET_FUNCTION_ATTRIBUTE"


def _is_whole_slice(first: _Step, second: _Step) -> bool:
    """Whether ``[:]`` is what is given a value."""
    whole = slice(None, None, None)
    return (first.arg is None and second.arg is None) or first.arg == whole


def _fresh_names(steps: Sequence[_Step]) -> frozenset[object]:
    """Names of the function that stand for lists and tables that it makes itself."""
    made: dict[object, bool] = {}
    for at, step in enumerate(steps):
        if step.op == "STORE_FAST":
            is_made = bool(at) and steps[at - 1].op.startswith(_MAKES)
            is_made = is_made or _is_comprehension(steps, at)
            made[step.arg] = made.get(step.arg, True) and is_made
    return frozenset(name for name, is_made in made.items() if is_made)


def _is_comprehension(steps: Sequence[_Step], at: int) -> bool:
    """Whether what is stored is the list, set or table that a comprehension just made."""
    ops = [each.op for each in steps[max(at - 2, 0) : at]]
    if ops[-1:] == ["END_FOR"] or ops == ["END_FOR", "POP_TOP"]:
        return True  # it stands in the function itself, from CPython 3.12 on
    if at < 2 or not ops[1].startswith("CALL") or ops[0] != "GET_ITER":
        return False
    before = (each.arg for each in reversed(steps[: at - 2]) if isinstance(each.arg, CodeType))
    made = next(before, None)
    return made is not None and made.co_name in _COMPREHENSIONS


def _name_of_self(code: CodeType) -> str | None:
    """The first parameter of a method, by its customary name."""
    first = code.co_varnames[0] if code.co_argcount else None
    return first if first in ("self", "cls") else None
