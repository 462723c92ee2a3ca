"""Lines about what a walk did not look for further, so that no bound of a search is silent."""

from typing import Final

from explainkit.backtrack.naming import Names
from explainkit.graph.holding import PASSED, REPEATED, REPEATS
from explainkit.graph.selected_words import CHOSEN, SELECTED_PLACES

NOT_FURTHER: Final = "not looked for further: "
"""How every line about a bound of a search begins."""
_WHY: Final = {
    PASSED: "no source was found of words of {where}, and not every text that may hold them was "
    "searched",
    CHOSEN: "the selected words stand in many texts; the nearest one before {where} was chosen "
    f"among the first {SELECTED_PLACES}",
    REPEATED: f"words of {{where}} stand more than {REPEATS} times in one earlier text; {REPEATS} "
    "of those places were followed",
}


def bounds_told(names: Names, bounded: dict[str, list[int]]) -> tuple[str, ...]:
    """A line for each bound that the search for sources met, with where it did.

    Args:
        names: The run.
        bounded: For each bound the places whose sources were looked for.
    """
    return tuple(
        NOT_FURTHER + _WHY[bound].format(where=_where(names, nodes))
        for bound, nodes in sorted(bounded.items())
    )


def _where(names: Names, nodes: list[int]) -> str:
    distinct = sorted(set(nodes))
    more = len(distinct) - 1
    return names.label(distinct[0]) + (f" and {more:,} more places" if more else "")
