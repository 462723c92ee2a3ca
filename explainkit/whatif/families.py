"""Everything that was measured on one run for one answer and judge: a family counts together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from explainkit.whatif.statistics import Judgement, Measurement, TwoArms, judge_all

if TYPE_CHECKING:
    from explainkit.store import Recording

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Family:
    """For which answer and judge suspects are measured.

    Attributes:
        slot: The answer's slot.
        version: Its version; 0 for an end without an answer.
        judge: The judge's name.
    """

    slot: str
    version: int
    judge: str

    def to_json(self) -> Json:
        """As it stands in a finding."""
        return {"slot": self.slot, "version": self.version, "judge": self.judge}


@dataclass(frozen=True, slots=True)
class Member:
    """A measurement that stands in the record.

    Attributes:
        seq: The finding.
        measurement: What was measured.
        interventions: What was changed.
        key: What tells the change from others.
        continues: The earlier finding of the same change whose outcomes it holds.
        codes: The code of the links that ran for it, by name.
    """

    seq: int
    measurement: Measurement
    interventions: tuple[Json, ...]
    key: str | None = None
    continues: int | None = None
    codes: Mapping[str, str] = field(default_factory=dict)


def members_of(recording: "Recording", family: Family) -> list[Member]:
    """The suspects of a family, in the order in which they were recorded, each once.

    Args:
        recording: The run with its notes.
        family: Which answer and judge.
    """
    every = _findings(recording, family)
    over = {each.continues for each in every}
    return [each for each in every if each.seq not in over]


def judgements_in(recording: "Recording", family: Family) -> dict[int, Judgement]:
    """What may be said now of every finding of a family, by its record.

    A finding that a later one goes on with has the judgement of that one.

    Args:
        recording: The run with its notes.
        family: Which answer and judge.
    """
    members = members_of(recording, family)
    judged = judge_all([each.measurement for each in members])
    found = {each.seq: said for each, said in zip(members, judged, strict=True)}
    for each in reversed(_findings(recording, family)):
        if each.continues is not None:
            found[each.continues] = found[each.seq]
    return found


def _findings(recording: "Recording", family: Family) -> list[Member]:
    found: list[Member] = []
    for row in recording.rows("finding"):
        detail = row.get("detail")
        if not isinstance(detail, Mapping) or detail.get("family") != family.to_json():
            continue
        told, key, before = row.get("interventions") or (), detail.get("key"), None
        if isinstance(detail.get("continues"), int):
            before = next((each.seq for each in found if each.seq == detail["continues"]), None)
        measured = measurement_of(detail)
        key = key if isinstance(key, str) else None
        codes = detail.get("codes")
        codes = codes if isinstance(codes, Mapping) else {}
        found.append(Member(row["seq"], measured, tuple(told), key, before, codes))
    return found


def families_of(recording: "Recording") -> list[Family]:
    """Every family that has findings, in order of the first one."""
    found: dict[Family, None] = {}
    for row in recording.rows("finding"):
        detail = row.get("detail")
        told = detail.get("family") if isinstance(detail, Mapping) else None
        if isinstance(told, Mapping):
            slot, version = str(told.get("slot")), int(told.get("version") or 0)
            found[Family(slot, version, str(told.get("judge")))] = None
    return list(found)


def detail_of(family: Family, measured: Measurement, **more: Any) -> Json:
    """What a finding keeps of a measurement, so that it can be judged again beside others.

    Example:
        >>> family = Family("answer", 1, "same answer")
        >>> kept = detail_of(family, Measurement(arms=TwoArms((False,), (True,))))
        >>> measurement_of(kept).arms.changed
        (True,)
    """
    told: Json = {
        "family": family.to_json(),
        "changed": _marks(measured.arms.changed),
        "unchanged": _marks(measured.arms.unchanged),
        **more,
    }
    for name in ("not_applied", "refused", "hidden", "stopped"):
        if getattr(measured, name) is not None:
            told[name] = getattr(measured, name)
    if measured.deterministic:
        told["deterministic"] = True
    if measured.judge_hint != Measurement().judge_hint:
        told["hint"] = measured.judge_hint
    return told


def measurement_of(detail: Mapping[str, Any]) -> Measurement:
    """The measurement that a finding keeps."""
    return Measurement(
        arms=TwoArms(
            unchanged=_flips(detail.get("unchanged")), changed=_flips(detail.get("changed"))
        ),
        deterministic=bool(detail.get("deterministic")),
        not_applied=detail.get("not_applied"),
        refused=detail.get("refused"),
        hidden=detail.get("hidden"),
        stopped=detail.get("stopped"),
        judge_hint=str(detail.get("hint") or Measurement().judge_hint),
    )


def _marks(flips: tuple[bool, ...]) -> str:
    return "".join("1" if each else "0" for each in flips)


def _flips(marks: Any) -> tuple[bool, ...]:
    return tuple(mark == "1" for mark in str(marks or ""))
