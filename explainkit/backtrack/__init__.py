"""Backtracking: from words of an answer to the exact context, as plain results."""

from explainkit.backtrack.exporting import to_json
from explainkit.backtrack.prompts import prompt_of
from explainkit.backtrack.ranking import bounds_of_shortlist, shortlist
from explainkit.backtrack.reaching import LaterPlaces, chop, forward
from explainkit.backtrack.walking import walk

__all__ = [
    "LaterPlaces",
    "bounds_of_shortlist",
    "chop",
    "forward",
    "prompt_of",
    "shortlist",
    "to_json",
    "walk",
]
