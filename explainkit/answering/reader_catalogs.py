"""Readers by name: where the source of an answer comes from."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic.dataclasses import dataclass as checked_dataclass

from explainkit.answering.entries import Catalog, Name, entries_of


@checked_dataclass(frozen=True, slots=True)
class AnswerReader:
    """One named source.

    Attributes:
        id: Its name, unique in a catalog.
        read: Called with the parsed input and the context; gives the source. It may be async.
    """

    id: Name
    read: Callable[..., Any]


class AnswerReaderCatalog(Catalog[AnswerReader]):
    """Readers by id; made by `define_answer_reader_catalog`."""


def define_answer_reader_catalog(
    readers: Iterable[AnswerReader | Mapping[str, Any] | Any],
) -> AnswerReaderCatalog:
    """Build a catalog of readers.

    Args:
        readers: Readers, mappings `{id, read}`, or objects with `id` and `read`.

    Raises:
        AnswerFlowError: Two have one id, or one is no reader.

    Example:
        >>> manual = {"id": "manual", "read": lambda input, context: f"About {input}: ..."}
        >>> define_answer_reader_catalog([manual]).ids
        ('manual',)
    """
    return AnswerReaderCatalog("reader", entries_of(AnswerReader, "reader", readers))
