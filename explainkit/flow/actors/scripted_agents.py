"""An Agent that picks what it was told to pick, because tests of a machine need a known one."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from explainkit.errors import ChartError
from explainkit.flow.actors.protocols import Read, Turn
from explainkit.safety import shorten

Pick: TypeAlias = str | tuple[str, Mapping[str, Any] | None]
Chosen: TypeAlias = Pick | Sequence[Pick]
Step: TypeAlias = Chosen | Callable[[tuple[Read, ...]], Chosen]


class ScriptedAgent:
    """Picks the steps of a script one after the other and then ends its Turn.

    Each Turn runs the script from its start. It stops early when the Turn is over. A refused
    pick raises, so the Turn ends in `agent.fault` with the refusal as its reason.

    Args:
        script: Steps. Each is the name of an event; `(event, payload)`; a list of these, picked
            at the same time; or a function that is given what was read in this Turn and gives one
            of these.

    Attributes:
        reads: Everything that was read, in all Turns; of picks made at the same time in the
            order of their list.

    Example:
        >>> ScriptedAgent(["run_tests", ("note", {"text": "red"}), lambda reads: "finished"])
        ScriptedAgent(3 steps)
    """

    kind: Literal["agent"] = "agent"

    def __init__(self, script: Sequence[Step]) -> None:
        """Keep the script.

        Raises:
            ChartError: A step is of no kind that can be picked.
        """
        self._script: tuple[Step, ...] = (script,) if isinstance(script, str) else tuple(script)
        for step in self._script:
            if not callable(step):
                _picks(step)
        self.reads: list[Read] = []

    async def work(self, turn: Turn) -> None:
        """Take a Turn.

        Raises:
            RefusedError: A pick was refused.
            ChartError: A function gave nothing that can be picked.
        """
        first = len(self.reads)
        for step in self._script:
            chosen = step(tuple(self.reads[first:])) if callable(step) else step
            reads = await self._together(turn, _picks(chosen))
            if turn.over or any(read.receipt.turn_complete for read in reads):
                return

    async def _together(self, turn: Turn, picks: list[tuple[str, Any]]) -> list[Read]:
        """Make picks at the same time and keep what was read, whatever becomes of the Turn."""
        found: list[Read | None] = [None] * len(picks)

        async def make(place: int, event: str, payload: Any) -> None:
            found[place] = await turn.pick(event, payload)

        try:
            waiting = [make(place, *pick) for place, pick in enumerate(picks)]
            # A refused pick must not leave the others behind unread.
            for ended in await asyncio.gather(*waiting, return_exceptions=True):
                if ended is not None:
                    raise ended
        finally:  # a machine that ends the Turn stops its Agent as soon as the pick was read
            reads = [read for read in found if read is not None]
            self.reads += reads
        return reads

    def __repr__(self) -> str:
        return f"ScriptedAgent({len(self._script)} steps)"


def _picks(step: object) -> list[tuple[str, Any]]:
    if isinstance(step, list):
        return [pick for each in step for pick in _picks(each)]
    if isinstance(step, str):
        return [(step, None)]
    if isinstance(step, tuple) and len(step) == 2 and isinstance(step[0], str):
        return [step]
    raise ChartError(
        f"ScriptedAgent cannot pick {shorten(repr(step), 80)}. "
        "Give an event's name, (event, payload), or a list of these."
    )
