"""Which question to ask next, as steps that a widget, a callable or an async loop can drive.

    inquiries     a search as a question, an answer, the next question, and at last a result
    outcomes      what a removed set did, and the sets asked so far
    planned_sizes how many sets a search counts as planned, so that its error rate holds
    minimal_sets  the smallest set whose removal flips the answer (ddmin)
    groups        several that flip together where removing everything does not
    likely_copies which contexts are likely to be copies
    orders        the order that the answer depends on
    roles         who is needed, who is a redundant copy, who has no part
    shapley       shares of the flip, exact
    slices        links and their inputs, and how an answer about one of them halves the rest
    bisection     the first link whose inputs are right and whose output is wrong

Nothing here runs anything or knows a run: links and items are whatever the caller names them by.
"""

from explainkit.whatif.searching.bisection import (
    Answer,
    Contradiction,
    FirstWrong,
    Question,
    first_wrong,
    read_answer,
)
from explainkit.whatif.searching.inquiries import Inquiry, drive, drive_async
from explainkit.whatif.searching.likely_copies import likely_sets
from explainkit.whatif.searching.minimal_sets import SmallestSet, smallest_set
from explainkit.whatif.searching.orders import FoundOrder, find_order
from explainkit.whatif.searching.outcomes import Outcome, outcome_of
from explainkit.whatif.searching.planned_sizes import planned_roles, planned_size
from explainkit.whatif.searching.roles import Roles, find_roles
from explainkit.whatif.searching.shapley import MOST_ITEMS, Share, shapley_shares

__all__ = [
    "MOST_ITEMS",
    "Answer",
    "Contradiction",
    "FirstWrong",
    "FoundOrder",
    "Inquiry",
    "Outcome",
    "Question",
    "Roles",
    "Share",
    "SmallestSet",
    "drive",
    "drive_async",
    "find_order",
    "find_roles",
    "first_wrong",
    "likely_sets",
    "outcome_of",
    "planned_roles",
    "planned_size",
    "read_answer",
    "shapley_shares",
    "smallest_set",
]
