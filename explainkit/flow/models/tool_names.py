"""Names of tools as providers allow them: they refuse dots, letters beyond ASCII, long names."""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

_REFUSED: Final = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST: Final = 64
_MARK: Final = 8


class ToolNames:
    """Both directions of the names of one request.

    A name that is allowed stays as it is. Any other gets an underscore for each character that is
    refused; where that is another tool's name, or too long, a mark of the whole name ends it.

    Example:
        >>> names = ToolNames(["order.refund", "look"])
        >>> names.sent("order.refund"), names.meant("order_refund"), names.meant("look")
        ('order_refund', 'order.refund', 'look')
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Name every tool that a request speaks of."""
        own = list(dict.fromkeys(names))
        self._sent = {name: name for name in own if _is_allowed(name)}
        self._meant = dict(self._sent)
        for name in own:
            if name not in self._sent:
                self._sent[name] = sent = self._free(name)
                self._meant[sent] = name

    def sent(self, name: str) -> str:
        """The name that the provider gets."""
        return self._sent[name]

    def meant(self, name: str) -> str:
        """The name that a provider's name stands for; one that was never sent is kept."""
        return self._meant.get(name, name)

    def _free(self, name: str) -> str:
        plain = _REFUSED.sub("_", name) or "tool"
        if len(plain) <= _LONGEST and plain not in self._meant:
            return plain
        mark = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        for size in range(_MARK, _LONGEST):
            marked = f"{plain[: _LONGEST - size - 1]}_{mark[:size]}"
            if marked not in self._meant:
                return marked
        return mark


def _is_allowed(name: str) -> bool:
    return 0 < len(name) <= _LONGEST and not _REFUSED.search(name)
