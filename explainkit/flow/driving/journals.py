"""What has happened to a machine, input by input: enough to stand where it stood.

A run's own records are its journal. A checkpoint is the same as plain JSON.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from os import PathLike
from typing import Any, NamedTuple

import orjson

from explainkit.errors import ResumeError
from explainkit.flow.picks import (
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
from explainkit.flow.statecharts import Machine
from explainkit.flow.statecharts.drifting import drift
from explainkit.safety import shorten
from explainkit.safety.encoding import decode, encode
from explainkit.store.reader import Recording

_KINDS = {kind.__name__: kind for kind in (Declined, Dropped, Due, Faulted, GateSent, Picked, Told)}
_FORM = "explainkit machine checkpoint 1"


class Entry(NamedTuple):
    """One input of a journal.

    Attributes:
        at: When it came, nanoseconds since the epoch.
        happened: The input.
    """

    at: int
    happened: Input


class Inside(NamedTuple):
    """A machine that lives inside of another.

    Attributes:
        actor: Key of its actor.
        journal: What has happened to it.
    """

    actor: str
    journal: "Journal"


@dataclass(slots=True)
class Journal:
    """A machine's input and what has happened since.

    Attributes:
        input: The machine's input.
        at: When it began; None when it has not.
        entries: What has happened, in order.
        resumes: Id of the run that it continues.
        keeps: Whether what happens from now on is kept too, for a checkpoint.
        inner: Journals of the machines that live inside of it, by the session of their actor.
    """

    input: Any = None
    at: int | None = None
    entries: list[Entry] = field(default_factory=list)
    resumes: str | None = None
    keeps: bool = False
    inner: dict[int, "Inside"] = field(default_factory=dict)

    def append(self, at: int, happened: Input) -> None:
        """Keep an input, if a checkpoint may be asked for."""
        if self.keeps:
            self.entries.append(Entry(at, happened))


def checkpoint_of(machine: Machine, journal: Journal, *, run: str) -> dict[str, Any]:
    """Where a machine stands, as plain JSON.

    Args:
        machine: The machine.
        journal: What has happened.
        run: Id of the run that it was recorded in.

    Raises:
        ResumeError: Something that happened cannot be kept whole.
    """
    return {
        "form": _FORM,
        "machine": machine.id,
        "run": run,
        "fingerprint": machine.fingerprint,
        "chart": machine.doc(),
        "at": journal.at,
        "input": _kept(journal.input, "the input"),
        "journal": [{"at": at, **_written(machine, happened)} for at, happened in journal.entries],
        "inner": [
            {
                "session": session,
                "actor": key,
                "checkpoint": checkpoint_of(machine.actors[key], own, run=run),
            }
            for session, (key, own) in sorted(journal.inner.items())
        ],
    }


def journal_of_checkpoint(machine: Machine, checkpoint: Mapping[str, Any]) -> Journal:
    """The journal that a checkpoint holds.

    Raises:
        ResumeError: It is no checkpoint, or of another machine.
    """
    if checkpoint.get("form") != _FORM:
        raise ResumeError(
            f"{shorten(repr(checkpoint), 80)} is no checkpoint of a machine. Give back what "
            "`Paused.checkpoint` holds."
        )
    same_machine(machine, checkpoint["machine"], checkpoint["fingerprint"], checkpoint["chart"])
    try:
        entries = [Entry(each["at"], _read(machine, each)) for each in checkpoint["journal"]]
        given = _object(checkpoint["input"])
        inner = {
            each["session"]: Inside(
                each["actor"],
                journal_of_checkpoint(machine.actors[each["actor"]], each["checkpoint"]),
            )
            for each in checkpoint["inner"]
        }
    except (KeyError, TypeError, ValueError) as problem:
        raise ResumeError(f"The checkpoint is damaged: {shorten(repr(problem), 120)}.") from problem
    return Journal(given, checkpoint["at"], entries, checkpoint.get("run"), inner=inner)


def machine_link(recording: Recording, link: int | None = None) -> dict[str, Any]:
    """The record that opened a machine: the first one, or that of a link.

    Raises:
        ResumeError: The run holds none.
    """
    for row in recording.rows("link_opened"):
        if row.get("type") == "machine" and link in (None, row["seq"]):
            return row
    what = "no machine" if link is None else f"no machine with the link {link}"
    raise ResumeError(f'The run "{shorten(recording.name, 80)}" holds {what}.')


def journal_of_recording(
    machine: Machine, recording: Recording, link: int | None = None
) -> Journal:
    """The journal that a recorded run holds.

    Raises:
        ResumeError: The run holds no machine, another one, or something was not recorded whole.
    """
    opened = machine_link(recording, link)
    attrs = opened.get("attrs") or {}
    chart = recording.values.object(attrs["chart"]) if "chart" in attrs else {}
    same_machine(machine, opened["name"], str(attrs.get("fingerprint")), chart)
    given = exact_value(recording, opened["inputs"][0]["value"], "the input")
    entries = list(_entries(machine, recording, opened["seq"]))
    inner = {
        each.session: Inside(each.actor, journal_of_recording(each.machine, recording, each.link))
        for each in recorded_inside(machine, recording, opened["seq"])
    }
    return Journal(given, opened["at"], entries, recording.run, inner=inner)


def same_machine(machine: Machine, name: str, fingerprint: str, chart: Any) -> None:
    """Refuse a journal of another chart.

    Raises:
        ResumeError: The machine has drifted; says how.
    """
    if fingerprint == machine.fingerprint:
        return
    found = drift(chart, machine) if isinstance(chart, Mapping) and chart else []
    told = "; ".join(found[:5]) or "the charts differ"
    raise ResumeError(
        f'The run of "{shorten(str(name), 80)}" was recorded with another chart than that of '
        f'"{shorten(machine.id, 80)}": {shorten(told, 600)}. It can be read, not resumed. '
        "Resume it with the machine that it was recorded with."
    )


class RecordedInside(NamedTuple):
    """A machine that was at work inside of another when its record ended.

    Attributes:
        session: Session of its actor.
        actor: Key of its actor.
        machine: The machine.
        link: Its own link.
    """

    session: int
    actor: str
    machine: Machine
    link: int


def recorded_inside(machine: Machine, recording: Recording, link: int) -> list[RecordedInside]:
    """The machines that were at work inside of another when its record ended."""
    working: dict[int, tuple[int, str, Machine]] = {}
    found: dict[int, RecordedInside] = {}
    for row in recording.rows("link_opened", "link_closed"):
        if row["kind"] == "link_closed":
            if row["status"] in ("answered", "error"):
                found.pop(row["link"], None)
            continue
        inside = machine.actors.get(row["name"])
        attrs = row.get("attrs") or {}
        if row.get("parent") == link and "session" in attrs and isinstance(inside, Machine):
            working[row["seq"]] = (attrs["session"], row["name"], inside)
        elif row.get("parent") in working and row.get("type") == "machine":
            found[row["parent"]] = RecordedInside(*working[row["parent"]], row["seq"])
    return list(found.values())


def _entries(machine: Machine, recording: Recording, link: int) -> Iterator[Entry]:
    actors: dict[int, tuple[int, str]] = {}
    agents: set[int] = set()
    for row in recording.rows("link_opened", "link_closed", "event"):
        if row["kind"] == "link_opened":
            attrs = row.get("attrs") or {}
            if row.get("parent") == link and "session" in attrs:
                actors[row["seq"]] = (attrs["session"], row["name"])
                if row["type"] == "agent":
                    agents.add(row["seq"])
        elif row["kind"] == "event":
            if row.get("machine") != link:
                continue
            if row.get("arrival"):
                yield Entry(row["at"], _event(recording, row, actors))
            elif row.get("parent") in agents:
                session, _ = actors[row["parent"]]
                yield Entry(row["at"], Declined(session, row["name"], row["refused"]))
        elif row["link"] in actors:
            session, src = actors[row["link"]]
            happened = _closed(machine, recording, row, session, src)
            if happened is not None:
                yield Entry(row["at"], happened)


def _event(
    recording: Recording, row: Mapping[str, Any], actors: Mapping[int, tuple[int, str]]
) -> Input:
    name, arrival = row["name"], row["arrival"]
    payload = exact_value(recording, row["value"], f'what came with "{name}"')
    if arrival == "timer":
        return Due(name)
    if arrival == "outside":
        return Told(name, payload)
    if arrival == "dropped":
        return Dropped(payload)
    session = actors[row["parent"]][0]
    if arrival == "fault":
        return Faulted(session, payload)
    return (Picked if arrival == "pick" else GateSent)(session, name, payload)


def _closed(
    machine: Machine, recording: Recording, row: Mapping[str, Any], session: int, src: str
) -> Input | None:
    """What an actor gave; None for one that was stopped."""
    if row["status"] == "answered" and row.get("output"):
        return Finished(
            session, src, _output(machine, src, exact_value(recording, row["output"], src))
        )
    facts = (row.get("attrs") or {}).get("error")
    if row["status"] == "error" and facts:
        return Errored(session, ErrorFacts(facts["type"], facts["message"]))
    return None


def _output(machine: Machine, src: str, data: Any) -> Any:
    restored = getattr(machine.chart.actors.get(src), "restored", None)
    return restored(data) if restored else data


def exact_value(recording: Recording, digest: str, what: str) -> Any:
    """A recorded value that is whole.

    Raises:
        ResumeError: It was not recorded whole.
    """
    fidelity = recording.values.fidelity(digest)
    if fidelity != "exact":
        raise ResumeError(
            f"{what[:1].upper()}{what[1:]} was not recorded whole ({fidelity}), so the run cannot "
            "be done again from its file. Give actors and events values that are plain data."
        )
    return recording.values.object(digest)


def _written(machine: Machine, happened: Input) -> dict[str, Any]:
    named = {key: getattr(happened, key) for key in type(happened).__dataclass_fields__}
    if isinstance(happened, Finished):
        stored = getattr(machine.chart.actors.get(happened.src), "stored", None)
        output = stored(happened.output) if stored else happened.output
        named["output"] = _kept(output, f'the output of "{happened.src}"')
    elif isinstance(happened, Errored):
        named["error"] = asdict(happened.error)
    elif "payload" in named:
        named["payload"] = _kept(named["payload"], f'what came with "{named["event"]}"')
    return {"kind": type(happened).__name__, **named}


def _read(machine: Machine, written: Mapping[str, Any]) -> Input:
    named = {key: value for key, value in written.items() if key not in ("at", "kind")}
    if written["kind"] == "Finished":
        output = _output(machine, named["src"], _object(named["output"]))
        return Finished(named["session"], named["src"], output)
    if written["kind"] == "Errored":
        return Errored(named["session"], ErrorFacts(**named["error"]))
    if "payload" in named:
        named["payload"] = _object(named["payload"])
    return _KINDS[written["kind"]](**named)


def _kept(value: Any, what: str) -> Any:
    """A value as tagged JSON, whole."""
    encoded = encode(value)
    if encoded.fidelity != "exact":
        raise ResumeError(
            f"The machine waits, but {what} cannot be kept whole ({encoded.fidelity}), so there is "
            "no checkpoint. Give actors and events values that are plain data, or run the machine "
            "with begin() and answer its Gates while it runs."
        )
    return orjson.loads(encoded.data)


def _object(tree: Any) -> Any:
    return decode(orjson.dumps(tree))


def recording_of(run: Any) -> Recording:
    """The records of what holds a run: a path, or what `ek.load` gives.

    Raises:
        ResumeError: It holds none.
    """
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
