"""The form in which a person in a notebook answers a machine that waits."""

import json
from collections.abc import Callable
from typing import Any

import ipywidgets

from explainkit.flow.actors.gates import OpenGate
from explainkit.view.form_fields import Field, fields_of, payload_of
from explainkit.view.plain_widgets import disarmed, line, passage

_OVER = "The machine no longer waits here, so nothing can be sent."


def gate_form(open_gate: OpenGate) -> "ipywidgets.Widget":
    """A form with the fields of each event that a Gate accepts, and a button that sends it.

    Texts are shown as texts, whatever they hold. What is wrong is said in the last line of the
    form and never raised. The form is disabled once the machine no longer waits.

    Args:
        open_gate: A Gate of a running machine.

    Example:
        >>> from types import SimpleNamespace
        >>> from explainkit.flow.statecharts.event_definitions import define_event
        >>> sent = []
        >>> waiting = SimpleNamespace(
        ...     name="review", accepts=(define_event("approve"),), meta={}, over=False,
        ...     send=lambda event, payload: sent.append((event, payload)))
        >>> form = gate_form(waiting)
        >>> form.children[1].children[-1].click()
        >>> sent, form.children[-1].value
        ([('approve', {})], '"approve" was sent.')
    """
    return _Form(open_gate).widget


class _Form:
    """A form and what happens in it.

    Attributes:
        widget: What is displayed.
    """

    def __init__(self, open_gate: OpenGate) -> None:
        self._gate = open_gate
        self._status = line("")
        self._inputs: list[ipywidgets.DOMWidget] = []
        sections = [self._section(event) for event in open_gate.accepts]
        self.widget = ipywidgets.VBox([*_head(open_gate), *sections, self._status])
        if open_gate.over:
            self._say(_OVER)
            self._disable()

    def _section(self, event: Any) -> "ipywidgets.VBox":
        fields = fields_of(event.schema)
        button = ipywidgets.Button(
            description=disarmed(event.name), tooltip=disarmed(event.description)
        )
        button.on_click(self._pressed(event.name, fields))
        self._inputs += [*(field.widget for field in fields), button]
        shown = [line(event.description)] if event.description else []
        for field in fields:
            shown += [field.widget, *([line(field.hint)] if field.hint else [])]
        return ipywidgets.VBox([*shown, button])

    def _pressed(self, name: str, fields: tuple[Field, ...]) -> Callable[[Any], None]:
        def press(_: Any) -> None:
            try:
                said = self._sent(name, fields)
            except Exception as error:  # noqa: BLE001 - a person reads it here, no kernel does
                said = str(error) or type(error).__name__
            self._say(said)
            if self._gate.over:
                self._disable()

        return press

    def _sent(self, name: str, fields: tuple[Field, ...]) -> str:
        if self._gate.over:
            return _OVER
        self._gate.send(name, payload_of(fields))
        return f'"{name}" was sent.'

    def _disable(self) -> None:
        for widget in self._inputs:
            widget.disabled = True

    def _say(self, text: str) -> None:
        self._status.value = disarmed(text)


def _head(open_gate: OpenGate) -> list["ipywidgets.DOMWidget"]:
    meta = dict(open_gate.meta)
    title = line(str(meta.pop("title", open_gate.name)))
    question = [str(meta.pop("question"))] if "question" in meta else []
    rest = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in meta.items()]
    return [title, *([passage("\n".join([*question, *rest]))] if question or rest else [])]
