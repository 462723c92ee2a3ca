"""Drives machines in an event loop: actors, timers, the journal, and the records."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from explainkit.errors import ResumeError
from explainkit.flow.clocks import Clock
from explainkit.flow.driving.comparing import Difference
from explainkit.flow.driving.journals import (
    Journal,
    journal_of_checkpoint,
    journal_of_recording,
)
from explainkit.flow.driving.machine_runs import MachineRun
from explainkit.flow.driving.open_gates import OpenGate
from explainkit.flow.driving.places import Place
from explainkit.flow.driving.rehearsing import Replay, rehearsed
from explainkit.flow.statecharts import Machine
from explainkit.store.reader import Recording
from explainkit.tracing.current import current_frame

__all__ = ["Difference", "MachineRun", "OpenGate", "Replay", "begun", "replay_of"]


def begun(
    machine: Machine,
    input: Any = None,  # noqa: A002 - the word of every runner
    *,
    resume: Any = None,
    to: str | PathLike[str] | None = None,
    clock: Clock | None = None,
    folder: Path | None = None,
    pausing: bool = False,
) -> MachineRun:
    """Begin a machine, or resume one; see `Machine.begin`."""
    journal = Journal(input) if resume is None else _journal(machine, resume)
    journal.keeps = pausing
    settings: dict[str, Any] = {"to": to, "resumes": journal.resumes}
    if clock is not None:
        settings["clock"] = clock.now
    place = Place(current_frame(), name=machine.id, **settings)
    try:
        return MachineRun(
            machine, place, journal=journal, clock=clock, folder=folder, pausing=pausing
        )
    except Exception as error:
        place.abandon(error)
        raise


def replay_of(machine: Machine, run: Any, *, link: int | None = None) -> Replay:
    """Do a recorded run again without its actors; see `Machine.replay`."""
    return rehearsed(machine, _recording(run), link)


def _journal(machine: Machine, resume: Any) -> Journal:
    if isinstance(resume, Mapping):
        return journal_of_checkpoint(machine, resume)
    recording = _recording(resume)
    replay = rehearsed(machine, recording, None)
    if replay.difference is not None:
        raise ResumeError(
            f'The run "{recording.name[:80]}" cannot be resumed, because doing it again leads '
            f"elsewhere: {replay.difference}. A guard, an action or an answer has changed since."
        )
    return journal_of_recording(machine, recording)


def _recording(run: Any) -> Recording:
    if isinstance(run, Recording):
        return run
    if isinstance(run, str | PathLike):
        return Recording.read(run)
    found = getattr(run, "recording", None)
    if isinstance(found, Recording):
        return found
    raise ResumeError(
        f"{type(run).__name__} is nothing that holds a run. Give a checkpoint, the path of a run "
        "file, or what ek.load(path) gives."
    )
