"""Whatever the file is, a command ends with a message and 1, never with a traceback."""

import os

import pytest

COMMANDS = {
    "ls": (),
    "show": (),
    "prompt": (),
    "backtrack": (),
    "import": ("-o", "out.ek.jsonl"),
    "doctor": (),
}
BROKEN = {
    "empty": (b"", "is empty"),
    "binary": (bytes(range(256)) * 40, "binary"),
    "newer": (b'{"explainkit":999,"run":"r","name":"n"}\n', "was written in format 999"),
    "half a header": (b'{"explainkit":1,"ru', "header"),
    "unknown json": (b'{"weather": "rain"}', "no recorded run that explainkit knows"),
    "not json": (b"dear diary\n", "not JSON"),
    "deep": (b"[" * 200_000, "deep"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_explained(cli, tmp_path, monkeypatch, command, kind):
    monkeypatch.chdir(tmp_path)
    content, words = BROKEN[kind]
    path = tmp_path / f"{kind.replace(' ', '-')}.json"
    path.write_bytes(content)
    done = cli(command, path, *COMMANDS[command])
    assert (done.code, done.out) == (1, "")
    assert words in done.err or path.name in done.err
    assert "fault of explainkit" not in done.err
    assert not (tmp_path / "out.ek.jsonl").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file_is_explained(cli, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    done = cli(command, tmp_path / "missing.ek.jsonl", *COMMANDS[command])
    assert (done.code, done.out) == (1, "")
    assert "missing.ek.jsonl" in done.err


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "ls"])
def test_a_folder_is_no_file(cli, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    done = cli(command, tmp_path, *COMMANDS[command])
    assert (done.code, done.out) == (1, "")
    assert str(tmp_path) in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_does_not_hold_the_command_for_ever(shell, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = shell("show", tmp_path / "pipe")
    assert (done.code, done.out) == (1, "")
    assert "not a plain file" in done.err


def test_a_file_that_may_not_be_read_is_explained(shell, run_file):
    run_file.chmod(0)
    if os.access(run_file, os.R_OK):
        run_file.chmod(0o600)
        pytest.skip("this user may read every file")
    done = shell("show", run_file)
    assert done.code == 1
    assert "Permission denied" in done.err


@pytest.mark.parametrize("part", [0.0, 0.1, 0.35, 0.6, 0.85, 0.99])
@pytest.mark.parametrize("command", ["ls", "show", "prompt", "backtrack", "doctor"])
def test_a_file_cut_anywhere_never_breaks_a_command(cli, run_file, command, part):
    content = run_file.read_bytes()
    run_file.write_bytes(content[: int(len(content) * part)])
    done = cli(command, run_file)
    assert done.code in {0, 1}
    assert "fault of explainkit" not in done.err
    assert done.code == 0 or done.err or command == "doctor"


def test_a_fault_of_our_own_is_one_line(cli, run_file, monkeypatch):
    def broken(*_args, **_options):
        raise KeyError("half\x1b[31m")

    monkeypatch.setattr("explainkit.session.load", broken)
    monkeypatch.delenv("EXPLAINKIT_STRICT")
    done = cli("show", run_file)
    assert (done.code, done.out) == (1, "")
    assert "fault of explainkit (KeyError" in done.err
    assert "EXPLAINKIT_STRICT=1" in done.err
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err


def test_strict_shows_a_fault_of_our_own(cli, run_file, monkeypatch):
    def broken(*_args, **_options):
        raise KeyError("half")

    monkeypatch.setattr("explainkit.session.load", broken)
    monkeypatch.setenv("EXPLAINKIT_STRICT", "1")
    with pytest.raises(KeyError, match="half"):
        cli("show", run_file)
