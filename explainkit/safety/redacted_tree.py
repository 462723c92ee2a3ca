"""Redaction of tagged JSON trees: keys name secrets, every text may hold one."""

import base64
from typing import Any, Protocol

import orjson

from explainkit.safety.secret_names import secret_kind
from explainkit.safety.surrogates import packed, unpacked, without_surrogates


class Replacer(Protocol):
    """What a tree needs of a redactor."""

    def suspects(self, text: str) -> bool:
        """Whether a text needs a closer look."""

    def text(self, text: str) -> str:
        """A text without its secrets."""

    def mark(self, kind: str, secret: str) -> str:
        """The mark of a secret."""

    def secret(self, kind: str, value: Any) -> Any:
        """What stands for a value under the name of a secret."""


_SCALARS = frozenset(
    {"$int", "$float", "$date", "$datetime", "$time", "$timedelta", "$decimal", "$uuid", "$complex"}
)
# What a tag says about the value, not what the value says.
_ABOUT = frozenset({"type", "dtype", "dtypes", "shape", "sha256", "kind", "kept", "of", "size"})


def redact_tree(tree: Any, replacer: Replacer, *, kind: str | None) -> Any:
    """Return the tree without its secrets; the same object when there are none.

    Args:
        tree: Tagged JSON, left as it is.
        replacer: Decides about texts and sets marks.
        kind: The sort of secret when the whole tree stands under the name of one.
    """
    if kind is None and not _suspect(tree, replacer):
        return tree
    before = orjson.dumps(tree)
    top = [orjson.loads(before)]
    _Sweep(replacer).run(top, kind)
    return top[0] if orjson.dumps(top[0]) != before else tree


def _suspect(tree: Any, replacer: Replacer) -> bool:
    """Return whether any name or text in a tree needs a closer look."""
    texts: list[str] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        if type(node) is str:
            texts.append(node)
        elif type(node) is list:
            stack.extend(node)
        elif type(node) is dict:
            for key, item in node.items():
                if _names_secret(key, item, node):
                    return True
                texts.append(key)
                hidden = _hidden(key, item)
                if hidden is None:
                    stack.append(item)
                else:
                    texts.append(without_surrogates(hidden))
    return replacer.suspects("\n".join(texts))


def _names_secret(key: str, item: Any, node: dict[str, Any]) -> bool:
    if secret_kind(key) is not None:
        return True
    if key in {"$dict", "$pairs", "columns"} and type(item) is list:
        names = (pair[0] if type(pair) is list and pair else pair for pair in item)
        return any(type(name) is str and secret_kind(name) is not None for name in names)
    return key in {"name", "key"} and type(item) is str and _labelled(node) is not None


def _labelled(node: dict[str, Any]) -> str | None:
    """Return the kind of secret that ``{"name": "Authorization", "value": …}`` holds, if any."""
    for key in ("name", "key"):
        name = node.get(key)
        if type(name) is str and ("value" in node or "sample" in node):
            return secret_kind(name)
    return None


def _hidden(tag: str, body: Any) -> str | None:
    """Return the text inside a tag that wraps it in base64."""
    if tag not in {"$bytes", "$text"} or type(body) is not str:
        return None
    try:
        return base64.b64decode(body).decode("latin-1") if tag == "$bytes" else unpacked(body)
    except ValueError:
        return None


class _Sweep:
    """One pass over a tree that belongs to it, changing leaves in place."""

    __slots__ = ("replacer", "stack")

    def __init__(self, replacer: Replacer) -> None:
        self.replacer = replacer
        self.stack: list[tuple[Any, Any, str | None]] = []

    def run(self, top: list[Any], kind: str | None) -> None:
        """Redact ``top[0]``."""
        self.stack.append((top, 0, kind))
        while self.stack:
            holder, key, under = self.stack.pop()
            node = holder[key]
            if type(node) is dict:
                holder[key] = self._dict(node, under)
            elif type(node) is list:
                self._push(node, range(len(node)), under)
            elif under is not None:
                holder[key] = self.replacer.secret(under, node)
            elif type(node) is str:
                holder[key] = self.replacer.text(node)

    def _push(self, node: Any, keys: Any, under: str | None) -> None:
        # Reversed, so that marks are numbered in reading order.
        self.stack.extend((node, key, under) for key in reversed(keys))

    def _dict(self, node: dict[str, Any], under: str | None) -> Any:
        if len(node) == 1:
            [(tag, body)] = node.items()
            if tag[:1] == "$":
                return self._tag(node, tag, body, under)
        renamed = self._keys(node)
        labelled = _labelled(renamed)
        jobs = [
            (renamed, key, under or (labelled if key in {"value", "sample"} else secret_kind(key)))
            for key in renamed
        ]
        self.stack.extend(reversed(jobs))
        return renamed

    def _keys(self, node: dict[str, Any]) -> dict[str, Any]:
        if not self.replacer.suspects("\n".join(node)):
            return node
        renamed: dict[str, Any] = {}
        for key, item in node.items():
            name = self.replacer.text(key)
            while name in renamed:
                name += "'"
            renamed[name] = item
        return renamed

    def _tag(self, node: dict[str, Any], tag: str, body: Any, under: str | None) -> Any:
        if tag in _SCALARS:
            if under is None:
                return node
            return self.replacer.mark(under, orjson.dumps(body).decode())
        if tag in {"$bytes", "$text"}:
            return self._packed(node, tag, body, under)
        if tag in {"$pairs", "$dict"} and type(body) is list:
            for pair in reversed(body):
                self._pair(pair, under)
        elif tag == "$frame" and type(body) is dict:
            self._frame(body, under)
        elif type(body) is dict:
            labelled = under or (_labelled(body) if tag == "$series" else None)
            self._push(body, [key for key in body if key not in _ABOUT], labelled)
        else:
            self._push(node, [tag], under)
        return node

    def _pair(self, pair: Any, under: str | None) -> None:
        if type(pair) is not list or len(pair) != 2:
            return
        name = pair[0]
        kind = secret_kind(name) if type(name) is str else None
        self.stack.append((pair, 1, under or kind))
        self.stack.append((pair, 0, None))

    def _frame(self, body: dict[str, Any], under: str | None) -> None:
        names = [name if type(name) is str else "" for name in body.get("columns") or ()]
        kinds = [under or secret_kind(name) for name in names]
        for row in reversed(body.get("rows") or ()):
            cells = zip(range(len(row)), kinds, strict=False)
            self.stack.extend((row, index, kind) for index, kind in reversed(list(cells)))

    def _packed(self, node: dict[str, Any], tag: str, body: Any, under: str | None) -> Any:
        hidden = _hidden(tag, body)
        if hidden is None or not hidden:
            return node
        if under is not None:
            return self.replacer.mark(under, hidden)
        clean = self.replacer.text(hidden)
        if clean is hidden or clean == hidden:
            return node
        if tag == "$bytes":
            return {"$bytes": base64.b64encode(clean.encode("latin-1")).decode()}
        return {"$text": packed(clean)} if without_surrogates(clean) != clean else clean
