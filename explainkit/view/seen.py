"""Which prompts are worth showing: those of the model calls that the walk leads through."""

from typing import TYPE_CHECKING

from explainkit.backtrack import prompt_of
from explainkit.backtrack.results import Prompt, Walk
from explainkit.errors import ExplainkitError

if TYPE_CHECKING:
    from explainkit.graph import Evidence


def prompt_on_path(evidence: "Evidence", walk: Walk) -> Prompt | None:
    """What the model nearest the answer saw, else the last model of the run, else nothing.

    Args:
        evidence: The run.
        walk: A backtrack of it.
    """
    read = next((hop.source.seq for hop in walk.hops if hop.verb == "read"), None)
    return _prompt(evidence, read)


def _prompt(evidence: "Evidence", link: int | None) -> Prompt | None:
    try:
        return prompt_of(evidence, link)
    except (ExplainkitError, ValueError, LookupError):
        return None  # no model link, or a prompt that cannot be read: the board goes without
