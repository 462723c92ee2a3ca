"""Statecharts with the order of xstate v5: charts as data, and a core that is a pure function."""

from explainkit.flow.statecharts.builders import (
    after,
    always,
    assign,
    final,
    history,
    raise_,
    state,
    to,
)
from explainkit.flow.statecharts.definitions import After, Always, Arrow, Definition
from explainkit.flow.statecharts.machines import Machine
from explainkit.flow.statecharts.nodes import ActionUse, Transition
from explainkit.flow.statecharts.roots import machine
from explainkit.flow.statecharts.snapshots import (
    Microstep,
    Snapshot,
    StartTimer,
    Steps,
    StopTimer,
)
from explainkit.flow.statecharts.stepping import start, step
from explainkit.flow.statecharts.vocabulary import Args, Assign, Event, Raise

__all__ = [
    "ActionUse",
    "After",
    "Always",
    "Args",
    "Arrow",
    "Assign",
    "Definition",
    "Event",
    "Machine",
    "Microstep",
    "Raise",
    "Snapshot",
    "StartTimer",
    "Steps",
    "StopTimer",
    "Transition",
    "after",
    "always",
    "assign",
    "final",
    "history",
    "machine",
    "raise_",
    "start",
    "state",
    "step",
    "to",
]
