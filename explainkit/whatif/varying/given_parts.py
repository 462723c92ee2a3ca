"""Parts of what the run itself was given, named as walks print them and changed there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from explainkit.backtrack.parts_in_words import place_words
from explainkit.errors import InterventionError
from explainkit.safety.pointers import token
from explainkit.whatif.cut_lists import listed
from explainkit.whatif.varying.edits import MISSING, Part, node_at
from explainkit.whatif.varying.given_to_runs import own_of_run
from explainkit.whatif.varying.recorded_points import RecordedPoints

if TYPE_CHECKING:
    from explainkit.store import Recording

_KEY: Final = re.compile(r"\.(\w+)|\[(\d+)\]|\['([^']*)'\]")
_MOST: Final = 10_000
"""Places in what a run was given among which a printed name is looked for."""


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """Where something stands in what the run itself was given.

    Attributes:
        seq: The record that holds it.
        slot: The argument; ``input`` of a runner.
        path: JSON Pointer into it; empty for all of it.
    """

    seq: int
    slot: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class GivenValue:
    """One value that the run was given.

    Attributes:
        place: Where it stands.
        label: What walks call it, such as ``argument notes`` or ``input of desk``.
        value: What is on record of it.
        is_question: Whether it is what was asked.
        is_batch: It is the batch of an answer flow.
    """

    place: GivenPlace
    label: str
    value: Any
    is_question: bool
    is_batch: bool

    def at(self, path: str) -> Any:
        """What stands at an address of it; `MISSING` where nothing does."""
        return node_at(self.value, Part(path).steps)

    def name(self, path: str) -> str:
        """What walks call a part of it."""
        return place_words(self.label, self.place.slot, [path])


def given_values(recording: "Recording", recorded: RecordedPoints) -> tuple[GivenValue, ...]:
    """What the run itself was given; nothing where nobody can be given something else.

    Args:
        recording: The run.
        recorded: Its points.
    """
    own = own_of_run(recording, recorded)
    if own is None:
        return ()
    runner = recorded.points.get(own.seq)
    return tuple(
        GivenValue(
            GivenPlace(own.seq, slot),
            f"argument {slot}" if runner is None else f"{slot} of {runner.name}",
            recording.values.object(digest),
            own.question == digest,
            runner is not None and runner.type == "answer-flow",
        )
        for slot, digest in own.digests.items()
    )


def given_at(recording: "Recording", recorded: RecordedPoints, place: Any) -> GivenPlace | None:
    """Where a place, or a context of a walk, stands in what the run was given; None elsewhere.

    Args:
        recording: The run.
        recorded: Its points.
        place: An object with `seq`, and with `slot` and `path`, or with `places` that have them.
    """
    held = getattr(place, "places", None)
    if held:
        same = {(each.seq, each.slot, each.path or "") for each in held}
        whole = GivenPlace(held[0].seq, held[0].slot, held[0].path if len(same) == 1 else "")
        return given_at(recording, recorded, whole)
    slot, path = getattr(place, "slot", None), str(getattr(place, "path", None) or "")
    started = next(recording.rows("run_started"), {}).get("seq")
    for each in given_values(recording, recorded):
        asked = slot == "question" and each.is_question and place.seq == started
        if asked or (each.place.seq, each.place.slot) == (place.seq, slot):
            return GivenPlace(each.place.seq, each.place.slot, path)
    return None


def given_named(recording: "Recording", recorded: RecordedPoints, shown: str) -> GivenPlace | None:
    """The part of what the run was given that a printed name stands for; None for another name.

    Args:
        recording: The run.
        recorded: Its points.
        shown: Such as ``argument notes``, ``argument notes[0]`` or ``input.items[0].data of desk``.

    Raises:
        InterventionError: It stands for several.
    """
    for each in given_values(recording, recorded):
        slot, seq = each.place.slot, each.place.seq
        if shown == each.label:
            return each.place
        head, tail = each.label, ""
        if each.label.startswith(f"{slot} of "):
            head, tail = slot, each.label[len(slot) :]
        if not (shown.startswith(head) and shown.endswith(tail)):
            continue
        within = shown[len(head) : len(shown) - len(tail)]
        keys = ["".join(key) for key in _KEY.findall(within)]
        path = "".join(f"/{token(key)}" for key in keys)
        if _KEY.sub("", within) == "" and path and each.at(path) is not MISSING:
            return GivenPlace(seq, slot, path)
        found = [at for at in _paths(each.value) if each.name(at) == shown]
        if len(found) > 1:
            raise InterventionError(
                f"{shown!r:.80} stands for {len(found)} places: {listed([*map(repr, found)])}. "
                f"Give one of them, such as ({each.label!r:.60}, {found[0]!r:.60})."
            )
        if found:
            return GivenPlace(seq, slot, found[0])
    return None


def value_given(
    recording: "Recording", recorded: RecordedPoints, place: GivenPlace
) -> GivenValue | None:
    """The value that a place lies in.

    Args:
        recording: The run.
        recorded: Its points.
        place: The place.
    """
    found = given_values(recording, recorded)
    return next((each for each in found if each.place.slot == place.slot), None)


def _paths(value: Any) -> Iterator[str]:
    """Addresses in a value, those nearest to its top first; of a huge one only so many."""
    waiting, told = [("", value)], 0
    for path, node in waiting:
        if told >= _MOST:
            return
        inner: list[tuple[str, Any]] = []
        if isinstance(node, dict):
            inner = [(f"{path}/{token(str(key))}", each) for key, each in node.items()]
        elif isinstance(node, list | tuple):
            inner = [(f"{path}/{at}", each) for at, each in enumerate(node)]
        for at, _ in inner:
            told += 1
            yield at
        waiting += inner
