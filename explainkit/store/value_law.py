"""The law of content: what a record holds is stored before it, once, and is what it says."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from explainkit.errors import ExplainkitError
from explainkit.store.problem import Problem

if TYPE_CHECKING:
    from explainkit.store.reader import Recording


class ValueLaw:
    """Checks the values of one run.

    Args:
        recording: The run.
    """

    def __init__(self, recording: "Recording") -> None:
        self._recording = recording
        self._values = recording.values
        self._start: dict[str, str] = {}

    def check(self, row: dict[str, Any]) -> Iterator[Problem]:
        """What is wrong with a value record, or with what another record holds."""
        if row["kind"] == "value":
            self._start.pop(row["digest"], None)
            yield from self._stored(row)
            return
        yield from self._lacking()
        for slot, digest in held(row):
            if digest in self._values and self._values.seq(digest) < row["seq"]:
                continue
            if row["kind"] == "run_started":  # when it comes first, its values follow it
                self._start[digest] = slot
            else:
                message = f"the content of {slot} ({digest[:12]}...) is not stored before it"
                yield Problem("value", row["seq"], message)

    def finish(self) -> Iterator[Problem]:
        """What is wrong at the end of a run that was not cut short."""
        if self._recording.status not in {"crashed", "running"}:
            yield from self._lacking()

    def _lacking(self) -> Iterator[Problem]:
        for digest, slot in self._start.items():
            yield Problem("value", None, f"the content of {slot} ({digest[:12]}...) is not stored")
        self._start = {}

    def _stored(self, row: dict[str, Any]) -> Iterator[Problem]:
        seq, digest = row["seq"], row["digest"]
        if self._values.seq(digest) != seq:
            yield Problem("value", seq, f"the content {digest[:12]}... is stored a second time")
            return
        try:
            data = self._values.data(digest)
        except ExplainkitError as error:
            yield Problem("value", seq, str(error))
            return
        if len(data) != row.get("size"):
            yield Problem("value", seq, f"it has {len(data):,} bytes and says {row.get('size')}")
        text = data[:1] == b'"' or data.startswith(b'{"$text":')
        if text != (row.get("media", "text/plain") == "text/plain"):
            yield Problem("value", seq, f"its media type {row.get('media')!r} is wrong")


def held(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Slot and digest of each value that a record holds."""
    for given in row.get("inputs") or ():
        yield given["slot"], given["value"]
    for slot in ("question", "value", "output", "error"):
        digest = row.get(slot)
        if isinstance(digest, str):
            yield slot, digest
