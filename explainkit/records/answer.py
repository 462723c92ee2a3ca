"""The first version of an answer slot; everything later is an override."""

from typing import Literal

from explainkit.records.base import Digest, Occurrence, RecordBase, Seq


class Answer(RecordBase):
    """Opens version 1 of a slot.

    Attributes:
        slot: ``answer``, ``pick:<id>``, ``item:<id>`` or ``answer:<link>``.
        value: Digest of the value.
        via: ``answer`` (said by the author), ``return`` (the traced function's value), or, for a
            pick, ``reply`` (the last reply) or ``receipt`` (nothing replied).
        uses: Earlier occurrences that the author declared it was made from.
        parent: The link during which it was given.
        receipt: Digest of what a machine says beside the answer of a pick.
    """

    kind: Literal["answer"] = "answer"
    slot: str = "answer"
    value: Digest
    via: Literal["answer", "return", "reply", "receipt"] = "answer"
    uses: tuple[Occurrence, ...] = ()
    parent: Seq | None = None
    receipt: Digest | None = None
