"""A record of a kind that this version does not know, kept verbatim."""

from explainkit.records.base import RecordBase


class Unknown(RecordBase):
    """Any other kind; all its fields are kept.

    Attributes:
        kind: The kind as written.
    """

    kind: str
