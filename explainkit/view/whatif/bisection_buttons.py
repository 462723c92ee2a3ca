"""The buttons of a bisection and the question above: a fixed pool of widgets, closed in the end."""

from collections.abc import Callable
from typing import Any, Protocol

import ipywidgets
from IPython import display

from explainkit.safety import escape
from explainkit.view.plain_widgets import disarmed, line, passage

_VIEW = "application/vnd.jupyter.widget-view+json"


class Answering(Protocol):
    """What the buttons answer."""

    @property
    def question(self) -> Any:
        """The link asked about; None once it is over."""
        ...


class ButtonForm:
    """The present question with a button for each answer; a text takes its place in the end.

    What goes wrong with an answer is said in the last line and never raised.

    Args:
        shown: The bisection.
        text: The question, or what was found, in words.
        over: What stands where the buttons were, for a notebook that is opened later.

    Attributes:
        root: What is displayed; `None` once it is closed.
    """

    def __init__(self, shown: Answering, *, text: Callable[[], str], over: str) -> None:
        self._bisection: Any = shown
        self._text = text
        self._over = over
        self._question = passage("")
        self._question.rows = 6
        self._status = line("")
        self._back = self._button("Back", "back", "Take the last answer back")
        self._enough = self._button("Enough", "enough", "Presume what was not asked about")
        self._buttons = [
            self._button("Right", "right", "What it gave is right"),
            self._button("Wrong", "wrong", "What it gave is wrong"),
            self._button("Don't know", "dont_know", "It cannot be said"),
            self._back,
            self._enough,
        ]
        row = ipywidgets.HBox(self._buttons)
        self.root: Any = ipywidgets.VBox([self._question, row, self._status])
        self.root.add_class("explainkit-bisection")
        self._pool = [*self._buttons, row, self._question, self._status, self.root]
        self._shown: Any = None
        self.follow()

    def display(self) -> None:
        """Show it below what was displayed so far."""
        bundle = {
            _VIEW: {"version_major": 2, "version_minor": 0, "model_id": self.root.model_id},
            "text/plain": self._over,
        }
        shows: Any = display  # typed in some releases of IPython only
        self._shown = shows.display(bundle, raw=True, display_id=True)

    def follow(self) -> None:
        """Show the present question; once it is over, say what was found and close."""
        if self.root is None:
            return
        asked = self._bisection.question
        if asked is None:
            self.close(self._text())
            return
        self._question.value = self._text()
        self._back.disabled = asked.number == 1
        self._enough.layout.display = None if asked.suspect is not None else "none"

    def close(self, text: str = "") -> None:
        """Close every widget; a text takes their place."""
        if self.root is None:
            return
        self.root = None
        if self._shown is not None:
            told = text or "The buttons of this bisection are closed; it goes on elsewhere."
            html = f"<pre>{escape(told)}</pre>"
            self._shown.update({"text/plain": told, "text/html": html}, raw=True)
        for widget in self._pool:
            for part in ("layout", "style"):
                model = getattr(widget, part, None)
                if isinstance(model, ipywidgets.Widget):
                    model.close()
            widget.close()

    def _button(self, label: str, call: str, hint: str) -> Any:
        button = ipywidgets.Button(description=label, tooltip=hint)
        button.on_click(self._pressed(call, label))
        return button

    def _pressed(self, call: str, label: str) -> Callable[[Any], None]:
        def press(_: Any) -> None:
            number = getattr(self._bisection.question, "number", 0)
            try:
                getattr(self._bisection, call)()
                said = f"Question {number}: {label.lower()}."
            except Exception as error:  # noqa: BLE001 - a person reads it here, no kernel does
                said = str(error) or type(error).__name__
            if self.root is not None:
                self._status.value = disarmed(said)

        return press
