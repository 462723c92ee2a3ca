"""Runs a machine again: what came from outside is told again, once nobody in it works."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explainkit.errors import RefusedError
from explainkit.flow.clocks import Clock
from explainkit.flow.driving.beginning import begun
from explainkit.flow.driving.machine_runs import MachineRun
from explainkit.flow.outcomes import Outcome
from explainkit.flow.statecharts import Machine


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event that came from outside of a machine.

    Attributes:
        event: Its name.
        payload: What came with it.
        gate: The Gate that it was sent to; None when it was told to the machine.
    """

    event: str
    payload: Any
    gate: str | None = None


async def repeated(
    machine: Machine,
    input: Any,  # noqa: A002 - the word of every runner
    arrivals: Sequence[Arrival],
    *,
    clock: Clock | None = None,
    folder: Path | None = None,
) -> Outcome[Any]:
    """Run a machine and tell it what it was told before.

    An event that it does not accept any more is the end of that: it went another way.

    Args:
        machine: The machine.
        input: Its input.
        arrivals: The events, in the order in which they came.
        clock: Tells the time and waits.
        folder: Where effects work.
    """
    running = begun(machine, input, clock=clock, folder=folder, keeps=True)
    for each in arrivals:
        if not await _told(running, each):
            break
    running.pause_at_gates()
    return await running.outcome()


async def _told(running: MachineRun, arrival: Arrival) -> bool:
    while not running.over:
        if not running.is_idle:
            await running.change()
            continue
        try:
            if arrival.gate is None:
                running.send(arrival.event, arrival.payload)
            else:
                running.gates[arrival.gate].send(arrival.event, arrival.payload)
        except (RefusedError, KeyError):
            return False
        return True
    return False
