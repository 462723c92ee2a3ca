"""Writing: one system call per recording point, kill-safe, alone, and right after an interrupt."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from random import Random

import orjson
import pytest

from explainkit.errors import WriteError
from explainkit.store import FileSink, MemorySink, Recording


def note(seq: int, text: str = "x") -> bytes:
    return orjson.dumps({"kind": "note", "seq": seq, "at": None, "text": text}) + b"\n"


def test_a_file_and_a_memory_sink_hold_the_same_bytes(tmp_path):
    file = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    memory = MemorySink(run="r1", name="claim")
    for sink in (file, memory):
        for seq in range(3):
            sink.write(note(seq))
        sink.close(3, "answered")
    assert file.lines() == memory.lines()
    assert file.head == memory.head == Recording.read(file.path).head is not None


def test_checkpoints_stand_about_every_megabyte_and_are_right(tmp_path):
    for sink in (
        FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim"),
        MemorySink(run="r1", name="claim"),
    ):
        for seq in range(0, 100, 2):
            sink.write(note(seq, "y" * 50_000) + note(seq + 1))
        sink.close(100, "answered")
        checks = [line for line in sink.lines() if line.startswith(b'{"check"')]
        assert len(checks) == 2
        assert Recording.of_lines(sink.lines()).damage == ()


def test_a_file_is_private_and_its_folders_are_made(tmp_path):
    sink = FileSink(tmp_path / "deep" / "er" / "a.ek.jsonl", run="r1", name="claim")
    assert stat.S_IMODE(sink.path.stat().st_mode) == 0o600


def test_a_second_writer_is_refused_and_told_who_writes(tmp_path):
    path = tmp_path / "a.ek.jsonl"
    first = FileSink(path, run="r1", name="claim")
    with pytest.raises(WriteError, match="being written: run 'r1'"):
        FileSink(path, run="r2", name="other")
    first.write(note(0))
    first.close(1, "answered")
    with pytest.raises(WriteError, match="already holds run 'r1'"):
        FileSink(path, run="r2", name="other")
    assert len(Recording.read(path)) == 1


def test_a_writer_in_another_process_is_noticed_only_while_it_lives(tmp_path):
    path = tmp_path / "a.ek.jsonl"
    program = (
        "import sys, time\nfrom explainkit.store import FileSink\n"
        f"sink = FileSink({str(path)!r}, run='r1', name='claim')\nprint('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout.readline() == b"ready\n"
            with pytest.raises(WriteError, match="being written"):
                FileSink(path, run="r2", name="other")
            assert Recording.read(path).status == "running"
        finally:
            other.kill()
    assert Recording.read(path).status == "crashed"
    with pytest.raises(WriteError, match="already holds"):
        FileSink(path, run="r2", name="other")


def test_an_empty_file_of_a_dead_writer_is_taken(tmp_path):
    path = tmp_path / "a.ek.jsonl"
    path.touch()
    FileSink(path, run="r1", name="claim").close(0, "answered")
    assert Recording.read(path).status == "answered"


def test_a_symbolic_link_is_refused(tmp_path):
    target = tmp_path / "target"
    (tmp_path / "a.ek.jsonl").symlink_to(target)
    with pytest.raises(WriteError, match="symbolic link"):
        FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    assert not target.exists()


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_an_impossible_name_is_a_write_error(tmp_path, name):
    with pytest.raises(WriteError, match="cannot be made"):
        FileSink(tmp_path / name, run="r1", name="claim")


def test_nothing_is_lost_when_the_process_is_killed_after_write(tmp_path):
    path = tmp_path / "a.ek.jsonl"
    program = (
        "import os, signal\nfrom explainkit.store import FileSink\n"
        f"sink = FileSink({str(path)!r}, run='r1', name='claim')\n"
        "for seq in range(500):\n"
        '    sink.write(b\'{"kind":"note","seq":%d,"at":null,"text":"x"}\\n\' % seq)\n'
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    )
    recording = Recording.read(path)
    assert (len(recording), recording.damage, recording.status) == (500, (), "crashed")


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.slow)])
def test_a_kill_at_any_moment_leaves_a_valid_prefix(tmp_path, kills):
    program = (
        "import sys\nfrom explainkit.store import FileSink\n"
        "sink = FileSink(sys.argv[1], run='r1', name='claim')\nprint('ready', flush=True)\n"
        'line = b\'{"kind":"note","seq":%d,"at":null,"text":"%s"}\\n\'\n'
        "for seq in range(10**9):\n"
        "    sink.write(line % (seq, b'x' * 3000))\n"
    )
    moments = Random(20)
    for attempt in range(kills):
        path = tmp_path / f"{attempt}.ek.jsonl"
        command = [sys.executable, "-c", program, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
            other.stdout.readline()
            time.sleep(moments.random() / 20)
            other.kill()
        recording = Recording.read(path)
        assert recording.status == "crashed"
        assert [row["seq"] for row in recording.rows()] == list(range(len(recording)))
        path.unlink()


def test_a_full_disk_leaves_a_valid_prefix_and_the_same_lines_can_come_later(tmp_path, monkeypatch):
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    sink.write(note(0))
    real = os.write
    calls = []

    def full(file, data):
        calls.append(len(data))
        if len(calls) % 2:
            return real(file, bytes(data)[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(WriteError, match="No space left"):
        sink.write(note(1))
    monkeypatch.undo()
    assert len(Recording.read(sink.path)) == 1
    assert Recording.read(sink.path).damage == ()
    sink.write(note(1))
    sink.close(2, "answered")
    assert Recording.read(sink.path).damage == ()
    assert len(Recording.read(sink.path)) == 2


def test_short_writes_are_completed(tmp_path, monkeypatch):
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, bytes(data)[:7]))
    sink.write(note(0))
    sink.close(1, "answered")
    monkeypatch.undo()
    assert Recording.read(sink.path).head == sink.head is not None


@pytest.mark.parametrize("moment", ["before", "torn", "after", "hashed"])
def test_an_interrupt_inside_write_neither_loses_nor_repeats_lines(tmp_path, monkeypatch, moment):
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    sink.write(note(0))
    real = os.write

    def interrupted(file, data):
        if moment == "torn":
            real(file, bytes(data)[:9])
        elif moment == "after":
            real(file, data)
        raise KeyboardInterrupt

    class Interrupting:
        def __init__(self, inner):
            self.inner = inner

        def update(self, data):
            self.inner.update(data)
            raise KeyboardInterrupt

    if moment == "hashed":
        sink._hash = Interrupting(sink._hash)
    else:
        monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sink.write(note(1) + note(2))
    monkeypatch.undo()
    sink.write(note(3))
    sink.close(4, "cancelled")
    recording = Recording.read(sink.path)
    assert recording.damage == ()
    assert [row["seq"] for row in recording.rows()] == [0, 1, 2, 3]
    assert recording.head == sink.head


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_cannot_write_into_its_parents_file(tmp_path):
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    sink.write(note(0))
    child = os.fork()
    if child == 0:
        try:
            sink.write(note(1))
        except WriteError as error:
            os._exit(7 if "forked" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    sink.write(note(1))
    sink.close(2, "answered")
    assert len(Recording.read(sink.path)) == 2
    assert Recording.read(sink.path).damage == ()


def test_a_closed_sink_refuses_lines_and_closes_again_quietly(tmp_path):
    for sink in (
        FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim"),
        MemorySink(run="r1", name="claim"),
    ):
        sink.close(0, "answered")
        head = sink.head
        sink.close(0, "error")
        assert sink.head == head
        with pytest.raises(WriteError, match="closed"):
            sink.write(note(0))


def test_a_sink_that_is_given_up_leaves_its_lock(tmp_path):
    path = tmp_path / "a.ek.jsonl"
    sink = FileSink(path, run="r1", name="claim")
    del sink
    assert Recording.read(path).status == "crashed"


def test_hostile_names_are_kept_as_text(tmp_path):
    name = 'a"\n{"end":{}}\ud800\u2028'
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name=name)
    sink.close(0, "answered")
    assert len(sink.lines()) == 2
    assert Recording.read(sink.path).name == 'a"\n{"end":{}}\\ud800\u2028'
