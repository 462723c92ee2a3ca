"""Recorded runs, whole and broken, and two ways to call the command: in process and as a user."""

import os
import subprocess
import sys
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

import explainkit as ek
from explainkit.cli.application import app

QUESTION = "My train was 40 minutes late. What do I get back?"
TARIFF = "Tariff: for a delay below 60 minutes nothing is paid back."
NOTE = "Goodwill campaign: for a delay of 30 minutes or more we pay back half of the fare."
REPLY = "Dear Ms Harlow, for a delay of 40 minutes we pay back half of the fare."
ANSWER = REPLY.replace("Ms Harlow", "the passenger")
START = 1_767_261_600_000_000_000


class Done(NamedTuple):
    """What a call left behind."""

    code: int
    out: str
    err: str


@ek.link(kind="model")
def ask(prompt):
    return REPLY


@ek.link(kind="retrieval")
def retrieve(question):
    return ask_index(question)


@ek.link(kind="tool")
def ask_index(question):
    return "Bicycles travel free."


def clock():
    moments = iter(range(START, START + 10**12, 1_000_000))
    return lambda: next(moments)


def record(folder, name="delay-claim", run_id="claim-1", verdict=True):
    """Record one claim into a file of its own; returns the file."""
    with ek.trace(name, to=folder, question=QUESTION, run_id=run_id, clock=clock()) as run:
        tariff = ek.context("tariff", TARIFF, kind="document", source="tariff.md", why="always on")
        note = ek.context(
            "campaign-note", NOTE, kind="memory", source="memory/2025-12", why="a delay before"
        )
        ek.left_out("old leaflet", "Refunds by cheque.", why="rank 3", how="cut by rank")
        found = retrieve(QUESTION)
        template = "{tariff}\n{note}\n{found}\n\nQ: {q}"
        ek.answer(ask(ek.assemble(template, tariff=tariff, note=note, found=found, q=QUESTION)))
        ek.override(
            lambda text: text.replace("Ms Harlow", "the passenger"),
            by="redactor",
            reason="names stay inside",
        )
    if verdict:
        run.verdict("failed", judge="reviewer", reason="40 minutes is below 60")
    return run.path


@pytest.fixture
def runs_folder(tmp_path):
    return tmp_path / "runs"


@pytest.fixture
def run_file(runs_folder):
    """A run that was recorded live into a file."""
    return record(runs_folder)


@pytest.fixture
def cut_file(run_file, tmp_path):
    """The same run, cut in the middle of a line."""
    path = tmp_path / "cut.ek.jsonl"
    content = run_file.read_bytes()
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-3]) + lines[-3][:20])
    return path


@pytest.fixture(scope="session")
def tau_file(shared_data):
    """A file of another tool with many runs in it."""
    path = shared_data / "recorded" / "tau_bench" / "gpt-4o-airline-even-tasks.json"
    if not path.is_file():
        pytest.skip("the recorded tau-bench runs are not beside this checkout")
    return path


@pytest.fixture
def cli():
    """Call a command in this process."""

    def call(*arguments):
        result = CliRunner().invoke(app, [str(word) for word in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Done(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def shell(repository, tmp_path):
    """Call the command as a user does, in a process of its own and a folder of its own."""

    def call(*arguments, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "explainkit", *map(str, arguments)],
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(repository), **environment},
            timeout=120,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
