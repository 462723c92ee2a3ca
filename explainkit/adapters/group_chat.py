"""Messages of a group chat, where the speaker stands in the name or inside the role."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explainkit.adapters.dialects.chat import chat_turn
from explainkit.adapters.turns import Role, Turn

_ROLE = re.compile(r"^(?P<actor>.*?)\s*\((?P<aside>[^()]*)\)\s*$", re.DOTALL)
_ASIDE = re.compile(r"\S \((?:->|thought|termination)")
_PEOPLE = {"human", "user"}


def group_turns(history: Sequence[Any], skip: list[tuple[int, str]]) -> tuple[Turn, ...]:
    """Read a history.

    Args:
        history: The messages as written.
        skip: Receives (position, reason) of what is no message.

    Example:
        >>> group_turns([{"role": "Orchestrator (-> WebSurfer)", "content": "Go"}], [])[0].actor
        'Orchestrator'
    """
    turns = []
    for index, item in enumerate(history):
        if not isinstance(item, dict):
            kind = "null" if item is None else f"a {type(item).__name__}"
            skip.append((index, f"not a message but {kind}"))
            continue
        turn = chat_turn(item, item, index)
        actor = turn.actor or speaker(turn.said_role)
        turns.append(replace(turn, role=_role(turn, actor), actor=actor))
    return tuple(turns)


def speaker(role: str) -> str | None:
    """The speaker that a role names, without what stands in brackets behind it.

    Example:
        >>> speaker("Orchestrator (thought)")
        'Orchestrator'
    """
    found = _ROLE.match(role)
    return (found["actor"] if found else role.strip()) or None


def is_group_chat(items: Sequence[Any]) -> bool:
    """Whether a bare list of messages is a talk of several named speakers.

    Example:
        >>> is_group_chat([{"role": "Planner (thought)", "content": "Ask Bo."}])
        True
        >>> is_group_chat([{"role": "user", "content": "hi"}])
        False
    """
    messages = [item for item in items if isinstance(item, dict) and "content" in item]
    if not messages or len(messages) < len(items) or any("tool_calls" in m for m in messages):
        return False
    roles = [message.get("role") for message in messages]
    if any(isinstance(role, str) and _ASIDE.search(role) for role in roles):
        return True
    names = {name for m in messages if isinstance(name := m.get("name"), str) and name}
    return len(names) > 1 and all(isinstance(m.get("name"), str) for m in messages)


def is_terminal(actor: str | None) -> bool:
    """Whether a speaker only executes code."""
    return actor is not None and "terminal" in actor.lower()


def _role(turn: Turn, actor: str | None) -> Role:
    if turn.results:
        return "tool" if not is_terminal(actor) else turn.role
    if actor is None or actor.lower() in _PEOPLE:
        return "user"
    if turn.role == "system":
        return "system"
    return "tool" if is_terminal(actor) else "model"
