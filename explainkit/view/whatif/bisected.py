"""A bisection on screen: the question with what was given and what came, then what was found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from explainkit.safety import Html, visible
from explainkit.view import panels
from explainkit.view.passages import plain
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.words import flat
from explainkit.whatif.cut_lists import listed

if TYPE_CHECKING:
    from explainkit.whatif.searching import FirstWrong

SHOWN = 600
WIDTH = 160
LABEL = 9
NAMED = 6
"""Links that are named; further ones are counted."""


class ShownStep(Protocol):
    """What is shown of a link that is asked about, or that was found."""

    @property
    def title(self) -> str:
        """What it is, with its record."""
        ...

    @property
    def inputs(self) -> Mapping[str, str]:
        """What it was given."""
        ...

    @property
    def output(self) -> str:
        """What it gave."""
        ...

    @property
    def error(self) -> bool:
        """Whether it failed."""
        ...


class Asking(Protocol):
    """What is shown of a bisection."""

    @property
    def question(self) -> Any:
        """The link asked about."""
        ...

    @property
    def found(self) -> "FirstWrong[int] | None":
        """What came of it."""
        ...

    @property
    def step(self) -> ShownStep | None:
        """The link that was found."""
        ...

    @property
    def slot(self) -> str:
        """Which answer it is about."""
        ...

    @property
    def passed_by(self) -> tuple[str, ...]:
        """Judges with whom the answer passed, which is why it was not asked about."""
        ...

    @property
    def ended(self) -> str:
        """How the run ended, where that was outside of its links and without an answer."""
        ...

    def title(self, link: int) -> str:
        """What a link is, with its record."""
        ...


def line_of_bisection(shown: Asking, *, advice: bool = True) -> str:
    """The question, or what was found, in one line.

    Args:
        shown: The bisection.
        advice: Whether it says in Python what to do where nothing is said to be wrong and it is.
    """
    asked, found = shown.question, shown.found
    if found is None:
        return f"{_number(asked)} {flat(visible(str(asked)), WIDTH)}"
    count = len(found.answers)
    after = f"after {count} question{'' if count == 1 else 's'}"
    if found.contradiction is not None:
        by = found.contradiction
        twice = _name(shown, by.link)
        if by.link != by.beside:
            twice += f" made the same call as {_name(shown, by.beside)}; it"
        return f"Nothing is found {after}: {twice} was first said {by.first}, then {by.second}."
    if found.nothing:
        return f"{_nothing(shown, after)}{_though_wrong(shown) if advice else ''}"
    if shown.ended and shown.step is None and not found.candidates:
        return (
            f"No step is named, {after}: what was asked about is right, and the run "
            f"{flat(visible(shown.ended), WIDTH)}, outside of its links."
        )
    if shown.step is not None:
        presumed = len(found.presumed)
        them = f"; presumed right, not asked about: {_names(shown, found.presumed)}"
        return (
            f"The first wrong link is {flat(visible(shown.step.title), WIDTH)}, {after}"
            f"{them if presumed else ''}."
        )
    among = _names(shown, found.candidates)
    return f"The first wrong link is one of {among}; {after}, not all could be answered."


def _nothing(shown: Asking, after: str) -> str:
    if shown.passed_by:  # that a judge let it pass says nothing of the judge
        judges = _listed([f"“{each}”" for each in shown.passed_by])
        return f"No step was asked about: {judges} let the answer pass."
    return f"No step was found to be wrong: what the run gave is right, {after}."


def _though_wrong(shown: Asking) -> str:
    name = flat(visible(repr(shown.slot)), WIDTH)
    asked = f"run.bisect({'' if shown.slot == 'answer' else f'slot={name}, '}wrong=True)"
    return f" Where it is wrong all the same, {asked} goes on."


def text_of_bisection(shown: Asking) -> str:
    """The present question, or the result, as lines of text."""
    asked = shown.question
    lines = [line_of_bisection(shown)]
    lines += [f"{label:{LABEL}} {flat(visible(text), WIDTH)}" for label, text in _facts(shown)]
    if asked is not None:
        more = " .enough() presumes the rest." if asked.suspect is not None else ""
        lines.append(f"Answer with .right(), .wrong() or .dont_know().{more}")
    return "\n".join(lines)


def html_of_bisection(shown: Asking, skin: Skin = NOTEBOOK, *, how: str | None = None) -> Html:
    """The present question, or the result, as a card.

    Args:
        shown: The bisection.
        skin: How it is dressed.
        how: What to do about a question.
    """
    asked = shown.question
    head = "Bisection" if asked is None else f"Bisection · {_number(asked)}"
    title = line_of_bisection(shown) if asked is None else str(asked)
    rows = [
        skin.make("p", "kicker", head),
        skin.make("p", "headline", skin.recorded(title, "large")),
    ]
    for label, text in _facts(shown):
        rows.append(
            skin.make(
                "div",
                "card" if label not in ("gave", "raised") else "answer",
                skin.make("div", "label", skin.recorded(label, "note")),
                panels.marked(skin, plain(text, limit=SHOWN)),
            )
        )
    if asked is not None:
        told = how or "Answer with .right(), .wrong() or .dont_know(); .show() gives buttons."
        rows.append(skin.make("p", "kicker", told))
    return skin.make("div", "board", *rows)


def _facts(shown: Asking) -> list[tuple[str, str]]:
    """What is to be looked at: what a step was given and gave, and the suspect so far."""
    step = shown.question or shown.step
    if step is None:
        return []
    facts = [(f"given {slot}"[:40], text) for slot, text in step.inputs.items()]
    facts.append(("raised" if step.error else "gave", step.output))
    suspect = getattr(step, "suspect", None)
    return [*facts, ("suspect", f"{suspect.title}, if its inputs are right")] if suspect else facts


def _number(asked: Any) -> str:
    if asked.suspect is not None:
        return f"Question {asked.number}, to check what the suspect was made from."
    if asked.opening:
        more = asked.about_more - 1
        return f"Question {asked.number}, if anything is wrong; then about {more} to go."
    return f"Question {asked.number}, about {asked.about_more} to go."


def _names(shown: Asking, links: tuple[int, ...]) -> str:
    return _listed([_name(shown, link) for link in links])


def _listed(names: list[str]) -> str:
    return listed([flat(visible(name), WIDTH) for name in names], NAMED)


def _name(shown: Asking, link: int) -> str:
    return flat(visible(shown.title(link)), WIDTH)
