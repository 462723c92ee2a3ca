"""Where words that a person selected came from: every place counts, however short they are."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

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


def read_words(run: "Carrying", target: Stretch, words: str) -> list[Carry]:
    """Every place of the selected words in what a link received.

    Args:
        run: The evidence.
        target: Where the link said them.
        words: The words.
    """
    found: list[Carry] = []
    for hit in run.written.spelt(words, run.matches.find(words)):
        for node in run.inputs(target.node):
            for stand in run.holding.followed(run.givers.stands(node, *hit)):
                source = Stretch(node, stand.path, stand.start, stand.end)
                found.append(Carry(source, target, "produced", "value"))
        if len(found) >= SELECTED_PLACES:
            break
    return found


def read_rest(
    run: "Carrying", target: Stretch, words: str, found: Sequence[Carry]
) -> Iterator[Carry]:
    """Every place in what a link received of selected words that no carry reaches yet.

    “Thursday until six” may be said of “Thursday, open until six”: one part is enough against
    chance to be found by itself, and the other was selected by a person as well.

    Args:
        run: The evidence.
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
            yield from read_words(run, rest, text)


def nearest_words(run: "Carrying", target: Stretch, words: str) -> list[Carry]:
    """The place that most likely gave the selected words; a link has them from inside of it.

    Args:
        run: The evidence.
        target: Where the words stand.
        words: The words.
    """
    best: Given | None = None
    every = run.places.kind[target.node] != OUTPUT
    hits = run.matches.find(words)
    if any(run.givers.may_precede(atom, target.node) for atom, _, _ in hits[SELECTED_PLACES:]):
        run.holding.met.add(CHOSEN)
    for atom, low, high in hits[:SELECTED_PLACES]:
        given = run.givers.nearest(target.node, atom, low, high)
        if given is None or not (every or _is_inside(run, given.node, target.node)):
            continue
        if best is None or (given.level, -given.node) < (best.level, -best.node):
            best = given
    if best is None:
        return []
    stand = best.stands[0]
    source = Stretch(best.node, stand.path, stand.start, stand.end)
    return [Carry(source, target, run.role(target.node), "value")]


def _is_inside(run: "Carrying", node: int, output: int) -> bool:
    """Whether a place lies in a link; a tool may know words by itself, a machine knows none."""
    if node in run.inputs(output):
        return run.type_of_output(output) == "machine"
    return run.places.inside[output] in run.links.scopes(run.places.visible[node])
