"""Reading: the valid prefix of anything that has a header, and typed errors for the rest."""

import os

import orjson
import pytest

from explainkit.errors import (
    DamagedFileError,
    NewerFormatError,
    ReadError,
    UnknownFormatError,
    UnknownRecordError,
    UnsafeFileError,
)
from explainkit.records import Unknown
from explainkit.store import Recording, doctor, save
from explainkit.testing.building import TraceBuilder


def test_a_file_cut_at_every_byte_opens_as_a_valid_prefix(claim, tmp_path):
    whole = b"".join(claim.lines)
    header = len(claim.lines[0]) - 1  # its newline may be missing
    path = tmp_path / "cut.ek.jsonl"
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        if cut < header:
            with pytest.raises(DamagedFileError):
                Recording.read(path)
            continue
        recording = Recording.read(path)
        complete = whole[:cut].count(b"\n")
        kept = [orjson.loads(line) for line in claim.lines[1:complete]]
        assert [recording.raw(seq) for seq in range(len(recording))] == [
            row for row in kept if "kind" in row
        ]
        assert recording.status == "crashed"
        assert recording.head is None
        torn = cut > header + 1 and not whole[:cut].endswith(b"\n")
        assert len(recording.damage) == torn


def test_open_links_of_a_crashed_prefix_are_visible(claim):
    opened = next(n for n, line in enumerate(claim.lines) if b"link_opened" in line)
    recording = Recording.of_lines(claim.lines[: opened + 1])
    assert recording.open_links == (orjson.loads(claim.lines[opened])["seq"],)
    assert Recording.of_lines(claim.lines).open_links == ()


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [
        (b"", DamagedFileError, "is empty"),
        (b'{"explainkit":1,"run":"r', DamagedFileError, "cut or broken"),
        (b'{"explainkit":1}\n', DamagedFileError, "names no run"),
        (b'{"explainkit":2,"run":"r1","name":"n","more":[]}\n', NewerFormatError, "pip install"),
        (b'{"explainkit":"x","run":"r1"}\n', UnknownFormatError, "no known explainkit version"),
        (b'{"explainkit":true,"run":"r1"}\n', UnknownFormatError, "no known explainkit version"),
        (b'[{"role":"user"}]', UnknownFormatError, "not an explainkit file"),
        (b"PK\x03\x04\x00\xff", UnknownFormatError, "not an explainkit file"),
        (b"\x00" * 5000, UnknownFormatError, "not an explainkit file"),
        (b'{"explainkit":1,"notes":"r1","head":"00"}\n', ReadError, "holds the notes"),
    ],
)
def test_what_has_no_header_is_a_typed_error(tmp_path, content, error, said):
    path = tmp_path / "a.ek.jsonl"
    path.write_bytes(content)
    with pytest.raises(error, match=said):
        Recording.read(path)


def test_pipes_folders_and_missing_files_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnsafeFileError):
        Recording.read(tmp_path / "pipe")
    with pytest.raises(UnsafeFileError, match="load_all"):
        Recording.read(tmp_path)
    with pytest.raises(ReadError, match=r"no such file. Look in the folder") as caught:
        Recording.read(tmp_path / "none")
    assert str(tmp_path) in str(caught.value)
    with pytest.raises(ReadError, match="cannot be opened"):
        Recording.read("a\0b")


def damage_of(lines):
    return [str(item) for item in Recording.of_lines(lines).damage]


def test_damage_says_where_and_what(claim):
    lines = list(claim.lines)
    assert damage_of(lines) == []
    assert "record 3 is missing" in damage_of(lines[:4] + lines[5:])[0]
    assert "record 2 stands here again" in damage_of([*lines[:4], lines[3], *lines[4:]])[0]
    assert "after the end line" in damage_of([*lines, b"more\n", b"and more\n"])[0]
    assert "(2 lines left out)" in damage_of([*lines, b"more\n", b"and more\n"])[0]
    assert "no record" in damage_of([*lines[:4], b"{]\n", *lines[4:]])[0]
    assert "the line is cut" in damage_of([b"".join(lines)[:-5]])[0]


def test_an_edit_is_located_between_two_checkpoints(claim):
    check = next(n for n, line in enumerate(claim.lines) if line.startswith(b'{"check"'))
    lines = list(claim.lines)
    lines[2] = lines[2].replace(b"Half", b"Full")
    assert damage_of(lines) == [
        f"line 1: lines 1 to {check + 1} are not what was written: their hash differs"
    ]
    lines = list(claim.lines)
    lines[-3] = lines[-3].replace(b"redactor", b"reviewer")
    between = f"lines {check + 2} to {len(lines)}"
    assert damage_of(lines) == [
        f"line {check + 2}: {between} are not what was written: their hash differs"
    ]
    recording = Recording.of_lines(lines)
    assert (len(recording), recording.head, recording.status) == (
        len(claim.records), None, "answered",
    )  # fmt: skip


def test_where_no_hash_vouches_every_record_is_read_before_it_counts(claim):
    lines = list(claim.lines)
    place = next(n for n, line in enumerate(lines) if b'"override"' in line)
    lines[place] = lines[place].replace(b'"by":"redactor"', b'"by":["redactor"]')
    recording = Recording.of_lines(lines)
    assert [record.kind for record in recording][-1] == "value"
    assert (recording.status, recording.head) == ("crashed", None)
    assert any("cannot be read" in item.reason and item.lost == 3 for item in recording.damage)


def test_unknown_kinds_and_fields_survive_byte_for_byte(tmp_path):
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo", tomorrow={"a": [1, 2.50]})
    built.append("of_tomorrow", anything=[None])
    built.append("kind with spaces", x=1)
    trace = built.build("answered")
    recording = Recording.of_lines(trace.lines)
    assert isinstance(recording[1], Unknown)
    assert recording[0].model_extra == {"tomorrow": {"a": [1, 2.5]}}
    assert [row["kind"] for row in recording.rows("of_tomorrow")] == ["of_tomorrow"]
    assert recording.kind(2) == "kind with spaces"
    assert save(recording, tmp_path / "a.ek.jsonl").read_bytes() == b"".join(trace.lines)


def test_more_kinds_than_codes_are_still_told_apart():
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo")
    for number in range(300):
        built.append(f"k{number}")
    recording = Recording.of_lines(built.build("answered").lines)
    assert recording.kind(300) == "k299"
    assert [row["seq"] for row in recording.rows("k299", "k2")] == [3, 300]
    assert list(recording.rows("k300")) == []


def test_lines_in_another_style_are_parsed_instead(claim):
    styled = [claim.lines[0]]
    for line in claim.lines[1:]:
        row = orjson.loads(line)
        if "kind" in row:
            row = {"at": row.pop("at"), **dict(reversed(row.items()))}
            styled.append(
                orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE).replace(b'":', b'": ')
            )
    recording = Recording.of_lines(styled)
    assert recording.damage == ()
    assert [recording.raw(seq) for seq in range(len(recording))] == claim.records
    assert set(recording.values.digests) == set(claim.contents)


def test_a_file_too_long_for_memory_reads_the_same(claim, tmp_path, monkeypatch):
    path = tmp_path / "a.ek.jsonl"
    path.write_bytes(b"".join(claim.lines))
    short = Recording.read(path)
    for module, name, value in (
        ("source", "IN_MEMORY", 0), ("source", "BLOCK", 64), ("part", "BLOCK", 700),
    ):  # fmt: skip
        monkeypatch.setattr(f"explainkit.store.{module}.{name}", value)
    long = Recording.read(path)
    assert long.head == short.head is not None
    assert list(long) == list(short)
    assert list(long.lines()) == list(short.lines()) == list(claim.lines)
    assert doctor(long) == []
    assert list(long.rows("value")) == list(short.rows("value"))


def test_a_file_that_is_shortened_while_it_is_open_is_a_read_error(claim, tmp_path, monkeypatch):
    path = tmp_path / "a.ek.jsonl"
    path.write_bytes(b"".join(claim.lines))
    monkeypatch.setattr("explainkit.store.source.IN_MEMORY", 0)
    recording = Recording.read(path)
    os.truncate(path, 200)
    with pytest.raises(ReadError, match="was cut while it was open"):
        list(recording)


def test_records_are_asked_for_by_number(claim):
    recording = Recording.of_lines(claim.lines)
    assert recording[0].kind == "run_started"
    assert recording.raw_line(1) == claim.lines[2].rstrip(b"\n")
    for seq in (-1, len(recording)):
        with pytest.raises(UnknownRecordError, match=f"no record {seq}"):
            recording[seq]
    assert "value" not in {row["kind"] for row in recording.rows()}


def test_a_run_that_goes_on_reads_as_running(claim):
    part = [b"".join(claim.lines[:6])[:-3]]
    recording = Recording.of_lines(part, running=True)
    assert (recording.status, recording.damage) == ("running", ())
    assert Recording.of_lines(claim.lines, running=True).status == "answered"


def test_the_answer_is_the_fold_of_its_overrides(claim):
    recording = Recording.of_lines(claim.lines)
    fold = recording.effective()
    assert [(version.version, version.by) for version in fold.versions] == [
        (1, "answer"), (2, "redactor"),
    ]  # fmt: skip
    assert recording.values.text(fold.final.value) == "Half of the fare, says the passenger desk."
    assert not fold.inferred
    assert recording.effective("pick:1") is None
    assert recording.passing == "unlabelled"


def test_without_an_answer_the_last_output_of_a_model_stands_in(claim):
    lines = [
        line for line in claim.lines if not line.startswith((b'{"kind":"answer"', b'{"check"'))
    ]
    place = next(n for n, line in enumerate(lines) if b"link_closed" in line)
    fold = Recording.of_lines(lines[: place + 1]).effective()
    assert fold.inferred
    assert fold.final.by == "model"
    assert Recording.of_lines(lines[:3]).effective() is None


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([("passed", 1)], "unlabelled"),
        ([("failed", 1), ("passed", 2)], "passing"),
        ([("failed", 2), ("passed", 2)], "failing"),
        ([("not-run", 2)], "unlabelled"),
    ],
)
def test_a_stale_verdict_does_not_count(verdicts, expected):
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo")
    built.append("answer", value=built.value("a"))
    built.append("override", from_version=1, value=built.value("b"), by="x")
    for status, version in verdicts:
        built.append("verdict", slot="answer", version=version, status=status)
    assert Recording.of_lines(built.build("answered").lines).passing == expected


def test_a_run_that_ended_on_a_verdict_fails():
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo")
    assert Recording.of_lines(built.build("verdict").lines).passing == "failing"


def wrong_shape():
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo")
    built.append("link_opened", name="x", inputs=5)
    built.append("note", text="x")
    return built.build("answered").lines


def test_a_right_hash_does_not_vouch_for_the_shape_of_records():
    recording = Recording.of_lines(wrong_shape())
    assert (len(recording), recording.status, recording.head) == (1, "crashed", None)
    assert [str(item) for item in recording.damage] == [
        "line 3: record 1 cannot be read (4 lines left out)"
    ]


def test_in_a_long_run_the_shape_of_records_is_left_to_the_doctor(monkeypatch):
    monkeypatch.setattr("explainkit.store.scanning.SHORT", 0)
    recording = Recording.of_lines(wrong_shape())
    assert (len(recording), recording.damage) == (4, ())
    with pytest.raises(DamagedFileError, match="wrong shape"):
        recording[1]
    assert ("shape", 1) in [(problem.law, problem.seq) for problem in doctor(recording)]
