"""Which prompts are worth showing: those of the model calls that the walk leads through."""

from typing import TYPE_CHECKING

from explainkit.backtrack import prompt_of
from explainkit.backtrack.results import Prompt, Walk
from explainkit.errors import ExplainkitError

if TYPE_CHECKING:
    from explainkit.graph import Evidence
    from explainkit.view.chart import Chart

PROMPTS = 24
"""Prompts with origins in one page at most; other model calls show their plain inputs."""


def prompt_on_path(evidence: "Evidence", walk: Walk) -> Prompt | None:
    """What the model nearest the answer saw, else the last model of the run, else nothing.

    Args:
        evidence: The run.
        walk: A backtrack of it.
    """
    read = next((hop.source.seq for hop in walk.hops if hop.verb == "read"), None)
    return _prompt(evidence, read)


def prompts_of(evidence: "Evidence", chart: "Chart") -> list[Prompt]:
    """What the drawn model calls saw, those on the walked path first."""
    models = [node for node in chart.nodes if node.kind == "model"]
    chosen = sorted(models, key=lambda node: (not node.lit, -node.seq))[:PROMPTS]
    found = [_prompt(evidence, node.seq) for node in chosen]
    return [prompt for prompt in found if prompt is not None]


def _prompt(evidence: "Evidence", link: int | None) -> Prompt | None:
    try:
        return prompt_of(evidence, link)
    except (ExplainkitError, ValueError, LookupError):
        return None  # no model link, or a prompt that cannot be read: the board goes without
