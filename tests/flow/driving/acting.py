"""What tests of machines drive them with: Agents and effects that do what the test says, when."""

import asyncio
import json

import explainkit as ek
from explainkit.errors import RefusedError
from explainkit.flow import define_event
from explainkit.flow.clocks import settled
from explainkit.store.integrity import doctor


class Puppet:
    """An Agent that picks what the test tells it to pick."""

    kind = "agent"

    def __init__(self):
        self.turns = []
        self._ends = []

    async def work(self, turn):
        end = asyncio.get_running_loop().create_future()
        self.turns.append(turn)
        self._ends.append(end)
        return await end

    @property
    def turn(self):
        return self.turns[-1]

    async def picks(self, event, payload=None, *, turn=None, **kwargs):
        """Begin a pick; gives the task that will have read its answer."""
        task = asyncio.create_task((turn or self.turn).pick(event, payload, **kwargs))
        await settled()
        return task

    async def reads(self, event, payload=None, **kwargs):
        """Pick, and give what was read; the answer must be there at once."""
        return read_by(await self.picks(event, payload, **kwargs))

    async def is_refused(self, event, payload=None, **kwargs):
        """The words with which a pick is refused."""
        task = await self.picks(event, payload, **kwargs)
        assert task.done(), "the pick was not refused: it waits"
        error = task.exception()
        assert isinstance(error, RefusedError), f"not refused: {error!r}"
        return str(error)

    async def raises(self, error):
        self._ends[-1].set_exception(error)
        await settled()

    async def returns(self, value=None):
        self._ends[-1].set_result(value)
        await settled()


class Desk:
    """Effects that end when the test says so."""

    def __init__(self):
        self._calls = {}
        self.given = []

    def effect(self, name):
        async def work(given):
            self.given.append((name, given))
            future = asyncio.get_running_loop().create_future()
            self._calls.setdefault(name, []).append(future)
            return await future

        return work

    def calls(self, name):
        return self._calls.get(name, [])

    async def gives(self, name, output):
        self.calls(name)[-1].set_result(output)
        await settled()

    async def raises(self, name, error):
        self.calls(name)[-1].set_exception(error)
        await settled()


def read_by(task):
    """What a pick read; it must have been answered."""
    assert task.done(), "the pick is still held"
    return task.result()


def events(*names, **audiences):
    """Definitions of events without input; those given by keyword have that audience."""
    made = [define_event(name) for name in names]
    return [*made, *(define_event(name, audience=who) for name, who in audiences.items())]


def said(read):
    """What an Agent reads, without its receipt."""
    return read.value, read.source


def recording_of(running):
    return running.record.recording


async def over(running):
    """The outcome of a machine, once everything is written."""
    outcome = await running.outcome()
    await settled()
    return outcome


def checked(chart, running):
    """The recording of a machine, after every law was checked and it was done again."""
    recording = recording_of(running)
    assert doctor(recording) == []
    links = {row["seq"] for row in recording.rows("link_opened")}
    closed = [row["link"] for row in recording.rows("link_closed")]
    assert sorted(closed) == sorted(links), "a link never closed, or closed twice"
    replay = chart.replay(recording)
    assert replay.difference is None, str(replay.difference)
    assert replay.records > 0
    return recording


def acts(chart, play, given=None, **settings):
    """Begin a machine and let `play(running)` act; gives what it gives and the running machine."""

    async def main():
        running = chart.begin(given, **settings)
        await settled()
        try:
            return await play(running), running
        finally:
            running.cancel()
            await over(running)

    return asyncio.run(main())


def plays(chart, play, given=None, **settings):
    """As `acts`, and every law of the records is checked; gives also the recording."""
    found, running = acts(chart, play, given, **settings)
    return found, checked(chart, running)


def rows(recording, kind, *keys):
    """The records of a kind, as tuples of some of their fields; values as objects."""

    def field(row, key):
        if key == "value" and "value" in row:
            return recording.values.object(row["value"])
        return row.get(key)

    return [tuple(field(row, key) for key in keys) for row in recording.rows(kind)]


def answers(recording):
    """`(pick number, value, via)` of every answer of a pick."""
    numbers = pick_numbers(recording)
    return [
        (numbers[slot], value, via)
        for slot, value, via in rows(recording, "answer", "slot", "value", "via")
        if slot.startswith("pick:")
    ]


def overrides(recording):
    """`(pick number, outcome, value)` of every override; its number is None when unheard."""
    numbers = pick_numbers(recording)
    return [
        (numbers.get(slot), outcome, value)
        for slot, outcome, value in rows(recording, "override", "slot", "outcome", "value")
    ]


def pick_numbers(recording):
    """Which pick a slot belongs to: the first one of the machine is 1."""
    picks = [row["seq"] for row in recording.rows("event") if row.get("arrival") == "pick"]
    return {f"pick:{seq}": number for number, seq in enumerate(picks, 1)}


def replies(recording):
    """`(pick number, index)` of every reply."""
    numbers = pick_numbers(recording)
    return [
        (numbers[f"pick:{pick}"], index)
        for pick, index in rows(recording, "reply", "pick", "index")
    ]


def through_json(checkpoint):
    return json.loads(json.dumps(checkpoint, allow_nan=False))


def last():
    return ek.last().recording
