"""A run as a person holds it: live, saved or imported, with everything that can be asked of it."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.source import FileSource, LiveSource, RunSource
from explainkit.tracing.active import ActiveRun

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from explainkit.adapters.reports import ImportReport
    from explainkit.graph import Evidence
    from explainkit.session.backtracked import Backtrack, PromptView
    from explainkit.session.composition_views import RunEnd, RunTree
    from explainkit.session.machine_views import MachineView
    from explainkit.store import FileSink, MemorySink, Recording
    from explainkit.view.board import Board

P = ParamSpec("P")
R = TypeVar("R")


class Run:
    """One run. Made by ``trace``, ``traced``, ``load`` and ``runs``, not by hand.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello", question="How long?") as run:
        ...     _ = ek.answer("An hour.")
        >>> run.question, run.answer, run.status
        ('How long?', 'An hour.', 'answered')
    """

    def __init__(self, source: RunSource, *, report: "ImportReport | None" = None) -> None:
        """Wrap what knows the run's records."""
        self._source = source
        self._evidence: tuple[int, Evidence] | None = None
        self.report = report

    @classmethod
    def live(cls, active: ActiveRun, sink: "FileSink | MemorySink") -> "Run":
        """A run that is recorded in this process."""
        return cls(LiveSource(active, sink))

    @classmethod
    def loaded(cls, recording: "Recording", *, report: "ImportReport | None" = None) -> "Run":
        """A run that was recorded before."""
        return cls(FileSource(recording), report=report)

    @property
    def active(self) -> ActiveRun | None:
        """The tracer's side of the run while it goes on; ``None`` once it has ended."""
        return self._source.active

    @property
    def recording(self) -> "Recording":
        """The records so far."""
        return self._source.recording()

    @property
    def id(self) -> str:
        """The run's id."""
        return self.recording.run

    @property
    def name(self) -> str:
        """The run's name."""
        return self.recording.name

    @property
    def status(self) -> str:
        """answered, error, verdict, paused, exhausted, cancelled, running or crashed."""
        return self.recording.status

    @property
    def path(self) -> Path | None:
        """The run's file; ``None`` while it is in memory only."""
        return self._source.path

    @property
    def head(self) -> str | None:
        """SHA-256 that the file ends on; keep it to find a cut tail later."""
        return self.recording.head

    @property
    def question(self) -> str | None:
        """What was asked."""
        started = next(self.recording.rows("run_started"), {})
        digest = started.get("question")
        return None if digest is None else self.recording.values.shown(digest)

    @property
    def answer(self) -> Any:
        """The effective answer: the last version of the slot ``answer``.

        Raises:
            UnknownRecordError: The run has none.
        """
        from explainkit.session.answering import effective_answer

        return effective_answer(self.recording)

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

    @property
    def evidence(self) -> "Evidence":
        """The index that walks go over; built once for the records there are."""
        from explainkit.graph import Evidence

        recording = self.recording
        if self._evidence is None or self._evidence[0] != len(recording):
            self._evidence = (len(recording), Evidence(recording))
        return self._evidence[1]

    def graph(self) -> "nx.MultiDiGraph[str]":
        """The run as a networkx graph; edges point the way data flowed."""
        return self.evidence.networkx()

    def backtrack(
        self,
        *,
        answer: int | str | None = None,
        span: Any = None,
        grade: str = "value",
        slot: str | int = "answer",
    ) -> "Backtrack":
        """Walk from the answer, or words of it, back to the context that they came from.

        Args:
            answer: Which version of the answer, the effective one when not given; or the slot of
                another answer, as `slot`.
            span: Words of the answer, ``(start, end)`` in code points, or a compiled regular
                expression; the whole answer when not given.
            grade: Weakest evidence to follow: ``declared``, ``value``, ``exposure`` or ``order``.
            slot: Which answer of a run that gives several, as in the column ``slot`` of `picks`;
                or ``seq`` of a pick.

        Raises:
            SpanNotFoundError: The words are not in the answer; it holds the nearest ones, and the
                message names other answers of the run that hold them.
            UnknownRecordError: There is no such slot or version.
            TypeError: The slot is neither a name nor a number.
            ValueError: No such grade.
        """
        from explainkit.session.answering import slot_and_version
        from explainkit.session.backtracked import Backtrack

        slot, answer = slot_and_version(slot, answer)
        return Backtrack.of(self, answer=answer, span=span, grade=grade, slot=slot)

    def prompt(self, link: int | str | None = None) -> "PromptView":
        """What the model saw, with the origin of every character.

        Args:
            link: ``seq`` of a link, or its name (the last one of that name); the last model link
                when not given.

        Raises:
            UnknownRecordError: No such link, or the run has no model link.
        """
        from explainkit.session.backtracked import PromptView
        from explainkit.session.naming import link_named

        if isinstance(link, str):
            link = link_named(self.recording, link)
        return PromptView.of(self, link)

    def machine(self, name: str | int | None = None) -> "MachineView":
        """A machine of the run, drawn on its chart from the records alone.

        Args:
            name: Its id (the last machine of that id), or ``seq`` of its link; the only machine
                when not given.

        Raises:
            UnknownRecordError: There is none, no such one, or there are several to choose from.
        """
        from explainkit.session.machine_views import machine_of

        return machine_of(self, name)

    @property
    def tree(self) -> "RunTree":
        """What ran in what, each with how it ended."""
        from explainkit.session.composition_views import RunTree

        return RunTree(self)

    @property
    def ended_by(self) -> "RunEnd | None":
        """The verdict, error or other end of a run without an answer; ``None`` otherwise."""
        from explainkit.session.composition_views import end_of_run

        return end_of_run(self)

    @property
    def links(self) -> "pd.DataFrame":
        """A row for each link."""
        from explainkit.view import frames

        return frames.links(self.recording)

    @property
    def contexts(self) -> "pd.DataFrame":
        """A row for each context, left-out ones included."""
        from explainkit.view import frames

        return frames.contexts(self.recording)

    @property
    def overrides(self) -> "pd.DataFrame":
        """A row for each override."""
        from explainkit.view import frames

        return frames.overrides(self.recording)

    @property
    def picks(self) -> "pd.DataFrame":
        """A row for each pick of an Agent: what was picked, what replied, what was read."""
        from explainkit.view import frames

        return frames.picks(self.recording)

    @property
    def verdicts(self) -> "pd.DataFrame":
        """A row for each verdict; stale ones are marked."""
        from explainkit.view import frames

        return frames.verdicts(self.recording)

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

    def doctor(self) -> list[Any]:
        """Every breach of integrity or of the laws of records; empty when all is well."""
        from explainkit.store import doctor

        return list(doctor(self.recording))

    @overload
    def to_html(self, *, span: Any = None) -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str], *, span: Any = None) -> Path: ...
    def to_html(
        self, path: str | os.PathLike[str] | None = None, *, span: Any = None
    ) -> str | Path:
        """One self-contained page of the run: no network, no kernel.

        Args:
            path: Where to write it.
            span: Words of the answer to open it on.

        Returns:
            The path that was written; without one, the page.
        """
        back = self.backtrack(span=span)
        return back.to_html() if path is None else back.to_html(path)

    @cached_property
    def _boards(self) -> "dict[int, Board]":
        return {}

    def board(self) -> "Board":
        """What every display of the run draws from."""
        from explainkit.session.backtracked import Backtrack

        size = len(self.recording)
        if size not in self._boards:
            self._boards.clear()
            self._boards[size] = Backtrack.of(self).board()
        return self._boards[size]

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
