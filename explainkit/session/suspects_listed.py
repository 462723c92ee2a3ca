"""Suspects as they print: a row each, and still a tuple to go through."""

from explainkit.backtrack.results import Suspect
from explainkit.safety import visible
from explainkit.session.showing import guarded
from explainkit.view.words import flat
from explainkit.whatif.cut_lists import cut

_REASONS = 2
_WIDTH = 120


class Suspects(tuple[Suspect, ...]):
    """Rows of a shortlist, the first suspect first.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     _ = ek.answer(ek.context("note", "We pay back half of the fare."))
        >>> print(run.backtrack().shortlist(3))
        1. note (record 2): introduced words of the answer: 'We pay back half of the fare.'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return guarded(
            lambda: "\n".join(map(_row, self)) or "No suspects.", "<explainkit suspects>"
        )

    def __repr__(self) -> str:
        return str(self)


def _row(suspect: Suspect) -> str:
    tied = f", tied with {suspect.tied - 1}" if suspect.tied > 1 else ""
    reasons, left = cut(suspect.reasons, _REASONS)
    words = [flat(visible(each.word), _WIDTH) for each in reasons]
    words += [f"and {left} more reasons"] if left else []
    name = f"{flat(visible(suspect.actor), _WIDTH)} (record {suspect.seq})"
    return f"{suspect.rank}{tied}. {name}: {'; '.join(words)}"
