"""Outputs by name: what an answer is delivered as, and who owns each of its fields."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked_dataclass

from explainkit.answering.entries import Catalog, Name, entries_of, listed
from explainkit.errors import AnswerFlowError


@checked_dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class OutputField:
    """One field of an output.

    Attributes:
        id: Its name, unique in the output.
        owner: Who fills it, such as `generated`.
    """

    id: Name
    owner: Name


@checked_dataclass(frozen=True, slots=True)
class AnswerOutput:
    """What an answer is delivered as.

    Attributes:
        id: Its name, unique in a catalog.
        kind: What it is, such as `text`.
        fields: Its fields.
    """

    id: Name
    kind: Name
    fields: tuple[OutputField, ...]


class OutputCatalog(Catalog[AnswerOutput]):
    """Outputs by id; made by `define_output_catalog`."""


def define_output_catalog(
    outputs: Iterable[AnswerOutput | Mapping[str, Any] | Any],
) -> OutputCatalog:
    """Build a catalog of outputs.

    Args:
        outputs: Outputs, or mappings `{id, kind, fields: [{id, owner}]}`.

    Raises:
        AnswerFlowError: Two have one id, one is no output, or two fields of one have one id.

    Example:
        >>> reply = {"id": "reply", "kind": "text", "fields": [{"id": "text", "owner": "model"}]}
        >>> define_output_catalog([reply]).require("reply").fields[0].owner
        'model'
    """
    made = entries_of(AnswerOutput, "output", outputs)
    for output in made:
        ids = [each.id for each in output.fields]
        doubled = dict.fromkeys(each for each in ids if ids.count(each) > 1)
        if doubled:
            raise AnswerFlowError(
                f'Output "{output.id}": {listed(doubled)} is the id of more than one field. '
                "Give each its own id."
            )
    return OutputCatalog("output", made)
