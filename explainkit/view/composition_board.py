"""What a run without an answer ended on, on its board: where, through whom, and what to do."""

import textwrap
from typing import TYPE_CHECKING

from explainkit.safety import Html, joined
from explainkit.view.board import EndWords
from explainkit.view.composition_ends import Ending, ending_of
from explainkit.view.composition_links import RUNNERS, ToldLink
from explainkit.view.composition_words import SHAPES
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.words import counted, flat

if TYPE_CHECKING:
    from explainkit.store import Recording

MESSAGE = 400
BRANCHES = 8
STEPS = 12
"""Steps of a path that are shown; of a longer one, the first and the last."""


def ended(recording: "Recording") -> EndWords | None:
    """What a run ended on, in words; None when it answered, or goes on."""
    ending = ending_of(recording)
    return None if ending is None else words_of_end(ending)


def words_of_end(ending: Ending) -> EndWords:
    """Put an end in words."""
    branches = [_branch(each) for each in ending.branches[:BRANCHES]]
    more = len(ending.branches) - len(branches) + ending.folded
    return EndWords(
        title=title_of(ending),
        message=flat(ending.message, MESSAGE),
        where=_where(ending),
        path=path_words(ending.path),
        carried=_carried(ending),
        branches=(*branches, *([f"… {counted(more, 'more end')}"] if more > 0 else ())),
        todo=ending.todo,
        seq=None if ending.link is None else ending.link.seq,
    )


def title_of(ending: Ending) -> str:
    """`Ended on policy-halt`, with its shape."""
    words = {
        "paused": "Paused",
        "unanswered": "Ends on a message that nobody answered",
        "exhausted": "Ended on a used-up budget",
        "cancelled": "Cancelled",
        "crashed": "The record stops without an end",
    }
    shape = SHAPES.get(ending.kind, "?")
    return f"{shape} {words.get(ending.kind, f'Ended on {flat(ending.word, 60)}')}"


def headline_of(end: EndWords) -> str:
    """The end in one sentence: `No answer: ended on policy-halt in agent desk`."""
    what = end.title.partition(" ")[2]
    return f"No answer: {what[:1].lower()}{what[1:]} {end.where}".rstrip() + "."


def path_words(path: tuple[str, ...]) -> str:
    """A path on one line; nothing for one of a single step."""
    if len(path) < 2:
        return ""
    steps = [flat(each, 60) for each in path]
    if len(steps) > STEPS:
        left_out = len(steps) - STEPS + 1
        steps = [*steps[: STEPS // 2], f"… {left_out} more …", *steps[1 - STEPS // 2 :]]
    return " > ".join(steps)


def link_words(link: ToldLink) -> str:
    """A link by type, name and number."""
    return f"{flat(link.kind, 30)} {flat(link.name, 60)} (link {link.seq})"


def end_lines(end: EndWords, width: int) -> list[str]:
    """The end as lines of text."""
    message = f": {end.message}" if end.message else ""
    fields = [("Path", end.path), ("Where", end.where), ("Raised", end.carried)]
    fields += [("Branch", each) for each in end.branches]
    fields.append(("Do", end.todo))
    lines = _wrapped(f"{end.title}{message}", width)
    for name, text in fields:
        if text:
            lines += _wrapped(f"{name:<8} {text}", width)
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    """At most two lines; what is cut shows as an ellipsis."""
    rows = textwrap.wrap(text, width, subsequent_indent=" " * 9) or [""]
    return rows if len(rows) <= 2 else [rows[0], f"{rows[1][: width - 1]}…"]


def end_panel(skin: Skin, end: EndWords | None) -> Html:
    """The end as a card; nothing for a run that answered."""
    if end is None:
        return joined()
    rows = [("Where", end.where), ("Path", end.path), ("Raised", end.carried)]
    told = [
        skin.make("div", "line", skin.make("span", "label", f"{word}: "), skin.recorded(said))
        for word, said in rows
        if said
    ]
    branches = [skin.make("li", "item", skin.recorded(each)) for each in end.branches]
    parts = [skin.make("div", "line", skin.recorded(end.title, "failed"))]
    if end.message:
        parts.append(skin.make("div", "line", skin.recorded(end.message)))
    parts += told
    if branches:
        parts.append(skin.make("ul", "list", *branches))
    if end.todo:
        label = skin.make("span", "label", "What to do: ")
        parts.append(skin.make("div", "line", label, end.todo))
    return skin.make("div", "card", *parts, seq=end.seq)


def html_of_end(end: EndWords) -> Html:
    """The end by itself, for a notebook."""
    return NOTEBOOK.make("div", "board", end_panel(NOTEBOOK, end))


def _where(ending: Ending) -> str:
    if ending.kind == "unanswered" or (ending.kind == "crashed" and ending.link is None):
        return ""  # nobody recorded where
    if ending.link is None:
        at = f", at {', '.join(flat(each, 120) for each in ending.lines)}" if ending.lines else ""
        return f"in the code around all links{at}"
    when = f", {ending.phase}" if ending.phase else ""
    return f"in {link_words(ending.link)}{when}"


def _carried(ending: Ending) -> str:
    names = [link_words(each) for each in ending.carriers]
    if len(names) > STEPS:
        names = [*names[:3], f"… {len(names) - 4} more …", names[-1]]
    by = f"handed on by {', '.join(names)}" if names else ""
    outermost = ending.carriers[-1] if ending.carriers else ending.link
    ours = outermost is not None and outermost.kind in RUNNERS
    word = "run() raises" if ours else "raised as"
    raises = f"{word} {flat(ending.raised, 60)}" if ending.raised else ""
    return "; ".join(each for each in (by, raises) if each)


def _branch(ending: Ending) -> str:
    shape = SHAPES.get(ending.kind, "?")
    word = flat(ending.word, 60)
    message = f": {flat(ending.message, 160)}" if ending.message else ""
    return f"{shape} {word}, {_where(ending)}{message}"
