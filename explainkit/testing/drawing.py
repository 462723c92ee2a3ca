"""Draws one trace step by step, each from what stands before it, so that all laws hold."""

from typing import Any

from explainkit.testing.building import Trace
from explainkit.testing.drawing_values import ValueDrawing, any_text

_NAMES = ("retrieve", "ask", "claim", "fördern")
_TYPES = ("model", "tool", "retrieval", "assemble", "function", "own word")
_CLOSED = ("answered", "error", "cancelled", "abandoned")
_ENDED = ("answered", "error", "verdict", "paused", "exhausted", "cancelled")


class Drawing(ValueDrawing):
    """One trace in the making.

    Args:
        draw: Hypothesis' draw function.
        st: Its strategies.
    """

    def __init__(self, draw: Any, st: Any) -> None:
        super().__init__(draw, st)
        self._places: list[tuple[int, str, str]] = []
        self._links: list[tuple[int, str]] = []
        self._versions: dict[str, int] = {}
        self._closed: list[int] = []

    def trace(self, *, steps: int, crashed: bool, notes: bool) -> Trace:
        """Draw the whole trace."""
        question = self._text() if self._flag() else None
        started = self._built.append(
            "run_started",
            at=self._at(),
            run=self._built.run,
            name=self._built.name,
            question=question,
            inputs=[],
        )
        if question is not None:
            self._places.append((started, "question", question))
        actions = (
            self._open, self._close, self._context, self._event, self._answer, self._override,
            self._verdict, self._lost, self._remark, self._unknown, self._decide, self._step,
            self._built.check,
        )  # fmt: skip
        for _ in range(self._draw(self._st.integers(0, steps))):
            self._one_of(actions)()
        if crashed:
            return self._built.build()
        while self._links:
            self._close()
        built = self._built
        built.build(self._one_of(_ENDED))
        if notes and self._flag():
            for action in (self._verdict, self._remark, self._finding):
                if self._flag():
                    action()
            built.check()
        return built.build()

    def _parent(self) -> int | None:
        return self._links[-1][0] if self._links else None

    def _append(self, kind: str, **fields: Any) -> int:
        given = {key: item for key, item in fields.items() if item is not None}
        return self._built.append(kind, at=self._at(), **given)

    def _occurrence(self) -> dict[str, Any]:
        seq, slot, digest = self._one_of(self._places)
        text = self._texts.get(digest)
        if not text or self._flag():
            return {"seq": seq, "slot": slot}
        start, end = self._span(len(text))
        return {"seq": seq, "slot": slot, "start": start, "end": end}

    def _occurrences(self) -> list[dict[str, Any]]:
        return [self._occurrence()] if self._places and self._flag() else []

    def _open(self) -> None:
        value = self._value()
        kind = self._one_of(_TYPES)
        given = {"slot": "prompt", "value": value, "from": self._occurrences()}
        seq = self._append(
            "link_opened",
            parent=self._parent(),
            type=kind,
            name=self._one_of(_NAMES),
            inputs=[given] if self._flag() else [],
        )
        self._links.append((seq, kind))

    def _close(self) -> None:
        if not self._links:
            return
        # Concurrent links do not close in the order in which they were opened.
        link, kind = self._links.pop(self._draw(self._st.integers(0, len(self._links) - 1)))
        status = self._one_of(_CLOSED)
        slot = {"answered": "output", "error": "error"}.get(status)
        held = {slot: self._value()} if slot else {}
        seq = self._append("link_closed", link=link, status=status, **held)
        self._closed.append(link)
        if slot:
            self._places.append((seq, slot, held[slot]))
        if slot == "output" and kind == "model":
            self._versions.setdefault("", 1)

    def _context(self) -> None:
        value = self._value()
        admitted = self._flag()
        seq = self._append(
            "context",
            name=self._one_of(_NAMES),
            value=value,
            admitted=admitted,
            how=None if admitted else "dropped",
            uses=self._occurrences(),
            parent=self._parent(),
        )
        self._places.append((seq, "value", value))

    def _event(self) -> None:
        value = self._value()
        seq = self._append("event", name="arrived", value=value, parent=self._parent())
        self._places.append((seq, "value", value))
        if self._flag():
            self._append("reply", pick="p1", source=seq, index=0)

    def _answer(self) -> None:
        slot = self._one_of(("answer", "pick:1", "item:a"))
        if slot in self._versions:
            return
        value = self._value()
        seq = self._append("answer", slot=slot, value=value, uses=self._occurrences())
        self._versions[slot] = 1
        self._places.append((seq, "value", value))

    def _override(self) -> None:
        slots = [slot for slot in self._versions if slot]
        if not slots or self._flag():
            self._append("override", slot=None, by="nobody", outcome="unheard")
            return
        slot = self._one_of(slots)
        outcome = self._one_of(("applied", "cleared", "superseded", "unread"))
        value = None if outcome == "cleared" else self._value()
        version = self._versions[slot]
        self._append(
            "override", slot=slot, from_version=version, value=value, by="redactor", outcome=outcome
        )
        self._versions[slot] = version + (outcome in {"applied", "cleared"})

    def _verdict(self) -> None:
        targets: list[dict[str, Any]] = [{"link": link} for link in self._closed]
        for slot, version in self._versions.items():
            if slot:
                targets.append({"slot": slot, "version": version})
            elif "answer" not in self._versions:
                targets.append({"slot": "answer", "version": 1})
        if targets:
            status = self._one_of(("passed", "failed", "unavailable", "not-run"))
            self._append("verdict", status=status, judge="reviewer", **self._one_of(targets))

    def _decide(self) -> None:
        self._append("decision", link=self._parent(), options=["a", "b"], results=[True, None])

    def _step(self) -> None:
        self._append("transition", machine=self._parent(), event="go", exited=["a"], entered=["b"])

    def _lost(self) -> None:
        self._append("lost", what=self._one_of(("dropped", "denied", "unlinked")), count=2)

    def _remark(self) -> None:
        target = self._occurrence() if self._places else None
        self._append("note", text=self._draw(any_text(self._st)), target=target)

    def _finding(self) -> None:
        self._append("finding", word="cause", n=5, flips=[4, 0])

    def _unknown(self) -> None:
        self._append("of_tomorrow", shape={"x": 1})
