"""A what-if as plain text and as static HTML; both say the same."""

from explainkit.safety import Html, visible
from explainkit.view import panels
from explainkit.view.passages import Passage
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.whatif.told import ToldWhatIf
from explainkit.view.words import flat

LABEL = 10
WIDTH = 200


def text_of_whatif(told: ToldWhatIf) -> str:
    """The what-if as lines of text, the verdict first."""
    lines = [visible(told.verdict), _line("what if", "; ".join(told.asked))]
    lines += [_line(label, words) for label, words in told.facts]
    lines.append(_line("before", _flat(told.before)))
    if told.after.pieces:
        lines.append(_line("after", _flat(told.after)))
    return "\n".join(lines)


def html_of_whatif(told: ToldWhatIf, skin: Skin = NOTEBOOK) -> Html:
    """The what-if as a card: the stamp, what was changed, before and after, what ran."""
    rows = [
        skin.make("p", "kicker", "What if"),
        skin.make("p", "headline", skin.recorded("; ".join(told.asked), "large")),
        skin.make(
            "div",
            "answer",
            skin.make("div", "label", "Verdict"),
            skin.recorded(told.verdict, "failed" if told.word == "cause" else "name"),
        ),
        _answer(skin, "Before", told.before),
    ]
    if told.after.pieces:
        rows.append(_answer(skin, "After", told.after))
    facts = [
        skin.make("li", "item", skin.make("span", "label", f"{label} "), skin.recorded(words))
        for label, words in told.facts
    ]
    rows.append(skin.make("ul", "list", *facts))
    return skin.make("div", "board", *rows)


def _answer(skin: Skin, label: str, shown: Passage) -> Html:
    return skin.make("div", "card", skin.make("div", "label", label), panels.marked(skin, shown))


def _line(label: str, words: str) -> str:
    return f"{label:{LABEL}}{visible(words)}"


def _flat(shown: Passage) -> str:
    return flat(visible(shown.text), WIDTH)
