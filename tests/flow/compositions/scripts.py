"""Children that end as a test says, and looks at what the record says of them."""

import asyncio
import json

import explainkit as ek
from explainkit.flow.outcomes import Answered, Exhausted, Failed, Paused, Refused
from explainkit.flow.runner_links import linked
from explainkit.flow.runners import Runner
from explainkit.flow.verdicts import (
    AnswerValidation,
    ConsentPending,
    MessageDenied,
    PolicyHalt,
    ReliabilityFailFast,
    UnsupportedValues,
    ValidationReport,
)
from explainkit.store.integrity import doctor

VERDICTS = (
    ReliabilityFailFast(fail_kind="timeout", phase="pre-check", attempt=2, reason="two in a row"),
    PolicyHalt(reason="no refunds", sequence=({"name": "refund"},), checker="money"),
    MessageDenied(reason="a card number", phase="input", middleware="cards"),
    UnsupportedValues(values=("80 EUR",), revised=True),
    AnswerValidation(report=ValidationReport(validator="tariff", status="unverified")),
    ConsentPending(waiting="the refund", whom="Ann"),
)
HALT = VERDICTS[1]


class Boom(Exception):
    """What a child raises."""


class Scripted(Runner):
    """A runner of ours that ends as its script says, one entry a run; the last one repeats."""

    def __init__(self, *script, name="Agent"):
        self.name = name
        self.script = list(script)
        self.given = []
        self.resumed = []

    async def outcome(self, given=None, *, resume=None):
        self.given.append(given)
        self.resumed.append(resume)
        entry = self.script[min(len(self.given), len(self.script)) - 1]

        async def work(frame):
            end = entry(given) if callable(entry) else entry
            if asyncio.iscoroutine(end):
                end = await end
            return end

        return await linked(work, kind="agent", label=self.name, input=given)

    @property
    def runs(self):
        return len(self.given)


def answers(value, name="Agent"):
    return Scripted(Answered(value), name=name)


def echoes(name="Agent"):
    return Scripted(lambda given: Answered(given), name=name)


def refuses(verdict=HALT, name="Agent"):
    return Scripted(Refused(verdict), name=name)


def fails(error=None, name="Agent"):
    return Scripted(Failed(error or Boom("it went wrong")), name=name)


def exhausts(last="last", name="Agent"):
    return Scripted(Exhausted(last), name=name)


def pauses(then, name="Agent", checkpoint=None):
    """Waits once, then ends so."""
    return Scripted(Paused(checkpoint or {"at": name}), then, name=name)


def outcome(runner, given=None, **options):
    """The outcome of a run of its own, after every law of the records was checked."""
    return played(runner, given, **options)[0]


def played(runner, given=None, **options):
    """The outcome of a run of its own, and its recording."""
    found = asyncio.run(runner.outcome(given, **options))
    return found, checked(ek.last().recording)


def checked(recording):
    """A recording whose every law holds, and whose links all closed, none by the run's end."""
    assert doctor(recording) == []
    links = [row["seq"] for row in recording.rows("link_opened")]
    closed = {row["link"]: row["status"] for row in recording.rows("link_closed")}
    assert sorted(closed) == links, "a link never closed, or closed twice"
    assert "abandoned" not in closed.values(), "a link was left open"
    return recording


def statuses(recording):
    """`(name, status)` of every link, in the order in which they opened."""
    closed = {row["link"]: row["status"] for row in recording.rows("link_closed")}
    return [(row["name"], closed[row["seq"]]) for row in recording.rows("link_opened")]


def decisions(recording):
    """`(options, results, chosen)` of every decision."""
    return [
        (tuple(row["options"]), tuple(row["results"]), row.get("chosen"))
        for row in recording.rows("decision")
    ]


def reads(recording):
    """What each decision read, as values."""
    return [
        [(place.get("path", ""), value_at(recording, place)) for place in row.get("reads", ())]
        for row in recording.rows("decision")
    ]


def value_at(recording, place):
    """The value at an occurrence."""
    row = recording.raw(place["seq"])
    slot = place["slot"]
    digest = row.get(slot) or next(
        given["value"] for given in row["inputs"] if given["slot"] == slot
    )
    value = recording.values.object(digest)
    for token in place.get("path", "").split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def through_json(checkpoint):
    return json.loads(json.dumps(checkpoint, allow_nan=False))


def error_of(runner, given=None, **options):
    """What `run` raises."""
    try:
        found = asyncio.run(runner.run(given, **options))
    except BaseException as error:
        return error
    raise AssertionError(f"it answered {found!r}")


def path(error):
    return str(error.trace)


def last_note(error):
    return error.__notes__[-1]
