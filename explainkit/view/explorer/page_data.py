"""What a page holds instead of a kernel: answers that were asked for before it was written."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import ExplainkitError
from explainkit.view.explorer.openings import Openings
from explainkit.view.explorer.page_stretches import stretches_of
from explainkit.view.explorer.pieces import Json
from explainkit.view.words import counted

if TYPE_CHECKING:
    from explainkit.view.explorer.exploration import Exploration

WALKS: Final = 96
"""Walks of one page at most; of a run of many links there are fewer."""
LIKELY: Final = 48
"""Stretches of the shown answer that come before other answers."""
MANY: Final = 20_000
FEW: Final = 12
WALKED: Final = 8_000_000
"""Code points of answers that the prepared walks of one page go over, roughly."""
ROWS: Final = 2_500
TEXTS: Final = 900_000
"""Code points of recorded text in the inspections of one page, roughly."""
PER_TEXT: Final = 4_000
PER_INSIDE: Final = 300
"""Code points of each text of a record that stands in a fold."""
TOLD_AGAIN: Final = frozenset({"at", "selected", "headline"})
"""Fields that each walk of a page has, whatever the first one says."""
BUDGETS: Final = {
    "walks": 700_000,
    "answer": 300_000,
    "machine": 300_000,
    "ladder": 200_000,
    "inside": 400_000,
}
"""Characters of JSON for the answers of these kinds; what is left out is counted."""


PARTS: Final = 9
"""Parts of a page whose making is told."""
Progress = Callable[[int, int], Any]


class PageData:
    """The answers of one page, in the form in which its script looks them up."""

    def __init__(self, asked: "Exploration", progress: Progress | None = None) -> None:
        """Prepare answers; the walk that is shown is the one that the page opens on.

        Args:
            asked: Who answers.
            progress: Told after each part how many of how many are done.
        """
        self._asked = asked
        self._progress = progress
        self._done = 0
        self._said: list[str] = []

    def told(self) -> Json:
        """Everything, as one JSON object."""
        asked = self._asked
        shown, chart = asked.shown, asked.chart()
        replies: dict[str, Json] = {}
        self._tell()
        path = asked.chart(only="path")
        replies[_key("chart", [], "run")] = chart
        replies[_key("chart", [], "path")] = path
        openings = Openings(
            asked, {"run": chart, "path": path}, length=lambda told: len(_json(told))
        )
        self._tell()
        rows = self._rows(chart)
        self._inspections(chart, shown, replies)
        self._tell()
        self._inside(openings, replies)
        self._tell()
        replies[_key("story")] = asked.story()
        replies[_key("timeline", None, None)] = asked.timeline(count=120)
        replies[_key("tree")] = asked.tree()
        replies[_key("bisect", "answer", "")] = asked.causes.bisect()
        self._tell()
        replies[_key("tries")] = asked.causes.tries()
        scene = dict(asked.scene())
        self._machines(scene, replies)
        self._ladders(scene, replies)
        self._tell()
        for slot in dict.fromkeys([*(each["slot"] for each in scene["answers"]), "answer"]):
            replies[_key("offered", slot, "")] = {**asked.causes.offered(slot), "rows": []}
        self._tell()
        walks = self._walks(shown)
        self._tell()
        self._answers(walks, replies)
        scene["missing"] = [*scene["missing"], *self._said]
        self._tell()
        return {
            "scene": scene,
            "chart": chart,
            "shown": shown,
            "cursor": None,
            "status": "",
            "tried": {},
            "found": asked.causes.found(),
            "walks": [each if each is walks[0] else _beside(walks[0], each) for each in walks],
            "rows": rows,
            "openings": openings.told,
            "replies": replies,
        }

    def _tell(self) -> None:
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, PARTS)

    def _rows(self, chart: Json) -> list[Json]:
        """The outline; where it is too long, what is drawn alone and then the first records."""
        outline = self._asked.outline
        total = outline.rows_of(())[0]
        drawn = [node["seq"] for node in chart["nodes"] if not node["members"]]
        _, rows = outline.rows_of(drawn, ROWS)
        if total > len(rows):
            self._said.append(
                f"This page lists {len(rows):,} of {counted(total, 'record')}; "
                "run.explore() lists and searches them all."
            )
        return rows

    def _inspections(self, chart: Json, shown: Json | None, replies: dict[str, Json]) -> None:
        lit = dict.fromkeys(shown["lit"]["boxes"]) if shown else {}
        drawn = dict.fromkeys(node["seq"] for node in chart["nodes"])
        seqs = [*drawn, *(seq for seq in list(lit)[:400] if seq not in drawn)]
        room = max(200, min(PER_TEXT, TEXTS // max(1, 3 * len(seqs))))
        for seq in seqs:
            wide = min(16_000, max(room, TEXTS // max(1, 3 * len(lit)))) if seq in lit else room
            replies[_key("inspect", seq)] = self._asked.inspect(seq, room=wide)

    def _inside(self, openings: Openings, replies: dict[str, Json]) -> None:
        """What stands in folds, as far as there is room for it."""
        self._said += openings.words()
        room, left = BUDGETS["inside"], 0
        for seq in openings.seqs:
            if (key := _key("inspect", seq)) in replies:
                continue
            if room <= 0:
                left += 1
                continue
            replies[key] = self._asked.inspect(seq, room=PER_INSIDE)
            room -= len(_json(replies[key]))
        if left:
            self._said.append(
                f"Of {counted(left, 'record')} in folds this page holds the names alone."
            )

    def _machines(self, scene: Json, replies: dict[str, Json]) -> None:
        room, left = BUDGETS["machine"], 0
        for found in scene["machines"]:
            last = found["steps"] - 1
            for step in [None, *range(found["steps"])]:
                if room <= 0:
                    left += 1
                    continue
                told = self._asked.machine(found["link"], last if step is None else step)
                replies[_key("machine", found["link"], step)] = told
                room -= len(_json(told))
        if left:
            self._said.append(f"{counted(left, 'step')} of machines are not drawn in this page.")

    def _ladders(self, scene: Json, replies: dict[str, Json]) -> None:
        room, left = BUDGETS["ladder"], 0
        for found in scene["items"]:
            if room <= 0:
                left += 1
                continue
            told = self._asked.ladder(found["item"])
            replies[_key("ladder", found["item"])] = told
            room -= len(_json(told))
        if left:
            self._said.append(f"The ladders of {counted(left, 'item')} are not in this page.")

    def _walks(self, shown: Json | None) -> list[Json]:
        """The walk that is shown first, then the whole answer, its parts, and other answers."""
        found: dict[str, Json] = {} if shown is None else {_json(shown["at"]): shown}
        room, left = BUDGETS["walks"], 0
        most = WALKS if self._asked.scene()["counts"]["links"] < MANY else FEW
        most = min(most, max(2, WALKED // max(1, 0 if shown is None else shown["size"])))
        for wanted in self._wanted(shown):
            if room <= 0 or len(found) >= most:
                left += 1
                continue
            try:
                walk = self._asked.peek(**wanted)
            except ExplainkitError:
                continue  # no such answer, or no such stretch of it: there is nothing to show
            if found.setdefault(_json(walk["at"]), walk) is walk:
                room -= len(_json(_beside(next(iter(found.values())), walk)))
        self._said.append(
            f"Walks from {counted(len(found), 'stretch', 'stretches')} of the answers were "
            "prepared for this page: facts, words of suspects, sentences and words. Others open "
            "the smallest of them that holds them, and the page says so."
        )
        if left:
            self._said.append(f"{counted(left, 'further stretch', 'further stretches')} were not.")
        return list(found.values())

    def _answers(self, walks: list[Json], replies: dict[str, Json]) -> None:
        """What follows on the first part of each answer, as far as there is room for it."""
        room, left = BUDGETS["answer"], 0
        for walk in walks:
            at, start = walk["at"], walk["next"]
            while start is not None and (key := _key("answer", *_place(at, start))) not in replies:
                if room <= 0:
                    left = max(left, walk["size"] - start)
                    break
                try:
                    replies[key] = self._asked.answer(at["slot"], at["version"], start)
                except ExplainkitError:
                    break  # a walk that was made elsewhere, from what this run does not hold
                room -= len(_json(replies[key]))
                start = replies[key]["next"]
        if left:
            self._said.append(
                f"{counted(left, 'character')} at the end of an answer are not in this page; "
                "run.explore() shows them."
            )

    def _wanted(self, shown: Json | None) -> Iterator[dict[str, Any]]:
        """The whole answer and its likeliest stretches, other answers, and further stretches."""
        answers, grade = self._asked.scene()["answers"], "value"
        parts: list[dict[str, Any]] = []
        if shown is not None:
            at = {each: shown["at"][each] for each in ("slot", "version", "grade")}
            yield at
            grade = at["grade"]
            walk = self._asked.walk_of(**at)
            if walk is not None:
                suspects = self._asked.peek(**at)["suspects"]
                stretches = stretches_of(walk, suspects)
                parts = [{**at, "start": start, "end": end} for start, end in stretches]
        yield from parts[:LIKELY]
        ends = [each for each in answers if each["last"]]
        for each in [*ends, *(each for each in answers if not each["last"])]:
            yield {"slot": each["slot"], "version": each["version"], "grade": grade}
        yield from parts[LIKELY:]


def _place(at: Json, start: int) -> tuple[str, int, int]:
    return at["slot"], at["version"], start


def _beside(first: Json, walk: Json) -> Json:
    """What a walk says beside the first one; what both say is written once."""
    return {
        name: value
        for name, value in walk.items()
        if name in TOLD_AGAIN or name not in first or first[name] != value
    }


def _key(ask: str, *fields: Any) -> str:
    """The name of an answer, written as the page's script writes it."""
    return json.dumps([ask, *fields], ensure_ascii=False, separators=(",", ":"))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
