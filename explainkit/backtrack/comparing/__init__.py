"""Two runs side by side: which links match, where they part, and what else differs."""

from explainkit.backtrack.comparing.compared import (
    AnswerChange,
    Compared,
    ContextChange,
    Divergence,
    FieldChange,
    LinkPair,
    RecordChange,
)
from explainkit.backtrack.comparing.runs import compare

__all__ = [
    "AnswerChange",
    "Compared",
    "ContextChange",
    "Divergence",
    "FieldChange",
    "LinkPair",
    "RecordChange",
    "compare",
]
