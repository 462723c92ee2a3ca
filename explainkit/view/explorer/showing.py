"""A walk as the explorer shows it: its board, the answer for selection, and what it lights."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from explainkit.backtrack import bounds_of_shortlist, shortlist
from explainkit.backtrack.results import Grade, Walk
from explainkit.view.board import Board
from explainkit.view.compose import RunWords, board_of
from explainkit.view.explorer.material import Material
from explainkit.view.explorer.pieces import Json, strip_of, told
from explainkit.view.passages import Range
from explainkit.view.seen import prompt_on_path

STRIP: Final = 8_000
"""Code points of an answer that are sent with a walk; the rest is asked for."""
LIT: Final = 2_000
"""Records, and arrows, that a walk lights at most; further ones are counted."""


def board_for(material: Material, walk: Walk, said: RunWords) -> Board:
    """What every skin says of a walk, and of the run."""
    evidence = material.evidence
    return board_of(
        evidence.recording,
        walk,
        prompt=prompt_on_path(evidence, walk),
        suspects=shortlist(evidence, walk),
        run=said,
        cut=bounds_of_shortlist(evidence, walk),
    )


UNDRAWN: Final = ("answer", "branches")
"""Fields of a board that the explorer tells by others: by the strip, and by the graph."""


def shown_of(material: Material, walk: Walk, slot: str, board: Board) -> Json:
    """The answer to the question ``walk``.

    Args:
        material: The run.
        walk: What a backtrack found in it.
        slot: The answer slot that it started from.
        board: What every skin says of it.
    """
    start, end = walk.span or (None, None)
    strip = strip_of(walk.answer, marks_of(walk), limit=STRIP)
    cut = strip[-1][4] if strip and not strip[-1][2] else 0
    drawn = {each.name: getattr(board, each.name) for each in fields(board)}
    words, boxes = (
        told({name: drawn[name] for name in drawn if name not in UNDRAWN}),
        material.boxes,
    )
    for step in (*words["trail"], *words["trail_small"]):
        at = boxes.at(step["seq"])
        step["record"] = step["seq"] if at is None else at
    return {
        **words,
        "at": {
            "slot": slot,
            "version": walk.version,
            "start": start,
            "end": end,
            "grade": walk.grade,
        },
        "strip": strip,
        "size": len(walk.answer),
        "next": len(walk.answer) - cut if cut else None,
        "lit": lit_of(material, walk),
    }


def part_of_answer(walk: Walk, slot: str, start: int) -> Json:
    """The next part of a long answer."""
    start = min(max(start, 0), len(walk.answer))
    stop = min(start + STRIP, len(walk.answer))
    marks = [(low - start, high - start, mark) for low, high, mark in marks_of(walk)]
    return {
        "slot": slot,
        "version": walk.version,
        "start": start,
        "size": len(walk.answer),
        "strip": strip_of(walk.answer[start:stop], marks, limit=STRIP, first=start),
        "next": stop if stop < len(walk.answer) else None,
    }


def marks_of(walk: Walk) -> list[Range]:
    """What is marked in the answer: the selected words, else what stands in no upstream text."""
    if walk.span is not None:
        return [(*walk.span, "span")]
    return [
        (place.start, place.end, "missing")
        for place in walk.unsupported
        if place.seq == walk.answer_seq and not place.path
    ]


def lit_of(material: Material, walk: Walk) -> Json:
    """The records and arrows of a walk, each end by the record that has a box."""
    boxes = material.boxes
    arrows = arrows_of(material, walk)
    lit = sorted({at for seq in _walked(walk) if (at := boxes.at(seq)) is not None})
    origins = dict.fromkeys(
        at
        for use in walk.contexts
        if not use.asked and use.grade in {"declared", "value"}
        if (at := boxes.at(use.seq)) is not None
    )
    return {
        "boxes": lit[-LIT:],
        "boxes_more": max(0, len(lit) - LIT),
        "arrows": [list(each) for each in arrows[:LIT]],
        "arrows_more": max(0, len(arrows) - LIT),
        "origins": list(origins)[:LIT],
    }


def arrows_of(material: Material, walk: Walk) -> list[tuple[int, int, str, Grade]]:
    """The hops of a walk between records that have boxes, each once."""
    boxes = material.boxes
    found: dict[tuple[int, int, str, Grade], None] = {}
    for hop in walk.hops:
        source, target = boxes.at(hop.source.seq), boxes.at(hop.target.seq)
        if source is not None and target is not None and source != target:
            found[source, target, hop.verb, hop.grade] = None
    return list(found)


def path_from(material: Material, walk: Walk) -> list[int]:
    """The records of a walk that have boxes, those nearest to the answer first."""
    found: dict[int, None] = {}
    for seq in (walk.answer_seq, *_walked(walk)):
        at = None if seq is None else material.boxes.at(seq)
        if at is not None:
            found[at] = None
    return list(found)


def near_to(material: Material, walk: Walk) -> list[int]:
    """The records of a walk, and then those that are one arrow of evidence away from it."""
    path = path_from(material, walk)
    found = dict.fromkeys(path)
    for seq in path:
        for edge in material.arrows.into.get(seq, ()):
            if edge.grade in {"declared", "value"}:
                found.setdefault(edge.source)
        for edge in material.arrows.out.get(seq, ()):
            if edge.role == "judges":
                found.setdefault(edge.target)
    return list(found)


def _walked(walk: Walk) -> Iterator[int]:
    for hop in walk.hops:
        yield hop.source.seq
        yield hop.target.seq
    for use in walk.contexts:
        if not use.asked and use.grade in {"declared", "value"}:
            yield use.seq
    if walk.answer_seq is not None:
        yield walk.answer_seq
