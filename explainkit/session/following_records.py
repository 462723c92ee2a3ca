"""Reads a run's records as they come, each once, so that watching it stays cheap."""

import time
from collections import Counter, deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import orjson

from explainkit.errors import ExplainkitError
from explainkit.session.source import LiveSource
from explainkit.view.watching_lines import Watched, WatchedLink

if TYPE_CHECKING:
    from explainkit.session.run import Run

_KINDS = ("run_started", "link_opened", "link_closed", "answer", "override", "run_ended")
_HEADS = tuple(f'{{"kind":"{kind}"'.encode() for kind in _KINDS)
_SHOWN = 8
_MOST_READ = 20_000
"""Records of a run that goes on above which its answer is read only once it has ended."""


class RecordFollower:
    """What is known of a run so far.

    Args:
        run: The run; it may go on, be over, or come from a file.
        source: Where its records come from.
    """

    def __init__(self, run: "Run", source: Any) -> None:
        self._run = run
        self._live = source if isinstance(source, LiveSource) else None
        self._place = 0
        self._open: dict[int, list[str]] = {}
        self._last: deque[list[str]] = deque(maxlen=_SHOWN)
        self._ended: Counter[str] = Counter()
        self._records = 0
        self._name = ""
        self._began = self._latest = 0
        self._read_at = time.monotonic()
        self._status = "running"
        self._answers = self._answers_read = 0
        self._answer: str | None = None

    @property
    def is_over(self) -> bool:
        """Whether the end of the run was read, or will never come."""
        return self._status != "running"

    def read(self) -> bool:
        """Read what is new; whether anything was."""
        before = self._records
        if self.is_over:
            return False
        if self._live is None:
            self._read_recorded()
        else:
            is_open = self._live.active is not None
            block, self._place = self._live.written_after(self._place)
            self._take_lines(block)
            if not is_open and not self.is_over:
                self._status = self._run.status
        self._read_answer()
        return self._records != before

    def now(self, *, gates: tuple[str, ...] = ()) -> Watched:
        """The run as it was when it was read last."""
        # The run's own clock is not asked, because an injected one may count how often it is.
        since = 0.0 if self.is_over else time.monotonic() - self._read_at
        return Watched(
            name=self._name,
            status=self._status,
            seconds=max(0, self._latest - self._began) / 1e9 + since,
            records=self._records,
            done=self._ended["answered"],
            open=len(self._open),
            other=sum(self._ended.values()) - self._ended["answered"],
            last=tuple(WatchedLink(*each) for each in self._last),
            answer=self._answer,
            gates=gates,
        )

    def _read_recorded(self) -> None:
        recording = self._run.recording
        for row in recording.rows(*_KINDS):
            self._take(row)
        self._records = len(recording)
        self._status = recording.status

    def _take_lines(self, block: bytes) -> None:
        for each in block.splitlines():
            if each.startswith(b'{"kind":'):
                self._records += 1
            if each.startswith(_HEADS):
                self._take(orjson.loads(each))

    def _take(self, row: dict[str, Any]) -> None:
        self._latest = max(self._latest, row.get("at") or 0)
        self._read_at = time.monotonic()
        match row["kind"]:
            case "run_started":
                self._name, self._began = row["name"], row.get("at") or 0
            case "link_opened":
                entry = [str(row.get("type", "function")), str(row["name"]), "open"]
                self._open[row["seq"]] = entry
                self._last.append(entry)
            case "link_closed":
                entry = self._open.pop(row["link"], ["", "", ""])
                entry[2] = str(row["status"])
                self._ended[entry[2]] += 1
            case "answer" | "override":
                self._answers += row.get("slot", "answer") == "answer"
            case "run_ended":
                self._status = str(row["status"])

    def _read_answer(self) -> None:
        """The text of the answer, which is read whole only while that is little."""
        if not self.is_over and (self._answers == self._answers_read or self._records > _MOST_READ):
            return
        self._answers_read = self._answers
        try:
            self._answer = str(self._run.answer)
        except ExplainkitError:
            self._answer = None


def names_of(gates: Iterable[Any]) -> tuple[str, ...]:
    """Names of Gates."""
    return tuple(gate.name for gate in gates)
