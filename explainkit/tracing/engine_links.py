"""Links that an engine opens and closes itself, with the time that its whole step carries."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from explainkit.safety.secret_names import secret_kind
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.cells import current_cell

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def open_engine_link(
    run: ActiveRun,
    *,
    kind: str,
    name: str,
    parent: int | None,
    inputs: Mapping[str, Any],
    attrs: Mapping[str, Any],
    at: int,
    origins: Sequence[Mapping[str, Any]] = (),
    segments: Sequence[Mapping[str, Any]] = (),
    more: Mapping[str, Any] = NOTHING,
) -> int:
    """Open a link.

    Args:
        run: The run.
        kind: What the step is.
        name: Name of the link.
        parent: The enclosing link.
        inputs: Values by slot.
        attrs: Anything else, as JSON.
        at: Nanoseconds since the epoch.
        origins: Occurrences that the inputs are declared to come from.
        segments: Stretches and nodes of the inputs with the occurrence that each came from.
        more: Further fields of the record, such as the code of what it calls.

    Returns:
        The link's id, its `seq`.
    """
    recorder = run.recorder
    with recorder.lock:
        written = []
        for slot, value in inputs.items():
            # A name that tells of no secret would keep a long list from being stored by its items.
            telling = slot if secret_kind(slot) else None
            given: dict[str, Any] = {"slot": slot, "value": recorder.value(value, name=telling)}
            if origins:
                given["from"] = list(origins)
            if segments:
                given["segments"] = list(segments)
            written.append(given)
        fields: dict[str, Any] = {"type": kind, "name": name, "inputs": written, **more}
        seq = recorder.append(
            "link_opened", at=at, parent=parent, **fields, attrs=dict(attrs), cell=current_cell()
        )
        run.links[seq] = []
        return seq


def close_engine_link(
    run: ActiveRun,
    link: int,
    status: str,
    *,
    at: int,
    output: Any = None,
    has_output: bool = False,
    error: Any = None,
    attrs: Mapping[str, Any] | None = None,
) -> int | None:
    """Close a link, unless its run did so when it ended.

    Args:
        run: The run.
        link: The link's id.
        status: How it ended.
        at: Nanoseconds since the epoch.
        output: What it gave; only with `has_output`.
        has_output: Whether it gave anything.
        error: What it raised, or what is known of it.
        attrs: Anything else, as JSON.

    Returns:
        The record's `seq`, or None.
    """
    recorder = run.recorder
    with recorder.lock:
        if link not in run.links:
            return None
        fields: dict[str, Any] = {"link": link, "status": status}
        if has_output:
            fields["output"] = recorder.value(output)
        if error is not None:
            fields["error"] = recorder.value(error)
        if attrs:
            fields["attrs"] = dict(attrs)
        seq = recorder.append("link_closed", at=at, **fields)
        del run.links[link]
        if has_output:
            run.outputs[fields["output"].encode()] = seq
        return seq
