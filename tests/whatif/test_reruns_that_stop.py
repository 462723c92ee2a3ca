"""A re-run that exits, or cancels itself, is a verdict; a person who stops it is no verdict."""

import asyncio
import sys

import pytest

import explainkit as ek
from tests.whatif.programs import HALF, ask, recorded


def test_a_changed_run_that_exits_is_inconclusive():
    @ek.traced("exits")
    def program(question):
        note = ek.context("note", HALF)
        if "half" not in note:
            sys.exit(4)
        return ask(note)

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "the run with the change raised SystemExit" in found.reason


def test_a_changed_run_that_cancels_itself_is_inconclusive():
    @ek.traced("cancels")
    async def program(question):
        note = ek.context("note", HALF)
        if "half" not in note:
            raise asyncio.CancelledError
        return ask(note)

    asyncio.run(program("q"))
    run = ek.last()
    assert "raised CancelledError" in run.whatif(remove="note").reason
    found = asyncio.run(run.whatif_async(remove="note"))
    assert found.word == "inconclusive"


def test_whoever_asks_may_still_be_cancelled():

    @ek.traced("waits")
    async def program(question):
        note = ek.context("note", HALF)
        if "half" not in note:
            begun.set()
            await asyncio.Event().wait()
        return ask(note)

    begun = asyncio.Event()
    asyncio.run(program("q"))
    run = ek.last()

    async def main():
        asking = asyncio.create_task(run.whatif_async(remove="note"))
        await begun.wait()
        asking.cancel()
        await asking

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(main())
