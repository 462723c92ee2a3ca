"""The effective answer as the fold of what was recorded: nothing is ever edited."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from explainkit.records.base import RunStatus

if TYPE_CHECKING:
    from explainkit.store.reader import Recording

RUN_STATUSES: tuple[str, ...] = get_args(RunStatus)
Standing = Literal["failing", "passing", "unlabelled"]


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an answer slot.

    Attributes:
        version: 1 for the answer, one more for each override that took effect.
        seq: The record that made it.
        value: Digest of the value; None where an override cleared it without a new one.
        by: ``answer`` or ``return`` for the first, then who overrode; ``model`` when inferred.
    """

    version: int
    seq: int
    value: str | None
    by: str


@dataclass(frozen=True, slots=True)
class AnswerFold:
    """All versions of an answer slot.

    Attributes:
        slot: The slot.
        versions: In order; never empty.
        inferred: True when nobody gave the answer and the last output of a model stands for it.
    """

    slot: str
    versions: tuple[Version, ...]
    inferred: bool = False

    @property
    def final(self) -> Version:
        """The version that the reader got."""
        return self.versions[-1]


def fold_answers(rows: Iterable[dict[str, Any]]) -> dict[str, AnswerFold]:
    """Fold ``answer`` and ``override`` records, in order, into their slots."""
    slots: dict[str, list[Version]] = {}
    for row in rows:
        slot = row.get("slot", "answer")
        if not isinstance(slot, str):
            continue
        versions = slots.setdefault(slot, [])
        if row["kind"] == "answer" and not versions:
            versions.append(Version(1, row["seq"], row.get("value"), row.get("via", "answer")))
        elif versions and row.get("outcome", "applied") in {"applied", "cleared"}:
            by = str(row.get("by", "answered again"))
            versions.append(Version(len(versions) + 1, row["seq"], row.get("value"), by))
    return {slot: AnswerFold(slot, tuple(made)) for slot, made in slots.items() if made}


def inferred_answer(recording: "Recording") -> AnswerFold | None:
    """The last output of a model link, when nobody gave an answer."""
    models = {row["seq"] for row in recording.rows("link_opened") if row.get("type") == "model"}
    last: dict[str, Any] | None = None
    for row in recording.rows("link_closed"):
        if row.get("link") in models and row.get("output") is not None:
            last = row
    if last is None:
        return None
    version = Version(1, last["seq"], last["output"], "model")
    return AnswerFold("answer", (version,), inferred=True)


def judged_items(rows: Iterable[dict[str, Any]]) -> dict[str, bool]:
    """Whether the items of answer flows passed, of those that were judged as they stand.

    Args:
        rows: ``override`` and ``verdict`` records, in order; others are passed over.

    Returns:
        By slot: True where somebody passed it and nobody failed it.

    Example:
        >>> judged_items([{"kind": "verdict", "slot": "item:a", "version": 1, "status": "passed"}])
        {'item:a': True}
    """
    versions: dict[str, int] = {}
    words: dict[str, set[object]] = {}
    for row in rows:
        slot = row.get("slot")
        if not isinstance(slot, str) or not slot.startswith("item:"):
            continue
        if row.get("kind") == "override" and row.get("outcome", "applied") in {
            "applied",
            "cleared",
        }:
            before = row.get("from_version")
            versions[slot] = (before if isinstance(before, int) else versions.get(slot, 1)) + 1
            words.pop(slot, None)
        elif row.get("kind") == "verdict" and row.get("version") == versions.get(
            slot, row.get("version")
        ):
            words.setdefault(slot, set()).add(row.get("status"))
    known = {"failed", "refused", "passed"}
    return {slot: not said & (known - {"passed"}) for slot, said in words.items() if said & known}


def standing(recording: "Recording") -> Standing:
    """Whether a run failed, by the verdicts on its effective final answer that are not stale."""
    if recording.status == "verdict":
        return "failing"
    fold = recording.effective()
    if fold is None:
        return "unlabelled"
    words = {
        row.get("status")
        for row in recording.rows("verdict")
        if row.get("slot") == fold.slot and row.get("version") == fold.final.version
    }
    if "failed" in words or "refused" in words:
        return "failing"
    return "passing" if "passed" in words else "unlabelled"
