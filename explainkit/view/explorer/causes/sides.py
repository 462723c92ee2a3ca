"""Two runs side by side as plain JSON, with the records of the first one to go to."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from explainkit.view.changes import differing
from explainkit.view.explorer.pieces import Json, line_of, pieces_of
from explainkit.view.whatif.compared import called, headline_of, how_words
from explainkit.view.words import counted
from explainkit.whatif.cut_lists import cut

if TYPE_CHECKING:
    from explainkit.backtrack.comparing import Compared, LinkPair

Named = Callable[[int | None, str], str]
"""Gives the name of a record in a panel, from the record and its recorded name."""
TEXT: Final = 1_200
ROWS: Final = 30


def sides_told(found: "Compared", named: Named = lambda _, name: name) -> Json:
    """A recorded run beside its re-run.

    Args:
        found: The comparison, the recorded run first.
        named: The name of a record of the first run by which calls of one name are told apart.
    """
    same = sum(each.same_inputs and each.same_output for each in found.pairs)
    parted = found.divergence
    contexts, more_contexts = cut(found.contexts, ROWS)
    answers, more_answers = cut([each for each in found.answers if not each.same], ROWS)
    fields, more_fields = cut(found.fields, ROWS)
    records, more_records = cut(found.records, ROWS)
    return {
        "headline": line_of(headline_of(found), 400),
        "counts": f"{counted(same, 'link')} the same, {len(found.pairs) - same:,} not; "
        f"the {called(found, 0)} {found.statuses[0]}, the {called(found, 1)} {found.statuses[1]}",
        "parted": None
        if parted is None
        else {
            "seq": parted.pair.a,
            "name": line_of(_name(parted.pair, named), 120),
            "given": _beside(*parted.given),
            "gave": _beside(*parted.outputs),
        },
        "contexts": [
            {
                "seq": each.a,
                "name": line_of(each.name, 120),
                "how": how_words(found, each.how),
                "sides": _beside(each.before, each.after),
            }
            for each in contexts
        ],
        "answers": [
            {"slot": line_of(each.slot, 80), "sides": _beside(each.before, each.after)}
            for each in answers
        ],
        "fields": [
            {"name": line_of(each.name, 120), "sides": _beside(each.before, each.after)}
            for each in fields
        ],
        "records": [
            {
                "seq": each.seq if each.side == "a" else None,
                "side": called(found, each.side == "b"),
                "words": line_of(each.words, 300),
            }
            for each in records
        ],
        "more": more_contexts + more_answers + more_fields + more_records,
    }


def _name(pair: "LinkPair", named: Named) -> str:
    return " ".join(dict.fromkeys((pair.type, named(pair.a, pair.name))))


def _beside(before: str, after: str) -> list[list[list[object]]]:
    old, new = differing(before, after, limit=TEXT)
    return [pieces_of(old), pieces_of(new)]
