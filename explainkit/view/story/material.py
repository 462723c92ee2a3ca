"""What the tellers of a story share: the run, its links, its versions, and what was told so far."""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from explainkit.view.composition_ends import Ending, ending_of
from explainkit.view.composition_links import RUNNERS, ToldLink, ToldLinks, links_of
from explainkit.view.machine_charts import ToldChart
from explainkit.view.machine_steps import stories_of
from explainkit.view.picks_told import ToldPick, picks_of
from explainkit.view.story.wording import called, value_words
from explainkit.view.whatif.finding_frames import continued_by, judgements_of
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

HOLDERS = RUNNERS | {"answer-flow", "generate", "review", "round", "chunk"}
"""Links that are told where they begin, and again where they end when that tells something."""
_NOUNS = {
    "model": "the model", "tool": "the tool", "retrieval": "the retrieval",
    "effect": "the effect", "check": "the check", "function": "the function",
    "agent": "the Agent", "machine": "the machine", "policy": "the policy",
    "gate": "the Gate", "parallel": "the parallel composition",
    "conditional": "the conditional", "answer-flow": "the answer flow", "chunk": "the call",
    "generate": "the port", "review": "the port", "fallback": "the port", "guard": "the guard",
    "run": "the inner run",
}  # fmt: skip


class Material:
    """One run, with what is read of it once.

    Args:
        recording: The run.
    """

    def __init__(self, recording: "Recording") -> None:
        self.recording = recording
        self.records = list(recording.rows())
        """All of them but the stored values, read once for all tellers."""
        self.rows: dict[int, dict[str, Any]] = {}
        """Opened links, by their ids."""
        self.slots: dict[str, int] = {}
        """Versions that each slot has had so far."""
        self.starts: dict[int, tuple[int, object]] = {}
        """The first step of each machine: its record, and where it stood then."""
        self.judged: set[int] = {
            row["link"]
            for row in self.records
            if row["kind"] == "verdict"
            and row.get("status") == "failed"
            and type(row.get("link")) is int
        }
        """Links that a verdict says failed."""
        self.reason = ""
        """The reason of the verdict before."""
        self._named: dict[tuple[str, str, str], str] = {}
        self.batches: dict[int, list[Any]] = {}
        """Items of answer flows, by their links."""
        self.outputs: dict[str, int] = {}
        """The link that gave a value last so far, by digest."""
        self.changed: dict[int, Any] = {}
        """What records hold of which a part was changed, each read once."""
        self.closed: dict[int, dict[str, Any]] = {}
        """The record in which each link ended."""
        for row in self.records:
            if row["kind"] == "link_opened":
                self.rows[row["seq"]] = row
            elif row["kind"] == "link_closed" and whole(row.get("link")) is not None:
                self.closed.setdefault(row["link"], row)
        versions = _versions(recording)
        self.final = {slot: len(each) for slot, each in versions.items()}
        self._delivered = {slot: each[-1].value for slot, each in versions.items() if each}

    @cached_property
    def links(self) -> ToldLinks:
        """The links with their ends."""
        return links_of(self.recording, self.records)

    @cached_property
    def words_now(self) -> dict[int, str]:
        """The word that each measured change has beside all the others; none where one is odd."""
        try:
            return {seq: each.word for seq, each in judgements_of(self.recording).items()}
        except (AttributeError, KeyError, TypeError, ValueError):
            return {}  # a finding that was written otherwise is told by its own word

    @cached_property
    def asked_again(self) -> frozenset[int]:
        """Findings that a later one goes on with: it tells them as well."""
        rows = (row for row in self.records if row["kind"] == "finding")
        return frozenset(seq for row in rows if (seq := whole(continued_by(row))) in self.words_now)

    @cached_property
    def _words_of_changes(self) -> dict[str, set[str]]:
        """The words that each change has, by what was changed; a judge each may give another."""
        found: dict[str, set[str]] = {}
        for row in self.records:
            if row["kind"] == "finding" and row["seq"] not in self.asked_again:
                word = self.words_now.get(row["seq"]) or text(row.get("word"))
                found.setdefault(repr(row.get("interventions")), set()).add(word)
        return found

    def differs_by_judge(self, row: dict[str, Any]) -> bool:
        """Whether a finding's change came out otherwise with another judge."""
        return len(self._words_of_changes.get(repr(row.get("interventions")), ())) > 1

    def findings_of(self, row: dict[str, Any]) -> tuple[int, ...]:
        """The findings that one tells: itself, and the earlier ones that it goes on with."""
        found = [row["seq"]]
        while (before := whole(continued_by(row))) in self.asked_again and before < found[0]:
            found.insert(0, before)
            row = self.recording.raw(before)
        return tuple(found)

    @cached_property
    def ending(self) -> Ending | None:
        """What the run ended on, when it gave no answer."""
        return ending_of(self.recording, self.links)

    @cached_property
    def carriers(self) -> frozenset[int]:
        """Links that only handed on an end that came about further in."""
        if self.ending is None:
            return frozenset()
        ends = (self.ending, *self.ending.branches)
        return frozenset(link.seq for end in ends for link in end.carriers)

    @cached_property
    def charts(self) -> dict[int, ToldChart | None]:
        """The charts of machines, by their links."""
        return {story.link: story.chart for story in stories_of(self.recording)}

    @cached_property
    def picks(self) -> dict[int, ToldPick]:
        """The picks, by their events."""
        return {pick.seq: pick for pick in picks_of(self.recording)}

    def pick_of(self, slot: object) -> ToldPick | None:
        """The pick that an answer slot is of."""
        number = text(slot).removeprefix("pick:")
        known = text(slot) != number and number.isascii() and number.isdigit() and len(number) < 16
        return self.picks.get(int(number)) if known else None

    @cached_property
    def question(self) -> str | None:
        """Digest of the run's question."""
        started = next(self.recording.rows("run_started"), {})
        found = started.get("question")
        return found if isinstance(found, str) else None

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """The message that is the question itself, when the run begins with it."""
        first = next(self.recording.rows("event", "link_opened"), {})
        if self.question is None or first.get("name") != "message":
            return ()
        words = [
            value_words(self.recording, each, 4_000) for each in (first.get("value"), self.question)
        ]
        return (first["seq"],) if words[0] == words[1] else ()

    @cached_property
    def imported(self) -> bool:
        """Whether another tool recorded the run."""
        return isinstance(next(self.recording.rows("run_started"), {}).get("source"), dict)

    def link_words(self, seq: object) -> str:
        """A link by what it is and its name: ``the tool “search”``."""
        link = self.links.at.get(seq) if isinstance(seq, int) else None
        if link is None:
            return "a step that is not on record"
        actor = text(self.rows[link.seq].get("actor"))
        key = (link.kind, link.name, actor)
        if key not in self._named:
            self._named[key] = called(actor) if actor else noun(link)
        return self._named[key]

    @cached_property
    def _alike(self) -> dict[str, list[int]]:
        """Links of each name, in order."""
        found: dict[str, list[int]] = {}
        for seq in self.rows:
            link = self.links.at.get(seq)
            if link is not None:
                found.setdefault(link.name, []).append(seq)
        return found

    def call_words(self, seq: object) -> str:
        """A link by its name, told from others of that name by which call it is: ``“ask” #2``."""
        link = self.links.at.get(seq) if isinstance(seq, int) else None
        if link is None:
            return "a step that is not on record"
        same = self._alike[link.name]
        return called(link.name) + (f" #{bisect_left(same, link.seq) + 1}" if same[1:] else "")

    def slot_words(self, slot: str) -> str:
        """An answer slot as a person says it: ``the answer``, ``the item “key”``."""
        kind, mark, name = slot.partition(":")
        number = int(name) if name.isascii() and name.isdigit() and len(name) < 16 else None
        if kind == "item" and mark:
            return f"the item {called(name)}"
        if kind == "pick" and mark and number in self.picks:
            pick = self.picks[number]
            return f"what {called(pick.agent)} reads of its pick {called(pick.event)}"
        if kind == "answer" and number in self.links.at:
            return f"the answer of {noun(self.links.at[number])}"
        return "the answer" if slot == "answer" else f"the answer {called(slot)}"

    def kind_of(self, seq: int) -> str:
        """The type of a link; empty for anything else."""
        return text(self.rows.get(seq, {}).get("type"))

    def delivered(self, slot: str) -> str | None:
        """Digest of the last version of an answer slot; None where nobody gave one."""
        return self._delivered.get(slot)

    def parent(self, seq: int) -> ToldLink | None:
        """The link around a link."""
        link = self.links.at.get(seq)
        return None if link is None or link.parent is None else self.links.at.get(link.parent)


def noun(link: ToldLink) -> str:
    """What a link is, with its name."""
    return f"{kind_noun(link.kind)} {called(link.name)}"


def kind_noun(kind: str) -> str:
    """What a link of some type is called: ``the tool``."""
    return _NOUNS.get(kind, f"the {plain_kind(kind)}")


def plain_kind(kind: str) -> str:
    """A link's type as a word of a sentence."""
    return flat(kind.replace("-", " "), 30) or "step"


def whole(value: object) -> int | None:
    """A record number; None for anything else."""
    return value if type(value) is int else None


def text(value: object) -> str:
    """A recorded text that should be there; empty for anything else."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> dict[str, Any]:
    """A recorded object; empty for anything else."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[Any]:
    """A recorded list; empty for anything else."""
    return value if isinstance(value, list) else []


def _versions(recording: "Recording") -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for slot in dict.fromkeys(_slots(recording)):
        fold = recording.effective(slot)
        if fold is not None and not fold.inferred:
            found[slot] = fold.versions
    return found


def _slots(recording: "Recording") -> Iterator[str]:
    for row in recording.rows("answer"):
        yield text(row.get("slot")) or "answer"
