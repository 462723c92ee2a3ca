"""What a run came to, as judges see it: an answer, or an end without one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.safety.decoding import Opaque
from explainkit.whatif.judging.paths import Path, path_of
from explainkit.whatif.judging.recorded_forms import form_of, words_of
from explainkit.whatif.judging.slots_again import slot_again

if TYPE_CHECKING:
    from explainkit.store import Recording
    from explainkit.whatif.rerunning import Rerun


@dataclass(frozen=True, slots=True)
class End:
    """How a run ended.

    Attributes:
        status: answered, error, verdict, paused, exhausted or cancelled.
        answered: Whether there is an answer.
        value: The answer; for another end what tells it apart, such as the kind of a verdict.
        recording: Its records.
        slot: The answer's slot.
        version: The answer's version; 0 without one.
        parts: What is known of an answer that is an object, which `value` only shows.
        path: The way through its machines of a run that gave no answer, or None as its answer.
    """

    status: str
    answered: bool
    value: Any
    recording: "Recording"
    slot: str = "answer"
    version: int = 0
    parts: Any = None
    path: Path | None = None

    @property
    def compared(self) -> Any:
        """What is compared with another answer."""
        plain = self.value if self.parts is None else self.parts
        if not self.took_a_way or self.path is None:
            return plain
        return {"answer": plain, "picks": self.path.picks, "ended in": self.path.ended_in}

    @property
    def judged(self) -> Any:
        """What a function that judges is given: the answer, with objects as they are on record."""
        return form_of(self.value if self.parts is None else self.parts)

    @property
    def took_a_way(self) -> bool:
        """Whether it is a machine's end without an answer, told by its picks."""
        return self.path is not None and bool(self.path.picks)

    @property
    def words(self) -> str:
        """What a person reads of it."""
        if self.took_a_way and self.path is not None and self.answered:
            return f"no answer; {self.path.words}"
        if self.answered:
            whole = self.value if self.parts is None else self.parts
            return whole if isinstance(whole, str) else words_of(whole)
        return self._ended

    @property
    def _ended(self) -> str:
        way = f"; {self.path.words}" if self.path is not None and self.path.picks else ""
        value = str(self.value or "")
        kind = value.rpartition(".")[2] if self.status == "error" else value
        return f"no answer ({self.status}{f': {kind}' if kind else ''}{way})"


def recorded_end(
    recording: "Recording", *, slot: str = "answer", version: int | None = None
) -> End:
    """What a recorded run came to.

    Args:
        recording: The run.
        slot: Which answer.
        version: Which version; the effective one when not given.
    """
    status = recording.status
    fold = None if status == "verdict" and slot == "answer" else recording.effective(slot)
    if fold is None or (status == "error" and slot == "answer" and fold.inferred):
        path = path_of(recording) if slot == "answer" else None
        return End(status, False, _end_word(recording, status), recording, slot, path=path)
    chosen = fold.final if version is None else fold.versions[version - 1]
    value = None if chosen.value is None else recording.values.object(chosen.value)
    parts = None
    if isinstance(value, Opaque):
        parts = value
        value = recording.values.shown(str(chosen.value))
    path = path_of(recording) if value is None and slot == "answer" else None
    return End(status, True, value, recording, slot, chosen.version, parts, path)


def end_of(done: "Rerun", *, slot: str = "answer", origin: "Recording | None" = None) -> End:
    """What a re-run came to.

    Args:
        done: The re-run.
        slot: Which answer of the recorded run.
        origin: The recorded run, whose slots of picks have other numbers.
    """
    again = slot if origin is None else slot_again(origin, done.recording, slot)
    return recorded_end(done.recording, slot=again or slot)


def _end_word(recording: "Recording", status: str) -> str:
    """What tells one end without an answer from another: a verdict's kind, an error's type."""
    if status == "verdict":
        kinds = [row.get("terminal") for row in recording.rows("verdict") if row.get("terminal")]
        return str(kinds[-1]) if kinds else ""
    if status == "error":
        for row in recording.rows("run_ended"):
            error = row.get("error")
            if error is not None:
                shown = recording.values.object(error)
                return str(getattr(shown, "type", None) or shown)[:80].split("(")[0]
    return ""
