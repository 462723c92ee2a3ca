"""A Turn without a machine: a table says what each pick gives, the rest is as the contract says."""

import asyncio
from contextlib import suppress

from explainkit.errors import NoRunError, PayloadError, RefusedError
from explainkit.flow.actors.protocols import Read, Receipt
from explainkit.flow.statecharts.event_definitions import define_event
from explainkit.tracing import answer, event

LOOK = define_event("look", "Look at the disk.")
NOTE = define_event("note", "Keep a note.", input=dict[str, int])
FINISHED = define_event("finished", "Say that it is done.")
UNMOVED = object()
"""Stands in the table for a pick that no transition takes."""


class TableTurn:
    """Answers each pick from a table by event name; one that is not in it gives a receipt alone.

    Args:
        table: What is read, by event; a tuple gives one value for each pick.
        given: The Turn's input.
        menu: Definitions.
        allowed: Names allowed now, or a function of the number of picks so far.
        ends: Events that end the Turn.
        history: What was read before the run was resumed.
        standing: The pick that stands open.
    """

    name = "coder"

    def __init__(
        self,
        table=None,
        *,
        given=None,
        menu=(LOOK, NOTE, FINISHED),
        allowed=None,
        ends=("finished",),
        history=(),
        standing=None,
    ):
        self.input = given
        self.menu = menu
        self.history = history
        self.standing = standing
        self.over = False
        self.picked = []
        self.asked_for = []
        self.most_at_once = 0
        self._table = table or {}
        self._allowed = allowed
        self._ends = ends
        self._waiting = 0

    @property
    def allowed(self):
        if self._allowed is None:
            return tuple(each.name for each in self.menu)
        return self._allowed(len(self.picked)) if callable(self._allowed) else self._allowed

    async def pick(self, event_name, payload=None, *, uses=()):
        self.asked_for.append(event_name)
        parsed = self._accepted(event_name, payload)
        self.picked.append((event_name, parsed))
        self._record(event_name, parsed, uses)
        self._waiting += 1
        self.most_at_once = max(self.most_at_once, self._waiting)
        await asyncio.sleep(0)  # others may pick meanwhile
        self._waiting -= 1
        self.over = self.over or event_name in self._ends
        return self._read(event_name, parsed)

    def _accepted(self, name, payload):
        if self.over:
            raise RefusedError(f'"{name}" was refused: the Turn is over.')
        if name not in self.allowed:
            accepted = ", ".join(self.allowed)
            raise RefusedError(f'"{name}" is not accepted now. Accepted: {accepted}.', self.allowed)
        try:
            return next(each for each in self.menu if each.name == name).parsed(payload)
        except PayloadError as problem:
            raise RefusedError(str(problem), self.allowed) from problem

    def _record(self, name, payload, uses):
        with suppress(NoRunError):
            event(name, payload, sender=self.name, uses=uses)

    def _read(self, name, payload):
        number = len([each for each, _ in self.picked if each == name])
        value = self._table.get(name, UNMOVED if name not in self._ends else None)
        value = value[number - 1] if isinstance(value, tuple) else value
        receipt = Receipt(name, value is not UNMOVED, self.over, self.allowed)
        if name not in self._table or value is UNMOVED:
            return Read(None, "receipt", receipt, name, payload)
        slot = f"pick:{len(self.picked)}"
        try:
            answer(value, slot=slot)
        except NoRunError:
            slot = ""
        return Read(value, "reply", receipt, name, payload, slot)
