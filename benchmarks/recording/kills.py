"""Kills a recording process at random moments and opens what it left.

Run: python benchmarks/recording/kills.py [kills]

A child announces each link on a pipe after it returned; it is then killed with SIGKILL. Every file
must open as a valid prefix, and every announced link must be in it.
"""

import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import explainkit as ek
from explainkit.store import Recording, doctor

TEXT = "The quick brown fox jumps over the lazy dog and sleeps. " * 18


@ek.link(kind="model")
def step(number: int, prompt: str) -> str:
    """A short link with about 1 KB in and out."""
    return f"{number}: {prompt[::-1]}"


def child(folder: str, pipe: int) -> None:
    """Record links until killed; say on the pipe which one has returned."""
    with ek.trace("killed", to=folder, run_id="killed"):
        for number in range(10**9):
            step(number, f"{number} {TEXT}")
            os.write(pipe, b"%d\n" % number)


def one_kill(delay: float) -> tuple[int, list[str]]:
    """Kill a child after ``delay`` seconds.

    Returns:
        How many announced links the file lacks, and what ``doctor`` finds beside the missing end.
    """
    with tempfile.TemporaryDirectory() as folder:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            child(folder, write)
        os.close(write)
        os.read(read, 1)  # the first link has returned
        time.sleep(delay)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        with os.fdopen(read) as lines:
            announced = 1 + sum(1 for line in lines if line.endswith("\n"))
        recording = Recording.read(Path(folder) / "killed.ek.jsonl")
        closed = sum(1 for _ in recording.rows("link_closed"))
        assert recording.status == "crashed", recording.status
        return max(0, announced - 1 - closed), [problem.message for problem in doctor(recording)]


def main(kills: int = 200) -> None:
    """Kill as often as asked, at moments drawn from a fixed seed."""
    chance = random.Random(7)
    results = [one_kill(chance.random() * 0.08) for _ in range(kills)]
    print(f"{kills} kills: {sum(1 for lost, _ in results if lost)} files lack an announced link")
    found = Counter(re.sub(r"\d+", "N", each) for _, messages in results for each in messages)
    print("findings of the doctor, numbers left out:", dict(found) or "none")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
