"""Which branch was taken, and what every asked option answered."""

from typing import Any, Literal

from explainkit.records.base import Occurrence, RecordBase, Seq


class Decision(RecordBase):
    """A choice among options.

    Attributes:
        link: ``seq`` of the link that decided.
        options: Names in the order asked.
        results: Result of each; ``None`` was never asked.
        reads: Occurrences that the predicates read.
        chosen: The option taken.
    """

    kind: Literal["decision"] = "decision"
    link: Seq | None = None
    options: tuple[str, ...]
    results: tuple[Any, ...] = ()
    reads: tuple[Occurrence, ...] = ()
    chosen: str | None = None
