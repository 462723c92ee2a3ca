"""A recorded run of a machine done again in memory, and where it first differs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from explainkit.flow.clocks import SystemClock
from explainkit.flow.driving.comparing import Difference, first_difference, machine_lines
from explainkit.flow.driving.homes import Home
from explainkit.flow.driving.journals import journal_of_recording, machine_link
from explainkit.flow.driving.places import Place
from explainkit.flow.driving.replaying import replayed
from explainkit.flow.picks import Standing
from explainkit.flow.statecharts import Machine
from explainkit.store import MemorySink
from explainkit.store.reader import Recording
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import Frame
from explainkit.tracing.recorder import Recorder

_ENDS = {"done": "answered", "error": "error"}


@dataclass(frozen=True, slots=True)
class Replay:
    """What doing a recorded run again gave.

    Attributes:
        standing: Where the machine then stands.
        records: How many of the machine's records were compared.
        difference: Where the replay first differs; None when it equals the record.
    """

    standing: Standing
    records: int
    difference: Difference | None

    def __repr__(self) -> str:
        if self.difference is None:
            return f"Replay(equal, {self.records} records compared)"
        return f"Replay(differs: {self.difference})"

    @property
    def equal(self) -> bool:
        """Whether every record of the machine came again, byte for byte."""
        return self.difference is None


def rehearsed(machine: Machine, recording: Recording, link: int | None) -> Replay:
    """Do a recorded run again without calling any actor, and compare every record.

    Args:
        machine: The machine.
        recording: The run.
        link: Which machine of it; the first one when not given.

    Raises:
        ResumeError: It holds no such machine, another chart, or something not recorded whole.
    """
    opened = machine_link(recording, link)["seq"]
    journal = journal_of_recording(machine, recording, opened)
    sink = MemorySink(run="replay", name=machine.id)
    active = ActiveRun(Recorder(sink, run="replay"), name=machine.id)
    active.recorder.append("run_started", run="replay", name=machine.id)
    place = Place(Home(Frame(active), name=machine.id))
    place.open(machine, journal, SystemClock())
    found = replayed(machine, journal, place)
    active.recorder.flush()
    again = Recording.of_lines(sink.lines(), running=True)
    recorded = machine_lines(recording, opened)
    lines = machine_lines(again, machine_link(again)["seq"])
    end = _end(recording, opened)
    difference = first_difference(recorded, lines, ended=end is not None)
    if difference is None and end is not None:
        difference = _other_end(found.standing, end, active.recorder, len(lines))
    return Replay(found.standing, min(len(recorded), len(lines)), difference)


def _end(recording: Recording, opened: int) -> Mapping[str, Any] | None:
    return next((row for row in recording.rows("link_closed") if row["link"] == opened), None)


def _other_end(
    standing: Standing, end: Mapping[str, Any], recorder: Recorder, index: int
) -> Difference | None:
    """What a machine is over with is no record that follows from an input: it is compared apart."""
    # A verdict is a fault whose cause only those know who were there.
    status = "error" if end["status"] == "verdict" else end["status"]
    recorded = {"status": status}
    replayed = {"status": _ENDS.get(standing.snapshot.status, status)}
    if end["status"] == "answered":
        recorded["output"] = end.get("output")
        replayed["output"] = recorder.value(standing.snapshot.output)
    if recorded == replayed:
        return None
    return Difference(index, orjson.dumps(recorded), orjson.dumps(replayed), end["seq"])
