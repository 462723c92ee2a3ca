"""Lets `python -m explainkit.cli` stand in where the script is not installed."""

from explainkit.cli.entry import main

main()
