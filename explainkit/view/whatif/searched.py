"""What a search over sets found, as a card."""

from collections.abc import Sequence

from explainkit.safety import Html
from explainkit.view.skin import NOTEBOOK, Skin


def html_of_search(title: str, lines: Sequence[str], cost: str, skin: Skin = NOTEBOOK) -> Html:
    """The finding first, then the other lines, then what it cost.

    Args:
        title: What was searched for.
        lines: What was found, the most important first.
        cost: Sets, re-runs and calls.
        skin: How it is dressed.
    """
    rest = [skin.make("li", "item", skin.recorded(line)) for line in lines[1:]]
    return skin.make(
        "div",
        "board",
        skin.make("p", "kicker", title),
        skin.make("p", "headline", skin.recorded(lines[0] if lines else "Nothing", "large")),
        skin.make("ul", "list", *rest),
        skin.make("p", "footer", cost),
    )
