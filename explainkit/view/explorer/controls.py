"""The fixed pool of widgets of one explorer: the canvas, and a button that closes all of them."""

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets

from explainkit.view.explorer.canvas import ExplorerCanvas
from explainkit.view.explorer.exchange import Exchange, words_of


class ExplorerControls:
    """What is displayed; made once for an explorer, however often it is shown.

    Which answer and how weak evidence may be is chosen in the canvas, because a page and marimo
    show the canvas alone.

    Attributes:
        canvas: What draws.
        root: What is displayed.
    """

    def __init__(
        self, exchange: Exchange, scene: Mapping[str, Any], *, on_close: Callable[[], None]
    ) -> None:
        """Make the pool.

        Args:
            exchange: What is shown.
            scene: What never changes.
            on_close: Called when a person presses the button.
        """
        self._exchange = exchange
        self._on_close = on_close
        self.canvas = ExplorerCanvas(exchange, scene)
        button = ipywidgets.Button(
            description="Close the explorer",
            tooltip="Frees its widgets; the board above stays",
            layout=ipywidgets.Layout(width="auto", align_self="flex-end"),
        )
        self.root = ipywidgets.VBox(
            [self.canvas, button], layout=ipywidgets.Layout(width="100%", overflow="hidden")
        )
        self._pool = (button, self.canvas, self.root)
        button.on_click(self._pressed)

    def close(self) -> None:
        """Close every widget of the pool, with its layout and style."""
        for widget in self._pool:
            for part in (widget, getattr(widget, "style", None), widget.layout):
                if part is not None:
                    part.close()

    def _pressed(self, _: Any) -> None:
        try:
            self._on_close()
        except Exception as error:  # noqa: BLE001 - a person reads it here, no kernel does
            self._exchange.say(words_of(error))
