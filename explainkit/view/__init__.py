"""Screens: pure functions from a recording and what was found in it to text, HTML and tables."""
