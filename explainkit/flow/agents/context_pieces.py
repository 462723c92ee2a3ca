"""Pieces of context: what they are, where they land, and what lets them in."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from explainkit.errors import AgentError
from explainkit.flow.agents.callable_tools import NAME, Tool, as_tool
from explainkit.flow.agents.fitting_functions import require_takes, takes, takes_one
from explainkit.flow.agents.situations import Situation
from explainkit.safety import shorten

Slot: TypeAlias = Literal["system", "messages", "tools"]
_KINDS = {"system": "fact", "messages": "message", "tools": "tool description"}


@dataclass(frozen=True, slots=True)
class AtStart:
    """Lets a piece in before the first call of the model."""


@dataclass(frozen=True, slots=True)
class ByRule:
    """Lets a piece in before the first call of the model for which a function holds."""

    holds: Callable[[Situation], Any]
    name: str


@dataclass(frozen=True, slots=True)
class OnToolReturn:
    """Lets a piece in when a tool returned."""

    tool: str


@dataclass(frozen=True, slots=True)
class OnRequest:
    """Lets a piece in when the model asks for it."""


Trigger: TypeAlias = AtStart | ByRule | OnToolReturn | OnRequest


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of context; made by `piece`.

    Attributes:
        name: Its name.
        value: Its content, or a function that gives it when it is let in.
        slot: Where it lands.
        trigger: What lets it in.
        kind: The word of its record.
        source: Where it was born.
        description: For the model, when it can ask for the piece.
        tools: The tools of a piece in the slot `tools`.
    """

    name: str
    value: Any
    slot: Slot
    trigger: Trigger
    kind: str
    source: str | None
    description: str
    tools: tuple[Tool, ...] = ()

    async def content(self, situation: Situation) -> Any:
        """The content; a function is called, with the situation if it takes one.

        Raises:
            Exception: What the function raised.
        """
        if self.tools or not callable(self.value):
            return self.value
        given = self.value(situation) if self.takes_situation else self.value()
        return await given if inspect.isawaitable(given) else given

    @property
    def takes_situation(self) -> bool:
        """Whether the content is made by a function of the situation."""
        return not self.tools and callable(self.value) and takes_one(self.value)


def at_start() -> Trigger:
    """Let a piece in before the first call of the model; what a piece does unless told."""
    return AtStart()


def by_rule(holds: Callable[[Situation], Any], *, name: str | None = None) -> Trigger:
    """Let a piece in before the first call of the model for which a function holds.

    Args:
        holds: A function of the `Situation`; asked before each call until it holds.
        name: Its name in the record; that of the function when not given.

    Raises:
        AgentError: It is no function of one argument.
    """
    if not callable(holds):
        raise AgentError(f"by_rule({shorten(repr(holds), 80)}): give a function.")
    said = name or getattr(holds, "__name__", "rule")
    require_takes(holds, "situation", part=f"by_rule({shorten(str(said), 80)})")
    return ByRule(holds, str(name or getattr(holds, "__name__", "rule")))


def on_tool_return(tool: str) -> Trigger:
    """Let a piece in when a tool returned for the first time.

    Args:
        tool: The tool's name.
    """
    return OnToolReturn(tool)


def on_request() -> Trigger:
    """Offer a piece to the model as a tool without arguments; calling it lets the piece in."""
    return OnRequest()


def piece(
    name: str,
    value: Any,
    *,
    slot: Slot = "system",
    trigger: Trigger | None = None,
    kind: str | None = None,
    source: str | None = None,
    description: str | None = None,
) -> Piece:
    """A piece of context of an Agent.

    Args:
        name: Its name; one of letters, digits, _ and - when the model can ask for it.
        value: A text, anything else with a JSON form, or a function that gives it when the piece
            is let in, with the `Situation` if it takes an argument. In the slot `messages` also a
            message or a list of messages; in the slot `tools` a function, a tool, or a list.
        slot: `system`, `messages` (a user message unless the value says otherwise) or `tools`.
        trigger: What lets it in: `at_start()` unless told, `by_rule(fn)`, `on_tool_return(name)`
            or `on_request()`.
        kind: The word of its record, as for `ek.context`.
        source: Where it was born.
        description: What the model is told of a piece that it can ask for.

    Raises:
        AgentError: It cannot land; the message says why.

    Example:
        >>> piece("tariff", "No refund below 60 minutes.").trigger
        AtStart()
    """
    if slot not in _KINDS:
        raise AgentError(
            f'piece("{shorten(name, 80)}", slot={shorten(repr(slot), 40)}): '
            "the slots are system, messages and tools."
        )
    trigger = AtStart() if trigger is None else trigger
    if not isinstance(trigger, AtStart | ByRule | OnToolReturn | OnRequest):
        raise AgentError(
            f'piece("{shorten(name, 80)}", trigger={shorten(repr(trigger), 80)}): give at_start(), '
            "by_rule(fn), on_tool_return(name) or on_request()."
        )
    if isinstance(trigger, OnRequest) and not NAME.fullmatch(name):
        raise AgentError(
            f"piece({shorten(repr(name), 80)}): the model asks for it by this name, so it needs "
            "letters, digits, _ and -, at most 64."
        )
    tools: tuple[Tool, ...] = ()
    if slot == "tools":
        listed: Sequence[Any] = value if isinstance(value, list | tuple) else (value,)
        tools = tuple(_tool(each, name) for each in listed)
    elif callable(value) and not takes(value, 0):
        require_takes(value, "situation", part=f'piece("{shorten(name, 80)}", function)')
    told = description or f'Puts "{name}" into your context.'
    return Piece(name, value, slot, trigger, kind or _KINDS[slot], source, told, tools)


def _tool(given: Any, piece: str) -> Tool:
    try:
        return as_tool(given)
    except AgentError as problem:
        raise AgentError(f'piece("{shorten(piece, 80)}", slot="tools"): {problem}') from problem
