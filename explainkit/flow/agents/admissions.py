"""Who may say what: a message is recorded only after every middleware admitted it."""

import copy
import json
import re
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final, Literal, Protocol, TypeAlias

from explainkit.flow.agents.chat_messages import ChatMessage, calls_in
from explainkit.flow.agents.foreign_words import own_name, words_of
from explainkit.flow.verdicts import MessageDenied
from explainkit.safety import shorten

Phase: TypeAlias = Literal["input", "output"]
_QUOTED: Final = 12
"""Characters in common with a denied message from which a reason quotes it."""
_WORD: Final = re.compile(r"[\w@](?:[\w@.+:/-]*[\w@])?")
_CUT: Final = "[...]"
_SHOWN: Final = 500


@dataclass(frozen=True, slots=True)
class Admit:
    """A message may pass."""


@dataclass(frozen=True, slots=True)
class Deny:
    """A message, or a call, may not pass.

    Attributes:
        reason: Why.
    """

    reason: str


def admit() -> Admit:
    """Let a message pass."""
    return Admit()


def deny(reason: str) -> Deny:
    """Do not let a message, or a call, pass.

    Args:
        reason: Why. Say it without the words of the message: stretches of it are cut out.
    """
    return Deny(reason)


class Middleware(Protocol):
    """Looks at every message before it is recorded; `name` is its name, else that of its class."""

    def check_message(
        self, message: ChatMessage, phase: Phase
    ) -> Admit | Deny | Awaitable[Admit | Deny]:
        """Admit or deny a message; it is given a copy.

        Args:
            message: The message, with `role` and `content`. Where a model sent something else than
                a JSON object for `arguments` of a call, that is what stands there.
            phase: Whether it comes in or goes out.
        """
        ...


@dataclass(frozen=True, slots=True)
class Denied:
    """A message that was denied.

    Attributes:
        verdict: Who denied it and why; nothing of the message.
        length: Characters of its text.
    """

    verdict: MessageDenied
    length: int

    @property
    def loss(self) -> str:
        """What the record says in its place."""
        return f'the middleware "{self.verdict.middleware}" denied it; {self.length:,} characters'


async def denial_of(
    middleware: Sequence[Middleware], message: ChatMessage, phase: Phase
) -> Denied | None:
    """Ask each middleware in order; the first one that does not admit decides.

    One that raises, or gives anything else, admits nothing.
    """
    for each in middleware:
        name = name_of(each)
        try:
            given: Any = each.check_message(copy.deepcopy(message), phase)
            given = await given if isawaitable(given) else given
        except Exception as error:  # noqa: BLE001 - its text may quote the message
            given = Deny(f"it raised {type(error).__name__}, so nothing was admitted")
        if isinstance(given, Admit):
            continue
        if not isinstance(given, Deny):
            given = Deny(f"it gave {type(given).__name__}, which neither admits nor denies")
        reason = without_quotes(shorten(words_of(given.reason), _SHOWN), message)
        return Denied(MessageDenied(reason=reason, phase=phase, middleware=name), _length(message))
    return None


def name_of(middleware: Any) -> str:
    """The name of a middleware."""
    return own_name(middleware, "name")


def without_quotes(reason: str, message: ChatMessage) -> str:
    """A reason without stretches of the message that it is about.

    Example:
        >>> message = {"role": "user", "content": "my card: 4711-0815-4242, keep it"}
        >>> without_quotes("it holds 4711-0815-4242", message)
        'it holds[...]'
    """
    for text in _texts(message):
        whole = text.strip()
        if whole and len(whole) < _QUOTED:
            reason = reason.replace(whole, _CUT) if len(whole) > 2 else reason
            continue
        reason = _without(reason, whole)
    said = "\n".join(_texts(message)).casefold()
    return _WORD.sub(lambda word: _CUT if _tells(word[0], said) else word[0], reason)


def _tells(word: str, said: str) -> bool:
    """Whether a word is a number or an address of the message: short, and yet all that it says."""
    return len(word) > 2 and bool(re.search(r"[\d@]", word)) and word.casefold() in said


def _without(reason: str, text: str) -> str:
    folded = text.casefold()
    kept, at = "", 0
    while at < len(reason):
        end = at + _QUOTED
        if end > len(reason) or reason[at:end].casefold() not in folded:
            kept, at = kept + reason[at], at + 1
            continue
        while end < len(reason) and reason[at : end + 1].casefold() in folded:
            end += 1
        kept, at = kept + _CUT, end
    return kept


def _texts(message: ChatMessage) -> list[str]:
    texts = [str(message.get("content") or "")]
    for call in calls_in(message):
        texts += [json.dumps(each, ensure_ascii=False) for each in call.values()]
        texts += _leaves(dict(call))
    return sorted(filter(None, texts), key=len, reverse=True)


def _leaves(value: Any) -> list[str]:
    """The texts in JSON data."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, dict | list):
        return []
    inside = value.values() if isinstance(value, dict) else value
    return [text for each in inside for text in _leaves(each)]


def _length(message: ChatMessage) -> int:
    return len(str(message.get("content") or ""))
