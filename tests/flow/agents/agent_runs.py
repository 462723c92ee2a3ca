"""Runs Agents for tests, and looks at what they left behind."""

import asyncio

import explainkit as ek
from explainkit.flow.models import ScriptedModel, ToolCall


class Listening:
    """Gives replies from a list, and keeps what it was asked with."""

    name = "listening"

    def __init__(self, *replies):
        self.prompts = []
        self.tools = []
        self._script = ScriptedModel(replies)

    async def complete(self, prompt, *, tools=()):
        self.prompts.append([dict(message) for message in prompt])
        self.tools.append([tool.name for tool in tools])
        return await self._script.complete(prompt, tools=tools)

    @property
    def calls(self):
        return len(self.prompts)


class Hanging:
    """A model that never replies; `called` says that it was asked."""

    def __init__(self):
        self.called = asyncio.Event()
        self.calls = 0

    async def complete(self, prompt, *, tools=()):
        del prompt, tools
        self.calls += 1
        self.called.set()
        await asyncio.Event().wait()


class Refusing:
    """A middleware that denies messages of one phase, or those that hold a word."""

    name = "refusing"

    def __init__(self, phase, word="", reason="not here"):
        self.phase, self.word, self.reason = phase, word, reason
        self.seen = []

    def check_message(self, message, phase):
        from explainkit.flow.agents import admit, deny

        self.seen.append((phase, message["role"]))
        denied = phase == self.phase and self.word in str(message)
        message.clear()  # it is a copy
        return deny(self.reason) if denied else admit()


def call(name, /, **arguments):
    return ToolCall(id="", name=name, arguments=arguments)


def ended(agent, given="Go.", **settings):
    """How a run ended, and its record, which is sound."""
    outcome = asyncio.run(agent.outcome(given, **settings))
    return outcome, sound(ek.last())


def sound(run):
    """A run whose record breaks no law, whose links are all closed, and that can be shown."""
    assert run.doctor() == []
    opened = [row["seq"] for row in rows(run, "link_opened")]
    assert sorted(row["link"] for row in rows(run, "link_closed")) == opened
    assert rows(run, "run_ended")[-1].get("suppressed", 0) == 0
    run.graph()
    return run


def rows(run, kind, **fields):
    return [
        row
        for row in run.recording.rows(kind)
        if all(row.get(key) == value for key, value in fields.items())
    ]


def value(run, digest):
    return run.recording.values.object(digest)


def closes(run, kind):
    """The closing records of the links of a type."""
    links = [row["seq"] for row in rows(run, "link_opened", type=kind)]
    return [row for row in rows(run, "link_closed") if row["link"] in links]


def inputs(run, row):
    return {each["slot"]: value(run, each["value"]) for each in row["inputs"]}


def told(model, call_number=-1):
    """The results of tools that a model was told."""
    return [each["content"] for each in model.prompts[call_number] if each["role"] == "tool"]


def terminal(run):
    """The terminal verdicts of a run, each with the type of the link that it ended."""
    types = {row["seq"]: row["type"] for row in rows(run, "link_opened")}
    return [
        (row["terminal"], types[row["link"]]) for row in rows(run, "verdict") if row.get("terminal")
    ]
