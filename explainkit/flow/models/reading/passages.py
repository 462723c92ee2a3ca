"""The prompt cut into sentences that keep their place, because a reading names what it used.

A cut depends on the two sentences that meet there only, so taking a sentence out leaves all the
others as they were. Two rules see to that: what no white space parts stays together, and the
number of a list item stands by itself.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from explainkit.flow.models.vocabulary import Message
from explainkit.text.sentence_bounds import sentences

_ITEM = re.compile(r"(?:\d{1,3}|[A-Za-z])[.)](?=\s)")
_LINE_END = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One sentence of the prompt.

    Attributes:
        start: Its first character in `prompt_text(prompt)`.
        end: Its end there.
        text: Its characters.
        role: Role of the message that holds it.
        message: Index of that message.
        line: Passages of one message with the same number stand on one line.
    """

    start: int
    end: int
    text: str
    role: str
    message: int
    line: int


def passages_of(messages: Sequence[Message], *, whole: Collection[int] = ()) -> list[Passage]:
    """Cut messages into passages, in order; those in `whole`, by index, stay in one piece."""
    found: list[Passage] = []
    offset = 0
    for index, message in enumerate(messages):
        text = message.content
        spans = [(0, len(text))] if index in whole else sentence_spans(text)
        found.extend(_placed(message, index, offset, spans))
        offset += len(text) + 1
    return found


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Give the ranges of the sentences of a text, such that each can be taken out alone."""
    joined: list[tuple[int, int]] = []
    for start, end in sentences(text):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return [span for start, end in joined for span in _without_item(text, start, end)]


def _without_item(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while (item := _ITEM.match(text, start, end)) and text[item.end() : end].strip():
        yield start, item.end()
        start = end - len(text[item.end() : end].lstrip())
    yield start, end


def _placed(
    message: Message, index: int, offset: int, spans: Iterable[tuple[int, int]]
) -> Iterator[Passage]:
    text, line, last = message.content, 0, 0
    for start, end in spans:
        line += _LINE_END.search(text, last, start) is not None
        last = end
        yield Passage(
            start=offset + start,
            end=offset + end,
            text=text[start:end],
            role=message.role,
            message=index,
            line=line,
        )
