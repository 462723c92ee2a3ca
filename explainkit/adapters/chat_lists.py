"""Chat lists of any vendor: one conversation, or many in one file."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from explainkit.adapters.answers import last_said, write_answer
from explainkit.adapters.dialects import dialect_of, turns_of
from explainkit.adapters.identity import content_key, distinct
from explainkit.adapters.reader import Reading
from explainkit.adapters.reports import Skipped
from explainkit.adapters.script import Emitted, Script
from explainkit.adapters.turns import Turn
from explainkit.adapters.wrappers import Conversation, unwrap
from explainkit.tracing.recorder import Recorder


@dataclass(frozen=True)
class ChatLists:
    """Reads conversations.

    Attributes:
        raws: The conversations as written.
        conversations: The same, unwrapped.
    """

    raws: tuple[Any, ...]
    conversations: tuple[Conversation, ...]

    @cached_property
    def format(self) -> str:
        """The dialect of the first conversation."""
        return dialect_of(self.conversations[0].items)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """``chat-`` and twelve characters that stand for the content."""
        return distinct(f"chat-{content_key(raw)}" for raw in self.raws)

    def read(self, index: int, source: dict[str, Any]) -> Reading:
        """Normalise one conversation."""
        talk = self.conversations[index]
        skip: list[tuple[int, str]] = []
        turns = tuple(turns_of(talk.items, skip))
        question = asked(turns)
        name = (question or "").strip().split("\n")[0][:60] or self.ids[index]
        script = Script(
            run=self.ids[index],
            name=name,
            source={**source, "format": dialect_of(talk.items)},
            turns=turns,
            question=question,
            system=talk.system,
            tools=talk.tools,
            fields=talk.fields,
        )
        skipped = [Skipped(place, reason) for place, reason in skip]
        if talk.others:
            skipped.append(Skipped(None, f"{talk.others} other candidates for the response"))
        return Reading(script, tuple(skipped))

    def finish(self, index: int, recorder: Recorder, done: Emitted) -> Sequence[str]:
        """Write the answer when the source keeps the response apart from the request."""
        talk = self.conversations[index]
        last = last_said(done)
        if talk.answered and last is not None and last >= len(talk.items) - talk.answered:
            write_answer(recorder, done.said[last])
        return ()


def recognise_chat_lists(data: Any) -> ChatLists | None:
    """Recognise one conversation, or a list of conversations.

    Example:
        >>> recognise_chat_lists([{"role": "user", "content": "hi"}]).format
        'openai-chat'
    """
    one = unwrap(data)
    if one is not None:
        return ChatLists((data,), (one,))
    if not isinstance(data, list) or not data:
        return None
    read = [unwrap(item) for item in data if isinstance(item, dict | list)]
    found = [item for item in read if item is not None]
    if len(found) != len(data):
        return None
    return ChatLists(tuple(data), tuple(found))


def asked(turns: Sequence[Turn]) -> str | None:
    """The last user message that a model's message follows; else the last one.

    Example:
        >>> from explainkit.adapters.turns import Text
        >>> asked([Turn("user", "user", None, (Text("Why?", "/content"),), 0, {})])
        'Why?'
    """
    found: str | None = None
    answered: str | None = None
    for turn in turns:
        if turn.role == "user" and turn.texts:
            found = "".join(part.text for part in turn.texts)
        elif turn.role == "model":
            answered = found
    return answered if answered is not None else found
