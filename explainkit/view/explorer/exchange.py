"""What the explorer shows, held once for every skin: questions go in, what changed comes out."""

import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from explainkit.graph.cycles import uncollected
from explainkit.safety import shorten, visible

Changed = Callable[[str, Any], None]
"""Told of every change: the name of what changed, and its value."""

_WORDS = 400
_HELD = {"walk": "shown", "chart": "chart"}


class Answering(Protocol):
    """What answers the questions of the explorer."""

    def reply(self, request: Any) -> dict[str, Any]:
        """Answer a request; never raises."""


class Exchange:
    """The state of one explorer, behind one lock, because handlers may run in another thread.

    Attributes:
        lock: Whoever touches the state holds it.
        chart: Boxes with places; empty until it was asked for.
        shown: The walk that is shown; empty until one was asked for.
        cursor: The record that every panel stands on.
        status: What was said last.
        tried: What is measured now, or was measured last.
        found: Every finding, as stamps.
    """

    def __init__(self, exploration: Answering) -> None:
        """Hold nothing yet."""
        self._exploration = exploration
        self.lock = threading.RLock()
        self._watchers: list[Changed] = []
        self._walked: list[Callable[[], None]] = []
        self.chart: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        self.cursor: int | None = None
        self.status = ""
        self.tried: dict[str, Any] = {}
        self.found: dict[str, Any] = {}

    def watch(self, changed: Changed) -> None:
        """Tell a function of every change from now on."""
        with self.lock:
            self._watchers.append(changed)

    def after_walks(self, walked: Callable[[], None]) -> None:
        """Call a function after each walk, outside of the lock, so that it may take its time."""
        with self.lock:
            self._walked.append(walked)

    def forget(self) -> None:
        """Tell nobody any more."""
        with self.lock:
            self._watchers.clear()
            self._walked.clear()

    def reply(
        self, request: Any, *, send: Callable[[dict[str, Any]], None] | None = None
    ) -> dict[str, Any]:
        """Answer a request of a front end; a walk becomes what is shown, a chart what is drawn.

        Args:
            request: ``{id, ask, ...}``.
            send: Takes the reply before those are called who wait for a walk, so that a slow one
                does not delay it and what they say comes after it.

        Returns:
            ``{id, ok, answer}`` or ``{id, ok, error}`` with words for a person.
        """
        with uncollected():  # the collector has time while the front end paints
            reply, walked = self._replied(request)
            if send is not None:
                send(reply)
        for each in walked:
            each()
        return reply

    def _replied(self, request: Any) -> tuple[dict[str, Any], tuple[Callable[[], None], ...]]:
        """The reply, and who is to be called after it."""
        asked = request.get("ask") if isinstance(request, Mapping) else None
        with self.lock:
            try:
                reply = self._exploration.reply(request)
                if reply.get("ok") and asked in _HELD:
                    self._put(_HELD[asked], reply["answer"])
                    self._follow(asked)
            except Exception as error:  # noqa: BLE001 - a handler must not raise into the kernel
                number = request.get("id") if isinstance(request, Mapping) else None
                reply = {"id": number, "ok": False, "error": words_of(error)}
            return reply, tuple(self._walked) if reply.get("ok") and asked == "walk" else ()

    def _follow(self, asked: str) -> None:
        """Draw the path anew when that is what is drawn and something else was walked."""
        if asked == "walk" and self.chart.get("only") == "path":
            drawn = self._exploration.reply({"id": 0, "ask": "chart", "only": "path"})
            if drawn.get("ok"):
                self._put("chart", drawn["answer"])

    def ask(self, ask: str, **fields: Any) -> Any:
        """Ask from Python.

        Raises:
            ValueError: It cannot be answered; the message says why.
        """
        reply = self.reply({"id": 0, "ask": ask, **fields})
        if not reply.get("ok"):
            raise ValueError(reply.get("error") or f"The explorer gave no answer to {ask!r:.40}.")
        return reply["answer"]

    def move(self, seq: int | None) -> None:
        """Put the cursor on a record that is known to be there."""
        with self.lock:
            self._put("cursor", seq)

    def stand_on(self, seq: int | None) -> None:
        """Put the cursor where a front end says; a miss leaves it where it is.

        Raises:
            ValueError: The run has no such record; the message says which it has.
        """
        with self.lock:
            if seq is not None and not self.ask("nearest", seq=seq)["exact"]:
                self.ask("inspect", seq=seq)
            self.move(seq)

    def focus(self, seq: int) -> int:
        """Put the cursor on a record; a miss leaves it where it is.

        Returns:
            The record that it stands on now.

        Raises:
            ValueError: Nothing shows that record; the message says the nearest.
        """
        with self.lock:
            try:
                found = self.ask("inspect", seq=seq)
            except ValueError as error:
                nearest = self.ask("nearest", seq=seq)
                raise ValueError(f"{error} {nearest['words']}") from None
            self.move(int(found["seq"]))
            return int(found["seq"])

    def measured(self, tried: dict[str, Any], found: dict[str, Any] | None = None) -> None:
        """Show how far a measurement is, and what was found by it.

        Args:
            tried: What is measured.
            found: Every finding; as before when not given.
        """
        with self.lock:
            if found is not None:
                self._put("found", found)
            self._put("tried", tried)

    def say(self, words: str) -> None:
        """Put words into the status line."""
        with self.lock:
            self._put("status", visible(shorten(words, _WORDS)))

    def _put(self, name: str, value: Any) -> None:
        setattr(self, name, value)
        self._tell(name, value)

    def _tell(self, name: str, value: Any) -> None:
        for changed in tuple(self._watchers):
            try:
                changed(name, value)
            except Exception as error:  # noqa: BLE001 - one skin that fails must not stop the rest
                self.status = visible(shorten(words_of(error), _WORDS))


def words_of(error: BaseException) -> str:
    """An error in words for a person.

    Example:
        >>> words_of(KeyError()), words_of(ValueError("No such grade."))
        ('KeyError', 'No such grade.')
    """
    try:
        return str(error) or type(error).__name__
    except Exception:  # noqa: BLE001 - an error of a user's own function may fail even here
        return type(error).__name__
