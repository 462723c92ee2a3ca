"""Where words that a person selected came from: every place counts, however short they are."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from explainkit.graph.places import OUTPUT
from explainkit.graph.small_values import SHORTEST
from explainkit.graph.stretches import Carry, Stretch, without_all

if TYPE_CHECKING:
    from explainkit.graph.carrying import Carrying
    from explainkit.graph.givers import Given

SELECTED_PLACES: Final = 200
"""Places of selected words that are followed from one place."""
CHOSEN: Final = "chosen"
"""A bound: the nearest place was chosen among the first ``SELECTED_PLACES`` only."""
_KEPT: Final = 1_000
_Found = TypeVar("_Found")


class SelectedWords:
    """Finds selected words; those of one place once, however often it says them.

    Args:
        run: The evidence.
    """

    def __init__(self, run: "Carrying") -> None:
        self._run = run
        self._read: dict[tuple[int, str], tuple[list[Stretch], frozenset[str]]] = {}
        self._nearest: dict[tuple[int, str], tuple[Stretch | None, frozenset[str]]] = {}

    def read(self, target: Stretch, words: str) -> list[Carry]:
        """Every place of the selected words in what a link received.

        Args:
            target: Where the link said them.
            words: The words.
        """
        sources = self._once(self._read, self._received, target.node, words)
        return [Carry(source, target, "produced", "value") for source in sources]

    def read_rest(self, target: Stretch, words: str, found: Sequence[Carry]) -> Iterator[Carry]:
        """Every place in what a link received of selected words that no carry reaches yet.

        “Thursday until six” may be said of “Thursday, open until six”: one part is enough against
        chance to be found by itself, and the other was selected by a person as well.

        Args:
            target: Where the link said them.
            words: The words; a character for each of the target's.
            found: What reaches some of them.
        """
        if len(words) != target.end - target.start or not found:
            return
        reached = [(carry.target.start, carry.target.end) for carry in found]
        for start, end in without_all([(target.start, target.end)], reached):
            part = words[start - target.start : end - target.start]
            text = part.strip()
            if len(text) >= SHORTEST or any(each.isdigit() for each in text):
                begin = start + len(part) - len(part.lstrip())
                rest = target._replace(start=begin, end=begin + len(text))
                yield from self.read(rest, text)

    def nearest(self, target: Stretch, words: str) -> list[Carry]:
        """The place that most likely gave the selected words; a link has them from inside of it.

        Args:
            target: Where the words stand.
            words: The words.
        """
        source = self._once(self._nearest, self._given, target.node, words)
        role = self._run.role(target.node)
        return [] if source is None else [Carry(source, target, role, "value")]

    def _once(
        self,
        known: dict[tuple[int, str], tuple[_Found, frozenset[str]]],
        look: Callable[[int, str], _Found],
        node: int,
        words: str,
    ) -> _Found:
        """The answer for a place and words, with the bounds that looking for it met."""
        holding = self._run.holding
        if (node, words) not in known:
            if len(known) >= _KEPT:
                known.clear()
            around, holding.met = holding.met, set()
            known[node, words] = look(node, words), frozenset(holding.met)
            holding.met = around
        found, met = known[node, words]
        holding.met |= met
        return found

    def _received(self, output: int, words: str) -> list[Stretch]:
        run = self._run
        found: list[Stretch] = []
        for hit in run.written.spelt(words, run.matches.find(words)):
            for node in run.inputs(output):
                stands = run.holding.followed(run.givers.stands(node, *hit))
                found += [Stretch(node, each.path, each.start, each.end) for each in stands]
            if len(found) >= SELECTED_PLACES:
                break
        return found

    def _given(self, target: int, words: str) -> Stretch | None:
        run = self._run
        best: Given | None = None
        every = run.places.kind[target] != OUTPUT
        hits = run.matches.find(words)
        if any(run.givers.may_precede(atom, target) for atom, _, _ in hits[SELECTED_PLACES:]):
            run.holding.met.add(CHOSEN)
        for atom, low, high in hits[:SELECTED_PLACES]:
            given = run.givers.nearest(target, atom, low, high)
            if given is None or not (every or self._is_inside(given.node, target)):
                continue
            if best is None or (given.level, -given.node) < (best.level, -best.node):
                best = given
        if best is None:
            return None
        stand = best.stands[0]
        return Stretch(best.node, stand.path, stand.start, stand.end)

    def _is_inside(self, node: int, output: int) -> bool:
        """Whether a place lies in a link; a tool may know words by itself, a machine knows none."""
        run = self._run
        if node in run.inputs(output):
            return run.type_of_output(output) == "machine"
        return run.places.inside[output] in run.links.scopes(run.places.visible[node])
