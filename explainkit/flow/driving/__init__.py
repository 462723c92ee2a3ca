"""Drives machines in an event loop: actors, timers, the journal, and the records."""

from typing import Any

from explainkit.flow.driving.beginning import begun, until_paused
from explainkit.flow.driving.comparing import Difference
from explainkit.flow.driving.journals import recording_of
from explainkit.flow.driving.machine_runs import MachineRun
from explainkit.flow.driving.open_gates import OpenGate
from explainkit.flow.driving.rehearsing import Replay, rehearsed
from explainkit.flow.statecharts import Machine

__all__ = ["Difference", "MachineRun", "OpenGate", "Replay", "begun", "replay_of", "until_paused"]


def replay_of(machine: Machine, run: Any, *, link: int | None = None) -> Replay:
    """Do a recorded run again without its actors; see `Machine.replay`."""
    return rehearsed(machine, recording_of(run), link)
