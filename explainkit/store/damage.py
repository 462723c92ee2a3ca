"""What is wrong with a file, said so that a person can act on it."""

from dataclasses import dataclass

CUT = "the line is cut: the run was killed or the file was shortened here"


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong with a run file or its notes.

    Attributes:
        line: Where, counted from 1; for a range of lines, the first.
        reason: What was found, in words.
        lost: How many lines are left out because of it.
    """

    line: int
    reason: str
    lost: int = 0

    def __str__(self) -> str:
        plural = "" if self.lost == 1 else "s"
        return f"line {self.line}: {self.reason}" + (
            f" ({self.lost} line{plural} left out)" if self.lost else ""
        )
