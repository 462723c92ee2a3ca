"""Tools as a what-if describes them, so that what the model is told is what the record says."""

from collections.abc import Mapping, Sequence
from typing import Any

from explainkit.flow.models import ToolSpec


def described(told: Any, spec: ToolSpec) -> ToolSpec:
    """A tool with another description: a text, or the fields that change.

    Args:
        told: What a what-if says of it.
        spec: The tool as it is.

    Example:
        >>> described("Give money.", ToolSpec(name="pay", description="Take money.")).description
        'Give money.'
    """
    if isinstance(told, str):
        told = {"description": told}
    if not isinstance(told, Mapping):
        return spec
    schema = told.get("parameters")
    return ToolSpec(
        name=spec.name,
        description=str(told.get("description", "")),
        parameters=schema if isinstance(schema, Mapping) else spec.parameters,
    )


def redescribed(told: Any, specs: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The offered tools as a what-if lists them; one that it does not list is not offered.

    Args:
        told: A list of tools, each with its ``name``.
        specs: The tools as they are.
    """
    listed = told if isinstance(told, list | tuple) else ()
    known = {each.name: each for each in specs}
    return [
        described(each, known[str(each["name"])])
        for each in listed
        if isinstance(each, Mapping) and str(each.get("name")) in known
    ]
