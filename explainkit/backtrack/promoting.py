"""Sets drafts that did not stand apart from a walk: what said their words again stands for them."""

from collections.abc import Iterable, Mapping
from typing import Final

from explainkit.backtrack.drafts import Drafts, drafts_before
from explainkit.backtrack.facts import holds_words
from explainkit.backtrack.following import Trail
from explainkit.backtrack.makers import is_judging, is_saying
from explainkit.backtrack.naming import Names
from explainkit.backtrack.onwards import Onward
from explainkit.graph.stretches import REST, Stretch, merged, without_all
from explainkit.text.telling_words import said_in

QUOTES: Final = "it quotes a draft"
"""What is so of what judges drafts, or tells a model of them."""
_LEAST: Final = 4
"""Characters of telling words below which a stretch of a draft says nothing."""
_TOLD: Final = ("user", "system", "developer")


def set_drafts_apart(
    names: Names, trail: Trail, answer: int | None, *, selected: bool = False
) -> None:
    """Take what only drafts said out of a trail's ends, and put in what said it again.

    A draft keeps its place where nothing but an override kept its words: then they began there.

    Args:
        names: The run.
        trail: The trail, which is changed.
        answer: Place of the answer.
        selected: The words were selected, and so count however few they are.
    """
    if answer is None:
        return
    drafts = drafts_before(names, answer)
    refused = _refused(names, trail, drafts) if drafts else {}
    if not selected:
        refused = _without_little(names, trail, refused)
    if not refused:
        return
    puts_in = names.evidence.places.kind_of(answer) == "override"
    onward = Onward(trail.carries)
    standing = _Standing(onward, trail, refused)
    kept: set[int] = set()
    again: dict[Stretch, None] = {}
    for leaf, why in refused.items():
        ends, met = onward.follow(leaf, lambda each: _says_again(names, drafts, each, answer))
        trail.refused.setdefault(leaf.node, why)
        said = [
            each
            for each, role in ends.items()
            if each.node != answer or (puts_in and role != "overrides")
        ]
        again |= dict.fromkeys(said)
        kept_by_override = [each for each in ends if each.node == answer and each not in said]
        # What an override kept may have been said again too, by what the later version is from.
        if said or not standing.without(answer, kept_by_override):
            _set_apart(trail, leaf)
        kept |= set(met)
    for node, stretches in _by_node(again).items():
        rest = standing.without(node, stretches)
        if rest:
            trail.leaves[node] = _joined([*trail.leaves.get(node, []), *rest])
            trail.again.update(trail.leaves[node])
    for node in sorted(kept - standing.led):
        if names.evidence.places.kind_of(node) == "context":
            trail.refused.setdefault(node, "it holds a draft that did not stand")


class _Standing:
    """What the ends of a walk gave that lie in no draft.

    Attributes:
        led: The places that they lead to.
    """

    def __init__(self, onward: Onward, trail: Trail, refused: Mapping[Stretch, str]) -> None:
        """Follow each of them to the answer."""
        self._given: dict[tuple[int, str], list[tuple[int, int]]] = {}
        self.led: set[int] = set()
        for node in sorted(trail.leaves):
            for leaf in trail.leaves[node]:
                if leaf not in refused:
                    _, met = onward.follow(leaf, lambda _: False)
                    self._take(leaf, met)

    def _take(self, leaf: Stretch, met: Mapping[int, list[Stretch]]) -> None:
        self.led |= set(met)
        for node, stretches in met.items():
            for each in stretches if node != leaf.node else ():
                self._given.setdefault((node, each.path), []).append((each.start, each.end))

    def without(self, node: int, stretches: Iterable[Stretch]) -> list[Stretch]:
        """What of some stretches of a place none of them gave."""
        by_path: dict[str, list[tuple[int, int]]] = {}
        for each in stretches:
            by_path.setdefault(each.path, []).append((each.start, each.end))
        return [
            Stretch(node, path, start, end)
            for path, ranges in by_path.items()
            for start, end in without_all(merged(ranges), merged(self._given.get((node, path), [])))
        ]


def _refused(names: Names, trail: Trail, drafts: Drafts) -> dict[Stretch, str]:
    """The ends of a trail that lie in drafts, or in judgements that quote them."""
    found: dict[Stretch, str] = {}
    for node in sorted(trail.leaves):
        for leaf in trail.leaves[node]:
            why = drafts.why(leaf)
            if why is not None:
                found[leaf] = why
    if not found:
        return found
    quoted = [names.evidence.carrying.text(leaf) for leaf in found]
    first = min(leaf.node for leaf in found)
    for node in sorted(trail.leaves):
        for leaf in trail.leaves[node] if node > first else ():
            if is_judging(names, node) or _is_told(names, leaf):
                text = names.evidence.carrying.text(leaf)
                if any(holds_words(each, text) for each in quoted):
                    found[leaf] = QUOTES
    return found


def _without_little(names: Names, trail: Trail, refused: dict[Stretch, str]) -> dict[Stretch, str]:
    """The ends that say something; a “From” that a version kept of a draft says nothing."""
    kept: dict[Stretch, str] = {}
    for leaf, why in refused.items():
        text = names.evidence.carrying.text(leaf)
        said = said_in(text)
        ends = zip(said.starts, said.ends, said.tells, strict=True)
        if sum(end - start for start, end, tells in ends if tells) >= _LEAST:
            kept[leaf] = why
        else:
            trail.leaves[leaf.node].remove(leaf)
            if not trail.leaves[leaf.node]:
                del trail.leaves[leaf.node]
    return kept


def _is_told(names: Names, leaf: Stretch) -> bool:
    """Whether a stretch is of a message that the program wrote to a model, and no tool's result."""
    evidence = names.evidence
    if evidence.places.kind_of(leaf.node) != "input":
        return False
    value, role = evidence.givers.value(leaf.node), f"/{leaf.path[1:].partition('/')[0]}/role"
    length = evidence.holding.leaf(value, role) if value >= 0 else None
    return length is not None and evidence.holding.text(value, role, 0, length) in _TOLD


def _says_again(names: Names, drafts: Drafts, stretch: Stretch, answer: int) -> bool:
    if stretch.node == answer:
        return True
    return is_saying(names, stretch.node) and drafts.why(stretch) is None


def _set_apart(trail: Trail, leaf: Stretch) -> None:
    trail.leaves[leaf.node].remove(leaf)
    if not trail.leaves[leaf.node]:
        del trail.leaves[leaf.node]
    trail.drafts.setdefault(leaf.node, []).append(leaf)


def _by_node(stretches: dict[Stretch, None]) -> dict[int, list[Stretch]]:
    found: dict[int, list[Stretch]] = {}
    for each in stretches:
        found.setdefault(each.node, []).append(each)
    return found


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    """Stretches of one place of which none touches another of its leaf."""
    whole = [each for each in stretches if each.end == REST]
    parts = [each for each in stretches if each.end != REST]
    return whole + [
        Stretch(parts[0].node, path, start, end)
        for path in dict.fromkeys(each.path for each in parts)
        for start, end in merged([(each.start, each.end) for each in parts if each.path == path])
    ]
