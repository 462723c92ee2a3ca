"""The run that is varied, read once: its points, what lies in what, and what may be reused."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from explainkit.errors import ExplainkitError
from explainkit.tracing.seam import Point
from explainkit.whatif.rerunning.caches import Caches
from explainkit.whatif.varying.recorded_points import RecordedPoint, points_of

if TYPE_CHECKING:
    from explainkit.store import Recording

ASKED = ("model", "tool", "retrieval", "embedding")
"""Types of links that ask something outside, also where an engine opens them."""

Key = tuple[str, str]
"""Kind and name of a point."""

Call = tuple[str, str, tuple[str, ...]]
"""Kind, name and digests of the inputs."""


class Origin:
    """A recorded run that is to be run again.

    Args:
        recording: Its records.
        renews: Whether a link runs although its recorded result could be handed out.

    Attributes:
        recorded: Its points.
        caches: Those that its links ask.
    """

    def __init__(
        self, recording: "Recording", *, renews: Callable[[Point], bool] | None = None
    ) -> None:
        self.recording = recording
        self.renews = renews
        self.recorded = points_of(recording)
        self.caches = Caches()
        self._inside: defaultdict[int, list[int]] = defaultdict(list)
        for point in self.recorded.points.values():
            if point.parent is not None:
                self._inside[point.parent].append(point.seq)

    @cached_property
    def by_key(self) -> dict[Key, list[RecordedPoint]]:
        """Points by kind and name, in order."""
        found: dict[Key, list[RecordedPoint]] = {}
        for point in self.recorded.points.values():
            found.setdefault((point.kind, point.name), []).append(point)
        return found

    @cached_property
    def by_call(self) -> dict[Call, list[RecordedPoint]]:
        """Points by kind, name and inputs, in order."""
        found: dict[Call, list[RecordedPoint]] = {}
        for point in self.recorded.points.values():
            found.setdefault((point.kind, point.name, point.inputs), []).append(point)
        return found

    @property
    def question(self) -> str | None:
        """What was asked."""
        digest = next(self.recording.rows("run_started"), {}).get("question")
        return None if digest is None else self.recording.values.text(digest)

    @cached_property
    def draws_chance(self) -> bool:
        """Whether the function itself reads the time or draws random numbers."""
        started = next(self.recording.rows("run_started"), {})
        read = [str(each) for each in started.get("untracked") or ()]
        return any(each.startswith(("time ", "randomness ")) for each in read)

    @cached_property
    def strays(self) -> bool:
        """Whether calls were recorded in threads that belong to no run."""
        return any(
            row.get("unlinked") or row.get("what") == "unlinked"
            for row in self.recording.rows("link_opened", "lost")
        )

    def inside(self, seq: int) -> Iterator[RecordedPoint]:
        """Every point that lies in a link, at any depth."""
        waiting = list(self._inside.get(seq, ()))
        while waiting:
            at = waiting.pop()
            yield self.recorded.points[at]
            waiting += self._inside.get(at, ())

    def is_reusable(self, point: RecordedPoint) -> bool:
        """Whether the recorded result may be handed out again: it is there, whole and alone.

        What it was given has to be known whole as well: two secrets are redacted to one digest,
        and two clients look the same.
        """
        if point.status != "answered" or point.value is None:
            return False
        if point.seq in self.recorded.busy:
            return False  # what was answered or overridden in it would be lost
        values = self.recording.values
        return all(values.fidelity(each) == "exact" for each in (point.value, *point.inputs))

    @cached_property
    def ambiguous(self) -> frozenset[int]:
        """Calls that were given the same as another one, and gave something else.

        An object, a closure or chance told them apart, so that which one a call of a re-run is,
        only its place says, as long as everything goes as it went.
        """
        return frozenset(
            each.seq
            for calls in self.by_call.values()
            if len({each.value for each in calls}) > 1
            for each in calls
        )

    def coming_up(self, seqs: frozenset[int]) -> frozenset[int]:
        """Those of some recorded links that come up in a re-run that makes the same calls.

        Runners hold links and are none that is asked; effects are not repeated.

        Args:
            seqs: Links.
        """
        links = (self.recorded.points[seq] for seq in seqs)
        return frozenset(
            each.seq
            for each in links
            if each.kind == "link"
            and each.type != "effect"
            and (each.type in ASKED or each.code is not None)
        )

    def given_changeable(self, seqs: frozenset[int]) -> frozenset[int]:
        """Those of some recorded links that were given a list or a table, which they may change.

        Args:
            seqs: Links.
        """
        points, values = self.recorded.points, self.recording.values
        return frozenset(
            seq
            for seq in seqs
            if points[seq].type != "effect"
            and any(isinstance(values.object(d), (list, dict, set)) for d in points[seq].inputs)
        )

    def result(self, point: RecordedPoint) -> Any:
        """What a point gave; for a stream its items."""
        value = self.recording.values.object(str(point.value))
        if not point.bounds or not isinstance(value, str):
            return value
        starts = (0, *point.bounds[:-1])
        return [value[start:end] for start, end in zip(starts, point.bounds, strict=True)]

    def sent(self, seqs: frozenset[int] | None = None) -> list[str]:
        """What model links were given, as texts.

        Args:
            seqs: Only these links; all of them when not given.
        """
        return sent_texts(self.recording, seqs)


def sent_texts(recording: "Recording", seqs: frozenset[int] | None = None) -> list[str]:
    """What the model links of a run were given, as texts.

    Args:
        recording: The run.
        seqs: Only these links; all of them when not given.
    """
    return [text for texts in texts_by_call(recording, seqs).values() for text in texts]


def texts_by_call(
    recording: "Recording", seqs: frozenset[int] | None = None
) -> dict[int, list[str]]:
    """What each model link of a run was given, as texts by the link.

    Args:
        recording: The run.
        seqs: Only these links; all of them when not given.
    """
    found: dict[int, list[str]] = {}
    for row in recording.rows("link_opened"):
        if row.get("type") != "model" or (seqs is not None and row["seq"] not in seqs):
            continue
        texts = found.setdefault(row["seq"], [])
        for each in row.get("inputs") or ():
            try:
                texts += _texts(recording.values.object(each["value"]))
            except (ExplainkitError, LookupError):
                continue  # what cannot be read cannot be looked into
    return found


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []
