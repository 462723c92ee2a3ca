"""A guided bisection as a person holds it: one question at a time, each answer a verdict."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import UnknownRecordError
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.steps_asked import Step, step_of
from explainkit.whatif.searching import Answer, FirstWrong, Inquiry, first_wrong, read_answer

if TYPE_CHECKING:
    from explainkit.session.run import Run
    from explainkit.view.whatif.bisecting import BisectionForm

Oracle = Callable[[Step], Any]

STATUS: Final = {"right": "passed", "wrong": "failed", "don't know": "unavailable"}
_SAID: Final[dict[object, Answer]] = {
    "passed": "right",
    "failed": "wrong",
    "unavailable": "don't know",
}


class Bisection:
    """Finds the first link whose inputs are right and whose output is wrong; see ``Run.bisect``.

    The answer itself is asked about first, unless a verdict on it is on record or the run ended on
    an error: where it is right, nothing is wrong. Answer with `right()`, `wrong()` or
    `dont_know()` until `found` says which link it is; in a
    notebook `show()` gives buttons. Each answer is recorded as a verdict on its link, and the end
    as a finding.

    Attributes:
        links: The links, and versions of the answer, that may be asked about.
        known: Verdicts of before that count as answers; with ``known=True`` only.

    Example:
        >>> import explainkit as ek
        >>> @ek.link
        ... def double(number):
        ...     return number * 2 if number != 2468 else 17
        >>> with ek.trace("doubling") as run:
        ...     number = 1234
        ...     for _ in range(3):
        ...         number = double(number)
        ...     _ = ek.answer(number)
        >>> bisection = run.bisect()
        >>> while bisection.found is None:
        ...     _ = bisection.answer(bisection.question.value in (2468, 4936, 9872))
        >>> bisection.step.inputs, bisection.step.output
        ({'number': '2468'}, '17')
    """

    def __init__(
        self,
        run: "Run",
        *,
        judge: str = "bisection",
        slot: str = "answer",
        presume: bool = False,
        known: bool = False,
    ) -> None:
        """Begin at the answer; the arguments are those of ``Run.bisect``."""
        from explainkit.backtrack.made_from import link_sources

        sources = link_sources(run.evidence, slot=slot)
        if sources.target is None:
            raise UnknownRecordError(
                f"The run {run.name!r:.60} has no link that ended: there is no step to ask about."
            )
        self._run = run
        self._judge = judge
        self._slot = slot
        self._sources = sources
        self._presume = presume
        self.links = tuple(sources.inputs)
        self.known = self._verdicts() if known else {}
        said = None if sources.target in self.known else self._said_of_answer()
        if said is not None:
            self.known[sources.target] = said
        self._said: list[tuple[int, Answer]] = []
        self._inquiry = self._begun()
        self._form: BisectionForm | None = None
        if self._inquiry.is_done:
            self._record()

    @property
    def question(self) -> Step | None:
        """The link asked about now; None once it is over."""
        if self._inquiry.is_done:
            return None
        asked = self._inquiry.question
        suspect = None if asked.suspect is None else self._step(asked.suspect)
        return self._step(
            asked.link,
            number=len(self._said) + 1,
            about_more=asked.about_more,
            suspect=suspect,
            opening=asked.opening,
        )

    @property
    def found(self) -> FirstWrong[int] | None:
        """What came of it; None while it goes on."""
        if not self._inquiry.is_done:
            return None
        return replace(self._inquiry.result, answers=tuple(self._said))

    @property
    def step(self) -> Step | None:
        """The first wrong link with what it was given and gave; None unless one was found."""
        found = self.found
        return None if found is None or found.link is None else self._step(found.link)

    def right(self) -> "Bisection":
        """What the link gave is right."""
        return self.answer("right")

    def wrong(self) -> "Bisection":
        """What the link gave is wrong."""
        return self.answer("wrong")

    def dont_know(self) -> "Bisection":
        """It cannot be said; another link is asked about."""
        return self.answer("don't know")

    def enough(self) -> "Bisection":
        """Presume what was not asked about, because what was made from it is right.

        It ends the bisection when a suspect stands and only its inputs are asked about; the result
        says which of them were presumed.

        Raises:
            ValueError: No suspect stands yet, or it is over.
        """
        asked = self.question
        if asked is None or asked.suspect is None:
            raise ValueError(
                "There is nothing to presume: no suspect stands yet, or it is over. "
                "Answer the question, or look at .found."
            )
        self._inquiry = self._begun(presume=True, said=dict(self._said))
        self._record()
        return self._told()

    def answer(self, said: Any) -> "Bisection":
        """Answer the question.

        Args:
            said: right, wrong or don't know; or True, False or None.

        Raises:
            ValueError: It is over, or the answer is none of these.
        """
        if self.found is not None:
            raise ValueError(
                "The bisection is over. Look at .found, or begin anew with run.bisect()."
            )
        asked = self._inquiry.question
        word, link = read_answer(asked, said), asked.link
        self._judged(link, STATUS[word])
        self._inquiry.answer(word)
        self._said.append((link, word))
        if self._inquiry.is_done:
            self._record()
        return self._told()

    def back(self) -> "Bisection":
        """Take the last answer back, and be asked again; a verdict ``not-run`` says so.

        Raises:
            ValueError: Nothing was answered yet.
        """
        if not self._said:
            raise ValueError("Nothing was answered yet, so nothing can be taken back.")
        link, _ = self._said.pop()
        self._judged(link, "not-run", reason="the answer was taken back")
        self._inquiry = self._begun()
        for _, word in self._said:
            self._inquiry.answer(word)
        return self._told()

    def show(self) -> "Bisection":
        """Display the question with buttons; in a script, print it.

        In a notebook the card stands above and stays; the buttons below it are closed at the end.

        Returns:
            The bisection, so that calls can follow.
        """
        from explainkit.view.whatif.bisecting import show_bisection

        if self._form is not None:
            self._form.close()
        self._form = show_bisection(self)
        return self

    def _begun(
        self, *, presume: bool = False, said: dict[int, Answer] | None = None
    ) -> "Inquiry[Any, Answer, FirstWrong[int]]":
        sources = self._sources
        return first_wrong(
            sources.inputs,
            self.links[-1] if sources.target is None else sources.target,
            same=sources.same,
            known={**self.known, **(said or {})},
            presume=presume or self._presume,
            sure=self._is_error(),
        )

    def _is_error(self) -> bool:
        """Whether the run ended on an error of the link at its end, which is wrong as it stands."""
        target = self._sources.target
        return (
            target is not None
            and target not in self._sources.versions
            and (self._step(target).error)
        )

    def _said_of_answer(self) -> Answer | None:
        """What others say of the answer as it left the run: right if one passed and none failed."""
        fold = self._run.recording.effective(self._slot)
        if fold is None:
            return None
        last: dict[str, str] = {}
        for row in self._run.recording.rows("verdict"):
            about = row.get("slot"), row.get("version")
            if row.get("link") is None and about == (self._slot, fold.final.version):
                last[str(row.get("judge"))] = str(row.get("status"))
        last.pop(self._judge, None)  # who is asked now is asked anew
        if "failed" in last.values():
            return "wrong"
        return "right" if "passed" in last.values() else None

    def _step(self, link: int, **more: Any) -> Step:
        version = self._sources.versions.get(link)
        return step_of(self._run.recording, link, version=version, **more)

    def _judged(self, link: int, status: str, **more: Any) -> None:
        """Record a verdict on a link or version."""
        version = self._sources.versions.get(link)
        about: dict[str, Any] = {"slot": self._slot, "version": version}
        if version is None:
            about = {"link": link}
        self._run.verdict(status, judge=self._judge, **about, **more)

    def _verdicts(self) -> dict[int, Answer]:
        """The last verdict of this judge on each link and version."""
        versions = {number: seq for seq, number in self._sources.versions.items()}
        found: dict[int, Answer] = {}
        for row in self._run.recording.rows("verdict"):
            if row.get("judge") != self._judge:
                continue
            link = row.get("link")
            if link is None and row.get("slot") == self._slot:
                link = versions.get(int(row.get("version") or 0))
            if isinstance(link, int) and link in self._sources.inputs:
                word = _SAID.get(row.get("status"))
                found.pop(link, None)  # one that was taken back says nothing
                if word is not None:
                    found[link] = word
        return found

    def _record(self) -> None:
        found = self._inquiry.result
        self._run.append_record(
            "finding",
            {
                "word": _word_of(found),
                "reason": str(self),
                "detail": {
                    "questions": len(self._said),
                    "link": found.link,
                    "candidates": list(found.candidates),
                    "presumed": list(found.presumed),
                    "judge": self._judge,
                },
            },
        )

    def _told(self) -> "Bisection":
        """Let a form that is shown follow."""
        if self._form is not None:
            self._form.follow()
        return self

    def title(self, link: int) -> str:
        """What a link or version is, with its record.

        Args:
            link: One of `links`.
        """
        return self._step(link).title

    def __str__(self) -> str:
        """The question, or what was found, in one line."""
        from explainkit.view.whatif.bisected import line_of_bisection

        return line_of_bisection(self)

    def __repr__(self) -> str:
        from explainkit.view.whatif.bisected import text_of_bisection

        return guarded(lambda: text_of_bisection(self), "<explainkit bisection>")

    def _repr_html_(self) -> str:
        from explainkit.view.whatif.bisected import html_of_bisection

        return guarded_html(lambda: str(html_of_bisection(self)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def _word_of(found: FirstWrong[int]) -> str:
    if found.nothing:
        return "nothing wrong"
    return "inconclusive" if found.link is None else "first wrong"


def bisected(run: "Run", oracle: Any, *, judge: str | None, **settings: Any) -> Bisection:
    """Begin a bisection; with an oracle, go on to its end.

    Args:
        run: The run.
        oracle: A function of a `Step`, or a checker of values.
        judge: Who judges, for the record; a checker is named by its id.
        settings: As `Bisection` takes them.

    Raises:
        TypeError: The oracle is neither.
    """
    ask, name = _asking(oracle)
    bisection = Bisection(run, judge=judge or name, **settings)
    while ask is not None and (asked := bisection.question) is not None:
        bisection.answer(ask(asked))
    return bisection


async def bisected_async(
    run: "Run", oracle: Callable[[Step], Awaitable[Any]], *, judge: str | None, **settings: Any
) -> Bisection:
    """As `bisected`, with an oracle that has to be awaited."""
    bisection = Bisection(run, judge=judge or "bisection", **settings)
    while (asked := bisection.question) is not None:
        bisection.answer(await oracle(asked))
    return bisection


def _asking(oracle: Any) -> tuple[Oracle | None, str]:
    """What is asked, and its name."""
    from explainkit.flow.checks import OperationContext
    from explainkit.flow.checks.asking import result_by

    if oracle is None or callable(oracle):
        return oracle, "bisection"
    if not isinstance(getattr(oracle, "id", None), str) or not callable(
        getattr(oracle, "check", None)
    ):
        raise TypeError(
            f"An oracle is a function of a Step, or a checker with id and check(value, context); "
            f"got {oracle!r:.60}."
        )

    def check(step: Step) -> Answer:
        if step.error:
            return "wrong"
        return _SAID.get(result_by(oracle, step.value, OperationContext()).status, "don't know")

    return check, str(oracle.id)
