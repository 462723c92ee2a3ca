"""The tree of runners as text and as nested HTML lists, in words and shapes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explainkit.safety import Html, joined
from explainkit.view.composition_board import end_lines, end_panel, words_of_end
from explainkit.view.composition_rows import RowWords, hidden_words, row_words
from explainkit.view.composition_tree import Shown, ToldTree, shown_rows
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.words import counted, flat, status_words

if TYPE_CHECKING:
    from explainkit.store import Recording

LINES = 20
WIDTH = 110
MOST_ROWS = 120
"""Rows that the HTML shows; further ones are counted."""
DEEPEST = 12
"""Levels that text indents."""
_OPEN = "Open     .picture() · .to_frame() · .to_dot() · .to_svg() · run.ended_by · run.links"


def text_of_tree(recording: "Recording", tree: ToldTree) -> str:
    """The tree in at most twenty lines; what is folded is counted."""
    about = [] if tree.ending is None else end_lines(words_of_end(tree.ending), WIDTH)[:1]
    room = LINES - len(about) - 2
    shown = shown_rows(tree.rows, room)
    lines = [_title(tree), *_lines(recording, tree, shown), *about, _OPEN]
    return "\n".join(line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines)


def html_of_tree(recording: "Recording", tree: ToldTree) -> Html:
    """The tree as a nested list; nothing is laid out."""
    end = None if tree.ending is None else words_of_end(tree.ending)
    how = NOTEBOOK.make("code", "quote", "run.tree.picture()")
    return NOTEBOOK.make(
        "div",
        "board",
        NOTEBOOK.make("p", "kicker", NOTEBOOK.recorded(_title(tree), "note")),
        end_panel(NOTEBOOK, end),
        list_of_tree(NOTEBOOK, recording, tree),
        NOTEBOOK.make("p", "kicker", "The drawing: ", how),
    )


def list_of_tree(skin: Skin, recording: "Recording", tree: ToldTree) -> Html:
    """The rows as nested lists, deeper ones inside of those around them."""
    shown = shown_rows(tree.rows, MOST_ROWS)
    waiting = [_Open(-1, -1, joined(), [])]
    for at in shown.rows:
        row = tree.rows[at]
        _close(skin, waiting, row.depth, shown)
        waiting.append(_Open(row.depth, at, _item(skin, row_words(recording, tree, row)), []))
    _close(skin, waiting, 0, shown)
    return skin.make("ul", "list", *waiting[0].below, *_hidden(skin, shown, -1))


def _title(tree: ToldTree) -> str:
    rows = counted(len(tree.rows), "link")
    folded = sum(count for row in tree.rows for _, count in row.folded)
    more = f" and {folded:,} folded" if folded else ""
    return f"Tree of {flat(tree.name, 60)}: {status_words(tree.status)}; {rows}{more}"


def _lines(recording: "Recording", tree: ToldTree, shown: Shown) -> list[str]:
    lines: list[str] = []
    open_: list[int] = []

    def leave(depth: int) -> None:
        while open_ and tree.rows[open_[-1]].depth >= depth:
            _say_hidden(lines, tree, shown, open_.pop())

    for at in shown.rows:
        row = tree.rows[at]
        leave(row.depth)
        open_.append(at)
        lines.append(f"{'  ' * min(row.depth, DEEPEST)}{_line(row_words(recording, tree, row))}")
    leave(0)
    _say_hidden(lines, tree, shown, -1)
    return lines


def _say_hidden(lines: list[str], tree: ToldTree, shown: Shown, at: int) -> None:
    if at in shown.hidden:
        depth = tree.rows[at].depth + 1 if at >= 0 else 0
        lines.append(f"{'  ' * min(depth, DEEPEST)}{hidden_words(shown.hidden[at])}")


def _line(words: RowWords) -> str:
    notes = f" ({'; '.join(words.notes)})" if words.notes else ""
    answer = f" → {words.answer}" if words.answer else ""
    return f"{words.shape} {words.what}: {words.end}{notes}{answer}"


def _item(skin: Skin, words: RowWords) -> Html:
    role = {"■": "failed", "▲": "failed"}.get(words.shape, "text")
    parts: list[Html | str] = [
        words.shape,
        " ",
        skin.recorded(words.what, "name"),
        ": ",
        skin.recorded(words.end, role),
    ]
    if words.notes:
        parts += [" ", skin.recorded("; ".join(words.notes), "note")]
    if words.answer:
        parts += [" → ", skin.recorded(words.answer, "quote")]
    return joined(*parts)


@dataclass(slots=True)
class _Open:
    """A list item that still takes items below it."""

    depth: int
    at: int
    words: Html
    below: list[Html]


def _close(skin: Skin, waiting: list[_Open], depth: int, shown: Shown) -> None:
    while waiting[-1].depth >= depth:
        done = waiting.pop()
        inside = [*done.below, *_hidden(skin, shown, done.at)]
        below = [skin.make("ul", "list", *inside)] if inside else []
        waiting[-1].below.append(skin.make("li", "item", done.words, *below))


def _hidden(skin: Skin, shown: Shown, at: int) -> list[Html]:
    if at not in shown.hidden:
        return []
    return [skin.make("li", "item", skin.recorded(hidden_words(shown.hidden[at]), "note"))]
