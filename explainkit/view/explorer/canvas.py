"""The widget in which the explorer is drawn: its traits, and questions as custom messages."""

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from explainkit.view.explorer.exchange import Exchange, words_of
from explainkit.view.explorer.script import module_text, style_text

_KEPT = ("chart", "shown", "cursor", "status", "tried", "found")


class ExplorerCanvas(anywidget.AnyWidget):
    """Graph, answer and panels of a run, drawn by our own ES module.

    Attributes:
        scene: What never changes.
        chart: Boxes with places.
        shown: The walk.
        cursor: The record that every panel stands on; set by both sides.
        status: One line of words.
        tried: What is measured now, or was measured last.
        found: Every finding, as stamps.
    """

    _esm = module_text()
    _css = style_text()

    scene = traitlets.Dict().tag(sync=True)
    chart = traitlets.Dict().tag(sync=True)
    shown = traitlets.Dict().tag(sync=True)
    cursor = traitlets.Int(None, allow_none=True).tag(sync=True)
    status = traitlets.Unicode("").tag(sync=True)
    tried = traitlets.Dict().tag(sync=True)
    found = traitlets.Dict().tag(sync=True)

    def __init__(self, exchange: Exchange, scene: Mapping[str, Any]) -> None:
        """Show the state of an exchange from now on."""
        self._exchange = exchange
        held = {name: getattr(exchange, name) for name in _KEPT}
        super().__init__(scene=dict(scene), **held)
        self.on_msg(self._asked)
        self.observe(self._moved, names="cursor")
        exchange.watch(self._changed)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what a front end set; only the cursor is its to set."""
        with self._exchange.lock:
            try:
                if isinstance(sync_data.get("cursor"), bool):
                    raise TypeError("true and false number no record.")
                super().set_state({key: sync_data[key] for key in sync_data if key == "cursor"})
            except Exception as error:  # noqa: BLE001 - a message must not raise into the kernel
                self._exchange.say(f"The explorer got a cursor that is none: {words_of(error)}")

    def _asked(self, _: Any, content: Any, __: Any) -> None:
        self._exchange.reply(content, send=self.send)

    def _moved(self, change: Any) -> None:
        with self._exchange.lock:
            if change["new"] == self._exchange.cursor:
                return
            try:
                self._exchange.stand_on(change["new"])
            except ValueError as error:
                self.cursor = self._exchange.cursor
                self._exchange.say(words_of(error))

    def _changed(self, name: str, value: Any) -> None:
        # What is equal is not sent: an echo would pull back a reader who has moved on.
        if name in _KEPT and self.comm is not None and getattr(self, name) != value:
            setattr(self, name, value)
