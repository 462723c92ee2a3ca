"""The story and the times of a run as folded lists, read in a notebook without a kernel."""

from typing import Final

from explainkit.safety import Html, joined
from explainkit.view import panels
from explainkit.view.composition_words import took_words
from explainkit.view.explorer.pieces import Json
from explainkit.view.skin import NOTEBOOK
from explainkit.view.story.lists import records_words
from explainkit.view.words import counted

TIMES: Final = 24
"""Lines of times; links beyond them are summed."""
SENTENCES: Final = 40
"""Sentences of a story; further ones are counted."""


def story_kept(story: Json) -> Html:
    """The sentences of a story, each with its records; nothing without any.

    Args:
        story: What the explorer answers for it.
    """
    sentences = story["sentences"]
    rows = [_sentence(each) for each in sentences[:SENTENCES]]
    return panels.section(NOTEBOOK, "The story", rows, len(sentences) - len(rows))


def times_kept(timeline: Json) -> Html:
    """When links began and how long they took, as lines; nothing where no times were recorded.

    Args:
        timeline: What the explorer answers for it, asked for `TIMES` bars.
    """
    bars = timeline["bars"]
    if not bars:
        return joined()
    note = f" ({timeline['note']})" if timeline["note"] else ""
    return NOTEBOOK.make(
        "details",
        "details",
        NOTEBOOK.make("summary", "summary", f"Times, from the first beginning on{note}"),
        NOTEBOOK.make("ul", "list", *(_bar(each) for each in bars)),
    )


def _sentence(sentence: Json) -> Html:
    records = f" ({records_words(sentence['seq'])})" if sentence["seq"] else ""
    return NOTEBOOK.make(
        "li",
        "item",
        NOTEBOOK.recorded(sentence["text"]),
        NOTEBOOK.make("span", "note", records),
    )


def _bar(bar: Json) -> Html:
    seconds = (bar["end"] - bar["begin"]) / 1e9
    lasted = f"for {took_words(seconds)}" + (", no end" if bar["open"] else "")
    first = " ".join(dict.fromkeys((bar["word"], bar["label"])))
    what = first if bar["count"] == 1 else f"{counted(bar['count'], 'link')}, the first is {first}"
    return NOTEBOOK.make(
        "li",
        "item",
        NOTEBOOK.make("span", "label", f"after {took_words(bar['begin'] / 1e9)}, {lasted}: "),
        NOTEBOOK.recorded(what, "name"),
        NOTEBOOK.make("span", "note", f" (record {bar['seq']})"),
    )
