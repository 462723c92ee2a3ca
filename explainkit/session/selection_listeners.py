"""Functions of a user that are told of each selection; what they raise goes no further."""

import threading
from collections.abc import Callable
from typing import Any

from explainkit.view.explorer.exchange import words_of


class SelectionListeners:
    """Who is told of the selections of one explorer.

    Args:
        say: Takes a line for the person who looks at it.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._listeners: list[Callable[[Any], Any]] = []
        self._telling = threading.local()

    def add(self, fn: Callable[[Any], Any]) -> None:
        """Tell a function of each selection from now on.

        Raises:
            TypeError: It cannot be called.
        """
        if not callable(fn):
            raise TypeError(
                f"on_select takes a function of the explorer; got {type(fn).__name__}. "
                "Write: @explorer.on_select above def told(explorer): ..."
            )
        self._listeners.append(fn)

    def tell(self, explorer: Any) -> None:
        """Call each of them; what one selects is shown, and told to nobody again."""
        if getattr(self._telling, "now", False):
            return
        self._telling.now = True
        try:
            for each in tuple(self._listeners):
                try:
                    each(explorer)
                except KeyboardInterrupt:
                    raise  # from the person at the keyboard, and meant for the cell that runs
                except BaseException as error:  # noqa: BLE001 - a user's fault is said, and goes no further
                    name = getattr(each, "__name__", "the function")
                    what = f"{type(error).__name__}: {words_of(error)}"
                    self._say(f"on_select: {name} raised {what}")
        finally:
            self._telling.now = False
