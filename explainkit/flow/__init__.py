"""Things that run: statecharts with Agents, effects and gates; names load when first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explainkit.flow.actors import ScriptedAgent, agent
    from explainkit.flow.actors.commands import command
    from explainkit.flow.actors.failing import fail
    from explainkit.flow.actors.functions import python
    from explainkit.flow.actors.gates import gate
    from explainkit.flow.actors.outcomes import Exited, NotRun, TimedOut
    from explainkit.flow.actors.protocols import Read, Receipt, Turn
    from explainkit.flow.clocks import ManualClock, SystemClock
    from explainkit.flow.driving import MachineRun, OpenGate, Replay
    from explainkit.flow.outcomes import (
        Answered,
        Cancelled,
        Exhausted,
        Failed,
        Outcome,
        Paused,
        Refused,
    )
    from explainkit.flow.statecharts import (
        NO_ANSWER,
        Machine,
        Output,
        Sent,
        after,
        always,
        answer,
        assign,
        define_event,
        final,
        history,
        invoke,
        machine,
        raise_,
        state,
        to,
    )
    from explainkit.flow.workspaces import workspace

_HOMES = {
    "explainkit.flow.actors": ("ScriptedAgent", "agent"),
    "explainkit.flow.actors.commands": ("command",),
    "explainkit.flow.actors.failing": ("fail",),
    "explainkit.flow.actors.functions": ("python",),
    "explainkit.flow.actors.gates": ("gate",),
    "explainkit.flow.actors.outcomes": ("Exited", "NotRun", "TimedOut"),
    "explainkit.flow.actors.protocols": ("Read", "Receipt", "Turn"),
    "explainkit.flow.clocks": ("ManualClock", "SystemClock"),
    "explainkit.flow.driving": ("MachineRun", "OpenGate", "Replay"),
    "explainkit.flow.outcomes": (
        "Answered",
        "Cancelled",
        "Exhausted",
        "Failed",
        "Outcome",
        "Paused",
        "Refused",
    ),
    "explainkit.flow.statecharts": (
        "NO_ANSWER",
        "Machine",
        "Output",
        "Sent",
        "after",
        "always",
        "answer",
        "assign",
        "define_event",
        "final",
        "history",
        "invoke",
        "machine",
        "raise_",
        "state",
        "to",
    ),
    "explainkit.flow.workspaces": ("workspace",),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"explainkit.flow has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "NO_ANSWER",
    "Answered",
    "Cancelled",
    "Exhausted",
    "Exited",
    "Failed",
    "Machine",
    "MachineRun",
    "ManualClock",
    "NotRun",
    "OpenGate",
    "Outcome",
    "Output",
    "Paused",
    "Read",
    "Receipt",
    "Refused",
    "Replay",
    "ScriptedAgent",
    "Sent",
    "SystemClock",
    "TimedOut",
    "Turn",
    "after",
    "agent",
    "always",
    "answer",
    "assign",
    "command",
    "define_event",
    "fail",
    "final",
    "gate",
    "history",
    "invoke",
    "machine",
    "python",
    "raise_",
    "state",
    "to",
    "workspace",
]
