"""One breach of a law of records, as a plain result."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach of integrity or of a law.

    Attributes:
        law: ``integrity``, ``shape``, ``order``, ``reference``, ``value``, ``link``, ``answer``
            or ``verdict``; ``more`` says how many were not listed.
        seq: The record, where it is one.
        message: What is wrong, in words.
    """

    law: str
    seq: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.law}: {self.message}" + ("" if self.seq is None else f" (record {self.seq})")
