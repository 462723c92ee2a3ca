"""A story as text and as static HTML, each sentence with the records that it is told from."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from explainkit.safety import Html, shorten
from explainkit.view.skin import NOTEBOOK, Skin, parted
from explainkit.view.story.composing import ToldStory
from explainkit.view.story.sentences import LONGEST, Sentence
from explainkit.view.words import counted, flat

LINES: Final = 20
WIDTH: Final = 110
ROWS: Final = 200
"""Sentences that the HTML shows; further ones are counted."""
_OPEN = "Open     print(story) · story.of(seq) · run.story(full=True) · story.to_frame()"


def text_of_story(name: str, told: ToldStory) -> str:
    """The story in at most twenty lines: whole if it fits, else a line for each sentence."""
    room = LINES - 2
    wrapped = [line for each in told.sentences for line in _wrapped(each)]
    if len(wrapped) > room:
        shown = told.sentences if len(told.sentences) <= room else told.sentences[: room - 1]
        wrapped = [_cut(each.text) for each in shown]
        rest = len(told.sentences) - len(shown)
        wrapped += [f"… {counted(rest, 'more sentence')}"] if rest else []
    return "\n".join([_cut(title_of(name, told)), *wrapped, _OPEN])


def title_of(name: str, told: ToldStory) -> str:
    """What is told, and how much of it is only counted."""
    folded = told.folded
    rest = f"; {counted(folded, 'happening')} only counted" if folded else ""
    return f"Story of {flat(name, 60)}: {counted(len(told.sentences), 'sentence')}{rest}"


def html_of_story(name: str, told: ToldStory) -> Html:
    """The story as an ordered list, for a notebook."""
    how = NOTEBOOK.make("code", "quote", "story.of(seq)")
    return NOTEBOOK.make(
        "div",
        "board",
        NOTEBOOK.make("p", "kicker", NOTEBOOK.recorded(title_of(name, told), "note")),
        list_of_story(NOTEBOOK, told.sentences),
        NOTEBOOK.make("p", "kicker", "What is told from one record: ", how),
    )


def list_of_story(skin: Skin, sentences: Sequence[Sentence]) -> Html:
    """The sentences as a list; in the page each points at its first record."""
    rows = [_item(skin, each) for each in sentences[:ROWS]]
    rest = len(sentences) - ROWS
    if rest > 0:
        rows.append(skin.make("li", "item", f"… {counted(rest, 'more sentence')}"))
    return skin.make("ol", "list", *rows)


def _item(skin: Skin, sentence: Sentence) -> Html:
    text = skin.make("code", "text", *parted(shorten(sentence.text, LONGEST + 8)))
    records = skin.make("span", "note", f" ({records_words(sentence.seq)})")
    first = sentence.seq[0] if sentence.seq else None
    return skin.make("li", "item", text, *([records] if sentence.seq else []), seq=first)


def records_words(seq: Sequence[int]) -> str:
    """The records of a sentence in a few words.

    Example:
        >>> records_words([4]), records_words([4, 7]), records_words(range(4, 40))
        ('record 4', 'records 4, 7', '36 records from 4 to 39')
    """
    if len(seq) > 4:
        return f"{len(seq):,} records from {seq[0]} to {seq[-1]}"
    return f"{'record' if len(seq) == 1 else 'records'} {', '.join(map(str, seq))}"


def _wrapped(sentence: Sentence) -> Iterator[str]:
    yield from textwrap.wrap(sentence.text, WIDTH, subsequent_indent="    ") or [""]


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
