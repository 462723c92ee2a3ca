"""Picks of Agents: pure data and functions between the core of statecharts and what drives it."""

from explainkit.flow.picks.advancing import advance, begin
from explainkit.flow.picks.delivering import delivered
from explainkit.flow.picks.inputs import (
    Declined,
    Dropped,
    Due,
    Errored,
    ErrorFacts,
    Faulted,
    Finished,
    GateSent,
    Input,
    Picked,
    Told,
)
from explainkit.flow.picks.standings import Advanced, Answered, OpenPick, SetAnswer, Standing

__all__ = [
    "Advanced",
    "Answered",
    "Declined",
    "Dropped",
    "Due",
    "ErrorFacts",
    "Errored",
    "Faulted",
    "Finished",
    "GateSent",
    "Input",
    "OpenPick",
    "Picked",
    "SetAnswer",
    "Standing",
    "Told",
    "advance",
    "begin",
    "delivered",
]
