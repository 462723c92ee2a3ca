"""The links of a run in rows that can be held against those of another run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explainkit.store import Recording

Signature = tuple[str, str, str]
"""Type, name, and name of the link around it."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link.

    Attributes:
        seq: Its `seq`.
        signature: What it is matched by.
        inputs: Slots with digests.
        ended: Status with the digest of the output or error.
    """

    seq: int
    signature: Signature
    inputs: tuple[tuple[str, str], ...]
    ended: tuple[str, str]

    @property
    def whole(self) -> tuple[Any, ...]:
        """Everything that has to be equal for two links to be the same."""
        return self.signature, self.inputs, self.ended


def link_rows(recording: "Recording") -> list[LinkRow]:
    """The links of a run, in order.

    Args:
        recording: The run.
    """
    closed = {row.get("link"): row for row in recording.rows("link_closed")}
    names: dict[int, str] = {}
    found: list[LinkRow] = []
    for row in recording.rows("link_opened"):
        name = str(row.get("name") or row.get("actor") or "")
        names[row["seq"]] = name
        around = names.get(row["parent"], "") if isinstance(row.get("parent"), int) else ""
        end: Mapping[str, Any] = closed.get(row["seq"], {})
        gave = end.get("output") or end.get("error") or ""
        inputs = tuple(
            (str(each.get("slot")), str(each.get("value")))
            for each in row.get("inputs") or ()
            if isinstance(each, Mapping)
        )
        signature = (str(row.get("type") or "function"), name, around)
        ended = (str(end.get("status") or "open"), str(gave))
        found.append(LinkRow(row["seq"], signature, inputs, ended))
    return found
