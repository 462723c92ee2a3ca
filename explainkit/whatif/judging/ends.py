"""What a run came to, as judges see it: an answer, or an end without one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.safety.decoding import Opaque

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
        parts: Type and fields of an answer that is an object, which `value` only shows.
    """

    status: str
    answered: bool
    value: Any
    recording: "Recording"
    slot: str = "answer"
    version: int = 0
    parts: Any = None

    @property
    def compared(self) -> Any:
        """What is compared with another answer."""
        return self.value if self.parts is None else self.parts

    @property
    def words(self) -> str:
        """What a person reads of it."""
        if self.answered:
            return self.value if isinstance(self.value, str) else repr(self.value)
        return f"no answer ({self.status}{f': {self.value}' if self.value else ''})"


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
        return End(status, False, _end_word(recording, status), recording, slot)
    chosen = fold.final if version is None else fold.versions[version - 1]
    value = None if chosen.value is None else recording.values.object(chosen.value)
    parts = None
    if isinstance(value, Opaque):
        if value.fields:
            parts = {"type": value.type, "fields": _plain(value.fields)}
        value = recording.values.shown(str(chosen.value))
    return End(status, True, value, recording, slot, chosen.version, parts)


def _plain(value: Any) -> Any:
    """Objects inside of a value as their types and fields."""
    if isinstance(value, Opaque):
        return {"type": value.type, "fields": _plain(value.fields), "repr": value.repr}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def end_of(done: "Rerun", *, slot: str = "answer") -> End:
    """What a re-run came to.

    Args:
        done: The re-run.
        slot: Which answer.
    """
    return recorded_end(done.recording, slot=slot)


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
