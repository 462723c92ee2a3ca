"""The explorer as a person holds it: what is selected there can be carried on in Python."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from explainkit.backtrack.results import Walk
from explainkit.errors import UnknownRecordError
from explainkit.session.backtracked import Backtrack
from explainkit.session.selection_listeners import SelectionListeners
from explainkit.session.showing import guarded, guarded_html
from explainkit.view.explorer.exchange import Exchange, words_of

if TYPE_CHECKING:
    from explainkit.session.bisections import Bisection
    from explainkit.session.run import Run
    from explainkit.session.whatifs import WhatIf
    from explainkit.view.explorer.controls import ExplorerControls

Listener = TypeVar("Listener", bound=Callable[["Explorer"], Any])
Span = tuple[int, int] | None
_Key = tuple[str, int | None, Span, str]

KEPT = 64
"""Walks that are kept."""

OPEN = (
    "In a notebook explore() opens the explorer. Here: run.to_html(path) writes one page, "
    "and explainkit view FILE opens it in a browser."
)
_READ = "explorer.{} is what a person chose, and is read only. To choose: explorer.{}."


class _Now:
    """Answers with a function, which knows what is held now."""

    def __init__(self, reply: Callable[[Any], dict[str, Any]]) -> None:
        self.reply = reply


class Explorer:
    """A run to look around in; made by ``Run.explore`` and ``Backtrack.explore``.

    In a notebook it displays a static board, which stays when the kernel is gone, and below it
    the widget. What is selected in the widget can be read here, and what is selected here shows
    there. It works without a notebook too, for scripts and tests.

    Example:
        >>> import explainkit as ek
        >>> with ek.trace("hello") as run:
        ...     note = ek.context("note", "We pay back half of the fare.", source="memory/1")
        ...     _ = ek.answer(note)
        >>> from explainkit.session.explorer import Explorer
        >>> explorer = Explorer(run.backtrack()).select("half of the fare")
        >>> explorer.selection, explorer.span
        ('half of the fare', (12, 28))
        >>> [context.name for context in explorer.backtrack.contexts]
        ['note']
    """

    def __init__(self, start: Backtrack, *, call: Callable[..., Any] | None = None) -> None:
        """Look at the run of a backtrack as it is now, and open on that backtrack.

        Args:
            start: The backtrack.
            call: A function that makes the run again, for the what-if panel.
        """
        from explainkit.session.panel_reruns import PanelReruns
        from explainkit.view.explorer import Exploration

        self.run = start.run
        self._start = start
        self._backs: OrderedDict[_Key, Backtrack] = OrderedDict()
        self._reruns = PanelReruns(cast("Run", self.run), call)
        self._evidence = self.run.evidence
        self._exploration = Exploration(self._evidence, walk=self._walk, reruns=self._reruns)
        self._exchange = Exchange(_Now(self._reply))
        self._reruns.shown_in(self._exchange, self._found)
        self._controls: ExplorerControls | None = None
        self._listeners = SelectionListeners(self._exchange.say)
        self._displayed_in: int | None = None
        self._begin()

    def _found(self) -> dict[str, Any]:
        return self._exploration.causes.found()

    def _reply(self, request: Any) -> dict[str, Any]:
        """Answer a request of the front end; of a run that goes on, as it is now."""
        from explainkit.view.explorer import Exploration

        if self._evidence.recording.status == "running":
            now = self.run.evidence
            if now is not self._evidence:
                # Walks, the chart and records must speak of one state of the run.
                self._evidence = now
                self._backs.clear()
                self._exploration = Exploration(now, walk=self._walk, reruns=self._reruns)
                if self._controls is not None:
                    self._controls.canvas.scene = self._exploration.scene()
                if self._exchange.chart:
                    self._exchange.ask("chart", only=self._exchange.chart["only"])
        return self._exploration.reply(request)

    def _begin(self) -> None:
        slot, found = self._start.slot, self._start.walk
        version = found.version or None
        self._backs[slot, version, found.span, found.grade] = self._start
        start, end = found.span or (None, None)
        try:
            self._exchange.ask(
                "walk", slot=slot, version=version, start=start, end=end, grade=found.grade
            )
        except ValueError as error:
            self._exchange.say(words_of(error))
        self._exchange.after_walks(self._tell)

    def _walk(self, slot: str, version: int | None, span: Span, grade: str) -> Walk:
        return self._back(slot, version, span, grade).walk

    def _back(self, slot: str, version: int | None, span: Span, grade: str) -> Backtrack:
        key = slot, version, span, grade
        held = self._backs.get(key)
        if held is None:
            held = Backtrack.of(self.run, answer=version, slot=slot, span=span, grade=grade)
            self._backs[key] = held
            while len(self._backs) > KEPT:
                self._backs.popitem(last=False)
        return held

    @property
    def _at(self) -> dict[str, Any]:
        return dict(self._exchange.shown.get("at") or {})

    @property
    def selection(self) -> str | None:
        """The selected words; the whole answer when nothing narrower is selected.

        ``None`` when the run has no answer, unless it is walked back from what it ended on.
        """
        if not self._at:
            return None
        back = self.backtrack
        if back.walk.answer_seq is None:
            return None
        return back.answer if back.span is None else back.answer[slice(*back.span)]

    @selection.setter
    def selection(self, _: object) -> NoReturn:
        raise AttributeError(_READ.format("selection", "select(words)"))

    @property
    def span(self) -> tuple[int, int] | None:
        """The selected stretch of the answer in code points; ``None`` for all of it."""
        at = self._at
        start, end = at.get("start"), at.get("end")
        return None if start is None or end is None else (start, end)

    @span.setter
    def span(self, _: object) -> NoReturn:
        raise AttributeError(_READ.format("span", "select((start, end))"))

    @property
    def backtrack(self) -> Backtrack:
        """The walk back from what is selected, to go on with in Python."""
        at = self._at
        if not at:
            return self._start
        with self._exchange.lock:
            return self._back(at["slot"], at["version"] or None, self.span, at["grade"])

    @property
    def cursor(self) -> int | None:
        """``seq`` of the record that every panel stands on."""
        return self._exchange.cursor

    @cursor.setter
    def cursor(self, _: object) -> NoReturn:
        raise AttributeError(_READ.format("cursor", "focus(record)"))

    @property
    def status(self) -> str:
        """What the explorer said last."""
        return self._exchange.status

    @property
    def whatif(self) -> "WhatIf | None":
        """What the what-if panel measured last, to go on with in Python.

        Of a search for the smallest set, the what-if of that set.
        """
        return self._reruns.last

    @property
    def bisection(self) -> "Bisection | None":
        """The bisection that was begun in its panel."""
        return self._reruns.bisection

    def focus(self, record: int | str) -> "Explorer":
        """Put the cursor on a record; a miss leaves it where it is.

        Args:
            record: ``seq``, or the name of a context, event or link (the last one of that name).

        Returns:
            The explorer, so that calls can follow.

        Raises:
            UnknownRecordError: There is no such record; the message says the nearest.
            TypeError: It is neither a number nor a name.
        """
        from explainkit.session.naming import number_of_record, source_named

        try:
            if isinstance(record, str):
                record = source_named(self.run.recording, record)
            self._exchange.focus(number_of_record(record))
        except (UnknownRecordError, ValueError) as error:
            self._exchange.say(words_of(error))
            raise UnknownRecordError(words_of(error)) from None
        return self

    def select(
        self,
        span: Any = None,
        *,
        slot: str | int | None = None,
        version: int | None = None,
        grade: str | None = None,
    ) -> "Explorer":
        """Select words of the answer, as a person with a mouse would.

        Args:
            span: Words, ``(start, end)`` in code points, or a compiled regular expression; the
                whole answer when not given. Of words that stand in several places, the first.
            slot: Which answer; the one that is shown when not given.
            version: Which version of it; the one that is shown, or the last of another slot.
            grade: Weakest evidence to follow; as before when not given.

        Returns:
            The explorer, so that calls can follow.

        Raises:
            SpanNotFoundError: The words are not in the answer; the selection stays.
            UnknownRecordError: There is no such answer.
            ValueError: No such grade.
        """
        from explainkit.session.answering import slot_and_version

        at = self._at
        if slot is None and version is None:
            version = at.get("version") or None
        name, version = slot_and_version(
            at.get("slot") or "answer" if slot is None else slot, version
        )
        grade = grade or at.get("grade") or "value"
        with self._exchange.lock:
            back = Backtrack.of(self.run, slot=name, answer=version, span=span, grade=grade)
        start, end = back.span or (None, None)
        number = back.walk.version or version
        self._exchange.ask("walk", slot=name, version=number, start=start, end=end, grade=grade)
        return self

    def on_select(self, fn: Listener) -> Listener:
        """Call a function with the explorer after each selection, from wherever it came.

        It may run in another thread than the cells. What it raises is said in the status line.

        Args:
            fn: Takes the explorer.

        Returns:
            The function, so that this can decorate it.

        Raises:
            TypeError: It is no function.
        """
        self._listeners.add(fn)
        return fn

    def _tell(self) -> None:
        self._listeners.tell(self)

    def close(self) -> None:
        """Close the widgets; the static board stays, and so does what can be read here.

        A what-if that is measured stops after its present re-run.
        """
        self._reruns.close()
        if self._controls is not None:
            self._exchange.forget()
            self._exchange.after_walks(self._tell)
            self._controls.close()
            self._controls = None

    def show(self) -> "Explorer":
        """Display the board and, below it, the widget; in a script, print what it would say.

        Returns:
            The explorer, so that calls can follow.
        """
        from explainkit.view.explorer import stage

        where = stage.front_end()
        if where in ("terminal", "script"):
            print(f"{self._text()}\n{OPEN}")  # noqa: T201 - asked for by who called explore()
        elif where == "jupyter":
            stage.show_static(self._text(), self._html())
            stage.show_widget(self._widgets(), self._instead())
            self._displayed_in = stage.cell_count()
        return self

    def _widgets(self) -> "ExplorerControls":
        if self._controls is None:
            from explainkit.view.explorer.controls import ExplorerControls

            self._controls = ExplorerControls(
                self._exchange, self._exploration.scene(), on_close=self.close
            )
        return self._controls

    @property
    def _is_run(self) -> bool:
        """Whether it opened on the run's whole answer, so that the run's own display says it."""
        return self._start.span is None and self._start.slot == "answer"

    def _text(self) -> str:
        return repr(self.run if self._is_run else self._start)

    def _html(self, *, is_open: bool = True) -> str:
        from explainkit.view.explorer.kept import kept_of
        from explainkit.view.explorer.kept_lists import TIMES
        from explainkit.view.explorer.stage import hint

        start = self._start
        html = guarded_html(
            lambda: kept_of(
                self.run.evidence,
                start.walk,
                start.board(),
                is_run=self._is_run,
                story=self._exploration.story(),
                timeline=self._exploration.timeline(count=TIMES),
                hint=hint(),
                is_open=is_open,
            )
        )
        # In a notebook converted to Markdown an empty line would end the HTML, and what was
        # recorded after it would be read as Markdown.
        return html.replace("\n", "&#10;")

    def _instead(self) -> str:
        return (
            f"The explorer of run {self.run.name!r:.60} needs the kernel that made it: "
            "run this cell again. The board above says the same."
        )

    def __repr__(self) -> str:
        return guarded(self._line, "<explainkit explorer>")

    def _line(self) -> str:
        words = self.selection
        what = "no answer" if words is None else f"{words!r:.60}"
        return f"<explainkit explorer of run {self.run.name!r:.60} on {what}>"

    def _ipython_display_(self) -> None:
        from explainkit.view.explorer.stage import cell_count, front_end

        if front_end() != "jupyter":
            print(repr(self))  # noqa: T201 - explore() has printed the board
        elif self._displayed_in is None or self._displayed_in != cell_count():
            self.show()

    def _display_(self) -> Any:
        """What marimo shows of it."""
        from explainkit.view.explorer.stage import in_marimo

        return in_marimo(self._html(is_open=False), self._widgets().canvas)


def open_explorer(start: Backtrack, call: Callable[..., Any] | None = None) -> Explorer:
    """Open the explorer on a backtrack; an earlier one of the same run closes its widgets.

    Args:
        start: The backtrack.
        call: A function that makes the run again, for the what-if panel.
    """
    run = start.run
    if run.explorer is not None:
        run.explorer.close()
    run.explorer = Explorer(start, call=call)
    return run.explorer.show()
