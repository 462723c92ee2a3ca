"""What a session does for the panels: they are drawn here, and run nothing themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from explainkit.backtrack.comparing import Compared
    from explainkit.store import Recording
    from explainkit.view.whatif.told import ToldWhatIf
    from explainkit.whatif.varying import Plan


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person asks to have measured.

    Attributes:
        changes: Keywords of a what-if; empty for a search for the smallest set.
        said: The changes in words.
        slot: Which answer is judged.
        span: The selected words of it, in code points; None for all of it.
        calls: Calls that it may cost.
    """

    changes: Mapping[str, Any]
    said: tuple[str, ...]
    slot: str = "answer"
    span: tuple[int, int] | None = None
    calls: int = 200

    @property
    def is_search(self) -> bool:
        """Whether the smallest set is searched for."""
        return not self.changes


@dataclass(frozen=True, slots=True)
class Address:
    """A leaf of a recorded value, or a stretch of it, as a what-if takes it.

    Attributes:
        seq: The record.
        path: JSON Pointer of the leaf.
        start: First code point.
        end: One past the last.
        text: The characters there.
    """

    seq: int
    path: str
    start: int
    end: int
    text: str = field(compare=False)


class Reruns(Protocol):
    """What can be run again, and what came of it."""

    @property
    def recording(self) -> "Recording":
        """The records with all findings."""
        ...

    def refusal(self, slot: str) -> str | None:
        """Why nothing can be run again; None when it can."""
        ...

    def start(self, wanted: Wanted) -> None:
        """Measure it, away from who asks.

        Raises:
            RerunError: Something is measured already.
        """
        ...

    def stop(self) -> str:
        """End what is measured after the present re-run; gives what was done in words."""
        ...

    def told(self, seq: int) -> "ToldWhatIf | None":
        """A what-if that was measured in this process, by its finding."""
        ...

    def compared(self, seq: int) -> "Compared | None":
        """Its re-run beside the recorded run."""
        ...

    def plan(self, seq: int) -> "Plan | None":
        """What it changed at each record; None for what another process measured."""
        ...

    @property
    def bisection(self) -> Any:
        """The bisection that was begun last; None when none was."""
        ...

    def begin_bisection(self, slot: str, *, wrong: bool) -> Any:
        """Begin one anew; of an answer that is wrong, whoever let it pass, where that is said."""
        ...
