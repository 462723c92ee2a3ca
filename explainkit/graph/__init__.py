"""Records as a graph of evidence: places that hold values, and how values moved between them."""

from explainkit.graph.evidence import Evidence

__all__ = ["Evidence"]
