"""A guided bisection as a person holds it: one question at a time, each answer a verdict."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from explainkit.errors import UnknownRecordError
from explainkit.safety import shorten
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.session.steps_asked import Step, step_of
from explainkit.view.error_words import error_text
from explainkit.whatif.judging.slots_again import slot_named
from explainkit.whatif.searching import Answer, FirstWrong, Inquiry, first_wrong, read_answer

if TYPE_CHECKING:
    from explainkit.session.run import Run
    from explainkit.view.whatif.bisecting import BisectionForm

STATUS: Final = {"right": "passed", "wrong": "failed", "don't know": "unavailable"}
SAID: Final[dict[object, Answer]] = {
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
        slot: Which answer.
        passed_by: Judges with whom the answer passed, which is why it is not asked about.
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
        wrong: bool = False,
        heeds_passed: bool = True,
    ) -> None:
        """Begin at the answer; the arguments are those of ``Run.bisect``.

        Args:
            run: The run.
            judge: Who answers.
            slot: Which answer.
            presume: See ``Run.bisect``.
            known: See ``Run.bisect``.
            wrong: See ``Run.bisect``.
            heeds_passed: Whether an answer that passed with another judge is not asked about; it
                is where somebody who judges is at hand.

        Raises:
            UnknownRecordError: No link ended, or there is no such answer.
        """
        from explainkit.backtrack.made_from import link_sources

        slot = slot_named(run.recording, slot)
        _require_slot(run, slot)
        sources = link_sources(run.evidence, slot=slot)
        if sources.target is None:
            raise UnknownRecordError(
                f"The run {run.name!r:.60} has no link that ended: there is no step to ask about."
            )
        self._run = run
        self._judge = judge
        self.slot = slot
        self.passed_by: tuple[str, ...] = ()
        self._sources = sources
        self._presume = presume
        self.links = tuple(sources.inputs)
        self.known = self._verdicts() if known else {}
        if wrong:
            self._found_wrong(sources.target)
        said = None if sources.target in self.known else self._said_of_answer(heeds_passed)
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
        found = replace(self._inquiry.result, answers=tuple(self._said)).with_names(self.title)
        # Where something else went wrong than what was asked about, that is not nothing.
        return replace(found, nothing=False) if self.ended else found

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
        word, link = read_answer(asked, _plain(said)), asked.link
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

    @property
    def ended(self) -> str:
        """How the run ended, in words, where it did so without an answer, outside of its links."""
        recording = self._run.recording
        status = recording.status
        if status in ("answered", "running") or self._is_error() or self._is_answered():
            return ""
        error = next(recording.rows("run_ended"), {}).get("error")
        if error is None:
            return f"ended without an answer ({status})"
        return f"raised {error_text(recording, error)}"

    def _is_answered(self) -> bool:
        fold = self._run.recording.effective(self.slot)
        return fold is not None and not fold.inferred

    def _said_of_answer(self, heeds_passed: bool) -> Answer | None:
        """What others say of the answer as it left the run: right if one passed and none failed."""
        last = self._said_by_judges()
        own = last.pop(self._judge, None)  # who is asked now is asked anew
        if "failed" in last.values():
            return "wrong"
        if not heeds_passed or own == "failed":
            return None
        self.passed_by = tuple(judge for judge, status in last.items() if status == "passed")
        return "right" if self.passed_by else None

    def _said_by_judges(self) -> dict[str, str]:
        """The last status that each judge gave the answer as it left the run."""
        fold = self._run.recording.effective(self.slot)
        at = None if fold is None else (self.slot, fold.final.version)
        return {
            str(row.get("judge")): str(row.get("status"))
            for row in self._run.recording.rows("verdict")
            if row.get("link") is None and (row.get("slot"), row.get("version")) == at
        }

    def _found_wrong(self, target: int) -> None:
        """Take the answer for wrong, whoever let it pass; who judges here has said so."""
        self.known[target] = "wrong"
        if not self._is_answered():
            self._judged(target, STATUS["wrong"])
        elif self._said_by_judges().get(self._judge) != STATUS["wrong"]:
            self._run.verdict(STATUS["wrong"], judge=self._judge, slot=self.slot)

    def _step(self, link: int, **more: Any) -> Step:
        version = self._sources.versions.get(link)
        return step_of(self._run.recording, link, version=version, **more)

    def _judged(self, link: int, status: str, **more: Any) -> None:
        """Record a verdict on a link or version."""
        version = self._sources.versions.get(link)
        about: dict[str, Any] = {"slot": self.slot, "version": version}
        if version is None:
            about = {"link": link}
        self._run.verdict(status, judge=self._judge, **about, **more)

    def _verdicts(self) -> dict[int, Answer]:
        """The last verdict of this judge on each link and version."""
        versions = {number: seq for seq, number in self._sources.versions.items()}
        fold = self._run.recording.effective(self.slot)
        if fold is not None and self._sources.target is not None:
            versions.setdefault(fold.final.version, self._sources.target)
        found: dict[int, Answer] = {}
        for row in self._run.recording.rows("verdict"):
            if row.get("judge") != self._judge:
                continue
            link = row.get("link")
            if link is None and row.get("slot") == self.slot:
                link = versions.get(int(row.get("version") or 0))
            if isinstance(link, int) and link in self._sources.inputs:
                word = SAID.get(row.get("status"))
                found.pop(link, None)  # one that was taken back says nothing
                if word is not None:
                    found[link] = word
        return found

    def _record(self) -> None:
        from explainkit.view.whatif.bisected import line_of_bisection

        found = self.found or self._inquiry.result
        self._run.append_record(
            "finding",
            {
                "word": _word_of(found),
                "reason": line_of_bisection(self, advice=False),
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


def _plain(said: Any) -> Any:
    """A bool as Python has it: comparisons of arrays and tables give one of numpy."""
    import numpy as np

    return bool(said) if isinstance(said, np.bool_) else said


def _require_slot(run: "Run", slot: str) -> None:
    if slot == "answer" or run.recording.effective(slot) is not None:
        return
    slots = dict.fromkeys(repr(str(r.get("slot"))) for r in run.recording.rows("answer"))
    raise UnknownRecordError(
        f"The run has no answer in the slot {slot!r:.60}. It has: "
        f"{shorten(', '.join(slots) or 'none', 300)}."
    )
