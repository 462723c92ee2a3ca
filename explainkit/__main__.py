"""Lets `python -m explainkit` stand in where the script is not installed."""

from explainkit.cli.entry import main

main()
