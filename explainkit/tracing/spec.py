"""What is known about a link when its function is decorated, so that a call has little to do."""

import inspect
from collections.abc import Callable, Sequence
from hashlib import sha256
from types import CodeType
from typing import TYPE_CHECKING, Any

from explainkit.safety.labels import fields_json, word
from explainkit.safety.secret_names import secret_kind
from explainkit.tracing.cells import cell_field
from explainkit.tracing.memos import memo_of
from explainkit.tracing.method_reads import MethodReads, is_method
from explainkit.tracing.untracked import untracked_sources

if TYPE_CHECKING:
    from explainkit.tracing.definitions import Definition

Slot = tuple[bytes, str | None]
"""The bytes before an input's digest, and its name when the name alone tells to redact it."""


class LinkSpec:
    """A decorated function's slots and the constant parts of its records."""

    __slots__ = (
        "_extra", "_owned", "_reads", "code", "definition", "deterministic", "fn", "head",
        "keywords", "kind", "memo", "name", "positional", "skip", "tail", "variable",
    )  # fmt: skip

    def __init__(
        self,
        fn: Callable[..., Any],
        *,
        kind: str,
        name: str | None,
        uses: Sequence[str],
        deterministic: bool,
    ) -> None:
        """Look at the function once.

        Raises:
            TypeError: ``fn`` is not a function, or ``uses`` names a parameter that it lacks.
        """
        target: object = fn
        if not callable(target) or inspect.isclass(target):
            raise TypeError(f"@link decorates a function or method; got {fn!r:.80}")
        self.fn = fn
        self.memo = memo_of(fn)
        self.kind = word(kind)
        self.name = word(name or getattr(fn, "__name__", type(fn).__name__))
        names, self.variable, self.skip = _parameters(fn)
        self.positional = [slot(each) for each in names]
        self.keywords: dict[str, Slot] = {}
        _require_parameters(fn, uses)
        self.head = b'"type":%b,"name":%b' % (fields_json(self.kind), fields_json(self.name))
        self.code = code_hash(fn)
        self.deterministic = deterministic
        extra: dict[str, Any] = {"code": self.code}
        if uses:
            extra["uses"] = list(uses)
        if deterministic:
            extra["deterministic"] = True
        self.definition: Definition | None = None
        self._extra = extra
        self._reads = MethodReads(fn)
        self._owned: dict[tuple[str, ...], bytes] = {}
        self.tail = b""

    def look(self) -> bytes:
        """Fill `tail`, at the first call: the globals may stand below the function."""
        self.tail = self._tail_with(untracked_sources(self.fn))
        return self.tail

    def tail_of(self, owner: object) -> bytes:
        """As `tail`, for a method, with what it reads of its object; looked at once a class.

        Args:
            owner: What the method is called on.
        """
        lines = self._reads.of(owner)
        found = self._owned.get(lines)
        if found is None:
            found = self._owned[lines] = self._tail_with(lines)
        return found

    def _tail_with(self, untracked: Sequence[str]) -> bytes:
        extra = {**self._extra, "untracked": list(untracked)} if untracked else self._extra
        return b"," + fields_json(extra)[1:-1]

    def keyword(self, name: str) -> Slot:
        """The slot of a keyword argument."""
        found = self.keywords.get(name)
        if found is None:
            found = self.keywords[name] = slot(name)
        return found

    def opened_tail(self, tail: bytes, *, unlinked: bool) -> bytes:
        """The fields after ``inputs`` of a link_opened record, with those of this one call.

        Args:
            tail: The constant fields.
            unlinked: Whether it was found without its context.
        """
        defined = b"" if self.definition is None else self.definition.tail
        flag = b',"unlinked":true' if unlinked else b""
        return tail + cell_field() + defined + flag


def slot(name: str) -> Slot:
    """Prepare a slot for writing.

    Example:
        >>> slot("prompt")
        (b'{"slot":"prompt","value":"', None)
    """
    prefix = b'{"slot":%b,"value":"' % fields_json(name)
    return prefix, name if secret_kind(name) else None


def code_hash(fn: Callable[..., Any]) -> str | None:
    """Hash of a function's compiled code, constants included; 16 hex characters.

    Example:
        >>> code_hash(lambda: 1) == code_hash(lambda: 2)
        False
    """
    code = getattr(inspect.unwrap(fn), "__code__", None)
    if not isinstance(code, CodeType):
        return None
    return sha256(repr(_code_parts(code)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _code_parts(code: CodeType) -> tuple[Any, ...]:
    constants = tuple(
        _code_parts(each) if isinstance(each, CodeType) else _constant(each)
        for each in code.co_consts
    )
    return (code.co_code, constants, code.co_names, code.co_varnames)


def _constant(value: object) -> object:
    """Frozen sets print in hash order, which differs between processes."""
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value


def _require_parameters(fn: Callable[..., Any], uses: Sequence[str]) -> None:
    """Refuse ``uses`` that names what the function does not take."""
    if not uses:
        return
    parameters = inspect.signature(fn).parameters.values()
    names = [each.name for each in parameters]
    unknown = [each for each in uses if each not in names]
    if unknown and not any(each.kind is each.VAR_KEYWORD for each in parameters):
        raise TypeError(
            f"uses={list(uses)!r:.80} names {unknown[0]!r}, which is no parameter of "
            f"{getattr(fn, '__name__', fn)}({', '.join(names)})"
        )


def _parameters(fn: Callable[..., Any]) -> tuple[list[str], str | None, int]:
    """Names of positional parameters, name of ``*args``, and 1 when the first is self or cls."""
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return [], "args", 0
    positional = [
        each.name
        for each in parameters
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    variable = next((each.name for each in parameters if each.kind is each.VAR_POSITIONAL), None)
    skip = int(is_method(fn, positional))
    return positional[skip:], variable, skip
