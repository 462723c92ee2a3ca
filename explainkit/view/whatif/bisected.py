"""A bisection on screen: the question with what was given and what came, then what was found."""

from typing import TYPE_CHECKING, Any, Protocol

from explainkit.safety import Html, visible
from explainkit.view import panels
from explainkit.view.passages import plain
from explainkit.view.skin import NOTEBOOK, Skin
from explainkit.view.words import flat

if TYPE_CHECKING:
    from explainkit.whatif.searching import FirstWrong

SHOWN = 600
WIDTH = 160


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


def text_of_bisection(shown: Asking) -> str:
    """The present question, or the result, as lines of text."""
    asked, found = shown.question, shown.found
    if found is not None:
        return f"{str(found)[:1].upper()}{str(found)[1:]}"
    lines = [f"Question {asked.number}, about {asked.about_more} to go. {flat(str(asked), 200)}"]
    lines += [f"given     {flat(visible(slot), 40)}: {_flat(text)}"
              for slot, text in asked.inputs.items()]  # fmt: skip
    lines.append(f"gave      {_flat(asked.output)}")
    lines.append("Answer with .right(), .wrong() or .dont_know().")
    return "\n".join(lines)


def html_of_bisection(shown: Asking, skin: Skin = NOTEBOOK) -> Html:
    """The present question, or the result, as a card."""
    asked, found = shown.question, shown.found
    if found is not None:
        return skin.make(
            "div",
            "board",
            skin.make("p", "kicker", "Bisection"),
            skin.make("p", "headline", skin.recorded(str(found), "large")),
        )
    rows = [
        skin.make("p", "kicker", f"Bisection, question {asked.number}, about {asked.about_more} "
                  "to go"),
        skin.make("p", "headline", skin.recorded(str(asked), "large")),
    ]  # fmt: skip
    for label, text in (*asked.inputs.items(), ("gave", asked.output)):
        rows.append(
            skin.make(
                "div",
                "answer" if label == "gave" else "card",
                skin.make("div", "label", skin.recorded(label, "note")),
                panels.marked(skin, plain(text, limit=SHOWN)),
            )
        )
    how = "Answer with .right(), .wrong() or .dont_know(); .show() gives buttons."
    return skin.make("div", "board", *rows, skin.make("p", "kicker", how))


def _flat(text: str) -> str:
    return flat(visible(text), WIDTH)
