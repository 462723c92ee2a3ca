"""Steers one re-run through the seam: changes what is varied, reuses what is the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any

from explainkit.errors import InterventionError
from explainkit.safety import shorten_at_words
from explainkit.tracing.seam import HeldBack, Point, PointKind, Supplied
from explainkit.whatif.rerunning.matching import Matching
from explainkit.whatif.rerunning.origins import Origin
from explainkit.whatif.rerunning.told_apart import Elsewhere, is_one_of_many
from explainkit.whatif.varying.known_values import with_scalars
from explainkit.whatif.varying.planning import Plan
from explainkit.whatif.varying.recorded_points import RecordedPoint


@dataclass(frozen=True, slots=True)
class Executed:
    """A link that ran in a re-run.

    Attributes:
        link: Its `seq` in the re-run.
        origin: The recorded link that it stands for; None for a new one.
        name: Its name.
        type: Its type.
        deterministic: Declared so.
        differs: Whether it was given something else than a recorded call.
    """

    link: int
    origin: int | None
    name: str
    type: str
    deterministic: bool
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Steered:
    """What was done in a re-run, as plain data.

    Attributes:
        executed: Links that ran, in order.
        reused: Recorded links whose results were handed out.
        made: Changes that were made, by recorded point.
        missed: Changes that found nothing to change, in words.
        effect: Name of an effect that was held back.
        is_new: No effect of that name ran in the recorded run.
        dropped: Recorded links that did not come up; runners never do.
    """

    executed: tuple[Executed, ...] = ()
    reused: frozenset[int] = frozenset()
    made: frozenset[int] = frozenset()
    missed: tuple[str, ...] = ()
    effect: str | None = None
    dropped: frozenset[int] = frozenset()
    is_new: bool = False


class Steering:
    """Decides point by point what a re-run does.

    Args:
        origin: The run that is varied.
        plan: What is changed; an empty plan for an unchanged re-run.
        forced: Recorded links that are not reused.
        allow_effects: Let links of kind effect run again.
        skips: Recorded links that do not come up.
    """

    def __init__(
        self,
        origin: Origin,
        plan: Plan,
        *,
        forced: frozenset[int] = frozenset(),
        allow_effects: bool = False,
        skips: frozenset[int] = frozenset(),
    ) -> None:
        self._origin = origin
        self._plan = plan
        self._allow_effects = allow_effects
        around = {seq for each in plan.touched for seq in origin.recorded.around(each)}
        self._forced = forced | around | frozenset(each.seq for each in plan.inputs)
        self._matching = Matching(origin, absent=skips)
        self._elsewhere: Elsewhere = {}
        self._lock = RLock()
        self._executed: list[Executed] = []
        self._reused: set[int] = set()
        self._made: set[int] = set()
        self._missed: list[str] = []
        self._effect: str | None = None

    @property
    def steered(self) -> Steered:
        """What was done so far."""
        with self._lock:
            return Steered(
                tuple(self._executed),
                frozenset(self._reused),
                frozenset(self._made),
                tuple(self._missed),
                self._effect,
                self._matching.left,
                ("link", self._effect) not in self._origin.by_key,
            )

    def __call__(self, point: Point) -> Supplied | None:
        """The supplier of the re-run."""
        with self._lock:
            if point.stands_for is not None:
                return self._told(point.stands_for)
            if point.kind == "link":
                return self._link(point)
            if point.kind == "admission":
                return self._admitted(point)
            if point.kind == "runner":
                return self._runner(point)
            recorded = self._matching.of(point)
            if recorded is None:
                return None
            self._matching.passed(recorded)
            if recorded.seq in self._plan.held:
                self._made.add(recorded.seq)
                return Supplied(point.value)
            return self._changed(recorded, point.value)

    def inside(self, point: Point) -> Supplied | None:
        """The supplier of runs that open inside of the re-run: all of them runs, no effect does."""
        if point.kind != "link":
            return None
        with self._lock:
            self._hold_back(point)
            ran = Executed(-1, None, point.name, point.type, point.deterministic, differs=True)
            self._executed.append(ran)
        return None

    def rewrite(
        self,
        kind: PointKind,
        name: str,
        values: Mapping[str, Any],
        digests: Callable[[], Mapping[str, str]] | None = None,
    ) -> Mapping[str, Any] | None:
        """The rewriter of the re-run."""
        points = self._origin.recorded.points
        if not any(points[each.seq].name == name for each in self._plan.inputs):
            return None
        given = None if digests is None else digests()
        with self._lock:
            recorded = self._matching.called(kind, name, given)
        changes: dict[str, Any] = {}
        for landing in self._plan.inputs:
            if recorded is not None and recorded.seq == landing.seq:
                try:
                    new = landing.edit({**values, **changes})
                    if any(_differs(each, values.get(slot)) for slot, each in new.items()):
                        self._made.add(landing.seq)
                    changes |= new
                except LookupError:
                    self._missed.append(f"{landing.said}: {name} was not given that")
                except Exception as error:  # noqa: BLE001 - the change's own fault, not the run's
                    self._missed.append(f"{landing.said}: {_why(error)}")
        return changes or None

    def _admitted(self, point: Point) -> Supplied | None:
        """A piece that stayed outside of an Agent is let in where it is to be restored."""
        for seq in sorted(self._plan.admitted):
            if seq not in self._made and self._origin.recorded.left_out[seq].name == point.name:
                self._made.add(seq)
                return Supplied(True)
        return None

    def _runner(self, point: Point) -> Supplied | None:
        """An Agent or a composition runs, unless its answer is changed; it is never reused."""
        points = self._origin.recorded.points
        if not any(points[seq].name == point.name for seq in self._plan.changes):
            return None
        recorded = self._matching.of(replace(point, kind="link"))
        if recorded is None:
            return None
        supplied = self._changed_result(recorded) if recorded.seq in self._plan.changes else None
        if supplied is None:
            self._matching.passed(recorded)
        else:
            self._matching.skipped(recorded)
        return supplied

    def _link(self, point: Point) -> Supplied | None:
        same = self._matching.same(point)
        recorded = same or self._matching.of(point)
        if recorded is not None and recorded.seq in self._plan.changes:
            supplied = self._changed_result(recorded)
            if supplied is not None:
                self._matching.skipped(recorded)
                return supplied
        if same is not None and self._may_reuse(same, point):
            self._matching.skipped(same)
            self._reused.add(same.seq)
            return Supplied(self._origin.result(same), reused=same.seq)
        self._hold_back(point)
        self._origin.caches.look(point.runs)
        if recorded is not None:
            self._matching.passed(recorded)
        seq = None if recorded is None else recorded.seq
        self._executed.append(
            Executed(
                point.link,
                seq,
                point.name,
                point.type,
                point.deterministic,
                differs=same is None,
            )
        )
        return None

    def _told(self, seq: int) -> Supplied | None:
        """The changed result of a link that does not run; None where it keeps its own."""
        recorded = self._origin.recorded.points[seq]
        return self._changed_result(recorded) if seq in self._plan.changes else None

    def _may_reuse(self, same: RecordedPoint, point: Point) -> bool:
        if same.seq in self._forced or not self._origin.is_reusable(same):
            return False
        if self._origin.renews is not None and self._origin.renews(point):
            return False
        if not self._made and not self._executed:
            return True  # everything went as it went, so this is the call that it was
        if point.type != "effect" and is_one_of_many(point.runs, self._elsewhere):
            return False  # an effect is not repeated, whichever it is
        return same.seq not in self._origin.ambiguous

    def _hold_back(self, point: Point) -> None:
        if point.type == "effect" and not self._allow_effects:
            self._effect = point.name
            raise HeldBack(point.name)

    def _changed_result(self, recorded: RecordedPoint) -> Supplied | None:
        """A recorded result with the change made; None when there is none to change."""
        changes = self._plan.changes[recorded.seq]
        value = None
        if recorded.value is not None:
            value = with_scalars(self._origin.result(recorded))
        return self._edited(recorded, value, [change.edit for change in changes])

    def _changed(self, recorded: RecordedPoint, value: Any) -> Supplied | None:
        changes = self._plan.changes.get(recorded.seq)
        if not changes:
            return None
        return self._edited(recorded, value, [change.edit for change in changes])

    def _edited(self, recorded: RecordedPoint, value: Any, edits: list[Any]) -> Supplied | None:
        new = value
        try:
            # Later places first, so that the earlier addresses stay right.
            for edit in reversed(edits):
                new = edit(new)
        except LookupError as error:
            self._missed.append(f"{recorded.name}: {error} is not there any more")
            return None
        except Exception as error:  # noqa: BLE001 - the change's own fault, not the run's
            self._missed.append(f"{recorded.name}: {_why(error)}")
            return None
        if _differs(new, value):
            self._made.add(recorded.seq)
        return Supplied(new)


def _why(error: Exception) -> str:
    """Why a change could not be made."""
    if isinstance(error, InterventionError):
        return str(error)
    return (
        f"the change could not be made: {type(error).__name__}: {shorten_at_words(str(error), 160)}"
    )


def _differs(new: Any, old: Any) -> bool:
    try:
        return bool(new != old)
    except Exception:  # noqa: BLE001 - values of a user may compare in any way
        return True
