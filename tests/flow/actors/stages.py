"""What a test starts effects with, and how it looks at processes that should be gone."""

import asyncio
import os
from pathlib import Path

from explainkit.flow.actors.protocols import Stage
from explainkit.flow.clocks import SystemClock


def stage(given=None, *, clock=None, folder=None):
    return Stage("effect", given, clock or SystemClock(), folder)


def done(effect, given=None, **kwargs):
    """The output of an effect."""
    return asyncio.run(effect.work(stage(given, **kwargs)))


def is_running(pid):
    """Whether a process runs; one that ended and was not cleared away yet does not."""
    status = Path("/proc", str(pid), "stat")
    if not status.parent.parent.joinpath("self").exists():
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True
    try:
        return status.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


async def written(path):
    """The text of a file, once another process has written a whole line."""
    await _until(lambda: path.exists() and path.read_text().endswith("\n"))
    return path.read_text()


async def gone(*pids):
    """Wait until none of these processes runs."""
    await _until(lambda: not any(is_running(pid) for pid in pids))


async def _until(holds):
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - another process cannot set an event of this loop
            await asyncio.sleep(0.005)
