"""The parts of a story: a sentence with its records, and what happened before it is a sentence."""

from collections.abc import Callable
from dataclasses import dataclass

LONGEST = 900
"""Code points of a sentence."""
QUIET, ROUTINE, TELLING, NOTABLE = 0, 1, 2, 3
"""How much a happening matters: the least ones are told together when not all can be told."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a story.

    Attributes:
        seq: The records that it is told from, ascending.
        text: The sentence.
        kind: What it tells of: ``start``, ``context``, ``left out``, ``link``, ``event``,
            ``pick``, ``step``, ``decision``, ``answer``, ``override``, ``verdict``, ``note``,
            ``finding``, ``unknown``, ``several``, ``end``, ``origin`` or ``missing``.
        folded: How many happenings it only counts; each is told by ``of(seq)``.
    """

    seq: tuple[int, ...]
    text: str
    kind: str
    folded: int = 0


@dataclass(frozen=True, slots=True)
class Manner:
    """How happenings that are alike are told together.

    Attributes:
        key: Equal for those that are alike.
        times: Tells how often, such as ``the model “ask” was asked 5 times``.
        listed: Begins a list of neighbours, given their number; None when they are not listed.
        kin: Of a step among others: its kind, its name, and what was done with it, such as
            ``("tool", "calculate", "were called")``.
        gathered: Those of one round are told together, also where others stand between them.
    """

    key: tuple[str, ...]
    times: Callable[[int], str]
    listed: Callable[[int], str] | None = None
    kin: tuple[str, str, str] | None = None
    gathered: bool = False


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened.

    Attributes:
        kind: As in ``Sentence``.
        seq: Its records, ascending.
        manner: How it is told with others.
        tell: Its sentence by itself, without a full stop; values are read only when it is called.
        entry: Its entry in a list of neighbours; of a step, what came of it.
        weight: How much it matters.
        order: Its rank among neighbours that are listed; those are in order of time without it.
        outcome: How it came out; neighbours of one outcome are listed together.
        within: Smaller steps that led to it, which it is told for.
    """

    kind: str
    seq: tuple[int, ...]
    manner: Manner
    tell: Callable[[], str]
    entry: Callable[[], str] | None = None
    weight: int = ROUTINE
    order: tuple[int, ...] = ()
    outcome: str = ""
    within: int = 0


def finished(text: str) -> str:
    """A sentence with its first letter and its full stop.

    Example:
        >>> finished("the model said “Yes.”"), finished("it ended")
        ('The model said “Yes.”', 'It ended.')
    """
    whole = text[:1].upper() + text[1:]
    if len(whole) > LONGEST:
        return f"{whole[: LONGEST - 1]}…"
    return whole if whole.rstrip("”")[-1:] in {".", "!", "?"} else f"{whole}."
