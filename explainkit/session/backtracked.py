"""A backtrack as a person holds it: a result with display and export."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

from explainkit.backtrack import (
    LaterPlaces,
    bounds_of_shortlist,
    chop,
    forward,
    shortlist,
    to_json,
    walk,
)
from explainkit.backtrack.results import (
    ContextUse,
    Exposure,
    Hop,
    LeftOut,
    OverrideStep,
    Place,
    SentenceCoverage,
    VerdictLine,
    Walk,
)
from explainkit.errors import InterventionError, SpanNotFoundError
from explainkit.session.page_progress import PageProgress, Progress
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.suspects_listed import Suspects

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from explainkit.session.explorer import Explorer
    from explainkit.session.records_held import HeldRun
    from explainkit.session.varying import VariedRun
    from explainkit.session.whatifs import WhatIf
    from explainkit.view.board import Board

SUSPECTS = 5
"""Rows of the shortlist that displays show."""


class Backtrack:
    """The walk from an answer, or words of it, back to the context.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     note = ek.context("note", "We pay back half of the fare.", source="memory/1")
        ...     _ = ek.answer(note)
        >>> back = run.backtrack(span="half of the fare")
        >>> [context.name for context in back.contexts]
        ['note']
    """

    def __init__(self, run: "HeldRun", found: Walk, *, slot: str = "answer") -> None:
        """Hold a walk over a run, from one of its answers."""
        self.run = run
        self.walk = found
        self.slot = slot
        self._board: Board | None = None
        self._stamped: tuple[int, Board] | None = None

    @classmethod
    def of(
        cls,
        run: "HeldRun",
        *,
        answer: int | None = None,
        span: Any = None,
        grade: str = "value",
        slot: str = "answer",
    ) -> "Backtrack":
        """Walk over a run; the arguments are those of ``Run.backtrack``."""
        chosen: str | tuple[str, int] | None = (slot, answer) if answer is not None else slot
        if chosen == "answer":
            from explainkit.session.ending_walks import walk_from_end

            ended = walk_from_end(run.evidence, span=span, grade=grade)
            if ended is not None:
                return cls(run, ended)
            chosen = None  # a run in which nobody gave an answer may still be walked
        try:
            found = walk(run.evidence, answer=chosen, span=span, grade=grade)
        except SpanNotFoundError as missing:
            whole = walk(run.evidence, answer=chosen, grade=grade)
            if whole.answer_seq is not None:
                raise
            _, other, slots = str(missing).partition(" Other answers of the run")
            raise SpanNotFoundError(f"{_no_answer(run)}{other}{slots}") from None
        return cls(run, found, slot=slot)

    @property
    def answer(self) -> str:
        """Text of the answer version walked from."""
        return self.walk.answer

    @property
    def span(self) -> tuple[int, int] | None:
        """The selected stretch of the answer; ``None`` for all of it."""
        return self.walk.span

    @property
    def hops(self) -> tuple[Hop, ...]:
        """The walk, nearest the answer first."""
        return self.walk.hops

    @property
    def contexts(self) -> tuple[ContextUse, ...]:
        """Leaves: the exact context with its custody."""
        return self.walk.contexts

    @property
    def introducers(self) -> tuple[Place, ...]:
        """Every place that holds the text and carries it from nowhere earlier."""
        return self.walk.introducers

    @property
    def carriers(self) -> tuple[Place, ...]:
        """The other places that hold it."""
        return self.walk.carriers

    @property
    def dominators(self) -> tuple[int, ...]:
        """Records that every path passes through, nearest the answer first."""
        return self.walk.dominators

    @property
    def coverage(self) -> tuple[SentenceCoverage, ...]:
        """What supports each sentence of the answer."""
        return self.walk.coverage

    @property
    def unsupported(self) -> tuple[Place, ...]:
        """Stretches of the answer that stand in no upstream text."""
        return self.walk.unsupported

    @property
    def ignored(self) -> tuple[ContextUse, ...]:
        """Contexts that reached a model and of which nothing was carried into the answer."""
        return self.walk.ignored

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What was available and never reached the model."""
        return self.walk.left_out

    @property
    def lost(self) -> tuple[str, ...]:
        """What was not recorded whole, and what was not looked for any further."""
        return (*self.walk.lost, *self._caps)

    @property
    def _caps(self) -> tuple[str, ...]:
        return (*self.walk.caps, *bounds_of_shortlist(self.run.evidence, self.walk))

    @property
    def overrides(self) -> tuple[OverrideStep, ...]:
        """What stands between the model's reply and the reader."""
        return self.walk.overrides

    @property
    def verdicts(self) -> tuple[VerdictLine, ...]:
        """Judgements; stale ones are marked."""
        return self.walk.verdicts

    @property
    def untracked(self) -> tuple[str, ...]:
        """Sources outside the record."""
        return self.walk.untracked

    @property
    def exposures(self) -> tuple[Exposure, ...]:
        """What else the model saw, by word overlap: a proxy, not evidence."""
        return self.walk.exposures

    def shortlist(self, k: int = SUSPECTS) -> Suspects:
        """Suspects ranked by stated reasons; a rank is a rank, and ties are said.

        Args:
            k: Rows at most; a tie at the end is returned whole.
        """
        return Suspects(shortlist(self.run.evidence, self.walk, k))

    def chop(self, source: int | str) -> tuple[Hop, ...]:
        """The hops between a record and the answer.

        Args:
            source: ``seq`` of a context, event or link, or its name (the last one of that name).

        Raises:
            UnknownRecordError: No such record.
        """
        return chop(self.run.evidence, self.walk, self._seq(source))

    def forward(self, source: int | str) -> LaterPlaces:
        """Where the text of a record went; ``caps`` of it says what was cut, if anything was.

        Args:
            source: ``seq`` of a context, event or link, or its name (the last one of that name).

        Raises:
            UnknownRecordError: No such record.
        """
        return forward(self.run.evidence, self._seq(source))

    def _seq(self, source: int | str) -> int:
        from explainkit.session.naming import source_named

        return source_named(self.run.recording, source) if isinstance(source, str) else source

    def whatif(self, **asked: Any) -> "WhatIf":
        """Run it again with a change; whether the answer still says these words decides.

        Args:
            **asked: As `Run.whatif` takes them.

        Raises:
            InterventionError: The walk is from an earlier version of the answer.
        """
        return self._asking().whatif(**{**self._asked(), **asked})

    async def whatif_async(self, **asked: Any) -> "WhatIf":
        """As `whatif`, for runs that have to be awaited where an event loop runs.

        Args:
            **asked: As `Run.whatif` takes them.

        Raises:
            InterventionError: The walk is from an earlier version of the answer.
        """
        return await self._asking().whatif_async(**{**self._asked(), **asked})

    def _asking(self) -> "VariedRun":
        return cast("VariedRun", self.run)  # what a user holds can be asked

    def _asked(self) -> dict[str, Any]:
        fold = self.run.recording.effective(self.slot)
        final = None if fold is None else fold.final.version
        if self.walk.version not in (0, final):
            raise InterventionError(
                f"This is a walk from version {self.walk.version} of the answer, and a what-if "
                f"judges the answer as it left the run, version {final}. Walk from that one, or "
                "ask run.whatif(hold=...)."
            )
        return {"slot": self.slot, **({} if self.span is None else {"span": self.span})}

    def explore(self, *, call: "Callable[..., Any] | None" = None) -> "Explorer":
        """Open the explorer of the run on this walk; see ``Run.explore``.

        Args:
            call: A function that makes the run again, for the what-if panel.

        Returns:
            What is selected there, to go on with in Python.
        """
        from explainkit.session.explorer import open_explorer

        return open_explorer(self, call)

    def board(self) -> "Board":
        """What every display draws from; made once, and stamped anew after each finding."""
        from explainkit.view.compose import board_of
        from explainkit.view.seen import prompt_on_path

        if self._board is None:
            self._board = board_of(
                self.run.recording,
                self.walk,
                prompt=prompt_on_path(self.run.evidence, self.walk),
                suspects=self.shortlist(),
                cut=bounds_of_shortlist(self.run.evidence, self.walk),
            )
        return self._with_findings(self._board)

    def _with_findings(self, board: "Board") -> "Board":
        """The board as it is with all findings until now; they come after the walk."""
        recording = self.run.recording
        if next(iter(recording.rows("finding")), None) is None:
            return board
        from explainkit.view.stamping import stamped

        if self._stamped is None or self._stamped[0] != len(recording):
            self._stamped = len(recording), stamped(board, recording, self.walk)
        return self._stamped[1]

    def text(self) -> str:
        """All of it as plain text."""
        from explainkit.view.plain import text_of_backtrack

        return text_of_backtrack(self.board(), full=True)

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON; its keys are stable."""
        return to_json(self.run.evidence, self.walk)

    def to_frame(self) -> "pd.DataFrame":
        """A row for each hop."""
        from explainkit.view import frames

        return frames.hops(self.walk)

    def to_dot(self) -> str:
        """The walk's part of the graph in the DOT language."""
        from explainkit.view.dot import dot_of

        return dot_of(self.run.evidence, self.walk)

    @overload
    def to_html(self, *, progress: Progress = None) -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str], *, progress: Progress = None) -> Path: ...
    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, progress: Progress = None
    ) -> str | Path:
        """The explorer as one self-contained page without a kernel, opened on this walk.

        It holds walks from the whole answer, its sentences, its numbers and what was carried into
        it, and says its size, which has a bound, and what it leaves out.

        Args:
            path: Where to write it.
            progress: A function, given how many of how many parts are made; without one, a bar of
                text is drawn in a terminal when it takes longer than a second.

        Returns:
            The path that was written; without one, the page.
        """
        from explainkit.view.page import page_of

        tell = PageProgress(progress)  # made first: the walk and the board take their time too

        html = page_of(
            self.run.evidence,
            self.walk,
            board=self.board(),
            walks=partial(_walk_of, self.run),
            slot=self.slot,
            progress=tell,
        )
        if path is None:
            return html
        Path(path).write_text(html, encoding="utf-8")
        return Path(path)

    def __repr__(self) -> str:
        from explainkit.view.plain import text_of_backtrack

        return guarded(lambda: text_of_backtrack(self.board()), "<explainkit backtrack>")

    def _repr_html_(self) -> str:
        from explainkit.view.notebook import html_of_backtrack

        return guarded_html(lambda: html_of_backtrack(self.board()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def _no_answer(run: "HeldRun") -> str:
    """Why no words of an answer can be looked for, and what can."""
    from explainkit.view.composition_board import ended

    end = ended(run.recording)
    said = "gave no answer" if end is None else f"gave no answer: {end.title.partition(' ')[2]}"
    return (
        f"The run {run.name!r:.60} {said}. There are no words of it to walk back from; "
        "run.story() tells what happened, and ek.answer(...) inside of a run says its answer."
    )


def _walk_of(
    run: "HeldRun", slot: str, version: int | None, span: tuple[int, int] | None, grade: str, /
) -> Walk:
    """A walk for a view that asks by position."""
    return Backtrack.of(run, answer=version, span=span, grade=grade, slot=slot).walk
