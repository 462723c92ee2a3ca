"""Saving: the same bytes, whole or not at all, never over something else by accident."""

import os

import pytest

from explainkit.errors import WriteError
from explainkit.store import FileSink, Recording, append_notes, notes_path, save
from explainkit.testing.building import TraceBuilder

REMARK = {"kind": "note", "text": "look"}


@pytest.fixture
def other():
    return Recording.of_lines(TraceBuilder(run="r2").build("answered").lines)


def test_a_damaged_file_is_saved_with_its_damage(claim, tmp_path):
    torn = b"".join(claim.lines)[:-9]
    recording = Recording.of_lines([torn])
    assert save(recording, tmp_path / "new" / "a.ek.jsonl").read_bytes() == torn


def test_another_run_is_not_replaced_unless_asked(claim, other, tmp_path):
    recording = Recording.of_lines(claim.lines)
    path = save(recording, tmp_path / "a.ek.jsonl")
    append_notes(Recording.read(path), [REMARK])
    with pytest.raises(WriteError, match="other content"):
        save(other, path)
    assert len(Recording.read(path)) == len(recording) + 1
    save(other, path, overwrite=True)
    assert Recording.read(path).run == "r2"
    assert not notes_path(path).exists()


def test_the_same_run_can_be_saved_again_with_more(claim, tmp_path):
    path = tmp_path / "a.ek.jsonl"
    whole = Recording.of_lines(claim.lines)
    save(Recording.of_lines(claim.lines[:4]), path)
    save(whole, path)
    save(append_notes(whole, [REMARK]), path)
    save(append_notes(append_notes(whole, [REMARK]), [REMARK]), path)
    save(whole, path)
    assert len(Recording.read(path)) == len(whole) + 2
    with pytest.raises(WriteError, match="holds more of this run"):
        save(Recording.of_lines(claim.lines[:4]), path)


def test_a_run_saved_onto_itself_keeps_its_notes(claim, tmp_path):
    path = save(Recording.of_lines(claim.lines), tmp_path / "a.ek.jsonl")
    append_notes(Recording.read(path), [REMARK])
    save(Recording.read(path), path, overwrite=True)
    save(Recording.read(path, notes=False), path, overwrite=True)
    assert len(list(Recording.read(path).rows("note"))) == 1


def test_a_file_that_is_being_written_is_left_alone(other, tmp_path):
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    for overwrite in (False, True):
        with pytest.raises(WriteError):
            save(other, sink.path, overwrite=overwrite)
    sink.close(0, "answered")
    assert Recording.read(sink.path).run == "r1"


def test_a_failed_save_leaves_nothing_behind(other, tmp_path, monkeypatch):
    def full(_):
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="No space left"):
        save(other, tmp_path / "a.ek.jsonl")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(WriteError):
        save(other, tmp_path / "file" / "a.ek.jsonl")
    with pytest.raises(WriteError, match="no file"):
        save(other, tmp_path)
