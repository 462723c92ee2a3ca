"""Compositions: runners made of runners, each of which nests in each."""

from explainkit.flow.compositions.conditionals import Conditional, When, when
from explainkit.flow.compositions.level_graphs import LevelGraph, graph
from explainkit.flow.compositions.loops import Loop
from explainkit.flow.compositions.parallels import Branch, Parallel, branch
from explainkit.flow.compositions.patterns import map_reduce, router, self_consistency
from explainkit.flow.compositions.sequences import Sequence, to_message
from explainkit.flow.compositions.typed_steps import TypedStep, Workflow, step, workflow

__all__ = [
    "Branch",
    "Conditional",
    "LevelGraph",
    "Loop",
    "Parallel",
    "Sequence",
    "TypedStep",
    "When",
    "Workflow",
    "branch",
    "graph",
    "map_reduce",
    "router",
    "self_consistency",
    "step",
    "to_message",
    "when",
    "workflow",
]
