"""The conversation with the origin of its characters, so that a walk back reaches each piece."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from explainkit.flow.agents.chat_messages import ChatMessage
from explainkit.flow.checks import UNSET
from explainkit.safety.redaction import Redactor
from explainkit.tracing.provenance import leaf_of
from explainkit.tracing.template import Filled

BETWEEN = "\n\n"
"""What stands between two pieces of the system message."""


@dataclass(frozen=True, slots=True)
class Part:
    """A text of a message, and the record that holds what it is made of.

    Attributes:
        text: As the model reads it.
        seq: The record; below 0 for words that nothing else recorded.
        slot: Which of its values.
        value: The value that the text is made of; the text itself when not given.
    """

    text: str
    seq: int = -1
    slot: str = "value"
    value: Any = UNSET

    def segments(self, path: str, start: int, redactor: Redactor) -> list[dict[str, Any]]:
        """Where its characters come from, when they stand at `start` of the leaf at `path`."""
        if self.seq < 0 or not self.text:
            return []
        value = self.text if self.value is UNSET else self.value
        filled = Filled(self.text, self.slot, isinstance(value, str))
        leaf = leaf_of([filled], {self.slot: value}, link=self.seq, path=path, redactor=redactor)
        return [
            {**each, "start": each["start"] + start, "end": each["end"] + start}
            for each in leaf.segments
        ]


@dataclass(frozen=True, slots=True)
class _Entry:
    message: ChatMessage
    part: Part | None = None
    origin: dict[str, Any] | None = None


@dataclass(slots=True)
class Talk:
    """The messages of a run, in order, the system message apart.

    Attributes:
        redactor: The run's redactor: offsets are those of stored texts.
        system: Pieces of the system message.
    """

    redactor: Redactor
    system: list[Part] = field(default_factory=list)
    _entries: list[_Entry] = field(default_factory=list)
    _sent: tuple[int, int, int, int] | None = None

    @property
    def messages(self) -> list[ChatMessage]:
        """The messages without the system message."""
        return [entry.message for entry in self._entries]

    def say(self, role: str, part: Part, **more: Any) -> None:
        """Add a message with one text."""
        self._entries.append(_Entry({"role": role, "content": part.text, **more}, part=part))

    def add(self, messages: Sequence[ChatMessage], seq: int, slot: str, *, listed: bool) -> None:
        """Add messages that stand in a record as they are.

        Args:
            messages: The messages.
            seq: The record.
            slot: Which of its values.
            listed: Whether that value is the list of them, or the only one itself.
        """
        for index, message in enumerate(messages):
            origin: dict[str, Any] = {"seq": seq, "slot": slot}
            if listed:
                origin |= {"start": index, "end": index + 1}
            self._entries.append(_Entry(message, origin=origin if seq >= 0 else None))

    def prompt(self) -> tuple[list[ChatMessage], list[dict[str, Any]], bool]:
        """What the model is sent, where it comes from, and whether that is known whole."""
        system, segments, whole = self._system()
        before = [] if system is None else [system]
        first, known = len(before), 0
        if self._sent is not None:
            link, shift, known, pieces = self._sent
            start = shift
            if pieces == len(self.system):  # the system message is the same: one stretch with it
                segments, start = [], 0
            origin = {"seq": link, "slot": "messages", "start": start, "end": shift + known}
            low = start - shift + first
            if low < first + known:
                segments.append({"start": low, "end": first + known, "origin": origin})
        for index, entry in enumerate(self._entries[known:], first + known):
            segments += self._of_entry(entry, index)
        return [*before, *self.messages], segments, whole

    def sent(self, link: int) -> None:
        """The prompt was recorded as the input of a link; later prompts go on from it."""
        if link >= 0:
            count = len(self._entries)
            self._sent = (link, 1 if self.system else 0, count, len(self.system))

    def _of_entry(self, entry: _Entry, index: int) -> list[dict[str, Any]]:
        if entry.part is not None:
            return entry.part.segments(f"/{index}/content", 0, self.redactor)
        if entry.origin is not None:
            return [{"start": index, "end": index + 1, "origin": entry.origin}]
        return []

    def _system(self) -> tuple[ChatMessage | None, list[dict[str, Any]], bool]:
        if not self.system:
            return None, [], True
        message = {"role": "system", "content": BETWEEN.join(part.text for part in self.system)}
        segments: list[dict[str, Any]] = []
        stored = ""
        for place, part in enumerate(self.system):
            stored += BETWEEN if place else ""
            segments += part.segments("/0/content", len(stored), self.redactor)
            stored += self.redactor.text(part.text)
        if stored != self.redactor.text(message["content"]):
            return message, [], False  # a secret stands across the border of two pieces
        return message, segments, True
