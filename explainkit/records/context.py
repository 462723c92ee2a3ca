"""A piece that can reach a model, recorded whether it was let in or left out."""

from typing import Literal

from explainkit.records.base import Attributes, Digest, Occurrence, RecordBase, Seq


class Context(RecordBase):
    """A piece of context offered, or left out.

    Attributes:
        name: The author's name for it.
        type: instruction, fact, document, memory, skill, message, tool result,
            tool description, parameter, or the author's own word.
        value: Digest of the content.
        source: Where it was born: a file, a URL, a table, a tool.
        why: Why it was admitted, or why it was left out.
        admitted: False for a piece that was left out.
        how: For a piece left out: dropped, truncated, cut by rank, deduplicated, compacted.
        slot: Where an Agent puts it: system, messages, tools.
        trigger: What let it in, with its evidence.
        uses: Earlier occurrences that the author declared it was made from.
        parent: The link during which it was offered.
    """

    kind: Literal["context"] = "context"
    name: str
    type: str = "fact"
    value: Digest
    source: str | None = None
    why: str | None = None
    admitted: bool = True
    how: str | None = None
    slot: str | None = None
    trigger: Attributes | None = None
    uses: tuple[Occurrence, ...] = ()
    parent: Seq | None = None
    source_index: int | None = None
