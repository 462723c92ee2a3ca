"""The buttons of a bisection, below a card that stays when the kernel is gone."""

from typing import Any, Protocol

from explainkit.view.explorer.stage import front_end, show_static
from explainkit.view.whatif.bisected import Asking, html_of_bisection, text_of_bisection

OVER = "The bisection is over; its buttons are gone. Run the cell again, or look at its .found."
BELOW = "Answer with the buttons below, or with .right(), .wrong() or .dont_know()."


class Bisecting(Asking, Protocol):
    """A bisection that can be answered."""

    def right(self) -> Any:
        """What the link gave is right."""

    def wrong(self) -> Any:
        """What the link gave is wrong."""

    def dont_know(self) -> Any:
        """It cannot be said."""

    def enough(self) -> Any:
        """Presume the rest."""


class BisectionForm(Protocol):
    """What is shown of a bisection while it goes on."""

    def follow(self) -> None:
        """Show it as it is now."""

    def close(self) -> None:
        """Close the buttons; what stands above them stays."""


class _Printed:
    """In a script there is nothing to press."""

    def follow(self) -> None:
        """Nothing stays on a screen."""

    def close(self) -> None:
        """Nothing is open."""


def show_bisection(shown: Bisecting) -> BisectionForm:
    """Show a bisection: the card, and below it buttons where there is a notebook.

    Args:
        shown: The bisection.
    """
    if front_end() != "jupyter":
        print(text_of_bisection(shown))  # noqa: T201 - asked for by who called show()
        return _Printed()
    show_static(text_of_bisection(shown), str(html_of_bisection(shown, how=BELOW)))
    if shown.question is None:
        return _Printed()
    from explainkit.view.whatif.bisection_buttons import ButtonForm

    form = ButtonForm(shown, text=lambda: text_of_bisection(shown), over=OVER)
    form.display()
    return form
