"""A machine's step, so that a run can be drawn on its chart."""

from typing import Literal

from explainkit.records.base import RecordBase, Seq


class Transition(RecordBase):
    """One macrostep of a machine.

    Attributes:
        machine: ``seq`` of the machine's link.
        event: Name of the event that was taken.
        exited: State ids left, in order.
        entered: State ids entered, in order.
        configuration: Active state ids after the step.
    """

    kind: Literal["transition"] = "transition"
    machine: Seq | None = None
    event: str
    exited: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()
    configuration: tuple[str, ...] = ()
