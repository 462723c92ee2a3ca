"""What an import read, skipped and missed, because a gap must be seen."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something of the source that was not read.

    Attributes:
        source_index: Its position in the source's list; ``None`` when it has none.
        reason: Why, in words.
    """

    source_index: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a recorded run of another tool.

    Attributes:
        format: Name of the format that was recognised.
        records_read: Messages or steps of the source that became records.
        skipped: What was not read, and why.
        dangling: Positions of tool results whose call is not in the source.
        content_missing: ``(n, m)``: n of m steps hold no content.
        ids_rewritten: Tool-call ids that the source uses more than once, told apart here.
        redacted: Records that the redactor changed.
        grades: Evidence grades that the format can give.
        notes: Anything else a reader should know.

    Example:
        >>> print(ImportReport(format="openai-chat", records_read=4))
        openai-chat: 4 messages read
        evidence: declared, value, exposure, order
    """

    format: str
    records_read: int
    skipped: tuple[Skipped, ...] = ()
    dangling: tuple[int, ...] = ()
    content_missing: tuple[int, int] = (0, 0)
    ids_rewritten: int = 0
    redacted: int = 0
    grades: tuple[str, ...] = ("declared", "value", "exposure", "order")
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The report as a few lines of text."""
        lines = [f"{self.format}: {self.records_read} messages read"]
        lines.extend(
            f"skipped{'' if s.source_index is None else f' [{s.source_index}]'}: {s.reason}"
            for s in self.skipped
        )
        if self.dangling:
            places = ", ".join(map(str, self.dangling))
            lines.append(f"tool results without a call, at: {places}")
        missing, total = self.content_missing
        if missing:
            lines.append(f"content not recorded: {missing} of {total} steps")
        if self.ids_rewritten:
            lines.append(f"tool-call ids used more than once: {self.ids_rewritten}")
        if self.redacted:
            lines.append(f"redacted: {self.redacted} messages")
        lines.append(f"evidence: {', '.join(self.grades)}")
        lines.extend(f"note: {note}" for note in self.notes)
        return "\n".join(lines)
