"""Suspects as they print: a row each, and still a tuple to go through."""

from explainkit.backtrack.results import Suspect
from explainkit.safety import visible
from explainkit.session.showing import guarded
from explainkit.view.words import flat

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
    words = [flat(visible(each.word), _WIDTH) for each in suspect.reasons[:_REASONS]]
    more = len(suspect.reasons) - len(words)
    words += [f"and {more} more reason{'s' if more > 1 else ''}"] if more else []
    name = f"{flat(visible(suspect.actor), _WIDTH)} (record {suspect.seq})"
    return f"{suspect.rank}{tied}. {name}: {'; '.join(words)}"
