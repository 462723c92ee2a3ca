"""The growing list of messages that every model link reads, with the origin of what is new.

A link's ``messages`` slot points to the slot of the link before for everything that both share and
names the origin of the new messages only, so a chat's records grow linearly.
"""

from typing import TYPE_CHECKING, Any

from explainkit.adapters.dialects.pointer import at, join, parent
from explainkit.adapters.turns import Part, Text
from explainkit.tracing.recorder import Recorder

if TYPE_CHECKING:
    from explainkit.tracing.stored import Stored

Origin = dict[str, Any]
"""An occurrence under its JSON names."""


class Transcript:
    """The messages so far."""

    def __init__(self, recorder: Recorder) -> None:
        """Store values through ``recorder``."""
        self._recorder = recorder
        self._items: list[Any] = []
        self._kept: list[str | Stored] = []
        self._fresh: list[dict[str, Any]] = []
        self._read: tuple[int, int] | None = None
        self._stored: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._items)

    def add(self, message: Any) -> int:
        """Append a message and return its position in the list."""
        self._items.append(message)
        self._kept.append(self._recorder.snapshot(message))
        return len(self._items) - 1

    def whole(self, first: int, last: int, origin: Origin) -> None:
        """Say that the messages ``[first, last)`` are what stands at ``origin``."""
        self._fresh.append({"path": "", "start": first, "end": last, "origin": origin})

    def part(self, position: int, part: Part, origin: Origin, *, offset: int = 0) -> None:
        """Say where one part of a message came from.

        Args:
            position: Position of the message in the list.
            part: The part; its path leads to what was carried.
            origin: Occurrence of the value that holds it.
            offset: Where the part's text begins in the text at ``origin``.
        """
        path = join("", position) + part.path
        node = part.text if isinstance(part, Text) else at(self._items[position], part.path)
        if isinstance(node, str):
            length = len(self.stored(node))
            source = {**origin, "start": offset, "end": offset + length}
            if length:
                self._fresh.append({"path": path, "start": 0, "end": length, "origin": source})
        elif isinstance(node, list) and node:
            source = {**origin, "start": 0, "end": len(node)}
            self._fresh.append({"path": path, "start": 0, "end": len(node), "origin": source})
        else:
            self._in_container(position, part.path, origin)

    def stored(self, text: str) -> str:
        """A text as it is stored, after redaction."""
        found = self._stored.get(text)
        if found is None:
            found = self._stored[text] = self._recorder.redactor.text(text)
        return found

    def read(self) -> dict[str, Any] | None:
        """The ``messages`` slot of a link that is about to open; call ``opened`` afterwards."""
        if not self._items:
            return None
        segments = list(self._fresh)
        if self._read is not None:
            seq, count = self._read
            origin = {"seq": seq, "slot": "messages", "start": 0, "end": count}
            segments.insert(0, {"path": "", "start": 0, "end": count, "origin": origin})
        slot = {"slot": "messages", "value": self._recorder.list_of(self._kept)}
        return {**slot, "segments": segments} if segments else slot

    def opened(self, seq: int) -> None:
        """Note that the link ``seq`` took what ``read`` gave."""
        if self._items:
            self._read = (seq, len(self._items))
            self._fresh = []

    def _in_container(self, position: int, path: str, origin: Origin) -> None:
        """An object has no offsets: name the item of the nearest list that holds it."""
        message = self._items[position]
        while path:
            path, last = parent(path)
            if isinstance(at(message, path), list) and last.isdigit():
                item = int(last)
                where = join("", position) + path
                self._fresh.append(
                    {"path": where, "start": item, "end": item + 1, "origin": origin}
                )
                return
        self.whole(position, position + 1, origin)
