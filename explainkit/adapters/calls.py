"""Which tool result answers which call, because ids are missing, reused and out of order."""

from collections.abc import Sequence
from dataclasses import dataclass

from explainkit.adapters.turns import Call, Result, Turn

Place = tuple[int, int]
"""(position of the turn in the list of turns, position of the part in the turn)."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Calls and results of one run, tied.

    Attributes:
        call_of: From the place of a result to that of its call.
        result_of: From the place of a call to that of its result.
        dangling: Places of results whose call is not there.
        reused: How many calls carry an id that an earlier call carried.
    """

    call_of: dict[Place, Place]
    result_of: dict[Place, Place]
    dangling: tuple[Place, ...]
    reused: int


def pair(turns: Sequence[Turn]) -> Pairing:
    """Tie every result to the nearest earlier unanswered call with its id, else its name.

    Several such calls in one turn are answered in their order. A result with neither id nor
    name belongs to the oldest unanswered call of the nearest turn that has one.

    Args:
        turns: The turns in order.
    """
    open_calls = _Open()
    call_of: dict[Place, Place] = {}
    dangling: list[Place] = []
    for t, turn in enumerate(turns):
        for p, part in enumerate(turn.parts):
            if isinstance(part, Call):
                open_calls.add((t, p), part)
            elif isinstance(part, Result):
                place = open_calls.take(part)
                if place is None:
                    dangling.append((t, p))
                else:
                    call_of[t, p] = place
    answered = {call: result for result, call in call_of.items()}
    return Pairing(call_of, answered, tuple(dangling), open_calls.reused)


class _Open:
    """Unanswered calls, found by id, by name or by nearness in amortised constant time."""

    def __init__(self) -> None:
        self.reused = 0
        self._seen: set[str] = set()
        self._taken: set[Place] = set()
        self._by_key: dict[tuple[str, str], list[list[Place]]] = {}

    def add(self, place: Place, call: Call) -> None:
        """Take in a call that waits for its result."""
        if call.id is not None:
            self.reused += call.id in self._seen
            self._seen.add(call.id)
        for key in self._keys(call.id, call.name):
            turns = self._by_key.setdefault(key, [])
            if not turns or turns[-1][0][0] != place[0]:
                turns.append([])
            turns[-1].append(place)

    def take(self, result: Result) -> Place | None:
        """The call that a result answers; it then waits no longer."""
        if result.id is not None:
            place = self._pop(("id", result.id))
            if place is None and result.name is not None:
                place = self._pop(("bare", result.name))
        elif result.name is not None:
            place = self._pop(("name", result.name))
        else:
            place = self._pop(("any", ""))
        if place is not None:
            self._taken.add(place)
        return place

    @staticmethod
    def _keys(call: str | None, name: str) -> list[tuple[str, str]]:
        own = ("id", call) if call is not None else ("bare", name)
        return [own, ("name", name), ("any", "")]

    def _pop(self, key: tuple[str, str]) -> Place | None:
        turns = self._by_key.get(key, [])
        while turns:
            nearest = turns[-1]
            while nearest and nearest[0] in self._taken:
                nearest.pop(0)
            if nearest:
                return nearest[0]
            turns.pop()
        return None
