"""Begins a machine, or goes on where a journal, a checkpoint or a recorded run ends."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from explainkit.errors import RefusedError, ResumeError
from explainkit.flow.clocks import Clock
from explainkit.flow.driving.homes import Home, frame_here
from explainkit.flow.driving.journals import (
    Journal,
    journal_of_checkpoint,
    journal_of_recording,
    machine_link,
    recorded_inside,
    recording_of,
)
from explainkit.flow.driving.machine_runs import MachineRun
from explainkit.flow.driving.open_gates import OpenGate
from explainkit.flow.driving.places import Place
from explainkit.flow.driving.rehearsing import rehearsed
from explainkit.flow.handing import HAND
from explainkit.flow.outcomes import Failed, Outcome
from explainkit.flow.statecharts import Machine
from explainkit.safety import shorten
from explainkit.store.reader import Recording
from explainkit.tracing.own_runs import Again


def begun(
    machine: Machine,
    input: Any = None,  # noqa: A002 - the word of every runner
    *,
    resume: Any = None,
    to: str | PathLike[str] | None = None,
    clock: Clock | None = None,
    folder: Path | None = None,
    keeps: bool = False,
) -> MachineRun:
    """Begin a machine, or resume one; see `Machine.begin`."""
    hand = HAND.get()
    HAND.set(None)  # it is said to this machine, not to its actors
    journal = Journal(input) if resume is None else _journal(machine, resume)
    journal.keeps = keeps
    settings: dict[str, Any] = {"to": to, "resumes": journal.resumes}
    if clock is not None:
        settings["clock"] = clock.now
    here = frame_here(to)
    if here is None:
        where = {"clock": clock, "folder": folder}
        settings["again"] = Again(
            machine.outcome,
            (input,),
            where if resume is None else {**where, "resume": resume},
            told=machine.outcome_again if resume is None else None,
        )
    home = Home(here, name=machine.id, **settings)
    try:
        return MachineRun(
            machine, Place(home, hand=hand), journal=journal, clock=clock, folder=folder
        )
    except Exception as error:
        home.close(Failed(error))
        raise


async def until_paused(running: MachineRun, answered: Any = None) -> Outcome[Any]:
    """Wait for the end of a machine; one that only waits for Gates is `Paused`.

    Args:
        running: The machine.
        answered: What somebody answers at a Gate first, `{"event", "payload", "gate"}`.

    Raises:
        RefusedError: No Gate takes the answer.
    """
    try:
        if answered is not None:
            await _answer(running, answered)
        running.pause_at_gates()
        return await running.outcome()
    except RefusedError:
        running.cancel()
        await running.outcome()
        raise


async def _answer(running: MachineRun, answered: Any) -> None:
    told = answered if isinstance(answered, Mapping) else {}
    event = told.get("event")
    if not isinstance(event, str) or not set(told) <= {"event", "payload", "gate"}:
        raise RefusedError(
            f"{shorten(repr(answered), 120)} is no answer at a Gate. Give "
            '{"event": "approve", "payload": {...}}, and "gate" where several take the event.'
        )
    while (gate := _taking(running, told.get("gate"), event)) is None:
        if running.waits_for_gates or running.over:
            open_now = [f"{name} ({_names(each)})" for name, each in running.gates.items()]
            raise RefusedError(
                f'No Gate takes "{shorten(event, 80)}". Open: '
                f"{shorten(', '.join(open_now) or 'none', 300)}."
            )
        await running.change()
    gate.send(event, told.get("payload"))


def _taking(running: MachineRun, name: Any, event: str) -> OpenGate | None:
    """The open Gate of a name, or of several the first that takes an event."""
    for key, gate in running.gates.items():
        if name in (None, key) and any(event == each.name for each in gate.accepts):
            return gate
    return None


def _names(gate: OpenGate) -> str:
    return ", ".join(each.name for each in gate.accepts)


def _journal(machine: Machine, resume: Any) -> Journal:
    if isinstance(resume, Journal):
        return resume
    if isinstance(resume, Mapping):
        return journal_of_checkpoint(machine, resume)
    recording = recording_of(resume)
    _check(machine, recording, machine_link(recording)["seq"])
    return journal_of_recording(machine, recording)


def _check(machine: Machine, recording: Recording, link: int) -> None:
    """Refuse a run that, done again, leads elsewhere, and machines inside of it that do."""
    replay = rehearsed(machine, recording, link)
    if replay.difference is not None:
        raise ResumeError(
            f'The run "{recording.name[:80]}" cannot be resumed, because doing it again leads '
            f"elsewhere: {replay.difference}. A guard, an action or an answer has changed since."
        )
    for inside in recorded_inside(machine, recording, link):
        _check(inside.machine, recording, inside.link)
