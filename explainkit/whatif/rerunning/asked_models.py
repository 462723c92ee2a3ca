"""Asks a model that a user gives in the place of one that another tool recorded."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from explainkit.errors import RerunError
from explainkit.flow.models import Completion
from explainkit.tracing.links import link


def asked_model(model: Any, name: str, recorded: Any) -> Callable[..., Any]:
    """A function that asks a model as one recorded link.

    Args:
        model: Anything with `complete(prompt)`, or a function of the messages.
        name: The name of the recorded link.
        recorded: What it gave, whose form the new replies take.

    Raises:
        RerunError: It is no model.
    """
    complete = getattr(model, "complete", None)
    call = complete if callable(complete) else model
    if not callable(call):
        raise RerunError(
            f"model= takes a model with complete(prompt), or a function of the messages; got "
            f"{model!r:.60}."
        )
    exact = bool(getattr(model, "deterministic", False))

    @link(kind="model", name=name, deterministic=exact)
    async def ask(**inputs: Any) -> Any:
        prompt = inputs.get("messages", next(iter(inputs.values()), ""))
        reply = call(prompt)
        return _formed(await reply if inspect.isawaitable(reply) else reply, recorded)

    return ask


def _formed(reply: Any, recorded: Any) -> Any:
    """A reply in the form of the recorded one: a text, or a message."""
    text = reply.text or "" if isinstance(reply, Completion) else reply
    if isinstance(recorded, Mapping) and isinstance(text, str):
        kept = {key: each for key, each in recorded.items() if key != "tool_calls"}
        return {**kept, "content": text}
    return text
