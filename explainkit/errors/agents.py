"""Errors of Agents and of their tool calls."""

from explainkit.errors.family import ExplainkitError


class AgentFault(ExplainkitError, RuntimeError):  # noqa: N818 - it is the event `agent.fault`
    """An Agent's Turn cannot go on; the message is the reason, in plain words."""


class AgentError(ExplainkitError, ValueError):
    """An Agent is not well built; the message names the part and what it needs."""


class AgentStuckError(ExplainkitError, RuntimeError):
    """An Agent's model does nothing that leads on: useless calls, or no reply at all."""


class ToolCallError(ExplainkitError, RuntimeError):
    """A model's tool call was not made, ran out of time, or gave nothing that can be told."""
