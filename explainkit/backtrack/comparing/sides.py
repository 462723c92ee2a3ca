"""One of two runs: its records by name, as they would stand in any recording of the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from explainkit.backtrack.comparing.naming import PICK, Names
from explainkit.backtrack.comparing.telling import error_of

if TYPE_CHECKING:
    from explainkit.store import Recording

_UNTOLD: Final = frozenset("seq at kind cell defined redefined site source_index".split())
"""Times, ids, record numbers and places in code: another run always has others."""
_OF_RUNS: Final = frozenset("run parent resumes origin interventions".split())
"""What a run is called and belongs to, in its first record alone."""
_WITHIN: Final = {"attrs": ("call", "reused"), "source": ("file", "index")}
"""Ids of a provider's calls, what a re-run used again, where another tool's run was found."""
_REFERENCES: Final = frozenset("parent link machine called_at from".split())
_SLOTTED: Final = ("answer", "override", "verdict")
_ALWAYS: Final = ("run_started", "run_ended", *_SLOTTED)
_LATER: Final = ("finding", "note")
"""What is said of a run when it has ended."""


@dataclass(frozen=True)
class Side:
    """One of two runs that are compared.

    Attributes:
        recording: The run.
        names: What its records are called.
        until: The last record that is compared, of those that come one after the other.
        skipped: Links of which nothing is compared that lies in them, nor how they ended.
    """

    recording: "Recording"
    names: Names
    until: int | None = None
    skipped: frozenset[int] = frozenset()

    def rows(self) -> dict[str, dict[str, Any]]:
        """The records that are compared, by name."""
        found: dict[str, dict[str, Any]] = {}
        inside = set(self.skipped)
        for row in self.recording.rows():
            kind, seq = row["kind"], row["seq"]
            around = [row.get(key) for key in ("parent", "link", "machine")]
            if any(isinstance(each, int) and each in inside for each in around):
                inside |= {seq} if kind == "link_opened" else set()
            elif kind in _ALWAYS or (
                kind not in _LATER and (self.until is None or seq <= self.until)
            ):
                found[self.names.of(seq)] = row
        return found

    def later(self, kind: str) -> list[Any]:
        """What is said of the run when it has ended.

        Args:
            kind: The kind of record that says it.
        """
        return [self.plain(row, kind) for row in self.recording.rows(kind)]

    def plain(self, value: Any, kind: str, key: str = "") -> Any:
        """A part of a record, with names instead of numbers and without times, ids and places.

        Args:
            value: The part, or all of the record.
            kind: What kind of record it is.
            key: The field that it is of.
        """
        if isinstance(value, Mapping):
            return self._plain_fields(value, kind, key)
        if isinstance(value, list | tuple):
            return [self.plain(each, kind, key or "item") for each in value]
        if key == "error" and kind == "run_ended":
            return error_of(self.recording, value)
        if value is not None and (key in _REFERENCES or (key == "source" and kind == "reply")):
            return self.names.of(value)
        if key == "slot" and kind in _SLOTTED and value is not None:
            return self.names.slot(value)
        return self.names.slot(f"{PICK}{value}") if key == "pick" else value

    def _plain_fields(self, value: Mapping[str, Any], kind: str, key: str) -> dict[str, Any]:
        if not key:
            untold = _UNTOLD | (_OF_RUNS if kind == "run_started" else frozenset())
        elif isinstance(value.get("seq"), int):  # an occurrence
            untold = frozenset({"seq", "run"})
        else:
            untold = frozenset(_WITHIN.get(key, ()))
        told = {
            name: self.plain(each, kind, name) for name, each in value.items() if name not in untold
        }
        if key and isinstance(value.get("seq"), int):
            told["record"] = self.names.of(value["seq"])
        return told if key else {n: each for n, each in told.items() if not _is_nothing(n, each)}


def _is_nothing(name: str, value: Any) -> bool:
    """Whether a field says what it says where it is not written."""
    return value is None or value in ([], {}) or (value is False and name != "admitted")
