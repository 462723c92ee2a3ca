"""What a machine did that gave no answer: what was picked, what came of it, where it ended."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.safety import shorten

if TYPE_CHECKING:
    from explainkit.store import Recording


@dataclass(frozen=True, slots=True)
class Path:
    """The way of a run through its machines.

    Attributes:
        picks: Of each pick who picked, what, with what, and the answer that it got.
        ended_in: Active states of the outermost machine after its last step.
    """

    picks: tuple[tuple[str, str, Any, Any], ...]
    ended_in: tuple[str, ...]

    @property
    def words(self) -> str:
        """What a person reads of it."""
        picked = ", ".join(shorten(name, 40) for _, name, _, _ in self.picks) or "nothing"
        ended = f"; ended in {shorten(self.ended_in[-1], 60)}" if self.ended_in else ""
        return f"picked {picked}{ended}"


def path_of(recording: "Recording") -> Path | None:
    """The path of a run; None where it has no machine.

    Args:
        recording: The run.
    """
    outermost = next(
        (row["seq"] for row in recording.rows("link_opened") if row.get("type") == "machine"), None
    )
    if outermost is None:
        return None
    values = recording.values

    def read(digest: Any) -> Any:
        return None if digest is None else values.object(str(digest))

    picks = []
    for row in recording.rows("event"):
        if row.get("arrival") == "pick":
            fold = recording.effective(f"pick:{row['seq']}")
            answer = None if fold is None else read(fold.final.value)
            sender, name = str(row.get("sender")), str(row.get("name"))
            picks.append((sender, name, read(row.get("value")), answer))
    steps = [row for row in recording.rows("transition") if row.get("machine") == outermost]
    ended_in = tuple(map(str, steps[-1].get("configuration") or ())) if steps else ()
    return Path(tuple(picks), ended_in)
