"""A run as lines of text, one after the other, so that a long one needs no memory."""

from collections.abc import Callable, Iterator
from typing import Any

from explainkit.cli.end_section import end_text
from explainkit.cli.link_tree import link_lines
from explainkit.cli.listing import moment
from explainkit.cli.machine_sections import machine_text, pick_text
from explainkit.cli.measured_section import measured_text
from explainkit.cli.printing import one_line
from explainkit.errors import ExplainkitError
from explainkit.graph.losing import Losses, loss_words
from explainkit.records import Context, Event, LinkClosed, Lost, Note, Override, RunStarted, Verdict
from explainkit.safety import visible
from explainkit.session import Run
from explainkit.store import AnswerFold
from explainkit.view.error_words import error_text
from explainkit.view.words import status_words


class RunText:
    """The text of a run. Headings start at the left, recorded text never does.

    Attributes:
        problems: What could not be read while ``lines`` went on.
    """

    def __init__(self, run: Run) -> None:
        """Hold a run."""
        self._run = run
        self._recording = run.recording
        self._folds: dict[str, AnswerFold | None] = {}
        self.problems: list[str] = []

    def lines(self) -> Iterator[str]:
        """The lines, in the order in which a person asks."""
        yield from self._head()
        yield from end_text(self._recording)
        yield from self._answers()
        yield from _section("Verdicts", self._verdicts())
        yield from _section("Measured", measured_text(self._recording))
        yield from _section("Machines", machine_text(self._recording))
        yield from _section("Picks", pick_text(self._recording))
        yield from _section("Links", link_lines(self._recording, self._ended))
        yield from _section("Contexts", self._contexts())
        yield from _section("Events", self._events())
        yield from _section("Overrides", self._overrides())
        yield from _section("Notes", self._notes())
        yield from _section("Not recorded whole", self._lost())

    def text(self, digest: str | None) -> str:
        """A stored value as text; what cannot be read says so and is counted."""
        return self._read(digest, self._recording.values.shown)

    def _ended(self, row: LinkClosed) -> str:
        """What a link put out, or the error that it ended on."""
        if row.error is not None:
            return self._read(row.error, lambda digest: error_text(self._recording, digest))
        return self.text(row.output)

    def _read(self, digest: str | None, read: Callable[[str], str]) -> str:
        if digest is None:
            return ""
        try:
            return read(digest)
        except ExplainkitError as error:
            self.problems.append(str(error))
            return "(this value cannot be read)"

    def _head(self) -> Iterator[str]:
        recording = self._recording
        yield f"Run {one_line(recording.run, 4_096)}"
        yield f"  name      {one_line(recording.name)}"
        yield f"  status    {status_words(recording.status)}"
        if recording.path is not None:
            yield f"  file      {one_line(str(recording.path), 4_096)}"
        if recording.head is not None:
            yield f"  head      {recording.head}"
        started = next(self._records("run_started"), None)
        if not isinstance(started, RunStarted):
            return
        yield f"  started   {moment(started.at)}"
        for name in ("parent", "resumes", "origin", "callable"):
            if getattr(started, name) is not None:
                yield f"  {name:<9} {one_line(getattr(started, name))}"
        if started.source:
            parts = [f"{key} {value}" for key, value in started.source.items()]
            yield f"  source    {one_line(', '.join(parts))}"
        if started.question is not None:
            yield "Question"
            yield from _quoted(self.text(started.question))

    def _answers(self) -> Iterator[str]:
        slots = dict.fromkeys(str(row.get("slot", "answer")) for row in self._rows("answer"))
        for slot in {"answer": None, **slots}:
            fold = self._fold(slot)
            name = "" if slot == "answer" else f" in slot {one_line(slot)}"
            refused = self._recording.status == "verdict"
            if fold is None or (fold.inferred and refused):  # no reply stands for an answer then
                yield f"Answer{name}: none"
                continue
            final = fold.final
            made = f"version {final.version}, by {one_line(final.by)}"
            if fold.inferred:
                made = "inferred: the last output of a model"
            yield f"Answer{name} ({made})"
            yield from _quoted("(cleared)" if final.value is None else self.text(final.value))

    def _verdicts(self) -> Iterator[str]:
        for row in self._records("verdict"):
            if not isinstance(row, Verdict):
                continue
            judge = f", says {one_line(row.judge)}" if row.judge else ""
            yield f"  {row.seq:>5}  {row.status}{judge} ({self._target(row)})"
            if row.reason:
                yield from _quoted(row.reason, indent=9)
            for issue in row.issues:
                words = (str(issue[key]) for key in ("code", "path", "message") if issue.get(key))
                yield f"         issue: {one_line(': '.join(words), 400)}"

    def _target(self, row: Verdict) -> str:
        if row.link is not None:
            return f"link {row.link}"
        slot = row.slot or "answer"
        fold = self._fold(slot)
        stale = fold is not None and row.version is not None and row.version < fold.final.version
        name = "answer" if slot == "answer" else f"slot {one_line(slot)}"
        return f"{name} version {row.version}" + (
            "; stale: a later version replaced it" if stale else ""
        )

    def _contexts(self) -> Iterator[str]:
        for row in self._records("context"):
            if not isinstance(row, Context):
                continue
            born = f" from {one_line(row.source)}" if row.source else ""
            out = "" if row.admitted else f", left out ({one_line(row.how or 'no way given')})"
            why = f": {one_line(row.why, 400)}" if row.why else ""
            yield f"  {row.seq:>5}  {one_line(row.type)} {one_line(row.name)}{born}{out}{why}"
            yield from _quoted(self.text(row.value), indent=9)

    def _events(self) -> Iterator[str]:
        for row in self._records("event"):
            if isinstance(row, Event):
                sender = f" from {one_line(row.sender)}" if row.sender else ""
                yield f"  {row.seq:>5}  {one_line(row.name)}{sender}"
                yield from _quoted(self.text(row.value), indent=9)

    def _overrides(self) -> Iterator[str]:
        for row in self._records("override"):
            if not isinstance(row, Override):
                continue
            slot = "" if row.slot in (None, "answer") else f" of {one_line(row.slot)}"
            old = f" version {row.from_version}{slot}" if row.from_version is not None else slot
            yield f"  {row.seq:>5}  {row.outcome} by {one_line(row.by)}, on{old or ' nothing'}"
            if row.reason:
                yield f"         reason: {one_line(row.reason, 400)}"
            if row.site:
                yield f"         at: {one_line(row.site)}"
            before = self._version(row)
            if before is not None:
                yield "         before:"
                yield from _quoted(before, indent=9)
            if row.value is not None:
                yield "         after:"
                yield from _quoted(self.text(row.value), indent=9)

    def _version(self, row: Override) -> str | None:
        fold = self._fold(row.slot) if row.slot is not None else None
        if fold is None or row.from_version is None:
            return None
        made = [version for version in fold.versions if version.version == row.from_version]
        return self.text(made[0].value) if made and made[0].value is not None else None

    def _notes(self) -> Iterator[str]:
        for row in self._records("note"):
            if isinstance(row, Note):
                yield f"  {row.seq:>5}" + (f"  by {one_line(row.by)}" if row.by else "")
                yield from _quoted(row.text, indent=9)

    def _lost(self) -> Iterator[str]:
        losses = Losses()
        for row in self._recording.rows("link_closed", "lost"):
            if row["kind"] == "link_closed":
                losses.ended(row)
            elif losses.counts(row) and isinstance(lost := self._recording[row["seq"]], Lost):
                times = "" if lost.count == 1 else f" ({lost.count:,} times)"
                yield f"  {lost.seq:>5}  {one_line(loss_words(row), 400)}{times}"

    def _fold(self, slot: str) -> AnswerFold | None:
        if slot not in self._folds:
            self._folds[slot] = self._recording.effective(slot)
        return self._folds[slot]

    def _rows(self, kind: str) -> Iterator[dict[str, Any]]:
        return self._recording.rows(kind)

    def _records(self, kind: str) -> Iterator[Any]:
        """Typed records, so that a wrong shape is an error of the file and not of this code."""
        return (self._recording[row["seq"]] for row in self._rows(kind))


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    first = next(lines, None)
    if first is not None:
        yield title
        yield first
        yield from lines


def _quoted(text: str, *, indent: int = 2) -> Iterator[str]:
    """A recorded text, whole, behind a bar, so that it cannot pass for ours."""
    return (f"{' ' * indent}│ {line}" for line in visible(text).split("\n"))
