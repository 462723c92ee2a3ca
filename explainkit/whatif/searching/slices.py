"""Links and their inputs, and how far an answer about one of them would narrow the search.

A link is the first wrong one when its value is wrong and all its inputs are right. Walking back
from a wrong link through links that are not known to be right must come to one, so these links are
the region of the search.

What a right link was made from is presumed to be right, or no link would ever halve a region in
which the paths run side by side. The presumption guides the search only: a wrong value that nothing
right shows any trace of is possible, so whoever searches asks about presumed inputs in the end.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, Generic, TypeVar

Link = TypeVar("Link", bound=Hashable)

WEIGHED_WHOLE: Final = 4096
"""Regions up to this size have every link weighed; in larger ones some, evenly spaced."""

WEIGHED_AT_MOST: Final = 64


class Slice(Generic[Link]):
    """The links that a value was made from, inputs before what was made of them."""

    def __init__(self, inputs: Mapping[Link, Sequence[Link]], target: Link) -> None:
        """Take the links behind `target`; a link without an entry has no inputs.

        Raises:
            ValueError: A link is, by way of others, made from itself.
        """
        self.links = _inputs_first(inputs, target)
        places = {link: place for place, link in enumerate(self.links)}
        self.place_of = places
        self.inputs = tuple(
            tuple(dict.fromkeys(places[one] for one in inputs.get(link, ()))) for link in self.links
        )

    def region(self, wrong: int, right: frozenset[int]) -> list[int]:
        """Places that may hold the first wrong link, ascending; the last one is `wrong`."""
        return sorted(self._reached(wrong, right))

    def cleared(self, right: frozenset[int], wrong: frozenset[int]) -> set[int]:
        """Everything that right links were made from, presumed to be right too.

        A right link that was made from a wrong one after all clears nothing any more.
        """
        found: set[int] = set()
        for place in sorted(right):
            behind = self._reached(place, frozenset())
            if behind.isdisjoint(wrong):
                found |= behind
        return found

    def best_to_ask(self, suspects: Sequence[int], unknown: Iterable[int]) -> int | None:
        """The suspect that most nearly halves them all; `None` when none can be asked.

        A wrong value leaves the link and the suspects that it was made from, a right one all the
        others. Ties go to the earlier link.

        Args:
            suspects: Places, ascending; the last one is known to be wrong and is not asked.
            unknown: Places that nobody can judge.
        """
        left_out = {suspects[-1], *unknown}
        askable = [place for place in suspects if place not in left_out]
        if not askable:
            return None
        if len(suspects) <= WEIGHED_WHOLE:
            if_wrong = self._left_if_wrong(suspects)
        else:
            askable = _evenly(askable, WEIGHED_AT_MOST)
            others = frozenset(range(len(self.links))).difference(suspects)
            if_wrong = {place: len(self._reached(place, others)) for place in askable}
        count = len(suspects)
        return min(askable, key=lambda at: (max(if_wrong[at], count - if_wrong[at]), at))

    def _left_if_wrong(self, suspects: Sequence[int]) -> dict[int, int]:
        """For each suspect: how many suspects it was made from, itself included."""
        made_from: dict[int, int] = {}
        for position, place in enumerate(suspects):
            links = 1 << position
            for one in self.inputs[place]:
                links |= made_from.get(one, 0)
            made_from[place] = links
        return {place: links.bit_count() for place, links in made_from.items()}

    def _reached(self, start: int, stops: frozenset[int]) -> set[int]:
        """The start and all that it was made from, not passing through the stops."""
        reached, waiting = {start}, [start]
        while waiting:
            for one in self.inputs[waiting.pop()]:
                if one not in reached and one not in stops:
                    reached.add(one)
                    waiting.append(one)
        return reached


def _evenly(places: Sequence[int], most: int) -> list[int]:
    count = min(most, len(places))
    return [places[(2 * at + 1) * len(places) // (2 * count)] for at in range(count)]


def _inputs_first(inputs: Mapping[Link, Sequence[Link]], target: Link) -> tuple[Link, ...]:
    """Everything behind the target, each link after its inputs (depth first, in their order)."""
    order: dict[Link, None] = {}
    open_links: dict[Link, None] = {target: None}
    stack = [(target, iter(inputs.get(target, ())))]
    while stack:
        link, waiting = stack[-1]
        following = next((one for one in waiting if one not in order), None)
        if following is None:
            stack.pop()
            del open_links[link]
            order[link] = None
        elif following in open_links:
            raise ValueError(
                f"The link {following!r} is made from itself, by way of {link!r}. "
                "Give inputs without a cycle."
            )
        else:
            open_links[following] = None
            stack.append((following, iter(inputs.get(following, ()))))
    return tuple(order)
