"""Keeps the source of a traced cell in the process, so that it can be run again, varied."""

import ast
import re
from collections.abc import Awaitable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from inspect import CO_COROUTINE
from types import CodeType, FunctionType
from typing import Any

from explainkit.magics.assigned_names import assigned_first
from explainkit.safety.encoding import encode

_MAGIC = re.compile(r"^[ \t]*%%?trace\b[^\n]*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCell:
    """A cell that `%%trace` recorded, while the process that ran it lives.

    Attributes:
        source: What stood below `%%trace`, as it was typed.
        code: Hash of it; the run's record has the same in `run_started`.
        names: What the names that it reads stood for when it began: copies of plain data, and of
            anything else the objects themselves, so one that was changed in place stays changed.
        own: The names that stand for plain data; each re-run gets a copy of its own.
        begun: The names that had no value when it began, or that it gives one before it reads
            them: a re-run begins without them.
        compiled: What runs.
    """

    source: str
    code: str
    names: Mapping[str, Any]
    own: frozenset[str]
    begun: frozenset[str]
    compiled: CodeType = field(repr=False)
    _shell: Any = field(repr=False)

    @property
    def is_async(self) -> bool:
        """Whether it awaits at its top, so that `rerun` must be awaited."""
        return bool(self.compiled.co_flags & CO_COROUTINE)

    @property
    def scope(self) -> Mapping[str, Any]:
        """The notebook's own names, which functions of other cells read and write."""
        scope: Mapping[str, Any] = self._shell.user_ns
        return scope

    def rerun(self, **names: Any) -> dict[str, Any] | Awaitable[dict[str, Any]]:
        """Run it again in a copy of the notebook's names; nothing is recorded unless a run is open.

        The names that it reads stand for what they stood for when it was recorded. What it
        assigns stays in the copy. Functions that were defined in other cells read and write the
        names of the notebook itself, and so do cell magics inside of it. Lists, tables and other
        plain data are copied for it.

        Args:
            **names: What is put in place of recorded names.

        Returns:
            The names afterwards; where `is_async`, what gives them when it is awaited.
        """
        copies = deepcopy({name: self.names[name] for name in self.own})
        held = {name: each for name, each in self.scope.items() if name not in self.begun}
        namespace = {**held, **self.names, **copies, **names}
        running = FunctionType(self.compiled, namespace)()
        return _awaited(running, namespace) if self.is_async else namespace


async def _awaited(running: Awaitable[Any], namespace: dict[str, Any]) -> dict[str, Any]:
    await running
    return namespace


def record_of_cell(cell: str | None, earlier: int, shell: Any) -> RecordedCell | None:
    """What is kept of a cell that is traced.

    Args:
        cell: The whole cell as it was typed; None where the shell does not tell it.
        earlier: How many lines of it have armed a run before.
        shell: The shell that runs it.

    Returns:
        None where its source is not known, or cannot be told apart from the rest of the cell.
    """
    found = list(_MAGIC.finditer(cell or ""))
    if cell is None or earlier >= len(found):
        return None
    source = cell[found[earlier].end() :]
    try:
        plain = shell.transform_cell(source)
        compiled = _compile(plain, shell)
        first = assigned_first(ast.parse(plain))
    except (SyntaxError, ValueError):  # the line stood inside of a text, or of a block
        return None
    read = dict.fromkeys(_names(compiled))
    begun = first | {name for name in read if name not in shell.user_ns}
    names = {name: shell.user_ns[name] for name in read if name in shell.user_ns}
    own = frozenset(name for name, value in names.items() if _is_plain(value))
    names |= deepcopy({name: names[name] for name in names if name in own})
    code = sha256(source.encode("utf-8", "replace")).hexdigest()[:16]
    return RecordedCell(source, code, names, own, frozenset(begun), compiled, shell)


def _is_plain(value: Any) -> bool:
    """Whether a value is data that can be copied: what a record keeps whole, and tables."""
    if str(type(value).__module__).partition(".")[0] in ("numpy", "pandas"):
        return True
    return encode(value).fidelity == "exact"


def _compile(code: str, shell: Any) -> CodeType:
    flags = shell.compile.flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    compiled = compile(code, "<traced cell>", "exec", flags=flags, dont_inherit=True)
    assert isinstance(compiled, CodeType)
    return compiled


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
