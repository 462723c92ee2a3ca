"""A recorded run put together by hand, so that a test says all of it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from explainkit.safety.digests import digest
from explainkit.safety.encoding import encode
from explainkit.store.wire import (
    check_line,
    end_line,
    header_line,
    notes_header_line,
    record_line,
)


@dataclass(frozen=True, slots=True)
class Trace:
    """A finished or crashed run as its lines, with what a reader must find in them.

    Attributes:
        run: The run's id.
        name: Its name.
        lines: Lines of the run file, each with its newline.
        notes: Lines of its notes; none when there are no notes.
        contents: Canonical bytes of each value, by digest, in order of first appearance.
        open_links: ``seq`` of each link that was not closed.
        status: How it ended; ``crashed`` without an end line.
    """

    run: str
    name: str
    lines: tuple[bytes, ...]
    notes: tuple[bytes, ...]
    contents: dict[str, bytes]
    open_links: tuple[int, ...]
    status: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The JSON objects of all records, those of the notes last."""
        rows = [orjson.loads(line) for line in self.lines + self.notes]
        return [row for row in rows if "kind" in row]


class TraceBuilder:
    """Collects the records of one run, numbered as they come.

    Args:
        run: The run's id.
        name: Its name.

    Example:
        >>> trace = TraceBuilder()
        >>> trace.append("run_started", run="r1", name="demo")
        0
        >>> trace.append("answer", value=trace.value("half of the fare"))
        2
        >>> len(trace.build("answered").lines)
        6
    """

    def __init__(self, *, run: str = "r1", name: str = "demo") -> None:
        self.run = run
        self.name = name
        self.contents: dict[str, bytes] = {}
        self.open_links: dict[int, None] = {}
        self.seq = 0
        self._lines = [header_line(run, name)]
        self._noted: list[bytes] = []
        self._head: str | None = None

    def append(self, kind: str, *, at: int | None = None, **fields: Any) -> int:
        """Add a record: to the run, or to its notes after ``end``; returns its ``seq``."""
        seq = self.seq
        self.seq += 1
        line = record_line(kind, seq, at, fields)
        (self._lines if self._head is None else self._noted).append(line)
        if kind == "link_opened":
            self.open_links[seq] = None
        elif kind == "link_closed":
            self.open_links.pop(fields["link"], None)
        return seq

    def value(self, value: Any, **form: Any) -> str:
        """Store a value, once.

        Args:
            value: Any Python object.
            form: ``data``, ``parts``, or ``items`` with or without ``base``, when it is not to be
                stored whole; the caller answers for its being the same content.

        Returns:
            Its digest.
        """
        encoded = encode(value)
        key = digest(encoded.data)
        if key not in self.contents:
            self.contents[key] = encoded.data
            self.append(
                "value",
                digest=key,
                media=encoded.media,
                size=len(encoded.data),
                fidelity=encoded.fidelity,
                **(form or {"data": orjson.loads(encoded.data)}),
            )
        return key

    def check(self) -> None:
        """Add a checkpoint."""
        (self._lines if self._head is None else self._noted).append(
            check_line(self.seq, self._sha(self._lines if self._head is None else self._noted))
        )

    def end(self, status: str) -> None:
        """Write the end line; what follows goes to the notes."""
        self._head = self._sha(self._lines)
        self._lines.append(end_line(self.seq, status, self._head))
        self._noted = [notes_header_line(self.run, self._head)]

    def build(self, status: str | None = None) -> Trace:
        """The trace so far.

        Args:
            status: Ends it so, when it was not ended before; None leaves it crashed.
        """
        if status is not None and self._head is None:
            self.append("run_ended", status=status)
            self.end(status)
        ended = orjson.loads(self._lines[-1])["end"]["status"] if self._head else "crashed"
        return Trace(
            run=self.run,
            name=self.name,
            lines=tuple(self._lines),
            notes=tuple(self._noted) if len(self._noted) > 1 else (),
            contents=dict(self.contents),
            open_links=tuple(self.open_links),
            status=ended,
        )

    @staticmethod
    def _sha(lines: list[bytes]) -> str:
        return sha256(b"".join(lines)).hexdigest()
