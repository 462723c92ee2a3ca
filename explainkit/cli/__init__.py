"""The shell command, for people who were sent a file and have no notebook open."""

from explainkit.cli.entry import main

__all__ = ["main"]
