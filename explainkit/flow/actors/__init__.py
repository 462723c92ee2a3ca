"""Things that a machine starts: Agents, effects and gates."""

from explainkit.flow.actors.building_agents import agent
from explainkit.flow.actors.scripted_agents import ScriptedAgent

__all__ = ["ScriptedAgent", "agent"]
