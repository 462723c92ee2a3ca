"""The weakest grade on the path of a walk in words, so that exposure is not read as value."""

from typing import Final

from explainkit.backtrack.results import Grade, Walk
from explainkit.view.words import weakest

CLAIMS: Final[dict[Grade, str]] = {
    "exposure": "what was in an input could have mattered, and nothing shows that it did",
    "order": "what came before, which shows nothing",
}
"""What a path says that neither characters nor wiring hold together."""


def with_weakest(headline: str, walk: Walk) -> str:
    """A headline that says how weak the path below it is, where it goes beyond characters.

    Args:
        headline: What was found, with the grade of the sources that it names.
        walk: The walk.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     _ = ek.answer(ek.context("note", "We pay back half of the fare."))
        >>> with_weakest("Found.", run.backtrack().walk)
        'Found.'
    """
    grade = weakest(hop.grade for hop in walk.hops) if walk.hops else "declared"
    if grade not in CLAIMS:
        return headline
    return f"{headline} The weakest grade on the path shown is {grade}: {CLAIMS[grade]}."
