"""Runs whose code talks to the server of a test, and what a test looks at in their records."""

import asyncio
from itertools import count

import explainkit as ek

KEY = "sk-a-key-that-only-the-client-knows"


def run_of(work, **settings):
    """The run in which `work` is done; an exception of it ends the run and comes out."""
    ticks = count(1_000)
    with ek.trace("talk", run_id="r", clock=lambda: next(ticks), **settings) as run:
        done = work()
        if asyncio.iscoroutine(done):
            asyncio.run(done)
    assert run.doctor() == []
    return run


def rows(run, kind):
    return list(run.recording.rows(kind))


def value(run, digest):
    return run.recording.values.object(digest)


def links(run, kind="model"):
    """Of each link of a kind: what it was opened with, what it was closed with."""
    closed = {row["link"]: row for row in rows(run, "link_closed")}
    return [(row, closed[row["seq"]]) for row in rows(run, "link_opened") if row["type"] == kind]


def slots(run, opened):
    return {each["slot"]: value(run, each["value"]) for each in opened["inputs"]}


def output(run, closed):
    return value(run, closed["output"])


def only(run, kind="model"):
    ((opened, closed),) = links(run, kind)
    return opened, closed


def all_text(run, tmp_path):
    return run.save(tmp_path / "run.ek.jsonl").read_text("utf-8")
