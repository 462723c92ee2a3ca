"""A choice of a model in lines of text: what was offered, twins, and the words that favour it."""

from typing import TYPE_CHECKING, Final

from explainkit.safety import visible
from explainkit.view.words import flat
from explainkit.whatif.cut_lists import cut

if TYPE_CHECKING:
    from explainkit.backtrack.choosing import Chosen, Favour

PROXY: Final = (
    "Words are a proxy: they show no cause. run.whatif(replace=...) of a description, or "
    "remove= of a context, does."
)
NO_CONTEXT: Final = (
    "Words are a proxy: they show no cause. What was offered is described in no context, so no "
    "what-if can replace it; run.whatif(remove=...) of a context of the prompt shows whether that "
    "made the choice."
)
NAMED: Final = 12
"""Options and words that are named; further ones are counted."""
WIDTH: Final = 160


def lines_of_choice(found: "Chosen") -> list[str]:
    """The choice, line by line; the last one says what the words are worth."""
    option, count = found.option, len(found.offered)
    lines = [f"{_flat(found.name)} was chosen of {count} offered (record {found.link})."]
    if option is None:
        lines[0] = f"{_flat(found.name)} was called, and it was not offered (record {found.link})."
    shown, others = cut(found.offered, NAMED)
    for each in shown:
        mark = "chosen" if each is option else "offered"
        told = _flat(each.description) or "has no description"
        there = found.words.get(each.name, 0)
        words = f"{there} of its words in the prompt"
        lines.append(f"{mark:9} {_flat(each.name)}: {told} ({words})")
    if others:
        lines.append(f"{others} more were offered")
    lines += [
        f"twin      {_flat(pair.names[1])}: {len(pair.shared)} of {pair.words} words are the "
        f"same: {_flat(', '.join(pair.shared))}"
        for pair in found.twins
    ]
    favouring, others = cut(found.favoured_by, NAMED)
    lines += [f"favoured  by {_told(each)}" for each in favouring]
    if others:
        lines.append(f"{others} more words favour it")
    if not found.favoured_by:
        lines.append("favoured  by no word of the prompt")
    described = any(each.seq is not None for each in found.offered)
    return [*lines, PROXY if described else NO_CONTEXT]


def _told(favour: "Favour") -> str:
    only = ", which no other option has" if favour.only else ""
    return f"{_flat(favour.word)!r} in {_flat(', '.join(favour.sources))}{only}"


def _flat(text: str) -> str:
    return flat(visible(text), WIDTH)
