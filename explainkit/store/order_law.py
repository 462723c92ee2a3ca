"""The law of a run's course: it starts once, ends once, and every link closes once."""

from collections.abc import Iterator
from typing import Any

from explainkit.store.problem import Problem


class OrderLaw:
    """Follows the records of one run.

    Args:
        run: The id that the header gives.
    """

    def __init__(self, run: str) -> None:
        self._run = run
        self._started = False
        self._ended: int | None = None
        self._open: dict[int, None] = {}
        self._links: set[int] = set()

    def check(self, row: dict[str, Any], *, noted: bool) -> Iterator[Problem]:
        """What is wrong with the next record; ``noted`` when it stands in the notes."""
        seq, kind = row["seq"], row["kind"]
        if kind == "value":  # content may come before the record that holds it, also at the start
            pass
        elif (kind == "run_started") == self._started:
            what = "starts the run again" if self._started else "comes before the run started"
            yield Problem("order", seq, f"{kind} {what}")
        self._started = self._started or kind != "value"
        if kind == "run_started" and row.get("run") != self._run:
            yield Problem("order", seq, f"another run started than the header's {self._run!r}")
        if self._ended is not None and not noted:
            yield Problem("order", seq, f"{kind} stands after the end of the run")
        if noted and kind in {"run_started", "run_ended", "link_opened", "link_closed"}:
            yield Problem("order", seq, f"{kind} stands in the notes")
        if kind == "run_ended":
            self._ended = seq
        elif kind == "link_opened":
            self._open[seq] = None
            self._links.add(seq)
        elif kind == "link_closed":
            yield from self._close(row)

    def finish(self) -> Iterator[Problem]:
        """What is wrong at the end; links that a crash left open are no breach."""
        if self._ended is not None:
            for seq in self._open:
                yield Problem("link", seq, "the link was never closed, though the run ended")

    def _close(self, row: dict[str, Any]) -> Iterator[Problem]:
        link = row.get("link")
        if link in self._open:
            del self._open[link]
        elif link in self._links:
            yield Problem("link", row["seq"], f"link {link} is closed a second time")
        else:
            yield Problem("link", row["seq"], f"{link!r} is closed, which is no link before it")
