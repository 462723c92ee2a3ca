"""Backtracking: from words of an answer to the exact context, as plain results."""
