"""Adds the edges of equal characters to a run's graph, each new stretch of text looked at once."""

from explainkit.graph.edges import EdgeTable
from explainkit.graph.evidence import Evidence as Run


def woven(run: Run) -> EdgeTable:
    """All data edges of a run."""
    return run.base
