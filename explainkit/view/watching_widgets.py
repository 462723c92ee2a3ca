"""The widgets of a run that is watched: a fixed pool of lines, and a form for each open Gate."""

from collections.abc import Sequence
from typing import Any

import ipywidgets
from IPython import display

from explainkit.flow.actors.gates import OpenGate
from explainkit.safety import escape, visible
from explainkit.view.gate_forms import gate_form
from explainkit.view.plain_widgets import disarmed, line
from explainkit.view.watching_lines import Watched, answer_line, head_line, lines_of, link_lines

LINKS = 8
"""Lines for links."""
_VIEW = "application/vnd.jupyter.widget-view+json"


class WidgetScreen:
    """Shows a run in widgets, which are closed in the end; a text takes their place and stays.

    Each line is changed only when its text is another, so that little is sent.

    Args:
        first: What is shown first.
    """

    def __init__(self, first: Watched) -> None:
        self._head = line("")
        self._links = [_hidden() for _ in range(LINKS)]
        self._answer = _hidden()
        self._forms: dict[OpenGate, Any] = {}
        self._gates = ipywidgets.VBox([])
        box = ipywidgets.VBox([self._head, self._answer, self._gates, *self._links])
        box.add_class("explainkit-watch")
        self._box = box
        self.draw(first, ())
        text = "\n".join(lines_of(first))
        bundle = {
            _VIEW: {"version_major": 2, "version_minor": 0, "model_id": box.model_id},
            "text/plain": text,
        }
        shows: Any = display  # typed in some releases of IPython only
        self._shown = shows.display(bundle, raw=True, display_id=True)

    def draw(self, run: Watched, gates: Sequence[OpenGate]) -> None:
        """Show the run as it is now."""
        _say(self._head, head_line(run))
        lines = link_lines(run)[-LINKS:]
        for label, text in zip(self._links, [*lines, *[""] * LINKS], strict=False):
            _say(label, text)
        _say(self._answer, answer_line(run))
        self._draw_forms(gates)

    def close(self, text: str, *, problem: str) -> None:
        """Put a text in the place of the widgets, and close them all."""
        text = "\n".join(filter(None, (text, visible(problem))))
        if self._shown is not None:
            self._shown.update(
                {"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}, raw=True
            )
        self._gates.children = ()
        for form in self._forms.values():
            _close(form)
        self._forms.clear()
        _close(self._box)

    def _draw_forms(self, gates: Sequence[OpenGate]) -> None:
        standing = list(gates)
        if standing == list(self._forms):
            return
        gone = [form for gate, form in self._forms.items() if gate not in standing]
        self._forms = {gate: self._forms.get(gate) or gate_form(gate) for gate in standing}
        self._gates.children = tuple(self._forms.values())
        for form in gone:
            _close(form)


def _hidden() -> Any:
    label = line("")
    label.layout.display = "none"  # an empty line would take its room
    return label


def _say(label: Any, text: str) -> None:
    shown = disarmed(text)
    if label.value == shown:
        return
    label.value = shown
    label.layout.display = None if shown else "none"


def _close(widget: Any) -> None:
    """Close a widget and everything in it, with the models of their layout and style."""
    for child in getattr(widget, "children", ()):
        _close(child)
    for part in ("layout", "style"):
        model = getattr(widget, part, None)
        if isinstance(model, ipywidgets.Widget):
            model.close()
    widget.close()
