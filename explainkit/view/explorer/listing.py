"""What ran in what, and the ladders of answer items, as plain JSON rows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from explainkit.errors import UnknownRecordError
from explainkit.safety import shorten
from explainkit.view.composition_drawing import drawn_rows
from explainkit.view.composition_tree import ToldTree
from explainkit.view.explorer.pieces import Json, line_of
from explainkit.view.ladder_rungs import Ladder, Rung
from explainkit.view.story import ToldStory
from explainkit.view.words import counted, flat, status_words

if TYPE_CHECKING:
    from explainkit.store import Recording

RUNGS: Final = 200
SENTENCES: Final = 200
SENTENCE: Final = 1_200


def story_as_json(story: ToldStory, alias: Mapping[int, int]) -> Json:
    """The sentences of a story, each with the records that it is told from.

    Args:
        story: The sentences.
        alias: The record under which another one is shown: of the end of a link its beginning.
    """
    shown = story.sentences[:SENTENCES]
    more = len(story.sentences) - len(shown)
    return {
        "sentences": [
            {
                "seq": list(dict.fromkeys(alias.get(seq, seq) for seq in each.seq))[:RUNGS],
                "text": line_of(each.text, SENTENCE),
                "kind": each.kind,
                "folded": each.folded,
            }
            for each in shown
        ],
        "folded": story.folded,
        "note": f"{counted(more, 'more sentence')} not listed" if more else "",
    }


def tree_told(recording: "Recording", tree: ToldTree, labels: Mapping[int, str]) -> Json:
    """The tree of runners; what does not fit is counted in rows of its own.

    Args:
        recording: The run.
        tree: What the records tell.
        labels: The names of records by which other panels tell calls of one name apart.
    """
    rows = drawn_rows(recording, tree)
    return {
        "name": flat(tree.name, 80),
        "status": status_words(tree.status),
        "total": len(tree.rows),
        "rows": [
            {
                "seq": tree.rows[row.number].link.seq if row.number >= 0 else None,
                "depth": row.depth,
                "shape": row.shape,
                "what": line_of(row.what + _which(tree, row.number, labels), 200),
                "end": line_of(row.end, 400),
                "on_path": row.on_path,
            }
            for row in rows
        ],
    }


def _which(tree: ToldTree, number: int, labels: Mapping[int, str]) -> str:
    """Which call of its name a row is, such as `` #2``; empty where the name says it."""
    if number < 0:
        return ""
    link = tree.rows[number].link
    label = labels.get(link.seq, "")
    return label[len(link.name) :] if label.startswith(f"{link.name} #") else ""


def ladder_told(ladders: Sequence[Ladder], item: int | str) -> Json:
    """The history of an item.

    Args:
        ladders: Those of the run.
        item: Its place among them, or its id.

    Raises:
        UnknownRecordError: There is no such item.
    """
    number = item if isinstance(item, int) else _numbered(ladders, item)
    if not 0 <= number < len(ladders):
        raise UnknownRecordError(
            f"There is no answer item {shorten(str(item), 60)!r}: "
            f"the run has {counted(len(ladders), 'item')}."
        )
    ladder = ladders[number]
    rungs = [_rung(each) for each in ladder.rungs[:RUNGS]]
    more = len(ladder.rungs) - len(rungs)
    return {
        "item": number,
        "name": flat(ladder.item, 100),
        "flow": ladder.flow,
        "slot": None if ladder.slot is None else line_of(ladder.slot, 200),
        "status": flat(ladder.status, 40),
        "reason": flat(ladder.reason, 300),
        "rungs": rungs,
        "note": f"{counted(more, 'more rung')} not listed" if more else "",
    }


def _numbered(ladders: Sequence[Ladder], item: str) -> int:
    return next((number for number, each in enumerate(ladders) if each.item == item), -1)


def _rung(rung: Rung) -> Json:
    return {
        "what": flat(rung.what, 40),
        "text": flat(rung.text, 300),
        "status": flat(rung.status, 40),
        "round": rung.round,
        "version": rung.version,
        "seq": rung.seq if rung.seq >= 0 else None,
    }
