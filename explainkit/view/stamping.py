"""Puts what was measured on a board: each tested suspect carries its stamp, counted anew."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import MissingExtraError
from explainkit.view.board import Board, Stamp, SuspectCard
from explainkit.view.explorer.causes.offered import Offered
from explainkit.view.explorer.causes.together import said_together
from explainkit.view.words import counted
from explainkit.whatif.families import families_of, members_of
from explainkit.whatif.statistics import Judgement, judge_all

if TYPE_CHECKING:
    from explainkit.backtrack.results import Walk
    from explainkit.store import Recording

STAMPS: Final = 3
"""Stamps of one suspect that are shown, the last ones; further ones are counted."""
OTHERS: Final = 6
"""Stamps of what is no suspect that are shown, the last ones; further ones are counted."""
_CHANGES: Final = 3
Found = tuple[Stamp, frozenset[int]]


def stamped(board: Board, recording: "Recording", walk: "Walk") -> Board:
    """A board with the findings of its answer, as they count now beside all others.

    Args:
        board: What was composed of the walk.
        recording: The run with its notes.
        walk: The walk.
    """
    found = sorted(_stamps(recording, walk), key=lambda each: -each[0].seq)
    cards = tuple(_carded(card, found) for card in board.suspects)
    shown = {card.seq for card in cards}
    others = [stamp for stamp, targets in found if not targets & shown]
    folded = {name: count for name, count in board.folded.items() if name != "measured"}
    if len(others) > OTHERS:
        folded["measured"] = len(others) - OTHERS
    return replace(board, suspects=cards, measured=tuple(others[:OTHERS]), folded=folded)


def _carded(card: SuspectCard, found: list[Found]) -> SuspectCard:
    mine = tuple(stamp for stamp, targets in found if card.seq in targets)
    return replace(card, stamps=mine[:STAMPS], stamps_more=max(0, len(mine) - STAMPS))


def _stamps(recording: "Recording", walk: "Walk") -> Iterator[Found]:
    offered = Offered(recording)
    for family in families_of(recording):
        if (family.slot, family.version) != (walk.slot, walk.version):
            continue
        members = members_of(recording, family)
        words = {row["seq"]: str(row.get("word")) for row in recording.rows("finding")}
        try:
            judged = [*judge_all([each.measurement for each in members])]
        except MissingExtraError:  # a display asks for nothing to be installed
            judged = []
        for at, member in enumerate(members):
            said, more = said_together(member.interventions, offered, _CHANGES)
            told = "; ".join(said) + (f" and {counted(more, 'more change')}" if more else "")
            word, numbers, rates = _words(judged[at] if judged else None, words[member.seq])
            yield (
                Stamp(member.seq, word, numbers, rates, told, family.judge),
                _targets(member.interventions),
            )


def _words(judged: Judgement | None, said: str) -> tuple[str, str, str]:
    """The word, what follows it, and how far the rate of flips may lie."""
    if judged is None:
        return said, ", as it was found; with scipy it is counted beside the others", ""
    rates = ""
    if judged.has_rates and not judged.deterministic:
        low, high = judged.interval
        rates = f"flips in {low:.0%} to {high:.0%} of re-runs with the change (Wilson, 95 %)"
    return judged.word, str(judged)[len(judged.word) :], rates


def _targets(told: tuple[Mapping[str, Any], ...]) -> frozenset[int]:
    return frozenset(each["seq"] for each in told if isinstance(each.get("seq"), int))
