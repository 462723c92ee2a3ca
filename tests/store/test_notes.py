"""Notes: added after the end, beside a run file that never changes."""

import subprocess
import sys

import orjson
import pytest

from explainkit.errors import ForeignNotesError, WriteError
from explainkit.store import FileSink, Recording, append_notes, doctor, notes_path, save, scanning
from explainkit.testing.building import TraceBuilder

FAILED = {
    "kind": "verdict",
    "slot": "answer",
    "version": 2,
    "status": "failed",
    "judge": "reviewer",
}
REMARK = {"kind": "note", "text": "look at the tariff", "at": 99}


@pytest.fixture
def saved(claim, tmp_path):
    return save(Recording.of_lines(claim.lines), tmp_path / "claim.ek.jsonl")


def test_notes_join_the_run_and_the_run_file_stays_as_it_was(saved, claim):
    recording = Recording.read(saved)
    judged = append_notes(recording, [FAILED, REMARK])
    assert saved.read_bytes() == b"".join(claim.lines)
    assert recording.passing == "unlabelled"
    assert judged.passing == "failing"
    loaded = Recording.read(saved)
    assert [row["seq"] for row in loaded.rows()][-2:] == [len(recording), len(recording) + 1]
    assert loaded[len(recording) + 1].at == 99
    assert (loaded.damage, doctor(loaded), loaded.head) == ((), [], recording.head)
    assert list(loaded) == list(judged)
    assert len(Recording.read(saved, notes=False)) == len(recording)
    assert notes_path(saved).stat().st_mode & 0o777 == 0o600


def test_each_append_goes_on_where_the_last_one_ended(saved):
    old = Recording.read(saved)
    append_notes(old, [REMARK])
    joined = append_notes(old, [FAILED])  # by somebody who has not seen the first
    assert [row["kind"] for row in joined.rows("note", "verdict")] == ["note", "verdict"]
    assert doctor(Recording.read(saved)) == []


def test_notes_of_a_run_in_memory_are_saved_with_it(claim, tmp_path):
    judged = append_notes(append_notes(Recording.of_lines(claim.lines), [FAILED]), [REMARK])
    path = save(judged, tmp_path / "a.ek.jsonl")
    loaded = Recording.read(path)
    assert list(loaded) == list(judged)
    again = Recording.of_lines(list(loaded.lines()), notes=list(loaded.note_lines()))
    assert list(again) == list(judged)
    assert loaded.passing == "failing"


def test_values_can_come_with_notes(claim):
    trace = TraceBuilder()
    trace.value("a better answer")
    row = trace.build().records[0]
    judged = append_notes(Recording.of_lines(claim.lines), [row, REMARK])
    assert judged.values.text(row["digest"]) == "a better answer"
    assert doctor(judged) == []


def test_notes_of_other_content_are_refused_and_the_run_still_opens(saved, claim):
    append_notes(Recording.read(saved), [REMARK])
    saved.write_bytes(b"".join(claim.lines).replace(b"Half", b"Full"))
    recording = Recording.read(saved)
    assert len(recording) == len(claim.records)
    assert any("the notes are left out" in item.reason for item in recording.damage)
    with pytest.raises(ForeignNotesError, match="other content"):
        append_notes(recording, [REMARK])


def test_notes_of_another_run_are_refused(saved, tmp_path):
    other = TraceBuilder(run="r2").build("answered")
    path = save(Recording.of_lines(other.lines), tmp_path / "other.ek.jsonl")
    append_notes(Recording.read(path), [REMARK])
    notes_path(path).rename(notes_path(saved))
    assert "holds no notes of run 'claim-1'" in Recording.read(saved).damage[0].reason
    with pytest.raises(ForeignNotesError):
        append_notes(Recording.read(saved), [REMARK])


def test_edited_notes_are_found_and_not_built_upon(saved):
    append_notes(Recording.read(saved), [REMARK, FAILED])
    notes = notes_path(saved)
    notes.write_bytes(notes.read_bytes().replace(b"failed", b"passed"))
    recording = Recording.read(saved)
    assert "in the notes: lines 1 to 4" in recording.damage[0].reason
    with pytest.raises(WriteError, match="are damaged"):
        append_notes(recording, [REMARK])


def test_what_a_killed_append_left_is_taken_away_by_the_next(saved):
    recording = Recording.read(saved)
    append_notes(recording, [REMARK])
    whole = notes_path(saved).read_bytes()
    for cut in range(len(whole)):
        notes_path(saved).write_bytes(whole[:cut])
        opened = Recording.read(saved)
        assert len(opened) >= len(recording)
        joined = append_notes(opened, [FAILED])
        assert joined.passing == "failing"
        assert doctor(Recording.read(saved)) == []


def test_a_crashed_run_can_be_judged(claim, tmp_path):
    path = tmp_path / "a.ek.jsonl"
    path.write_bytes(b"".join(claim.lines)[:-20])
    judged = append_notes(Recording.read(path), [FAILED])
    assert (judged.status, judged.passing) == ("crashed", "failing")
    assert Recording.read(path).passing == "failing"


def test_a_run_that_goes_on_takes_no_notes(tmp_path):
    sink = FileSink(tmp_path / "a.ek.jsonl", run="r1", name="claim")
    with pytest.raises(WriteError, match="still being written"):
        append_notes(Recording.read(sink.path), [REMARK])


def test_a_note_of_the_wrong_shape_is_not_written(saved):
    with pytest.raises(ValueError, match="status"):
        append_notes(Recording.read(saved), [REMARK, {"kind": "verdict", "status": "brilliant"}])
    assert Recording.read(saved).damage == ()
    assert len(Recording.read(saved)) == len(Recording.read(saved, notes=False))


def test_a_symbolic_link_in_place_of_notes_is_not_followed(saved, tmp_path):
    target = tmp_path / "target"
    notes_path(saved).symlink_to(target)
    with pytest.raises(WriteError, match="cannot be written"):
        append_notes(Recording.read(saved), [REMARK])
    assert not target.exists()


def test_two_processes_that_append_wait_for_each_other(saved):
    program = (
        "import sys\nfrom explainkit.store import Recording, append_notes\n"
        "recording = Recording.read(sys.argv[1])\n"
        "for number in range(20):\n"
        "    append_notes(recording, [{'kind': 'note', 'text': sys.argv[2]}] * 2)\n"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", program, str(saved), who]) for who in ("one", "two")
    ]
    assert [other.wait() for other in others] == [0, 0]
    recording = Recording.read(saved)
    assert (recording.damage, doctor(recording)) == ((), [])
    said = [row["text"] for row in recording.rows("note")]
    assert sorted(said) == ["one"] * 40 + ["two"] * 40
    pairs = list(zip(said[::2], said[1::2], strict=True))
    assert all(first == second for first, second in pairs)


def test_notes_are_plain_lines_with_a_header_and_a_check(saved):
    append_notes(Recording.read(saved), [REMARK])
    rows = [orjson.loads(line) for line in notes_path(saved).read_bytes().splitlines()]
    assert rows[0] == {"explainkit": 1, "notes": "claim-1", "head": Recording.read(saved).head}
    assert list(rows[1])[:3] == ["kind", "seq", "at"]
    assert list(rows[2]) == ["check"]


def test_notes_that_are_appended_one_by_one_are_indexed_as_if_they_were_read_at_once(saved):
    grown = Recording.read(saved)
    for number in range(12):
        rows = [{"kind": "note", "text": f"{number} {at}"} for at in range(number % 3 + 1)]
        grown = append_notes(grown, rows)
        read = Recording.read(saved)
        assert [read.raw(seq) for seq in range(len(read))] == [
            grown.raw(seq) for seq in range(len(grown))
        ]
        for each in ("starts", "lengths", "codes", "lines", "verified", "anchor", "damage"):
            assert getattr(grown._notes.index, each) == getattr(read._notes.index, each)


def test_an_append_reads_only_what_it_adds(saved, monkeypatch):
    looked_at = []
    original = scanning._line

    def line(state, offset, start, text):
        looked_at.append(text)
        return original(state, offset, start, text)

    monkeypatch.setattr(scanning, "_line", line)
    run = append_notes(Recording.read(saved), [{"kind": "note", "text": "first"}])
    for number in range(5):
        looked_at.clear()
        run = append_notes(run, [{"kind": "note", "text": str(number)}])
        assert len(looked_at) == 2  # the record and the check line
