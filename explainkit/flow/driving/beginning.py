"""Begins a machine, or goes on where a journal, a checkpoint or a recorded run ends."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from explainkit.errors import ResumeError
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
from explainkit.flow.driving.places import Place
from explainkit.flow.driving.rehearsing import rehearsed
from explainkit.flow.outcomes import Failed
from explainkit.flow.statecharts import Machine
from explainkit.store.reader import Recording


def begun(
    machine: Machine,
    input: Any = None,  # noqa: A002 - the word of every runner
    *,
    resume: Any = None,
    to: str | PathLike[str] | None = None,
    clock: Clock | None = None,
    folder: Path | None = None,
    pausing: bool = False,
    keeps: bool = False,
) -> MachineRun:
    """Begin a machine, or resume one; see `Machine.begin`."""
    journal = Journal(input) if resume is None else _journal(machine, resume)
    journal.keeps = pausing or keeps
    settings: dict[str, Any] = {"to": to, "resumes": journal.resumes}
    if clock is not None:
        settings["clock"] = clock.now
    home = Home(frame_here(to), name=machine.id, **settings)
    try:
        return MachineRun(
            machine, Place(home), journal=journal, clock=clock, folder=folder, pausing=pausing
        )
    except Exception as error:
        home.close(Failed(error))
        raise


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
