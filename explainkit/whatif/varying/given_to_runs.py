"""Which edits are of what the run itself was given: the arguments of its function or runner."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.errors import InterventionError
from explainkit.safety import shorten
from explainkit.whatif.varying.recorded_points import RecordedPoint, RecordedPoints

if TYPE_CHECKING:
    from explainkit.store import Recording

_REACHED = ("model", "tool")
"""Types of an Agent's links whose arguments can be changed as they are given."""


@dataclass(frozen=True, slots=True)
class OwnArguments:
    """What a run was given.

    Attributes:
        seq: The record that holds it.
        name: The function or runner.
        digests: Its values by slot.
        question: Digest of what was asked.
    """

    seq: int
    name: str
    digests: dict[str, str]
    question: str | None


def own_arguments(
    recording: "Recording", recorded: RecordedPoints, named: Any
) -> OwnArguments | None:
    """What the run was given, where a user means that by a name; None for anything else.

    Args:
        recording: The run.
        recorded: Its points.
        named: What the user named.
    """
    started = next(recording.rows("run_started"), {})
    links = [point for point in recorded.points.values() if point.kind == "link"]
    asked = started.get("question")
    if started.get("callable"):
        function = str(started["callable"]).rpartition(":")[2].rpartition(".")[2]
        is_meant = named in (recording.name, function) and isinstance(named, str)
        if not is_meant or any(point.name == named for point in links):
            return None
        given = {str(each["slot"]): each["value"] for each in started.get("inputs") or ()}
        return OwnArguments(int(started["seq"]), str(named), given, asked)
    runner = next((point for point in links if point.parent is None), None)
    if runner is None or runner.slots != ("input",) or not _is_engine_s(recording, runner):
        return None
    several = sum(point.name == runner.name for point in links) > 1
    names = (runner.seq, f"{runner.name} (record {runner.seq})", f"{runner.type} {runner.name}")
    if named not in (names if several else (*names, runner.name)):
        return None
    return OwnArguments(runner.seq, runner.name, {"input": runner.inputs[0]}, asked)


def own_of_run(recording: "Recording", recorded: RecordedPoints) -> OwnArguments | None:
    """What the run itself was given, whatever it is called; None where nobody knows.

    Args:
        recording: The run.
        recorded: Its points.
    """
    started = next(recording.rows("run_started"), {})
    if started.get("callable"):
        given = {str(each["slot"]): each["value"] for each in started.get("inputs") or ()}
        asked = started.get("question")
        return OwnArguments(int(started["seq"]), recording.name, given, asked)
    links = (point for point in recorded.points.values() if point.kind == "link")
    runner = next((point for point in links if point.parent is None), None)
    return None if runner is None else own_arguments(recording, recorded, runner.seq)


def edit_form(recording: "Recording", recorded: RecordedPoints, place: Any) -> str | None:
    """How a place in what the run itself was given is changed; None for any other place.

    Args:
        recording: The run.
        recorded: Its points.
        place: A place out of a walk, with `seq`, `slot` and `path`.
    """
    started = next(recording.rows("run_started"), {})
    links = (point for point in recorded.points.values() if point.kind == "link")
    runner = next((point for point in links if point.parent is None), None)
    named = recording.name if started.get("callable") or runner is None else runner.name
    own = own_arguments(recording, recorded, named)
    slot, path = getattr(place, "slot", None), str(getattr(place, "path", "") or "")
    if own is None:
        return None
    if slot == "question" and place.seq == started.get("seq"):
        same = (each for each, digest in own.digests.items() if digest == own.question)
        slot = next(same, None)
    elif place.seq != own.seq:
        return None
    if slot not in own.digests:
        return None
    if runner is not None and place.seq == runner.seq and runner.type == "answer-flow":
        # An answer flow is called with the parts of its input by their names.
        _, slot, *rest = (*path.split("/"), "") if path else ("", "input", "")
        path = "".join(f"/{each}" for each in rest if each)
    where = f", with another text at {path!r:.80}" if path else ""
    return f"edit={{{own.name!r:.60}: {{{slot!r:.60}: ...}}}}{where}"


def require_editable(
    recording: "Recording", recorded: RecordedPoints, point: RecordedPoint
) -> None:
    """Refuse to edit what a step inside of a runner takes from the step before it.

    Args:
        recording: The run.
        recorded: Its points.
        point: The link whose arguments are to be edited.

    Raises:
        InterventionError: It is such a step.
    """
    if not _is_engine_s(recording, point):
        return
    maker = recorded.points.get(point.parent) if point.parent is not None else None
    if point.type in _REACHED and maker is not None and maker.type == "agent":
        return
    name = shorten(point.name, 60)
    if maker is None:
        raise InterventionError(
            f"What {point.type} {name!r} (record {point.seq}) was given cannot be edited. Change a "
            "context, the result of a step, or with edit= what the run itself was given: "
            f"edit={{{recording.name!r:.60}: ...}}."
        )
    raise InterventionError(
        f"What {point.type} {name!r} (record {point.seq}) is given comes from the step before it, "
        f"and cannot be edited. Change what that one gives, as with swap= or replace=, or what "
        f"{name!r} gives itself: swap={{{name!r}: ...}}."
    )


def _is_engine_s(recording: "Recording", point: RecordedPoint) -> bool:
    """Whether a runner made a link, and not a decorated function or another tool's record."""
    started = next(recording.rows("run_started"), {})
    row = recording.raw(point.seq)
    return not started.get("source") and "attrs" in row
