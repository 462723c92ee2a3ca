"""Ties the results of tools that a request sends back to the calls that asked for them, by id.

A result that nothing in the run has recorded yet becomes a tool link of its own. One that the run
has recorded already is pointed to.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary, proxy

from explainkit.adapters.calls import Place, pair
from explainkit.adapters.clients.asked_tools import Asked, write_tool_link
from explainkit.adapters.dialects import turns_of
from explainkit.adapters.dialects.pointer import join
from explainkit.adapters.transcript import Origin, Transcript
from explainkit.adapters.turns import Call, Result, Turn
from explainkit.tracing.active import ActiveRun

_TELLING: Final = 8
"""Code points from which equal texts are the same text, not chance."""


class _Given(NamedTuple):
    """A result that was sent back, and where its content stands in the record."""

    digest: str
    origin: Origin | None


class _Carried(NamedTuple):
    """A request that carried calls or their results: its link, messages, and which they are."""

    link: int
    messages: list[Any]
    keys: tuple[tuple[int, str], ...]


class CallsSeen:
    """The tool calls of one run's recorded replies."""

    def __init__(self, run: ActiveRun) -> None:
        """Start without any."""
        self._run: ActiveRun = proxy(run)  # or the table of runs would keep it alive
        self._carried: dict[tuple[int, str], _Carried] = {}
        self._sending: _Carried | None = None
        self._asked: dict[str, list[Asked]] = {}
        self._given: dict[tuple[int, str], _Given] = {}
        self._written: set[int] = set()

    @staticmethod
    def of(run: ActiveRun) -> "CallsSeen":
        """The one of a run; it is gone when the run is."""
        found = _SEEN.get(run)
        if found is None:
            found = _SEEN[run] = CallsSeen(run)
        return found

    def said(self, turns: Sequence[Turn], closed: int, *, many: bool) -> None:
        """Note the calls of a reply.

        Args:
            turns: The reply's messages.
            closed: `seq` of the record whose output holds them.
            many: Whether that output is a list of messages.
        """
        for turn in turns:
            for call in turn.calls:
                if call.id is None:
                    continue
                origin: Origin = {"seq": closed, "slot": "output"}
                if many:
                    origin |= {"start": turn.index, "end": turn.index + 1}
                path = join("", turn.index) if many else ""
                asked = Asked(call, turn.raw, origin, path, self._digest(turn.raw))
                self._asked.setdefault(call.id, []).append(asked)

    def slot(self, messages: list[Any], *, parent: int | None) -> dict[str, Any]:
        """The `messages` slot of a request, with the origins that ids of tool calls declare.

        Messages that an earlier request of the same chat sent are that request's, so that the
        record of a long chat grows with what is new. Call `opened` afterwards.

        Args:
            messages: The messages, as plain data.
            parent: The link that the request is made in.
        """
        turns = turns_of(messages, [])
        calls = self._recognised(turns)
        results = self._answered(turns, calls)
        known = {place[0]: asked for place, asked in sorted((calls | results).items(), key=_place)}
        earlier, shared = self._shared(messages, {turns[at].index: known[at] for at in known})
        transcript = Transcript(self._run.recorder)
        for index, message in enumerate(messages):
            if index == shared and earlier is not None:
                transcript.opened(earlier.link)
            transcript.add(message)
        for at_turn, asked in known.items():
            if turns[at_turn].index >= shared and turns[at_turn].calls:
                self._repeated(transcript, turns[at_turn], asked)
        self._results(transcript, turns, results, shared, parent)
        self._sending = _Carried(-1, messages, tuple(asked.key for asked in known.values()))
        slot = transcript.read()
        assert slot is not None, "a request without messages has no such slot"
        return slot

    def opened(self, link: int) -> None:
        """Note that the link `link` carries the messages that `slot` was asked for last."""
        sending, self._sending = self._sending, None
        if sending is not None:
            for key in sending.keys:
                self._carried[key] = sending._replace(link=link)

    def _shared(
        self, messages: list[Any], known: dict[int, Asked]
    ) -> "tuple[_Carried | None, int]":
        """The earlier request that this one goes on from, and how many messages they share.

        Only ids of tool calls prove that two requests are one chat; equal texts do not.
        """
        earlier = next(
            (
                self._carried[asked.key]
                for _, asked in sorted(known.items(), reverse=True, key=_index)
                if asked.key in self._carried
            ),
            None,
        )
        if earlier is None:
            return None, 0
        pairs = zip(messages, earlier.messages, strict=False)
        count = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
        shared = min(len(messages), len(earlier.messages)) if count is None else count
        return (earlier, shared) if any(index < shared for index in known) else (None, 0)

    def _answered(self, turns: Sequence[Turn], calls: dict[Place, Asked]) -> dict[Place, Asked]:
        """The recorded call that each result in a request answers."""
        call_of = pair(turns).call_of
        found: dict[Place, Asked] = {}
        for at_turn, turn in enumerate(turns):
            for at_part, part in enumerate(turn.parts):
                if not isinstance(part, Result) or part.id is None:
                    continue
                place = call_of.get((at_turn, at_part))
                asked = self._latest(part.id) if place is None else calls.get(place)
                if asked is not None:
                    found[at_turn, at_part] = asked
        return found

    def _results(
        self,
        transcript: Transcript,
        turns: Sequence[Turn],
        results: dict[Place, Asked],
        shared: int,
        parent: int | None,
    ) -> None:
        given = [part.value for turn in turns for part in turn.results]
        texts = Counter(value for value in given if isinstance(value, str))
        for (at_turn, at_part), asked in results.items():
            turn, part = turns[at_turn], turns[at_turn].parts[at_part]
            if turn.index < shared or not isinstance(part, Result):
                continue
            alone = isinstance(part.value, str) and texts[part.value] == 1
            origin = self._origin(asked, part, parent, alone=alone)
            if origin is not None:
                transcript.part(turn.index, part, origin)

    def _recognised(self, turns: Sequence[Turn]) -> dict[Place, Asked]:
        """The recorded call that each call in a request repeats.

        Some servers use an id again: then the message decides, and after it the order, counted
        from the end, because the start of a long chat may be left out.
        """
        found: dict[Place, Asked] = {}
        later: Counter[tuple[str, str]] = Counter()
        for at_turn in range(len(turns) - 1, -1, -1):
            turn = turns[at_turn]
            for at_part in range(len(turn.parts) - 1, -1, -1):
                part = turn.parts[at_part]
                known = self._asked.get(part.id or "") if isinstance(part, Call) else None
                if not known:
                    continue
                digest = self._digest(turn.raw)
                pool = [each for each in known if each.digest == digest] or known
                key = (pool[0].call.id or "", digest if pool is not known else "")
                later[key] += 1
                if later[key] <= len(pool):
                    found[at_turn, at_part] = pool[-later[key]]
        return found

    def _latest(self, identifier: str | None) -> Asked | None:
        """The call of a result whose call is not sent again, since the server keeps the chat."""
        known = self._asked.get(identifier or "")
        return known[-1] if known else None

    def _repeated(self, transcript: Transcript, turn: Turn, asked: Asked) -> None:
        """A message with calls that is sent back as it came is that reply's."""
        if self._digest(turn.raw) == asked.digest:
            transcript.whole(turn.index, turn.index + 1, asked.origin)

    def _digest(self, value: Any) -> str:
        return self._run.recorder.value(value)

    def _origin(
        self,
        asked: Asked,
        result: Result,
        parent: int | None,
        *,
        alone: bool,
    ) -> Origin | None:
        if result.value is None:
            return None
        digest = self._digest(result.value)
        given = self._given.get(asked.key)
        if given is None:
            found = self._run.place_of(digest.encode())
            if found is None or found[0] <= asked.origin["seq"] or found[0] in self._written:
                origin: Origin | None = self._write(asked, result, digest, parent)
            elif alone and len(result.value) >= _TELLING:
                origin = {"seq": found[0], "slot": found[1]}
            else:
                origin = None  # it is recorded, but which of several it is nobody can say
            given = self._given[asked.key] = _Given(digest, origin)
        return given.origin if given.digest == digest else None

    def _write(self, asked: Asked, result: Result, digest: str, parent: int | None) -> Origin:
        origin = write_tool_link(self._run, asked, result, digest, parent=parent)
        self._written.add(origin["seq"])
        return origin


def _place(entry: tuple[Place, Asked]) -> Place:
    return entry[0]


def _index(entry: tuple[int, Asked]) -> int:
    return entry[0]


_SEEN: WeakKeyDictionary[ActiveRun, CallsSeen] = WeakKeyDictionary()
