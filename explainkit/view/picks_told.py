"""The picks of a run, from its records alone: what was picked, what replied, what was read."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from explainkit.errors import ExplainkitError
from explainkit.view.machine_steps import Charts
from explainkit.view.picks_holding import RecordedActor, RecordedMachine
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.store import Recording

REPLY = 80
"""Characters of a reply that a chain shows."""
KINDS = ("link_opened", "link_closed", "event", "transition", "reply", "answer", "override")
_UNENDED = ("paused", "cancelled")


@dataclass(frozen=True, slots=True)
class ToldPick:
    """A pick.

    Attributes:
        seq: The event's record.
        machine: Id of the machine.
        agent: Who picked.
        event: What.
        payload: Digest of what came with it.
        answered: Whether it was answered.
        moved: Whether a transition took the event; None while it is open.
        turn_complete: Whether the Turn was over with it; None while it is open.
        chain: Every reply since, oldest first, in short words.
        read: Digest of what the Agent read; of the receipt when there was nothing else.
        source: ``answer``, ``reply`` or ``receipt``; None while it is open.
        outcomes: What became of each answer that ran for it.
        held_by: Actors that hold it while it is open.
        refused: Why it was refused; then it never was a pick and has no answer.
    """

    seq: int
    machine: str
    agent: str
    event: str
    payload: str | None
    answered: bool = False
    moved: bool | None = None
    turn_complete: bool | None = None
    chain: tuple[str, ...] = ()
    read: str | None = None
    source: str | None = None
    outcomes: tuple[str, ...] = ()
    held_by: tuple[str, ...] = ()
    refused: str | None = None

    @property
    def status(self) -> str:
        """``answered``, ``open`` or ``refused``."""
        if self.refused is not None:
            return "refused"
        return "answered" if self.answered else "open"

    @property
    def slot(self) -> str | None:
        """Slot of its answer, which an open pick has yet to get; None for a refused one."""
        return None if self.refused is not None else f"pick:{self.seq}"


def picks_of(recording: "Recording") -> tuple[ToldPick, ...]:
    """Every pick of every machine of a run, refused ones too, oldest first.

    Args:
        recording: The run: finished, paused, crashed or still running.
    """
    if any(_is_pick(row) or row.get("refused") for row in recording.rows("event")):
        return _Reading(recording).told()
    return ()


class _Reading:
    """One pass over the records of a run."""

    def __init__(self, recording: "Recording") -> None:
        self._recording = recording
        self._charts = Charts(recording)
        self._machines: dict[int, RecordedMachine] = {}
        self._owners: dict[int, int] = {}
        """Machine of an actor, by links."""
        self._picks: dict[int, dict[str, Any]] = {}
        self._chains: dict[int, list[str]] = {}
        self._answers: dict[int, dict[str, Any]] = {}
        self._outcomes: dict[int, list[str]] = {}
        self._refused: list[dict[str, Any]] = []
        self._agents: set[int] = set()
        """Links of Agents."""
        self._said: dict[int, dict[str, Any]] = {}
        """What may reply: events, and ends of actors by their links."""

    def told(self) -> tuple[ToldPick, ...]:
        steps = {
            "link_opened": self._opened,
            "link_closed": self._closed,
            "event": self._event,
            "transition": self._transition,
            "reply": self._reply,
            "answer": self._answer,
            "override": self._override,
        }
        for row in self._recording.rows(*KINDS):
            steps[row["kind"]](row)
        picks = [self._pick(seq, row) for seq, row in self._picks.items()]
        picks += [self._told_refused(row) for row in self._refused]
        return tuple(sorted(picks, key=lambda pick: pick.seq))

    def _opened(self, row: dict[str, Any]) -> None:
        attrs, parent = row.get("attrs"), row.get("parent")
        if row.get("type") == "machine":
            chart, _ = self._charts.of(row)
            self._machines[row["seq"]] = RecordedMachine(str(row.get("name")), chart)
        machine = self._machines.get(parent) if isinstance(parent, int) else None
        if machine is None or not isinstance(attrs, dict) or "session" not in attrs:
            return
        self._owners[row["seq"]] = row["parent"]
        if row.get("type") == "agent":
            self._agents.add(row["seq"])
        machine.ending.clear()
        machine.actors[row["seq"]] = RecordedActor(
            row["seq"],
            str(row.get("name")),
            str(attrs.get("state")),
            str(attrs.get("invocation")),
            frozenset(machine.origin),
        )

    def _closed(self, row: dict[str, Any]) -> None:
        link, status = row.get("link"), row.get("status")
        if not isinstance(link, int):
            return
        if link in self._machines and status in _UNENDED:
            self._machines[link].stops()
        if link not in self._owners:
            return
        self._said[link] = row
        machine = self._machines[self._owners[link]]
        machine.actors[link].live = False
        if row.get("output") is not None or status == "error":
            machine.begins()
        else:
            machine.ending.append(link)

    def _event(self, row: dict[str, Any]) -> None:
        seq, link = row["seq"], row.get("machine")
        self._said[seq] = row
        machine = self._machines.get(link) if isinstance(link, int) else None
        by_agent = isinstance(row.get("parent"), int) and row["parent"] in self._agents
        if machine is not None and row.get("refused") and by_agent:
            self._refused.append(row)
        if machine is None or row.get("arrival") is None:
            return
        if _is_pick(row):
            self._picks[seq] = row
            machine.begins(seq)
        else:
            machine.begins()

    def _transition(self, row: dict[str, Any]) -> None:
        link = row.get("machine")
        if isinstance(link, int) and link in self._machines:
            machine = self._machines[link]
            machine.ending.clear()
            machine.configuration = frozenset(map(str, row.get("configuration") or ()))

    def _reply(self, row: dict[str, Any]) -> None:
        pick = _number(row.get("pick"))
        if pick is None or pick not in self._picks:
            return
        self._chains.setdefault(pick, []).append(self._words(row.get("source")))
        machine = self._machines.get(self._picks[pick]["machine"])
        if machine is not None:
            machine.origin.add(pick)

    def _answer(self, row: dict[str, Any]) -> None:
        pick = _slot(row)
        if pick is not None:
            self._answers.setdefault(pick, row)

    def _override(self, row: dict[str, Any]) -> None:
        pick = _slot(row)
        if pick is not None:
            self._outcomes.setdefault(pick, []).append(str(row.get("outcome", "applied")))

    def _words(self, source: Any) -> str:
        """A reply in short words: ``tests: exited 1`` or ``approve``."""
        row = self._said.get(source) if isinstance(source, int) else None
        if row is None:
            return "a reply that is not in the record"
        if row["kind"] == "event":
            said = self._short(row.get("value"))
            return flat(str(row.get("name")), 60) + (
                "" if said in ("", "{}", "null") else f" {said}"
            )
        actor = self._machines[self._owners[row["link"]]].actors[row["link"]]
        return f"{flat(actor.name, 60)}: {self._short(row.get('output'))}"

    def _short(self, digest: Any) -> str:
        if not isinstance(digest, str):
            return ""
        try:
            value = self._recording.values.tagged(digest)
            return _outcome(value) or flat(self._recording.values.shown(digest), REPLY)
        except ExplainkitError:
            return "(cannot be read)"

    def _pick(self, seq: int, row: dict[str, Any]) -> ToldPick:
        machine, answer = self._machines[row["machine"]], self._answers.get(seq)
        parent = row.get("parent")
        agent = machine.actors.get(parent) if isinstance(parent, int) else None
        payload = row.get("value")
        pick = ToldPick(
            seq,
            machine.name,
            str(row.get("sender")),
            str(row.get("name")),
            payload if isinstance(payload, str) else None,
            chain=tuple(self._chains.get(seq, ())),
            outcomes=tuple(self._outcomes.get(seq, ())),
        )
        return (
            self._still_open(pick, machine, agent) if answer is None else self._read(pick, answer)
        )

    def _told_refused(self, row: dict[str, Any]) -> ToldPick:
        payload = row.get("value")
        return ToldPick(
            row["seq"],
            self._machines[row["machine"]].name,
            str(row.get("sender")),
            str(row.get("name")),
            payload if isinstance(payload, str) else None,
            moved=False,
            refused=str(row["refused"]),
        )

    def _still_open(
        self, pick: ToldPick, machine: RecordedMachine, agent: RecordedActor | None
    ) -> ToldPick:
        return replace(pick, held_by=tuple(machine.holding(pick.seq, agent)))

    def _read(self, pick: ToldPick, answer: dict[str, Any]) -> ToldPick:
        receipt = self._receipt(answer.get("receipt"))
        fold = self._recording.effective(f"pick:{pick.seq}")
        read = answer.get("value") if fold is None else fold.final.value
        applied = "applied" in pick.outcomes
        return replace(
            pick,
            answered=True,
            moved=_truth(receipt.get("moved")),
            turn_complete=_truth(receipt.get("turn_complete")),
            read=read if isinstance(read, str) else None,
            source="answer" if applied else str(answer.get("via")),
        )

    def _receipt(self, digest: Any) -> dict[str, Any]:
        try:
            found = self._recording.values.object(digest) if isinstance(digest, str) else {}
        except ExplainkitError:
            found = {}
        return found if isinstance(found, dict) else {}


def _is_pick(row: dict[str, Any]) -> bool:
    return row.get("arrival") == "pick"


def _outcome(value: Any) -> str | None:
    """The outcome of a command in two words; None for anything else."""
    match value:
        case {"outcome": "exited", "code": int(code)}:
            return f"exited {code}"
        case {"outcome": "timed-out"}:
            return "timed out"
        case {"outcome": "not-run"}:
            return "not run"
    return None


def _number(text: Any) -> int | None:
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else None


def _slot(row: dict[str, Any]) -> int | None:
    slot = row.get("slot")
    return _number(slot.removeprefix("pick:")) if isinstance(slot, str) else None


def _truth(found: Any) -> bool | None:
    return found if isinstance(found, bool) else None
