"""Statecharts with the order of xstate v5: charts as data, and a core that is a pure function."""

from explainkit.flow.statecharts.builders import (
    after,
    always,
    assign,
    final,
    history,
    invoke,
    raise_,
    state,
    to,
)
from explainkit.flow.statecharts.chains import (
    NO_ANSWER,
    Answer,
    AnswerArgs,
    ChainLink,
    Output,
    Sent,
    answer,
)
from explainkit.flow.statecharts.definitions import After, Always, Arrow, Definition, Invoke
from explainkit.flow.statecharts.event_definitions import EventDefinition, define_event
from explainkit.flow.statecharts.machines import Machine
from explainkit.flow.statecharts.nodes import ActionUse, Transition
from explainkit.flow.statecharts.roots import machine
from explainkit.flow.statecharts.snapshots import (
    LiveActor,
    Microstep,
    Said,
    Snapshot,
    StartTimer,
    Steps,
    StopTimer,
)
from explainkit.flow.statecharts.stepping import start, step
from explainkit.flow.statecharts.vocabulary import Args, Assign, Event, Raise

__all__ = [
    "NO_ANSWER",
    "ActionUse",
    "After",
    "Always",
    "Answer",
    "AnswerArgs",
    "Args",
    "Arrow",
    "Assign",
    "ChainLink",
    "Definition",
    "Event",
    "EventDefinition",
    "Invoke",
    "LiveActor",
    "Machine",
    "Microstep",
    "Output",
    "Raise",
    "Said",
    "Sent",
    "Snapshot",
    "StartTimer",
    "Steps",
    "StopTimer",
    "Transition",
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
    "start",
    "state",
    "step",
    "to",
]
