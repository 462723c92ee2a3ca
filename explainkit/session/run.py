"""A run as a person holds it: live, saved or imported, with everything that can be asked of it."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from explainkit.flow.checks import UNSET
from explainkit.graph.cycles import uncollected
from explainkit.session.page_progress import Progress
from explainkit.session.searched import SearchedRun
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.source import FileSource, LiveSource
from explainkit.session.tables import TabledRun
from explainkit.tracing.active import ActiveRun

if TYPE_CHECKING:
    from explainkit.adapters.reports import ImportReport
    from explainkit.session.backtracked import Backtrack
    from explainkit.session.explorer import Explorer
    from explainkit.store import FileSink, MemorySink, Recording
    from explainkit.view.board import Board

P = ParamSpec("P")
R = TypeVar("R")


class Run(SearchedRun, TabledRun):
    """One run. Made by ``trace``, ``traced``, ``load`` and ``runs``, not by hand.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello", question="How long?") as run:
        ...     _ = ek.answer("An hour.")
        >>> run.question, run.answer, run.status
        ('How long?', 'An hour.', 'answered')
    """

    @classmethod
    def live(cls, active: ActiveRun, sink: "FileSink | MemorySink") -> "Run":
        """A run that is recorded in this process."""
        return cls(LiveSource(active, sink))

    @classmethod
    def loaded(cls, recording: "Recording", *, report: "ImportReport | None" = None) -> "Run":
        """A run that was recorded before."""
        return cls(FileSource(recording), report=report)

    def bind(self, fn: Callable[P, R]) -> Callable[P, R]:
        """Carry this run into another thread or executor.

        Args:
            fn: What the other thread will call.

        Returns:
            A function with the same behaviour; its recording calls belong to this run.
        """
        active = self.active
        return fn if active is None else active.bind(fn)

    def verdict(
        self,
        status: str,
        *,
        judge: str,
        reason: str | None = None,
        issues: Sequence[Mapping[str, Any]] = (),
        link: int | str | None = None,
        slot: str = "answer",
        version: int | None = None,
    ) -> "Run":
        """Judge the answer, or a link. After the run's end it goes to the notes beside its file.

        Args:
            status: ``passed``, ``failed``, ``unavailable`` or ``not-run``.
            judge: Who judges.
            reason: Why.
            issues: What was found, each with ``code``, ``message`` and perhaps ``path``.
            link: ``seq`` or name of the link to judge instead of an answer.
            slot: Which answer.
            version: Which version; the effective one when not given.

        Returns:
            The run, so that calls can follow.

        Raises:
            ValueError: No such status.
            NoAnswerError: The slot has no answer, or not that version.
            UnknownRecordError: No such link.
        """
        from explainkit.session.judging import issues_of, require_status, verdict_fields

        target = verdict_fields(self.recording, link=link, slot=slot, version=version)
        fields = {"status": require_status(status), "judge": judge, "reason": reason, **target}
        if issues:
            fields["issues"] = issues_of(issues)
        self._source.append("verdict", fields)
        return self

    def note(self, text: str, *, by: str | None = None, about: int | str | None = None) -> "Run":
        """Bind a remark to the run or to one of its records.

        Args:
            text: The remark.
            by: Who makes it.
            about: ``seq`` of a record, or name of a context, event or link; the whole run when
                not given.

        Raises:
            UnknownRecordError: No such record.
        """
        fields: dict[str, Any] = {"text": text, "by": by}
        if about is not None:
            from explainkit.session.naming import source_named

            seq = source_named(self.recording, about) if isinstance(about, str) else about
            self.recording.raw(seq)
            fields["target"] = {"seq": seq}
        self._source.append("note", fields)
        return self

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the run, and its notes beside it.

        Args:
            path: A file name, best ending in ``.ek.jsonl``.
            overwrite: Replace another run that is there.

        Raises:
            WriteError: It cannot be written, or another run is there.
        """
        from explainkit.store import save

        save(self.recording, path, overwrite=overwrite)
        return Path(path)

    def to_pytest(
        self,
        path: str | os.PathLike[str],
        *,
        span: Any = None,
        slot: str = "answer",
        expect: Any = UNSET,
        overwrite: bool = False,
    ) -> Path:
        """Write a test that fails while the run answers wrong as recorded.

        Args:
            path: A file name such as ``tests/test_claim.py``; a JSON file is written beside it.
            span: The wrong words of the answer; the whole answer when not given.
            slot: Which answer.
            expect: The right answer, when it is known; None is one.
            overwrite: Replace files that are there.

        Raises:
            RerunError: The run was not made by an importable `@ek.traced` function or a runner
                that stands in a module under a name, or its own answer would pass the test.
            UnknownRecordError: There is no such answer.
            WriteError: A file is there, or cannot be written.
        """
        from explainkit.session.regression_tests import write_test

        return write_test(self, path, span=span, slot=slot, expect=expect, overwrite=overwrite)

    def doctor(self) -> list[Any]:
        """Every breach of integrity or of the laws of records; empty when all is well."""
        from explainkit.store import doctor

        return list(doctor(self.recording))

    @overload
    def to_html(self, *, span: Any = None, progress: Progress = None) -> str: ...
    @overload
    def to_html(
        self, path: str | os.PathLike[str], *, span: Any = None, progress: Progress = None
    ) -> Path: ...
    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        span: Any = None,
        progress: Progress = None,
    ) -> str | Path:
        """One self-contained page of the run: no network, no kernel.

        Args:
            path: Where to write it.
            span: Words of the answer to open it on.
            progress: A function, given how many of how many parts are made; without one, a bar of
                text is drawn in a terminal when it takes longer than a second.

        Returns:
            The path that was written; without one, the page.
        """
        back = self._whole if span is None else self.backtrack(span=span)
        if path is None:
            return back.to_html(progress=progress)
        return back.to_html(path, progress=progress)

    def explore(
        self,
        *,
        span: Any = None,
        answer: int | str | None = None,
        slot: str | int = "answer",
        grade: str = "value",
        call: Callable[..., Any] | None = None,
    ) -> "Explorer":
        """Open the explorer: select words of the answer, walk back, look at any record.

        A notebook shows a static board, which stays, and below it the widget; the widget of an
        earlier call is closed. Anywhere else the board is printed as text.

        Args:
            span: Words of the answer to open on, as for `backtrack`.
            answer: Which version of the answer, or the slot of another one, as for `backtrack`.
            slot: Which answer, as for `backtrack`.
            grade: Weakest evidence to follow.
            call: A function that makes the run again, as for `whatif`; for the what-if panel.

        Returns:
            What is selected there, to go on with in Python.

        Raises:
            SpanNotFoundError: The words are not in the answer.
            UnknownRecordError: There is no such slot or version.
            ValueError: No such grade.

        Example:
            >>> import explainkit as ek
            >>> with ek.trace("hello") as run:
            ...     _ = ek.answer(ek.context("note", "We pay back half of the fare."))
            >>> explorer = run.explore(span="half of the fare")  # doctest: +ELLIPSIS
            Backtrack of “half of the fare” in hello...
            >>> explorer.backtrack.contexts[0].name
            'note'
        """
        with uncollected():  # the collector has time while the browser paints
            back = self.backtrack(answer=answer, span=span, grade=grade, slot=slot)
            return back.explore(call=call)

    @cached_property
    def _walked(self) -> "dict[int, Backtrack]":
        return {}

    @property
    def _whole(self) -> "Backtrack":
        """The walk from the whole answer as it is now, made once for every display."""
        from explainkit.session.backtracked import Backtrack

        size = len(self.recording)
        if size not in self._walked:
            self._walked.clear()
            self._walked[size] = Backtrack.of(self)
        return self._walked[size]

    def board(self) -> "Board":
        """What every display of the run draws from."""
        return self._whole.board()

    def __repr__(self) -> str:
        from explainkit.view.plain import text_of_run

        saved = None if self.path is None else str(self.path)
        return guarded(
            lambda: text_of_run(self.board(), saved=saved), f"<explainkit run {id(self)}>"
        )

    def _repr_html_(self) -> str:
        from explainkit.view.notebook import html_of_run

        return guarded_html(lambda: html_of_run(self.board()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())
