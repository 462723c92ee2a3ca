"""A process and all that it starts, from its first moment to the last that is left of it."""

import asyncio
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from explainkit.flow.actors.outcomes import Exited, Outcome, TimedOut
from explainkit.flow.actors.starting import started
from explainkit.flow.actors.tails import Tail
from explainkit.flow.clocks import Clock

GRACE = 2.0
"""Seconds that a process has between being asked to end and being killed."""
_LINGER = 0.5  # seconds for the rest of the output once the process itself has ended
_VANISH = 0.005, 20  # seconds and times that one looks whether a killed group is gone
_CHUNK = 1 << 16
_REST = 1 << 20  # the most that a pipe of Linux holds without privileges


async def run_process(
    argv: Sequence[str],
    *,
    clock: Clock,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str | bytes | None = None,
    timeout: float | None = None,  # noqa: ASYNC109 - its clock is the machine's, and it is no error
    tail: int,
) -> Outcome:
    """Run a program without a shell and tell what became of it.

    A cancellation, and anything else that ends this early, first ends the process and its group.

    Args:
        argv: The program and its arguments.
        clock: Measures the timeout; grace periods are those of the machine that this runs on.
        cwd: The folder that it works in; None for the current one.
        env: Its whole environment; None for this process's own.
        stdin: What it can read; nothing when None.
        timeout: Seconds until it is ended; None for no limit.
        tail: Characters of its output that are kept.
    """
    process = started(argv, cwd=cwd, env=env, stdin=stdin)
    if not isinstance(process, subprocess.Popen):
        return process
    group = _Group(process, Tail(tail))
    try:
        group.follow()
        in_time = await _in_time(group.exited, timeout, clock)
        if in_time:
            await group.rest()
        else:
            await group.end()
    except (asyncio.CancelledError, Exception):
        await group.end()
        raise
    finally:
        group.release()
    text = group.tail.text()
    return Exited(process.wait(), text) if in_time else TimedOut(text)


async def _in_time(exited: asyncio.Future[None], limit: float | None, clock: Clock) -> bool:
    if limit is None:
        await asyncio.shield(exited)
        return True
    alarm = asyncio.ensure_future(clock.sleep(limit))
    try:
        await asyncio.wait({exited, alarm}, return_when=asyncio.FIRST_COMPLETED)
        if not exited.done():
            alarm.result()  # a clock that cannot wait is no timeout
        return exited.done()
    finally:
        alarm.cancel()


class _Group:
    """A running process group.

    Attributes:
        exited: Done when its leader has ended; the leader is not reaped until `release`, so that
            nobody else gets its number while the group is signalled.
        tail: The end of its output.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", tail: Tail) -> None:
        self._process = process
        self._loop = asyncio.get_running_loop()
        assert process.stdout is not None
        self._pipe = process.stdout
        self._released = threading.Event()
        self.tail = tail
        self.exited: asyncio.Future[None] = self._loop.create_future()
        self._closed: asyncio.Future[None] = self._loop.create_future()

    def follow(self) -> None:
        """Begin to read its output and to wait for its end."""
        os.set_blocking(self._pipe.fileno(), False)
        threading.Thread(target=self._wait, name="explainkit-process", daemon=True).start()
        self._loop.add_reader(self._pipe.fileno(), self._read)

    async def rest(self) -> None:
        """Read what is left of the output; who still holds the pipe is not waited for long."""
        await asyncio.wait({self._closed}, timeout=_LINGER)
        for _ in range(0, _REST, _CHUNK):
            if self._closed.done() or not self._read():
                break

    async def end(self) -> None:
        """Ask the group to end, then kill what did not."""
        if self._released.is_set():
            return
        try:
            self._signal(signal.SIGTERM)
            await asyncio.wait({self.exited, self._closed}, timeout=GRACE)
        finally:
            self._signal(signal.SIGKILL)
        await asyncio.wait({self.exited}, timeout=GRACE)
        await self.rest()
        self.release()
        await self._vanished()

    def release(self) -> None:
        """Let go of the pipe and of the process, which is killed if it still runs."""
        if self._released.is_set():
            return
        if not self.exited.done():
            self._signal(signal.SIGKILL)
        self._released.set()
        with suppress(RuntimeError):  # the loop is closed, and reads nothing any more
            self._loop.remove_reader(self._pipe.fileno())
        self._pipe.close()
        if self.exited.done():
            self._process.wait()

    async def _vanished(self) -> None:
        """Wait until no member is left, or only what the system has yet to clear away."""
        pause, times = _VANISH
        for _ in range(times):
            try:
                os.killpg(self._process.pid, 0)
            except OSError:
                return
            await asyncio.sleep(pause)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(OSError):  # nobody is left
            os.killpg(self._process.pid, number)

    def _read(self) -> bool:
        """Read once; tell whether there may be more at once."""
        try:
            data = os.read(self._pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        self.tail.add(data)
        if not data and not self._closed.done():
            self._loop.remove_reader(self._pipe.fileno())
            self._closed.set_result(None)
        return bool(data)

    def _wait(self) -> None:
        if hasattr(os, "waitid"):
            with suppress(ChildProcessError):
                os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        else:  # macOS tells of an end only by reaping
            self._process.wait()
        with suppress(RuntimeError):  # the loop is closed, and nobody asks any more
            self._loop.call_soon_threadsafe(self._tell)
        self._released.wait()
        self._process.wait()

    def _tell(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)
