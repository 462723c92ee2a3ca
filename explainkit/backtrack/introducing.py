"""Who held the selected words first, and who only carried them."""

from typing import Final, NamedTuple

from explainkit.backtrack.naming import Names
from explainkit.backtrack.results import Place
from explainkit.graph.stretches import REST, Carry, Stretch, without

MOST_HOLDERS: Final = 400
"""Places that hold the words and are looked at; more are counted."""


class Holders(NamedTuple):
    """Places that hold the words.

    Attributes:
        introducers: Those that carry them from nowhere earlier, in order of time.
        carriers: The others.
        caps: What was not looked at.
    """

    introducers: tuple[Place, ...]
    carriers: tuple[Place, ...]
    caps: tuple[str, ...]


def holders_of(names: Names, words: list[str], *, before: int) -> Holders:
    """Sort every place upstream that holds one of the words into introducers and carriers.

    Args:
        names: The run.
        words: Stretches of text.
        before: Place of the answer; it counts only when an override put the words in there.
    """
    found: dict[Stretch, str] = {}
    cut = False
    for text in dict.fromkeys(words):
        for stretch in _stretches(names, text, before + 1):
            if len(found) >= MOST_HOLDERS:
                cut = True
                break
            found.setdefault(stretch, text)
    introducers, carriers = [], []
    for stretch in sorted(found):
        carries = _carries(names, stretch, found[stretch])
        if stretch.node == before and (carries or not _is_override(names, before)):
            continue  # the answer itself is neither, unless its override put the words in
        side = carriers if carries else introducers
        side.append(names.place(stretch))
    caps = (f"more than {MOST_HOLDERS} places hold the words; these are the first",) if cut else ()
    return Holders(tuple(introducers), tuple(carriers), caps)


def _stretches(names: Names, words: str, before: int) -> list[Stretch]:
    evidence = names.evidence
    found: dict[Stretch, None] = {}
    for atom, low, high in evidence.matches.find(words):
        for given in evidence.givers.holders(atom, low, high, before=before):
            if given.node in evidence.nearest.left_out:
                continue
            for stand in given.stands:
                if stand.end - stand.start == high - low:
                    found.setdefault(Stretch(given.node, stand.path, stand.start, stand.end))
        if len(found) > MOST_HOLDERS:
            break
    return list(found)


def _carries(names: Names, stretch: Stretch, words: str) -> bool:
    """Whether all of the words came from somewhere earlier."""
    left = [(stretch.start, stretch.end)]
    for carry in names.evidence.carrying.sources(stretch, wanted=words):
        if carry.target.end == REST:
            return True
        if not _replaced(names, carry):
            left = without(left, carry.target.start, carry.target.end)
    text = names.evidence.carrying.text
    return not any(text(stretch._replace(start=a, end=b)).strip() for a, b in left)


def _is_override(names: Names, node: int) -> bool:
    return names.evidence.places.kind_of(node) == "override"


def _replaced(names: Names, carry: Carry) -> bool:
    """An override put other words in this place: it carries them from nowhere."""
    if carry.role != "overrides":
        return False
    text = names.evidence.carrying.text
    return text(carry.source) != text(carry.target)
