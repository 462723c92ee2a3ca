"""Measuring one suspect: how often the answer flips with the change and without it."""

from explainkit.whatif.measuring.budgets import Budget, Spent
from explainkit.whatif.measuring.jobs import Job, Outcome
from explainkit.whatif.measuring.loops import AT_ONCE, measure, measure_async, submitted
from explainkit.whatif.measuring.other_code import told_of_mended
from explainkit.whatif.measuring.raised_errors import raised_in
from explainkit.whatif.measuring.trials import Trial
from explainkit.whatif.measuring.undeclared_parts import why_repeated

__all__ = [
    "AT_ONCE",
    "Budget",
    "Job",
    "Outcome",
    "Spent",
    "Trial",
    "measure",
    "measure_async",
    "raised_in",
    "submitted",
    "told_of_mended",
    "why_repeated",
]
