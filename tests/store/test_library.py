"""A folder is a library: listing reads the ends of files only, and nothing in it is fatal."""

import os

import pytest

from explainkit.errors import ReadError, UnknownRecordError
from explainkit.store import (
    FileSink,
    Recording,
    append_notes,
    find,
    library,
    notes_path,
    runs,
    save,
)
from explainkit.testing.building import TraceBuilder


def kept(folder, name, *, run, at=None, status="answered", verdict=None, filler=0, question="Why?"):
    built = TraceBuilder(run=run, name=name)
    asked = built.value(question)
    built.append("run_started", at=at, run=run, name=name, question=asked)
    for number in range(filler):
        built.append("context", name="c", value=built.value(f"{number} " + "z" * 10_000))
    built.append("answer", value=built.value("because"))
    built.append("override", from_version=1, value=built.value("thus"), by="x")
    if verdict:
        built.append("verdict", slot="answer", version=verdict[1], status=verdict[0])
    return save(Recording.of_lines(built.build(status).lines), folder / f"{name}.ek.jsonl")


def test_runs_are_listed_by_start_and_name_with_what_they_are(tmp_path):
    kept(tmp_path, "late", run="c", at=9, verdict=("failed", 2))
    kept(tmp_path, "early", run="a", at=1, verdict=("failed", 1), filler=60)
    kept(tmp_path, "b-undated", run="b", status="verdict")
    kept(tmp_path, "a-undated", run="d", verdict=("passed", 2))
    listed = runs(tmp_path)
    assert [(info.name, info.run, info.status, info.started, info.verdict) for info in listed] == [
        ("early", "a", "answered", 1, "unlabelled"),
        ("late", "c", "answered", 9, "failing"),
        ("a-undated", "d", "answered", None, "passing"),
        ("b-undated", "b", "verdict", None, "failing"),
    ]
    for info in listed:
        recording = Recording.read(info.path)
        assert (info.records, info.verdict) == (len(recording), recording.passing)
        assert info.question == "Why?"


def test_a_long_file_is_not_read_in_full(tmp_path, monkeypatch):
    kept(tmp_path, "long", run="a", filler=600)
    read = []
    real = library.open_source

    def watched(path):
        source = real(path)
        inner = source.read

        class Watched:
            size = source.size

            def read(self, start, end):
                read.append(end - start)
                return inner(start, end)

        return Watched()

    monkeypatch.setattr(library, "open_source", watched)
    assert runs(tmp_path)[0].status == "answered"
    assert sum(read) < 2_000_000 < (tmp_path / "long.ek.jsonl").stat().st_size


def test_verdicts_in_notes_count(tmp_path):
    path = kept(tmp_path, "a", run="a")
    verdict = {"kind": "verdict", "slot": "answer", "version": 2, "status": "passed"}
    joined = append_notes(Recording.read(path), [verdict])
    [info] = runs(tmp_path)
    assert (info.verdict, info.records) == ("passing", len(joined))


def test_unreadable_files_are_listed_as_damaged(tmp_path):
    kept(tmp_path, "good", run="a", at=1)
    (tmp_path / "empty.ek.jsonl").touch()
    (tmp_path / "foreign.ek.jsonl").write_bytes(b"\x00\xff\n" * 9)
    (tmp_path / "newer.ek.jsonl").write_bytes(b'{"explainkit":7,"run":"r"}\n')
    (tmp_path / "folder.ek.jsonl").mkdir()
    (tmp_path / "link.ek.jsonl").symlink_to("/etc/hostname")
    (tmp_path / "wrong.ek.jsonl").write_bytes(b'{"explainkit":1,"notes":"r","head":""}\n')
    os.mkfifo(tmp_path / "pipe.ek.jsonl")
    (tmp_path / 'x"><script>\n\x1b[31m.ek.jsonl').touch()
    os.close(os.open(os.fsencode(tmp_path) + b"/\xff.ek.jsonl", os.O_CREAT))
    (tmp_path / "other.txt").touch()
    listed = runs(tmp_path)
    assert [info.name for info in listed if info.status != "damaged"] == ["good"]
    assert len(listed) == 10
    assert all(info.problem for info in listed if info.status == "damaged")


def test_crashed_and_running_runs_are_told_apart(tmp_path):
    sink = FileSink(tmp_path / "live.ek.jsonl", run="live", name="live")
    path = kept(tmp_path, "dead", run="dead")
    path.write_bytes(path.read_bytes()[:-200])
    assert {info.name: info.status for info in runs(tmp_path)} == {
        "live": "running", "dead": "crashed",
    }  # fmt: skip
    sink.close(0, "answered")


def test_hostile_notes_do_not_hide_a_run(tmp_path):
    path = kept(tmp_path, "a", run="a")
    notes_path(path).write_bytes(b"\x00" * 100)
    assert runs(tmp_path)[0].status == "answered"
    notes_path(path).unlink()
    notes_path(path).mkdir()
    assert runs(tmp_path)[0].status == "answered"
    assert "the notes are left out" in Recording.read(path).damage[0].reason


def test_a_run_is_found_by_its_id_or_its_beginning(tmp_path):
    for run in ("abc", "abd", "ab"):
        kept(tmp_path, f"n-{run}", run=run)
    assert find(tmp_path, "ab").run == "ab"
    assert find(tmp_path, "abc").name == "n-abc"
    with pytest.raises(UnknownRecordError, match="3 runs"):
        find(tmp_path, "a")
    with pytest.raises(UnknownRecordError, match="No run"):
        find(tmp_path, "x")
    with pytest.raises(UnknownRecordError, match="No run"):
        find(tmp_path, "")


def test_a_folder_that_is_none(tmp_path):
    assert runs(tmp_path) == []
    with pytest.raises(ReadError, match="cannot be read"):
        runs(tmp_path / "none")


@pytest.mark.parametrize("folder", ["a\0b", "x" * 5_000, ""])
def test_a_name_that_no_system_takes_is_an_unreadable_folder(folder):
    with pytest.raises(ReadError, match="cannot be read"):
        runs(folder)
