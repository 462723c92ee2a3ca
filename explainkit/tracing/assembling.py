"""Builds a prompt from pieces and remembers where each character came from."""

from typing import Any, Literal, overload

from explainkit.errors import TemplateError
from explainkit.tracing.active import ActiveRun
from explainkit.tracing.current import Frame, required_frame
from explainkit.tracing.messages import FilledMessages, fill_messages
from explainkit.tracing.opening import close_with, input_digests, open_link
from explainkit.tracing.provenance import Leaf, hide_secrets, leaf_of
from explainkit.tracing.seam import Point
from explainkit.tracing.spec import LinkSpec
from explainkit.tracing.template import Filled, fill, names_of

_KIND: Literal["assemble"] = "assemble"
_EXAMPLE = "ek.assemble('{tariff}\\n\\nQ: {q}', tariff=tariff, q=question)"


def _assembled() -> None:
    """Stands for the step in the record."""


_SPEC = LinkSpec(_assembled, kind=_KIND, name=_KIND, uses=(), deterministic=True)


@overload
def assemble(template: str, /, **values: Any) -> str: ...
@overload
def assemble(template: list[Any], /, **values: Any) -> list[Any]: ...
def assemble(template: str | list[Any], /, **values: Any) -> str | list[Any]:
    r"""Fill a template and record which characters came from which value.

    Args:
        template: A text with ``{name}`` fields, formatted as ``str.format`` does; or a list of chat
            messages whose texts hold such fields, in which a bare ``"{name}"`` item splices in a
            message or a list of messages. Values are never parsed as templates.
        **values: What the fields stand for.

    Returns:
        A plain ``str``, or a plain list of messages, for the model call.

    Raises:
        NoRunError: No run is open here.
        TemplateError: A field without a value, a value without a field, or a broken template.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello"):
        ...     ek.assemble("{rule}\n\nQ: {q}", rule="No refund.", q="Refund?")
        'No refund.\n\nQ: Refund?'
    """
    frame = required_frame("ek.assemble(...)")
    if frame.run.rewrite is not None:
        values |= frame.run.rewrite(_KIND, _KIND, values) or {}
    if isinstance(template, str):
        return _assemble_text(frame, template, values)
    if isinstance(template, list):
        return _assemble_messages(frame, template, values)
    raise TemplateError(
        f"ek.assemble takes a text or a list of messages; got {type(template).__name__}. "
        f"Example: {_EXAMPLE}"
    )


def _assemble_text(frame: Frame, template: str, values: dict[str, Any]) -> str:
    pieces = fill(template, values)
    _refuse_unused(names_of(template), values)
    text = "".join(piece.text for piece in pieces)
    run = frame.run
    try:
        hide_secrets(values, run.recorder.redactor)
        seq = open_link(_SPEC, frame, (), values)
        if (given := _supplied(run, seq, text)) is not None:
            text, pieces = str(given.value), [Filled(str(given.value), None, True)]
        _close_text(run, seq, pieces, values)
    except Exception as fault:
        run.fault(fault)
    return text


def _assemble_messages(frame: Frame, template: list[Any], values: dict[str, Any]) -> list[Any]:
    filled = fill_messages(template, values)
    names = [each.name for each in filled.spliced]
    names += [piece.name for leaf in filled.leaves for piece in leaf.pieces if piece.name]
    _refuse_unused(names, values)
    run = frame.run
    try:
        hide_secrets(values, run.recorder.redactor)
        seq = open_link(_SPEC, frame, (), values)
        if (given := _supplied(run, seq, filled.messages)) is not None:
            filled = FilledMessages(list(given.value), [], [])
        _close_messages(run, seq, filled, values)
    except Exception as fault:
        run.fault(fault)
    return filled.messages


def _refuse_unused(names: list[str], values: dict[str, Any]) -> None:
    unused = [name for name in values if name not in names]
    if unused:
        raise TemplateError(
            f"ek.assemble got {unused[0]}= but the template has no {{{unused[0]}}}. "
            f"Its fields are: {', '.join(dict.fromkeys(names)) or 'none'}."
        )


def _supplied(run: ActiveRun, seq: int, made: Any) -> Any:
    if run.supply is None:
        return None
    inputs = input_digests(run, seq)
    return run.supply(
        Point(_KIND, _KIND, inputs, type=_KIND, link=seq, deterministic=True, value=made)
    )


def _close_text(run: ActiveRun, seq: int, pieces: list[Filled], values: dict[str, Any]) -> None:
    recorder = run.recorder
    with recorder.lock:
        leaf = leaf_of(pieces, values, link=seq, path="", redactor=recorder.redactor)
        key = _store_leaf(run, leaf)
        run.outputs[key] = recorder.seq
        close_with(run, seq, "answered", output=key.decode(), segments=leaf.segments)
        _report_blurred(run, seq, [leaf])


def _store_leaf(run: ActiveRun, leaf: Leaf) -> bytes:
    """Store an assembled text as references to its large pieces, when there are any."""
    values = run.recorder.values
    if not any(isinstance(part, tuple) for part in leaf.parts):
        return values.digest(leaf.text)
    known = values.seen.get(leaf.text)
    if known is not None:
        return known
    form: list[Any] = [
        part if isinstance(part, str) else {"digest": values.digest(part[1]).decode()}
        for part in leaf.parts
    ]
    return values.joined(leaf.text, leaf.stored, form)


def _close_messages(
    run: ActiveRun, seq: int, filled: FilledMessages, values: dict[str, Any]
) -> None:
    recorder = run.recorder
    with recorder.lock:
        leaves = [
            leaf_of(each.pieces, values, link=seq, path=each.path, redactor=recorder.redactor)
            for each in filled.leaves
        ]
        segments = [segment for leaf in leaves for segment in leaf.segments]
        for each in filled.spliced:
            origin: dict[str, Any] = {"seq": seq, "slot": each.name}
            if each.many:
                origin |= {"start": 0, "end": each.end - each.start}
            segments.append({"start": each.start, "end": each.end, "origin": origin})
        key = recorder.values.digest(filled.messages)
        run.outputs[key] = recorder.seq
        close_with(run, seq, "answered", output=key.decode(), segments=segments)
        _report_blurred(run, seq, leaves)


def _report_blurred(run: ActiveRun, seq: int, leaves: list[Leaf]) -> None:
    blurred = sum(not leaf.whole for leaf in leaves)
    if blurred:
        run.recorder.append(
            "lost",
            what="redacted",
            reason="a secret stood across the border of two pieces; their origins are not kept",
            count=blurred,
            target={"seq": seq, "slot": "output"},
        )
