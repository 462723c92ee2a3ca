"""Names that a cell gives a value before it reads them, so that it needs none of the notebook's."""

import ast
from collections.abc import Iterator, Sequence
from typing import Final

_ANY_NAME: Final = frozenset("globals locals vars exec eval get_ipython".split())
"""What may read a name that stands in a text."""
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)


def assigned_first(tree: ast.Module) -> frozenset[str]:
    """The names that have a value of the cell's own wherever the cell reads them.

    What a branch or a loop assigns counts inside of it; where that cannot be told, it does not.

    Args:
        tree: The cell.

    Example:
        >>> sorted(assigned_first(ast.parse("a = b; a += 1; c = [a for d in a]; b = c")))
        ['a', 'c']
    """
    reading = _Reading()
    reading.block(tree.body, set())
    is_known = _ANY_NAME.isdisjoint(reading.read)
    return frozenset(reading.stored - reading.read) if is_known else frozenset()


class _Reading:
    def __init__(self) -> None:
        self.stored: set[str] = set()
        self.read: set[str] = set()
        """Names that may be read before the cell has given them a value."""

    def block(self, body: Sequence[ast.stmt], known: set[str]) -> set[str]:
        """Read statements one after the other; `known` grows by what they surely assign."""
        for each in body:
            self._statement(each, known)
        return known

    def _statement(self, node: ast.stmt, known: set[str]) -> None:
        if isinstance(node, _SCOPES):
            self._load(node, known)
            self._store(node.name, known)
        elif isinstance(node, ast.If):
            self._load(node.test, known)
            ways = [self.block(each, set(known)) for each in (node.body, node.orelse)]
            known |= ways[0] & ways[1]
        elif isinstance(node, _LOOPS):
            self._load(node.test if isinstance(node, ast.While) else node.iter, known)
            inside = set(known)
            if not isinstance(node, ast.While):
                self._targets(node.target, inside)
            self.block(node.body, inside)
            self.block(node.orelse, set(known))
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self._load(item.context_expr, known)
                if item.optional_vars is not None:
                    self._targets(item.optional_vars, known)
            self.block(node.body, known)
        elif isinstance(node, ast.Try | ast.TryStar):
            self.block([*node.body, *node.orelse], set(known))
            for handler in node.handlers:
                self.block(handler.body, known | ({handler.name} if handler.name else set()))
            self.block(node.finalbody, known)
        elif isinstance(node, ast.Match):
            self._load(node, known)
        else:
            self._simple(node, known)

    def _simple(self, node: ast.stmt, known: set[str]) -> None:
        """A statement without others in it: what it reads, then what it assigns."""
        self._load(node, known)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.read |= {node.target.id} - known
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                self._store(alias.asname or alias.name.partition(".")[0], known)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets if getattr(node, "value", None) is not None else ():
                self._targets(target, known)
        elif isinstance(node, ast.Delete):
            known -= {each.id for each in node.targets if isinstance(each, ast.Name)}

    def _targets(self, target: ast.expr, known: set[str]) -> None:
        self._load(target, known)
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self._store(each.id, known)

    def _store(self, name: str, known: set[str]) -> None:
        self.stored.add(name)
        known.add(name)

    def _load(self, node: ast.AST, known: set[str]) -> None:
        self.read |= set(_loaded(node)) - known


def _loaded(node: ast.AST) -> Iterator[str]:
    """Names that are read, without those of a function's or a comprehension's own."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            yield node.id
        return
    inner = (name for child in ast.iter_child_nodes(node) for name in _loaded(child))
    if isinstance(node, (*_SCOPES, *_COMPREHENSIONS, ast.Lambda)):
        own = set(_bound(node))
        yield from (name for name in inner if name not in own)
    else:
        yield from inner


def _bound(node: ast.AST) -> Iterator[str]:
    """Names that a function or a comprehension binds itself; of a class none is sure to be read."""
    if isinstance(node, ast.ClassDef):
        return
    shared = {
        name
        for each in ast.walk(node)
        if isinstance(each, ast.Global | ast.Nonlocal)
        for name in each.names
    }
    for each in ast.walk(node):
        if isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.Name) and each.id not in shared:
            yield from [each.id] if isinstance(each.ctx, ast.Store) else []
