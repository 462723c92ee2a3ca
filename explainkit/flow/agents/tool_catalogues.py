"""Looks at a catalogue of tools before any run: twins that a model cannot tell apart, and gaps."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.errors import AgentError
from explainkit.flow.agents.callable_tools import Tool, tool
from explainkit.flow.models import ToolSpec
from explainkit.flow.statecharts.event_definitions import EventDefinition
from explainkit.safety import shorten, visible
from explainkit.safety.described import repr_of
from explainkit.text.likeness import Pair, twins, words_of

if TYPE_CHECKING:
    from explainkit.flow.agents.runnable_agents import Agent


@dataclass(frozen=True, repr=False)
class ToolCatalogue:
    """What `check_tools` found.

    Attributes:
        names: The tools, in order.
        twins: Pairs with descriptions that are alike, with the words that they share.
        missing: Those without a description, or with one that says no more than the name.
        repeated: Names that stand more than once.
    """

    names: tuple[str, ...]
    twins: tuple[Pair, ...] = ()
    missing: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether nothing was found."""
        return not (self.twins or self.missing or self.repeated)

    def __str__(self) -> str:
        """What was found, line by line."""
        lines = [
            f"{_shown(pair.names[0])} and {_shown(pair.names[1])} are described alike: "
            f"{len(pair.shared)} of {pair.words} words are the same: "
            f"{_shown(', '.join(pair.shared))}. Say when to use which."
            for pair in self.twins
        ]
        lines += [f"{_shown(name)} has no description of its own." for name in self.missing]
        lines += [f"{_shown(name)} stands more than once." for name in self.repeated]
        count = f"{len(self.names)} tool{'' if len(self.names) == 1 else 's'}"
        return "\n".join(lines) or f"{count}: no twins, and each has a description."

    __repr__ = __str__


def check_tools(tools: "Sequence[Any] | Agent") -> ToolCatalogue:
    """Find tools that a model is likely to confuse, before any run.

    Two descriptions are twins when at least six in ten of their words are the same, little words
    and names left out. Only words are compared: that two are no twins proves nothing.

    Args:
        tools: Functions, tools, specs or event definitions; or an Agent, of which its tools, and
            the pieces that the model can ask for, are looked at.

    Raises:
        AgentError: One of them is none of these.

    Example:
        >>> def refund(order: str) -> str:
        ...     "Pay the fare of an order back."
        >>> def cancel(order: str) -> str:
        ...     "Pay an order back and cancel the fare."
        >>> found = check_tools([refund, cancel])
        >>> found.twins[0].names, found.twins[0].shared
        (('refund', 'cancel'), ('pay', 'fare', 'order', 'back'))
    """
    told = [_told(each) for each in _listed(tools)]
    counted = Counter(name for name, _ in told)
    described = {name: text for name, text in told if _says_more(name, text)}
    return ToolCatalogue(
        tuple(name for name, _ in told),
        tuple(twins(described)),
        tuple(name for name in counted if name not in described),
        tuple(name for name, count in counted.items() if count > 1),
    )


def _listed(given: Any) -> list[Any]:
    from explainkit.flow.agents.runnable_agents import Agent

    if isinstance(given, Agent):
        return given.offered
    if isinstance(given, Sequence) and not isinstance(given, str | bytes):
        return list(given)
    raise AgentError(
        f"check_tools({repr_of(given, limit=80).text}): give a list of tools, or an Agent."
    )


def _told(given: Any) -> tuple[str, str]:
    if isinstance(given, Tool):
        given = given.spec
    if isinstance(given, ToolSpec | EventDefinition):
        return given.name, given.description
    spec = tool(given).spec
    return spec.name, spec.description


def _says_more(name: str, text: str) -> bool:
    return not set(words_of(text)) <= set(words_of(name))


def _shown(text: str) -> str:
    return visible(shorten(text, 200))
