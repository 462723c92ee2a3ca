"""Things that a machine starts: Agents, effects and gates."""

from explainkit.flow.actors.building_agents import agent
from explainkit.flow.actors.commands import Command, command
from explainkit.flow.actors.failing import Fail, fail
from explainkit.flow.actors.functions import PythonEffect, python
from explainkit.flow.actors.gates import Gate, OpenGate, gate
from explainkit.flow.actors.outcomes import Exited, NotRun, Outcome, TimedOut
from explainkit.flow.actors.scripted_agents import ScriptedAgent

__all__ = [
    "Command",
    "Exited",
    "Fail",
    "Gate",
    "NotRun",
    "OpenGate",
    "Outcome",
    "PythonEffect",
    "ScriptedAgent",
    "TimedOut",
    "agent",
    "command",
    "fail",
    "gate",
    "python",
]
