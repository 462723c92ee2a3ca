"""What is said of a run before anything is asked of it, and what it lacks."""

from collections.abc import Iterator
from typing import Any, Final

from explainkit.backtrack.answers import choose
from explainkit.safety import visible
from explainkit.view.chart import KIND_WORDS
from explainkit.view.composition_board import ended
from explainkit.view.composition_links import RUNNERS
from explainkit.view.explorer.material import RUN, Material
from explainkit.view.explorer.pieces import Json, line_of, pieces_of
from explainkit.view.explorer.timing import no_times
from explainkit.view.ladder_rungs import Ladder
from explainkit.view.machine_steps import machines_of
from explainkit.view.passages import plain
from explainkit.view.words import GRADES, counted, flat, status_words

FORMAT: Final = 1
ANSWERS: Final = 200
MACHINES: Final = 100
ITEMS: Final = 500
"""Entries of each list that a scene holds; further ones are counted in ``missing``."""
HEAD: Final = 16
LOST: Final = 6


def scene_of(material: Material, ladders: tuple[Ladder, ...]) -> Json:
    """What never changes while a run is explored.

    Args:
        material: The run.
        ladders: Histories of its answer items.
    """
    recording = material.recording
    answers = list(_answers(material))
    machines = list(_machines(material))
    items = [
        {"item": number, "slot": None if each.slot is None else line_of(each.slot, 200),
         "name": flat(each.item, 100), "status": flat(each.status, 40)}
        for number, each in enumerate(ladders)
    ]  # fmt: skip
    cut = [
        f"{counted(len(rows) - most, f'more {what}')} not listed"
        for rows, most, what in (
            (answers, ANSWERS, "answer version"), (machines, MACHINES, "machine"),
            (items, ITEMS, "answer item"),
        )
        if len(rows) > most
    ]  # fmt: skip
    question = _question(material)
    return {
        "format": FORMAT,
        "run": {
            "id": line_of(recording.run, 200),
            "name": flat(recording.name, 200),
            "status": status_words(recording.status),
            "head": None if recording.head is None else recording.head[:HEAD],
            "question": None if question is None else pieces_of(plain(question, limit=600)),
        },
        "counts": _counts(material),
        "answers": answers[:ANSWERS],
        "machines": machines[:MACHINES],
        "items": items[:ITEMS],
        "panels": _panels(material, answers, machines, items),
        "legend": {
            "kinds": [
                [kind, word, material.kinds[kind]]
                for kind, word in KIND_WORDS.items()
                if kind in material.kinds
            ],
            "grades": [[grade, meaning] for grade, meaning in GRADES.items()],
            "verdicts": sorted(
                {line_of(each, 40) for found in material.judged.values() for each in found}
            )[:20],
        },
        "missing": [*_missing(material), *cut],
    }


def _question(material: Material) -> str | None:
    row: Json = next(material.recording.rows("run_started"), {})
    digest = row.get("question")
    if not isinstance(digest, str):
        return None
    try:
        return material.recording.values.shown(digest)
    except Exception as error:  # noqa: BLE001 - a damaged question must not cost the run
        return f"(the question cannot be read: {visible(str(error))[:120]})"


def _counts(material: Material) -> Json:
    boxes = material.boxes
    return {
        "records": len(material.recording),
        "boxes": len(boxes.nodes),
        "links": len(material.evidence.links),
        "contexts": material.kinds["context"],
        "hidden": dict(boxes.hidden),
    }


def _answers(material: Material) -> Iterator[Json]:
    last: dict[str, int] = {}
    for slot, number in material.versions:
        last[slot] = max(number, last.get(slot, 0))
    for (slot, number), version in material.versions.items():
        name = "answer" if slot == RUN else flat(slot, 80)
        by = "" if version.by is None else f", by {flat(version.by, 60)}"
        yield {
            "slot": slot,
            "version": number,
            "label": f"{name}, version {number}{by}",
            "seq": version.seq,
            "last": last[slot] == number,
        }
    if RUN in last:
        return
    end = ended(material.recording)
    if end is not None and end.seq is not None:
        label = (
            f"no answer: {end.title.partition(' ')[2][:1].lower()}{end.title.partition(' ')[2][1:]}"
        )
        yield {"slot": RUN, "version": 0, "label": label, "seq": end.seq, "last": True}
        return
    chosen = choose(material.evidence, None)
    if chosen.seq is not None:
        yield {
            "slot": RUN,
            "version": 0,
            "label": "inferred: the last output of a model",
            "seq": chosen.seq,
            "last": True,
        }


def _machines(material: Material) -> Iterator[Json]:
    steps: dict[int, int] = {}
    for row in material.recording.rows("transition"):
        link = row.get("machine")
        if isinstance(link, int):
            steps[link] = steps.get(link, 0) + 1
    for link, name in machines_of(material.recording).items():
        yield {"link": link, "name": flat(name, 80), "steps": steps.get(link, 0)}


def _panels(material: Material, *lists: list[Any]) -> list[str]:
    answers, machines, items = lists
    types = {material.evidence.links.type_of(row) for row in range(len(material.evidence.links))}
    has = {
        "answer": bool(answers),
        "graph": bool(material.order),
        "outline": bool(material.order),
        "story": True,
        "timeline": timed(material),
        "machine": bool(machines),
        "tree": bool(types & RUNNERS),
        "ladder": bool(items),
        "whatif": bool(material.order),
        "bisect": any(True for _ in material.recording.rows("link_closed")),
    }
    return [name for name, shown in has.items() if shown]


def timed(material: Material) -> bool:
    """Whether any link says when it began."""
    return any(isinstance(row.get("at"), int) for row in material.recording.rows("link_opened"))


def _missing(material: Material) -> Iterator[str]:
    recording, evidence = material.recording, material.evidence
    if RUN not in evidence.answers:
        yield "This run has no answer."
    if not material.kinds["context"]:
        yield "No context was recorded, so nothing outside the steps can be shown as a source."
    if recording.status in {"crashed", "running"}:
        yield f"The run is {status_words(recording.status)}."
    for each in recording.damage[:3]:
        yield f"Damaged file, line {each.line}: {line_of(each.reason, 200)}."
    if len(recording.damage) > 3:
        yield f"{counted(len(recording.damage) - 3, 'more damaged line')}."
    if len(material.boxes.nodes) < 2:
        yield "There is 1 box to draw." if material.boxes.nodes else "There are no boxes to draw."
    if not timed(material):
        yield f"{no_times(material)} There is no timeline."
    started: Json = next(recording.rows("run_started"), {})
    if isinstance(started.get("source"), dict):
        said = flat(str(started["source"].get("format") or "another tool"), 40)
        yield f"Imported from {said}: only what that record holds is known."
    if evidence.lost:
        yield f"{counted(len(evidence.lost), 'note')} of things that were not recorded whole."
