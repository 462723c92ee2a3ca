"""The record of the run that is open here, or nothing where none is."""

from explainkit.flow.agents.step_records import Ledger, Unrecorded
from explainkit.flow.driving.homes import frame_here


def ledger_here() -> Ledger:
    """What writes links below the one that is open in this context."""
    frame = frame_here()
    return Unrecorded() if frame is None else Ledger(frame, slot="answer")
