"""A guided bisection as a person holds it: one question at a time, each answer a verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explainkit.errors import UnknownRecordError
from explainkit.session.showing import bundle, guarded, guarded_html
from explainkit.whatif.searching import FirstWrong, first_wrong

if TYPE_CHECKING:
    from explainkit.session.run import Run

Oracle = Callable[["Step"], Any]

STATUS = {"right": "passed", "wrong": "failed", "don't know": "unavailable"}
SHOWN = 600


@dataclass(frozen=True)
class Step:
    """A link that is asked about: is what it gave right, given what it was given?

    Attributes:
        seq: The link.
        type: Its type.
        name: Its name.
        inputs: What it was given, as texts by slot.
        output: What it gave, as a text; of one that failed, the error.
        value: What it gave, as the object.
        number: 1 for the first question.
        about_more: Questions that are still needed, about, this one included.
    """

    seq: int
    type: str
    name: str
    inputs: dict[str, str]
    output: str
    value: Any
    number: int
    about_more: int

    def __str__(self) -> str:
        """The question in words."""
        return f"Is what {self.type} {self.name} (record {self.seq}) gave right?"


class Bisection:
    """Finds the first link whose inputs are right and whose output is wrong.

    Answer with `right()`, `wrong()` or `dont_know()` until `found` says which link it is. Each
    answer is recorded as a verdict on its link, and the end as a finding.

    Example:
        >>> import explainkit as ek
        >>> @ek.link
        ... def double(number):
        ...     return number * 2 if number != 8 else 17
        >>> with ek.trace("doubling") as run:
        ...     number = 1234
        ...     for _ in range(3):
        ...         number = double(number)
        ...     _ = ek.answer(number)
        >>> bisection = run.bisect()
        >>> while bisection.found is None:
        ...     _ = bisection.wrong()
        >>> bisection.found.link == bisection.links[0]
        True
    """

    def __init__(self, run: "Run", *, judge: str = "bisection") -> None:
        """Begin at the answer's link."""
        from explainkit.backtrack.made_from import link_sources

        sources = link_sources(run.evidence)
        if sources.target is None:
            raise UnknownRecordError(
                f"The run {run.name!r:.60} has no link that ended: there is no step to ask about."
            )
        self._run = run
        self._judge = judge
        self.links = tuple(sources.inputs)
        self._inquiry = first_wrong(sources.inputs, sources.target, same=sources.same)
        self._recorded = False

    @property
    def question(self) -> Step | None:
        """The link asked about now; None once it is over."""
        if self._inquiry.is_done:
            return None
        asked = self._inquiry.question
        return step_of(self._run, asked.link, asked.number, asked.about_more)

    @property
    def found(self) -> "FirstWrong[int] | None":
        """What came of it; None while it goes on."""
        return self._inquiry.result if self._inquiry.is_done else None

    def right(self) -> "Bisection":
        """What the link gave is right."""
        return self.answer("right")

    def wrong(self) -> "Bisection":
        """What the link gave is wrong."""
        return self.answer("wrong")

    def dont_know(self) -> "Bisection":
        """It cannot be said; another link is asked about."""
        return self.answer("don't know")

    def answer(self, said: Any) -> "Bisection":
        """Answer the question.

        Args:
            said: right, wrong or don't know; or True, False or None.

        Raises:
            ValueError: It is over, or the answer is none of these.
        """
        asked = self.question
        if asked is None:
            raise ValueError("The bisection is over. Look at .found, or begin anew: run.bisect().")
        word = {True: "right", False: "wrong", None: "don't know"}.get(said, said)
        self._inquiry.answer(word)
        self._run.verdict(STATUS[word], judge=self._judge, link=asked.seq)
        if self._inquiry.is_done:
            self._record()
        return self

    def _record(self) -> None:
        found = self._inquiry.result
        self._run.append_record(
            "finding",
            {
                "word": "first wrong" if found.link is not None else "inconclusive",
                "reason": str(found),
                "n": len(found.answers),
                "detail": {"link": found.link, "candidates": list(found.candidates)},
            },
        )

    def __repr__(self) -> str:
        from explainkit.view.whatif.bisected import text_of_bisection

        return guarded(lambda: text_of_bisection(self), "<explainkit bisection>")

    def _repr_html_(self) -> str:
        from explainkit.view.whatif.bisected import html_of_bisection

        return guarded_html(lambda: str(html_of_bisection(self)))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return bundle(repr(self), self._repr_html_())


def bisected(run: "Run", oracle: Oracle | None, *, judge: str) -> Bisection:
    """Begin a bisection; with an oracle, go on to its end.

    Args:
        run: The run.
        oracle: Says of a `Step` whether its output is right: True, False, or None.
        judge: Who judges, for the record.
    """
    bisection = Bisection(run, judge=judge)
    while oracle is not None and (asked := bisection.question) is not None:
        bisection.answer(oracle(asked))
    return bisection


def step_of(run: "Run", link: int, number: int, about_more: int) -> Step:
    """What is shown of a link that is asked about."""
    recording, values = run.recording, run.recording.values
    row = recording.raw(link)
    end: dict[str, Any] = next(
        (each for each in recording.rows("link_closed") if each.get("link") == link), {}
    )
    digest = end.get("output") or end.get("error")
    return Step(
        link,
        str(row.get("type") or "function"),
        str(row.get("name") or ""),
        {str(each["slot"]): values.shown(each["value"]) for each in row.get("inputs") or ()},
        "" if digest is None else values.shown(digest),
        None if end.get("output") is None else values.object(end["output"]),
        number,
        about_more,
    )
