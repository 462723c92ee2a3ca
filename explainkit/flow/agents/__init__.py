"""Agents: a model with tools and context whose runs end in an answer or on a verdict."""

from explainkit.flow.agents.admissions import Admit, Deny, Middleware, admit, deny
from explainkit.flow.agents.callable_tools import Tool, ask_person, tool
from explainkit.flow.agents.context_pieces import (
    Piece,
    at_start,
    by_rule,
    on_request,
    on_tool_return,
    piece,
)
from explainkit.flow.agents.conversations import Chat
from explainkit.flow.agents.policies import Allow, Halt, Policy, allow, halt
from explainkit.flow.agents.reliability import (
    Attempt,
    Rule,
    after_call,
    before_call,
    fail_fast,
    fall_back,
    go_on,
    retry,
)
from explainkit.flow.agents.runnable_agents import Agent
from explainkit.flow.agents.situations import Situation
from explainkit.flow.agents.streamed_runs import Streamed
from explainkit.flow.agents.tool_catalogues import ToolCatalogue, check_tools

__all__ = [
    "Admit",
    "Agent",
    "Allow",
    "Attempt",
    "Chat",
    "Deny",
    "Halt",
    "Middleware",
    "Piece",
    "Policy",
    "Rule",
    "Situation",
    "Streamed",
    "Tool",
    "ToolCatalogue",
    "admit",
    "after_call",
    "allow",
    "ask_person",
    "at_start",
    "before_call",
    "by_rule",
    "check_tools",
    "deny",
    "fail_fast",
    "fall_back",
    "go_on",
    "halt",
    "on_request",
    "on_tool_return",
    "piece",
    "retry",
    "tool",
]
