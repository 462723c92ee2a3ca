"""What a model saw for one call, and where each character was first recorded."""

from dataclasses import replace
from typing import Final, NamedTuple, cast

from explainkit.backtrack.following import GRADES
from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Grade, Prompt, PromptLeaf, PromptSegment
from explainkit.backtrack.shown_values import Shown, ShownLeaf, shown_prompt
from explainkit.backtrack.walking import names_of
from explainkit.errors import ExplainkitError, UnknownRecordError
from explainkit.graph.evidence import Evidence
from explainkit.graph.stretches import REST, Carry, Remaining, Stretch

_DEPTH: Final = 64
_NAMED: Final = 4
_GRADES: Final[tuple[str, ...]] = GRADES
TEMPLATE: Final = "template"
UNKNOWN: Final = "unknown"


class _Origin(NamedTuple):
    """``[start, end)`` of the stretch asked about came from ``source`` (``None``: a template)."""

    start: int
    end: int
    source: Stretch | None
    grade: str


def prompt_of(evidence: Evidence, link: int | None = None) -> Prompt:
    """The text that a model link received, with the origin of every character.

    Args:
        evidence: The run.
        link: ``seq`` of a link; the last model link when not given.

    Returns:
        The text; its segments cover it without gaps.

    Raises:
        UnknownRecordError: The run has no such link, or no model link.
    """
    names = names_of(evidence)
    row = _row(evidence, link)
    first = evidence.links.first[row]
    nodes = range(first, first + evidence.links.inputs[row])
    parts = [(node, _shown(evidence, node)) for node in nodes]
    text = ""
    segments: list[PromptSegment] = []
    leaves: list[PromptLeaf] = []
    for node, shown in parts:
        if len(parts) > 1:
            head = f"{chr(10) * 2 if text else ''}[{evidence.places.slot_name(node)}]\n"
            segments.append(_frame(len(text), head))
            text += head
        segments += _segments(names, node, shown, len(text))
        slot, at = evidence.places.slot_name(node), len(text)
        leaves += [
            PromptLeaf(slot, leaf.path, leaf.low, at + leaf.start, at + leaf.end)
            for leaf in shown.leaves
        ]
        text += shown.text
    return Prompt(
        link=evidence.links.opened[row],
        name=names.call(row),
        text=text,
        segments=tuple(_joined(segments)),
        leaves=tuple(leaves),
    )


def _row(evidence: Evidence, link: int | None) -> int:
    links = evidence.links
    if link is not None:
        row = links.row(link)
        if row is None:
            raise UnknownRecordError(
                f"The run has no link {link}. "
                "Links are named by the seq of their link_opened record."
            )
        return row
    for row in range(len(links) - 1, -1, -1):
        if links.type_of(row) == "model":
            return row
    raise UnknownRecordError(_no_model(evidence))


def _no_model(evidence: Evidence) -> str:
    """Which links there are, the last ones first, and how one of them is shown."""
    links = evidence.links
    rows = range(len(links) - 1, -1, -1)
    kinds = {
        links.name_of(row): links.type_of(row)
        for row in rows
        if links.inputs[row] and links.type_of(row) != "assemble"
    }
    if not kinds:
        return (
            "The run has no link of kind 'model', and none that was given anything. A function "
            'that asks a model is recorded with @ek.link(kind="model").'
        )
    named = [f"{name!r:.60} is of kind {kind!r:.40}" for name, kind in kinds.items()]
    more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
    return (
        f"The run has no link of kind 'model': {'; '.join(named[:_NAMED])}{more}. Record the "
        'function that asks the model with @ek.link(kind="model"), or say which link is meant: '
        f"run.prompt({next(iter(kinds))!r:.60})."
    )


def _shown(evidence: Evidence, node: int) -> Shown:
    digest = evidence.places.digest_of(node)
    try:
        return shown_prompt(evidence.recording.values.tagged(digest or ""))
    except ExplainkitError as error:
        return Shown(f"[{error}]", ())


def _frame(start: int, text: str) -> PromptSegment:
    return PromptSegment(start, start + len(text), text, None, TEMPLATE, "declared")


def _segments(names: Names, node: int, shown: Shown, shift: int) -> list[PromptSegment]:
    found: list[PromptSegment] = []
    at = 0
    for leaf in shown.leaves:
        if leaf.start > at:
            found.append(_frame(at + shift, shown.text[at : leaf.start]))
        found += _leaf(names, node, shown, leaf, shift)
        at = leaf.end
    if at < len(shown.text):
        found.append(_frame(at + shift, shown.text[at:]))
    return found


def _leaf(
    names: Names, node: int, shown: Shown, leaf: ShownLeaf, shift: int
) -> list[PromptSegment]:
    stretch = Stretch(node, leaf.path, leaf.low, leaf.low + leaf.end - leaf.start)
    found = []
    for start, end, source, known in _origins(names, stretch, "declared", 0):
        low, high = leaf.start + start, leaf.start + end
        grade, name = known, TEMPLATE if source is None else _name(names, source.node)
        if source is not None and source.node == node:
            grade, name = "exposure", UNKNOWN
        found.append(
            PromptSegment(
                start=low + shift,
                end=high + shift,
                text=shown.text[low:high],
                origin=None if source is None else names.place(source),
                name=name,
                grade=cast("Grade", grade),
            )
        )
    return found


def _name(names: Names, node: int) -> str:
    places = names.evidence.places
    if places.kind_of(node) in ("context", "event"):
        return str(names.row(places.seq[node]).get("name", ""))
    return names.label(node)


def _origins(names: Names, stretch: Stretch, grade: str, depth: int) -> list[_Origin]:
    """First recorded origins of a stretch, gap-free, with offsets from its start."""
    evidence = names.evidence
    length = stretch.end - stretch.start
    if depth >= _DEPTH or _is_first(names, stretch.node):
        return [_Origin(0, length, stretch, grade)]
    found: list[_Origin] = []
    todo = Remaining(stretch.start, stretch.end)
    # What the words were only made from, as was declared, is not where these characters began.
    carries = evidence.carrying.sources(stretch, moved=True)
    for carry in sorted(carries, key=_strongest):
        weakest = max(grade, carry.grade, key=_GRADES.index)
        for low, high in todo.take(carry.target.start, carry.target.end):
            part = _part(carry, low, high)
            where = low - stretch.start, high - stretch.start
            found += _further(names, part, where, weakest, depth)
    for carry in evidence.carrying.frames(stretch) if todo else ():
        weakest = max(grade, carry.grade, key=_GRADES.index)
        for low, high in todo.take(carry.target.start, carry.target.end):
            ends = low - stretch.start, high - stretch.start
            found.append(_Origin(*ends, carry.source, weakest))
    template = _is_template(names, stretch.node)
    for low, high in todo:
        source = None if template else stretch._replace(start=low, end=high)
        found.append(_Origin(low - stretch.start, high - stretch.start, source, grade))
    return sorted(found, key=lambda each: each.start)


def _strongest(carry: Carry) -> tuple[int, int]:
    return _GRADES.index(carry.grade), carry.target.start - carry.target.end


def _further(
    names: Names, source: Stretch, where: tuple[int, int], grade: str, depth: int
) -> list[_Origin]:
    start, end = where
    if source.end == REST or source.end - source.start != end - start:
        return [_Origin(start, end, source, grade)]
    return [
        each._replace(start=each.start + start, end=each.end + start)
        for each in _origins(names, source, grade, depth + 1)
    ]


def _part(carry: Carry, low: int, high: int) -> Stretch:
    source, target = carry.source, carry.target
    if source.end == REST or source.end - source.start != target.end - target.start:
        return source
    shift = source.start - target.start
    return source._replace(start=low + shift, end=high + shift)


def _is_first(names: Names, node: int) -> bool:
    """Whether the way back ends here: what a link put out is its own, unless it is a template."""
    evidence = names.evidence
    kind = evidence.places.kind_of(node)
    if kind in ("question", "context", "event", "receipt"):
        return True
    return kind == "output" and not _is_template(names, node) and not _is_passed_on(names, node)


def _is_passed_on(names: Names, node: int) -> bool:
    """An output that a link inside put out."""
    evidence = names.evidence
    link = evidence.link_of(node)
    return link is not None and bool(evidence.links.children[link])


def _is_template(names: Names, node: int) -> bool:
    evidence = names.evidence
    link = evidence.link_of(node)
    is_output = evidence.places.kind_of(node) == "output"
    return is_output and link is not None and evidence.links.type_of(link) == "assemble"


def _joined(segments: list[PromptSegment]) -> list[PromptSegment]:
    """Join neighbours without an origin, drop empty ones."""
    found: list[PromptSegment] = []
    for each in segments:
        if each.start == each.end:
            continue
        last = found[-1] if found else None
        if last and last.origin is None and each.origin is None and last.grade == each.grade:
            found[-1] = replace(last, end=each.end, text=last.text + each.text)
        else:
            found.append(each)
    return found
