"""Help, version, usage errors and streams behave as a shell expects."""

import contextlib
import json
import os
import subprocess
import sys

import pytest

import explainkit as ek
from explainkit.cli.application import COMMANDS

NAMES = [name for name, _, _ in COMMANDS]
LIGHT = """
import json, sys
sys.argv = ["explainkit", "--help"]
from explainkit.cli import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_an_example(cli, name):
    done = cli(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"Example: explainkit {name}" in done.out


def test_the_commands_are_the_promised_ones(cli):
    assert "demo ls show prompt backtrack diff view import doctor".split() == NAMES
    out = cli("--help").out
    assert all(f"\n  {name} " in out for name in NAMES)


def test_the_version_is_printed(shell):
    done = shell("--version")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("explainkit")


@pytest.mark.parametrize(
    "arguments",
    [("fly",), ("--fly",), ("show",), ("show", "a", "b"), ("show", "a", "--fly"), ("ls", "--run")],
)
def test_wrong_usage_ends_with_two(shell, arguments):
    done = shell(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Usage: explainkit" in done.err


def test_help_loads_nothing_heavy(repository):
    command = [sys.executable, "-c", LIGHT]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    heavy = {"pandas", "numpy", "networkx", "pydantic", "orjson", "rich.console", "IPython"}
    assert "Usage: explainkit" in done.stdout
    assert loaded & heavy == set()


def test_a_reader_who_leaves_ends_the_command_quietly(repository, tmp_path):
    with ek.trace("long", to=tmp_path, run_id="long") as run:
        ek.answer("line\n" * 400_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "explainkit", "show", str(run.path)],
        cwd=repository,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    first = process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert first.startswith(b"Run long")
    assert err == b""


def _on_a_terminal(arguments, cwd, stream="stdout", **environment):
    """Call with one stream on a terminal; returns what went to the other one and to it."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "TERM"}}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: theirs}
    process = subprocess.Popen(
        [sys.executable, "-m", "explainkit", *map(str, arguments)],
        cwd=cwd,
        env={**kept, "TERM": "xterm", **environment},
        **streams,
    )
    os.close(theirs)
    parts = []
    with contextlib.suppress(OSError):  # the end of a pseudo-terminal on Linux
        while part := os.read(ours, 65_536):
            parts.append(part)
    os.close(ours)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    other = err if out is None else out
    return other.decode(), b"".join(parts).decode().replace("\r\n", "\n")


def test_colour_only_on_a_terminal_that_wants_it(repository, shell, run_file):
    _, coloured = _on_a_terminal(("ls", run_file), repository)
    _, plain = _on_a_terminal(("ls", run_file), repository, NO_COLOR="1")
    assert "\x1b[1m" in coloured
    assert "\x1b" not in plain
    assert plain == shell("ls", run_file, NO_COLOR="", TERM="xterm").out


def test_a_bar_on_a_terminal_leaves_stdout_alone(repository, tau_file, tmp_path):
    arguments = ("import", tau_file, "-o", tmp_path / "tau")
    out, shown = _on_a_terminal(arguments, repository, stream="stderr")
    assert len(out.splitlines()) == 100
    assert "\x1b" not in out
    assert "100%" in shown


def test_output_is_utf8_whatever_the_locale(shell, tmp_path):
    with ek.trace("käse", to=tmp_path, run_id="käse-1") as run:
        ek.answer("ein Stück Käse 🧀")
    done = shell("show", run.path, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.code == 0
    assert "ein Stück Käse 🧀" in done.out
