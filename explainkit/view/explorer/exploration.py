"""One run as something that is asked: every panel's question has a JSON answer here."""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from explainkit.backtrack.results import Walk
from explainkit.errors import ExplainkitError, UnknownRecordError
from explainkit.view.chart import Chart, RawEdge
from explainkit.view.collecting import Collected
from explainkit.view.compose import RunWords, run_words
from explainkit.view.composition_tree import tree_of
from explainkit.view.explorer.causes import CausePanel, Reruns
from explainkit.view.explorer.charting import chart_told, layout_for, lighted
from explainkit.view.explorer.facts import scene_of
from explainkit.view.explorer.inspecting import ROOM, Inspector
from explainkit.view.explorer.listing import ladder_told, story_as_json, tree_told
from explainkit.view.explorer.machines_drawn import machine_told
from explainkit.view.explorer.material import RUN, Material
from explainkit.view.explorer.outlining import Outline, Wanted
from explainkit.view.explorer.pieces import Json
from explainkit.view.explorer.questions import questions_of
from explainkit.view.explorer.replying import reply_to
from explainkit.view.explorer.showing import (
    arrows_of,
    board_for,
    lit_of,
    near_to,
    part_of_answer,
    path_from,
    shown_of,
)
from explainkit.view.explorer.timing import Timeline
from explainkit.view.explorer.walks import Walks, plain_walks
from explainkit.view.folding import UNFOLDED, chart_of, path_of
from explainkit.view.geometry import Layout
from explainkit.view.ladder_rungs import Ladder, ladders_of
from explainkit.view.machine_steps import MachineStory, machines_of, story_of
from explainkit.view.story import story_told

if TYPE_CHECKING:
    from explainkit.graph import Evidence
    from explainkit.view.board import Board

WALKS: Final = 64
"""Walks that are kept."""
CHARTS: Final = 8


class Exploration:
    """A run as every panel asks it.

    Attributes:
        outline: Every record that has a box.
        causes: What may be changed in it, and what was measured.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello", question="How long?") as run:
        ...     note = ek.context("note", "It takes half an hour.")
        ...     _ = ek.answer(note)
        >>> asked = Exploration(run.evidence)
        >>> asked.scene()["counts"]["contexts"], asked.walk()["headline"][:20]
        (1, 'The answer carries w')
    """

    def __init__(
        self,
        evidence: "Evidence",
        *,
        walk: Walks | None = None,
        reruns: Reruns | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Explore a run.

        Args:
            evidence: The index of the run.
            walk: How to walk; from a given answer only when not told.
            reruns: What runs it again; nothing does when not told.
            clock: Seconds, which bound how long one search takes.
        """
        self._material = Material(evidence)
        self._walks = walk or plain_walks(evidence)
        self._lock = RLock()
        self.causes = CausePanel(evidence.recording, reruns)
        self._kept: OrderedDict[tuple[Any, ...], tuple[Walk, Board, Json]] = OrderedDict()
        self._inspector = Inspector(self._material)
        self.outline = Outline(self._material, clock)
        self._timeline = Timeline(self._material)
        self._machines: dict[int, MachineStory] = {}
        self._walk: Walk | None = None
        self._shown: Json | None = None
        self._charts: OrderedDict[tuple[int, ...], Json] = OrderedDict()
        self._asks = questions_of(self)

    def reply(self, request: Any) -> Json:
        """Answer a request of the explorer's protocol; nothing that it holds makes this raise."""
        return reply_to(request, self._asks)

    def scene(self) -> Json:
        """What never changes: the run, its answers, what there is to show, what is missing."""
        with self._lock:
            return self._scene

    @cached_property
    def _scene(self) -> Json:
        return scene_of(self._material, self._ladders)

    @cached_property
    def _ladders(self) -> tuple[Ladder, ...]:
        return ladders_of(self._material.recording)

    def walk(
        self,
        slot: str = RUN,
        version: int | None = None,
        start: int | None = None,
        end: int | None = None,
        grade: str = "value",
    ) -> Json:
        """Walk back from an answer, or a stretch of it; what is shown until the next walk.

        Args:
            slot: Which answer.
            version: Which version of it; the effective one when not given (0 for one that
                nobody gave).
            start: First code point of the stretch; the whole answer when not given.
            end: One past the last.
            grade: Weakest evidence to follow.

        Raises:
            SpanNotFoundError: It is not a stretch of the answer.
            UnknownRecordError: No such answer.
            ValueError: No such grade.
        """
        with self._lock:
            self._walk, _, shown = self._walked(slot, version, start, end, grade)
            self._shown = shown
            return shown

    def open_on(self, walk: Walk, *, slot: str = RUN, board: "Board | None" = None) -> Json:
        """Show a walk that was made elsewhere; what is shown until the next walk.

        Args:
            walk: The walk.
            slot: The answer slot that it started from.
            board: What was composed of it, when it is at hand.
        """
        with self._lock:
            held = self._told(walk, slot, board)
            start, end = walk.span or (None, None)
            span = None if start is None else (start, end)
            self._kept[slot, walk.version or None, span, walk.grade] = held
            fold = self._material.recording.effective(slot)
            if fold is not None and walk.version == fold.final.version:
                self._kept[slot, None, span, walk.grade] = held  # asked for by no version
            self._walk, _, self._shown = held
            return held[2]

    @property
    def shown(self) -> Json | None:
        """What was walked last; nothing before the first walk."""
        return self._shown

    def peek(
        self,
        slot: str = RUN,
        version: int | None = None,
        start: int | None = None,
        end: int | None = None,
        grade: str = "value",
    ) -> Json:
        """A walk that does not become what is shown.

        Raises:
            SpanNotFoundError: It is not a stretch of the answer.
            UnknownRecordError: No such answer.
        """
        with self._lock:
            return self._walked(slot, version, start, end, grade)[2]

    def walk_of(
        self, slot: str = RUN, version: int | None = None, grade: str = "value"
    ) -> Walk | None:
        """The plain walk from a whole answer; nothing when there is none to walk from."""
        with self._lock:
            try:
                return self._walked(slot, version, None, None, grade)[0]
            except ExplainkitError:
                return None

    def chart(self, opened: Sequence[int] = (), only: str = "run") -> Json:
        """Boxes and arrows with their places.

        Args:
            opened: First records of the folds that are to be open, outer ones first.
            only: ``run`` draws all of it, folded where it is big; ``path`` what is shown now.

        Raises:
            ValueError: ``only`` is neither.
        """
        if only not in {"run", "path"}:
            raise ValueError(f"There is no chart of {only!r:.40}. Ask for 'run' or 'path'.")
        key, alias = tuple(opened), self._material.boxes.alias
        with self._lock:
            if only == "path":  # another one for each walk
                return chart_told(self._drawn(opened, only), alias, only=only, opened=opened)
            if key not in self._charts:
                drawn = self._drawn(opened, only)
                self._charts[key] = chart_told(drawn, alias, only=only, opened=opened)
            self._charts.move_to_end(key)
            while len(self._charts) > CHARTS:
                self._charts.popitem(last=False)
            return self._charts[key]

    def drawn(self) -> tuple[Chart, Layout]:
        """The chart of the run with the shown walk lit in it, and its places, for a picture."""
        with self._lock:
            chart = self._drawn((), "run")
            layout = layout_for(chart)
            if self._walk is None:
                return chart, layout
            lit = lit_of(self._material, self._walk)
            return lighted(chart, lit), layout

    def _drawn(self, opened: Sequence[int], only: str) -> Chart:
        boxes = self._boxes
        if only == "path":
            shown = self._walk or self._first
            path = [] if shown is None else path_from(self._material, shown)
            return path_of(boxes, path, opened=opened)
        if len(boxes.nodes) <= UNFOLDED:
            return chart_of(boxes)
        return chart_of(boxes, boxes=UNFOLDED, near=self._near, opened=opened)

    @cached_property
    def _boxes(self) -> Collected:
        """What is drawn: the evidence, and the hops from the whole answer that it lacks."""
        boxes = self._material.drawn
        if self._first is None:
            return boxes
        known = {(edge.source, edge.target) for edge in boxes.edges}
        hops = (
            RawEdge(source, target, verb, grade)
            for source, target, verb, grade in arrows_of(self._material, self._first)
        )
        return replace(
            boxes, edges=[*boxes.edges, *(h for h in hops if (h.source, h.target) not in known)]
        )

    @cached_property
    def _near(self) -> list[int]:
        """The records of the path that the whole answer goes back along, and those beside it."""
        return [] if self._first is None else near_to(self._material, self._first)

    @cached_property
    def _first(self) -> Walk | None:
        """The walk from the whole answer; nothing when there is none to walk from."""
        return self.walk_of(RUN)

    def inspect(self, seq: int, *, room: int = ROOM) -> Json:
        """What a record holds, and what it feeds and is fed by.

        Args:
            seq: The record.
            room: Code points of each of its texts.

        Raises:
            UnknownRecordError: No such record.
        """
        with self._lock:
            return self._inspector.of(seq, self._walk, room=room)

    def text(self, seq: int, slot: str, start: int) -> Json:
        """The next part of a text of a record."""
        with self._lock:
            return self._inspector.part(seq, slot, start, self._walk)

    def answer(self, slot: str = RUN, version: int | None = None, start: int = 0) -> Json:
        """The next part of an answer."""
        with self._lock:
            found, _, _ = self._walked(slot, version, None, None, "value")
            return part_of_answer(found, slot, start)

    def rows(
        self,
        query: str = "",
        *,
        kinds: Sequence[str] = (),
        grades: Sequence[str] = (),
        verdicts: Sequence[str] = (),
        start: int = 0,
        count: int = 100,
    ) -> Json:
        """A window of the outline."""
        wanted = Wanted(query, tuple(kinds), tuple(grades), tuple(verdicts))
        with self._lock:
            return self.outline.rows(wanted, start, count)

    def nearest(self, seq: int) -> Json:
        """The record that is drawn or listed nearest to one."""
        with self._lock:
            at = self._material.nearest(seq)
        if at is None:
            return {"seq": None, "exact": False, "words": "This run has no record to show."}
        exact = at == self._material.boxes.alias.get(seq, seq)
        words = "" if exact else f"Record {seq} has no box of its own; the nearest is record {at}."
        return {"seq": at, "exact": exact, "words": words}

    def timeline(self, start: int | None = None, end: int | None = None, count: int = 200) -> Json:
        """Links in order of time; summed when there are more than ``count``."""
        with self._lock:
            return self._timeline.told(start, end, count)

    def machine(self, link: int, step: int | None = None) -> Json:
        """A machine after one of its steps, with its drawing.

        Raises:
            UnknownRecordError: No such machine, or it has no such step.
        """
        with self._lock:
            if link not in self._machines:
                known = machines_of(self._material.recording)
                if link not in known:
                    raise UnknownRecordError(
                        f"Record {link} is no machine. This run has {len(known):,} of them."
                    )
                self._machines[link] = story_of(self._material.recording, link)
            return machine_told(self._machines[link], step)

    def tree(self) -> Json:
        """What ran in what, each with its end."""
        with self._lock:
            return self._tree

    @cached_property
    def _tree(self) -> Json:
        recording = self._material.recording
        labels = {seq: node.label for seq, node in self._material.boxes.nodes.items()}
        return tree_told(recording, tree_of(recording), labels)

    def ladder(self, item: int | str) -> Json:
        """The history of an answer item.

        Raises:
            UnknownRecordError: No such item.
        """
        with self._lock:
            return ladder_told(self._ladders, item)

    def story(self) -> Json:
        """The run told in sentences, each with its records."""
        with self._lock:
            return self._story

    @cached_property
    def _story(self) -> Json:
        told = story_told(self._material.recording, self._told_walk)
        return story_as_json(told, self._material.boxes.alias)

    def _told_walk(self, slot: str, span: tuple[int, int] | None = None, /) -> Walk | None:
        """The plain walk that a story tells, without its board."""
        if span is None:
            return self.walk_of(slot)
        try:
            return self._walks(slot, None, span, "value")
        except ExplainkitError:
            return None

    @cached_property
    def _said(self) -> RunWords:
        return run_words(self._material.recording)

    def _walked(
        self, slot: str, version: int | None, start: int | None, end: int | None, grade: str
    ) -> "tuple[Walk, Board, Json]":
        span = None if start is None or end is None else (start, end)
        key = slot, version or None, span, grade
        held = self._kept.get(key)
        if held is None:
            found = self._walks(slot, version or None, span, grade)
            held = self._told(found, slot)
            self._kept[key] = held
            # The same answer may be asked for by its version next.
            self._kept[slot, found.version or None, span, grade] = held
            while len(self._kept) > WALKS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return held

    def _told(
        self, found: Walk, slot: str, board: "Board | None" = None
    ) -> "tuple[Walk, Board, Json]":
        board = board or board_for(self._material, found, self._said)
        return found, board, shown_of(self._material, found, slot, board)
