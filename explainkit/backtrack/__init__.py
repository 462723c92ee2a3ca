"""Backtracking: from words of an answer to the exact context, as plain results."""

from explainkit.backtrack.walking import walk

__all__ = ["walk"]
