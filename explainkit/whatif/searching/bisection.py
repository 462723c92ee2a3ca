"""The first wrong link in few questions (algorithmic debugging; Shapiro 1983, divide and query)."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, Literal, TypeVar

from explainkit.whatif.cut_lists import listed
from explainkit.whatif.searching.inquiries import Inquiry
from explainkit.whatif.searching.slices import Link, Slice

Answer = Literal["right", "wrong", "don't know"]

_WORDS: Final[Mapping[object, Answer]] = {
    True: "right",
    False: "wrong",
    None: "don't know",
    "right": "right",
    "wrong": "wrong",
    "don't know": "don't know",
}

Asked = TypeVar("Asked")


@dataclass(frozen=True, slots=True)
class Question(Generic[Link]):
    """Is the value of this link right?

    Attributes:
        link: The link asked about.
        number: 1 for the first question.
        among: Links that may still be the first wrong one, as far as is presumed.
        suspect: The link that is named if its inputs prove right; `None` while it is searched for.
        again: It was answered before, and is asked once more to confirm the result.
        opening: It is the target, and whether anything is wrong at all is what is asked.
    """

    link: Link
    number: int
    among: int
    suspect: Link | None = None
    again: bool = False
    opening: bool = False

    @property
    def about_more(self) -> int:
        """Questions that a chain of as many links would still need, this one included."""
        return max(0 if self.opening else 1, (self.among - 1).bit_length()) + self.opening


@dataclass(frozen=True, slots=True)
class Contradiction(Generic[Link]):
    """Two answers that cannot both hold.

    Attributes:
        link: What was answered second.
        beside: What was answered first: the same link, or one that made the same call.
        first: The first answer.
        second: The other one.
    """

    link: Link
    beside: Link
    first: Answer
    second: Answer

    def __str__(self) -> str:
        return self.told(repr)

    def told(self, named: Callable[[Link], str]) -> str:
        """The two answers in words.

        Args:
            named: What a link is called.
        """
        other = "" if self.link == self.beside else f" (the same call as {named(self.beside)})"
        return f"{named(self.link)}{other} was first said to be {self.first}, then {self.second}"


@dataclass(frozen=True, slots=True)
class FirstWrong(Generic[Link]):
    """What a bisection found.

    Attributes:
        link: The link whose value is wrong while all its inputs are right; `None` when the answers
            do not single one out.
        candidates: The links that it may be; one when found, none after a contradiction.
        inputs: The inputs of `link`, all of them right.
        presumed: Those of the inputs (or of candidates) that were not asked about, because what
            was made from them is right; only with `presume=True`.
        answers: Every link asked about and what was said, in order.
        contradiction: Why nothing can be concluded; `None` when the answers agree.
        nothing: The target was said to be right, so nothing is wrong.
        names: What links are called, where a person reads of them.
    """

    link: Link | None
    candidates: tuple[Link, ...]
    inputs: tuple[Link, ...]
    answers: tuple[tuple[Link, Answer], ...]
    presumed: tuple[Link, ...] = ()
    contradiction: Contradiction[Link] | None = None
    nothing: bool = False
    names: Mapping[Link, str] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        asked = f"{len(self.answers)} question{'' if len(self.answers) == 1 else 's'}"
        if self.contradiction is not None:
            said = self.contradiction.told(self.named)
            return f"the answers contradict each other after {asked}: {said}"
        if self.nothing and not self.answers:
            return "nothing was asked: the answer is known to be right"
        if self.nothing:
            return f"nothing is wrong: what was asked about is right, after {asked}"
        if self.link is not None:
            unasked = (
                f"; {len(self.presumed)} of its inputs presumed right" if self.presumed else ""
            )
            return f"the first wrong link is {self.named(self.link)}, after {asked}{unasked}"
        among = listed([self.named(link) for link in self.candidates], 6)
        return f"the first wrong link is one of {among}; {asked}, not all of them could be answered"

    def with_names(self, title: Callable[[Link], str]) -> "FirstWrong[Link]":
        """The same with what the links that it speaks of are called.

        Args:
            title: What a link is called.
        """
        by = self.contradiction
        told = [*self.candidates, *([] if self.link is None else [self.link])]
        told += [] if by is None else [by.link, by.beside]
        return replace(self, names={link: title(link) for link in told})

    def named(self, link: Link) -> str:
        """What a link is called: by its name, where it has one.

        Args:
            link: The link.
        """
        return self.names.get(link) or f"{link!r}"


def first_wrong(
    inputs: Mapping[Link, Sequence[Link]],
    target: Link,
    *,
    known: Mapping[Link, Answer] | None = None,
    same: Mapping[Link, object] | None = None,
    presume: bool = False,
    confirm: bool = False,
    sure: bool = True,
) -> Inquiry[Question[Link], Answer, FirstWrong[Link]]:
    """Ask about links until one is wrong while all its inputs are right.

    Each question halves the suspects as nearly as the links allow, so a chain of n links takes at
    most ceil(log2 n) questions. Where paths run side by side, the inputs of the link found that
    were only presumed to be right are asked about in the end. "Don't know" costs one more question.

    Args:
        inputs: The links that each link was made from; a link without an entry has none.
        target: A link whose value is wrong (that of the answer), or may be.
        known: Verdicts given before, by a checker or in an earlier bisection.
        same: A key for links that made the very same call (same function, equal inputs, equal
            output): one answer goes for all of them, and two that differ contradict.
        presume: Do not ask about presumed inputs; the result lists them.
        confirm: Ask again about the link found and its inputs. For an oracle that may waver.
        sure: The target is known to be wrong. Otherwise it is asked about first, unless `known`
            tells: one that is right ends the search, one that nobody can judge is presumed wrong.

    Returns:
        An inquiry. An answer is "right", "wrong" or "don't know", or `True`, `False` or `None`.

    Raises:
        ValueError: The inputs have a cycle.

    Example:
        >>> from explainkit.whatif.searching import drive
        >>> chain = {step: [step - 1] for step in range(1, 60)}
        >>> found = drive(first_wrong(chain, 59), lambda question: question.link < 17)
        >>> found.link, found.inputs, len(found.answers)
        (17, (16,), 6)
    """
    search = _Search(Slice(inputs, target), target, same or {})
    return Inquiry(
        _bisect(search, known or {}, presume=presume, confirm=confirm, sure=sure), read=read_answer
    )


@dataclass(slots=True)
class _Search(Generic[Link]):
    """What was said so far."""

    slice: Slice[Link]
    target: Link
    same: Mapping[Link, object]
    said: dict[tuple[bool, object], tuple[Link, Answer]] = field(default_factory=dict)
    answers: list[tuple[Link, Answer]] = field(default_factory=list)

    def note(self, link: Link, answer: Answer) -> Contradiction[Link] | None:
        """Keep an answer for every link that made the same call."""
        key = self._key(link)
        beside, first = self.said.get(key, (link, "don't know"))
        if answer == "don't know":
            self.said.setdefault(key, (link, answer))
            return None
        if first not in ("don't know", answer):
            return Contradiction(link, beside, first, answer)
        self.said[key] = (link, answer)
        return None

    def places(self, answer: Answer) -> frozenset[int]:
        """Where the links stand of which this was said, of them or of the same call."""
        return frozenset(
            at for at, link in enumerate(self.slice.links) if self._said_of(link) == answer
        )

    def region(self) -> list[int]:
        """The smallest region of a wrong link within the region of the target."""
        right, wrong = self.places("right"), self.places("wrong")
        found = self.slice.region(self.slice.place_of[self.target], right)
        while behind := [place for place in found[:-1] if place in wrong]:
            found = min((self.slice.region(place, right) for place in behind), key=len)
        return found

    def suspects(self, region: Sequence[int]) -> list[int]:
        """The region without what is presumed to be right; the wrong link stays the last."""
        cleared = self.slice.cleared(self.places("right"), self.places("wrong"))
        return [place for place in region if place == region[-1] or place not in cleared]

    def unasked_inputs(self, region: Sequence[int]) -> list[int]:
        """Inputs of the wrong link, and of links behind it that nobody could judge, not asked yet.

        The latest come first: a wrong one among them leaves the most behind itself to search.
        """
        unknown, within = self.places("don't know"), set(region)
        candidates = [place for place in region if place in unknown or place == region[-1]]
        inputs = {one for place in candidates for one in self.slice.inputs[place]}
        return sorted((inputs & within) - unknown, reverse=True)

    def found(self, region: Sequence[int], candidates: Sequence[int]) -> FirstWrong[Link]:
        """The result when nothing more is to be asked."""
        made_from = {one for place in candidates for one in self.slice.inputs[place]}
        presumed = (made_from & set(region)).difference(candidates)
        inputs = self.slice.inputs[candidates[-1]] if len(candidates) == 1 else ()
        return FirstWrong(
            self.slice.links[candidates[0]] if len(candidates) == 1 else None,
            self._named(candidates),
            self._named(inputs),
            tuple(self.answers),
            self._named(sorted(presumed)),
        )

    def _named(self, places: Sequence[int]) -> tuple[Link, ...]:
        return tuple(self.slice.links[place] for place in places)

    def contradicted(self, by: Contradiction[Link]) -> FirstWrong[Link]:
        """The result when two answers cannot both hold."""
        return FirstWrong(None, (), (), tuple(self.answers), contradiction=by)

    def _said_of(self, link: Link) -> Answer | None:
        said = self.said.get(self._key(link))
        return said[1] if said else None

    def _key(self, link: Link) -> tuple[bool, object]:
        return (True, self.same[link]) if link in self.same else (False, link)


def _bisect(
    search: _Search[Link],
    known: Mapping[Link, Answer],
    *,
    presume: bool,
    confirm: bool,
    sure: bool,
) -> Generator[Question[Link], Answer, FirstWrong[Link]]:
    target = search.target
    if not sure and (yield from _is_right(search, known)):
        return FirstWrong(None, (), (), tuple(search.answers), nothing=True)
    given = [(target, _WORDS["wrong"])]
    given += [
        (link, known[link])
        for link in search.slice.links
        if link in known and (sure or link != target)
    ]
    for link, answer in given:
        if by := search.note(link, answer):
            return search.contradicted(by)
    while True:
        region = search.region()
        suspects, unasked = search.suspects(region), search.unasked_inputs(region)
        place = search.slice.best_to_ask(suspects, search.places("don't know"))
        named = None
        if place is None and unasked and not presume:
            place, named = unasked[0], search.slice.links[region[-1]]
        if place is None:
            break
        if by := (yield from _ask(search, search.slice.links[place], len(suspects), named)):
            return search.contradicted(by)
    candidates = suspects if presume else region
    result = search.found(region, candidates)
    if not confirm or result.link is None:
        return result
    for link in (result.link, *result.inputs):
        if by := (yield from _ask(search, link, 1, result.link, again=True)):
            return search.contradicted(by)
    return search.found(region, candidates)


def _is_right(
    search: _Search[Link], known: Mapping[Link, Answer]
) -> Generator[Question[Link], Answer, bool]:
    """Whether the target is right after all, which is asked where nothing tells."""
    target = search.target
    if target in known:
        return known[target] == "right"
    answer = yield Question(target, 1, len(search.slice.links), opening=True)
    search.answers.append((target, answer))
    return answer == "right"


def _ask(
    search: _Search[Link], link: Link, among: int, suspect: Link | None, *, again: bool = False
) -> Generator[Question[Link], Answer, Contradiction[Link] | None]:
    answer = yield Question(link, len(search.answers) + 1, among, suspect, again)
    search.answers.append((link, answer))
    return search.note(link, answer)


def read_answer(question: object, given: object) -> Answer:
    """Read an answer: one of the three words, or True, False or None.

    Raises:
        ValueError: It is none of these.
    """
    del question  # every one of them takes the same answers
    if given is None or isinstance(given, bool | str):
        word = _WORDS.get(given)
        if word is not None:
            return word
    raise ValueError(
        f"{given!r} is no answer. Give 'right', 'wrong' or \"don't know\" (True, False or None)."
    )
