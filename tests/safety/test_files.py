"""Foreign files are read within limits or refused in words, and JSON is read as it is."""

import codecs
import gzip
import io
import json
import math
import os
import socket
import sys
import zipfile
from importlib.util import find_spec

import orjson
import pytest
from hypothesis import given

from explainkit.errors import DamagedFileError, ReadError, UnsafeFileError
from explainkit.safety.files import parse_json, parse_noted, read_bounded
from explainkit.safety.limits import FileLimits
from explainkit.safety.packing import unpacked, zip_members
from tests.safety.values import json_values, same

SMALL = FileLimits(size=10_000, unpacked=50_000, ratio=10, free=1_000, members=3)


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def test_plain_and_packed_files_are_read(tmp_path):
    text = b'{"a": 1}'
    for name, data in {
        "plain": text,
        "empty": b"",
        "one.gz": gzip.compress(text),
        "two.gz": gzip.compress(text[:3]) + gzip.compress(text[3:]),
        "one.zip": zipped(a=text),
    }.items():
        (tmp_path / name).write_bytes(data)
        assert read_bounded(tmp_path / name) == (text if data else b"")


def test_what_is_not_a_plain_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    for name, words in {"pipe": "a pipe", "folder": "a folder", "link": "symbolic link"}.items():
        with pytest.raises(UnsafeFileError, match=words):
            read_bounded(tmp_path / name)
    with pytest.raises(UnsafeFileError, match="a device"):
        read_bounded(type(tmp_path)("/dev/null"))
    with pytest.raises(ReadError, match="cannot be read"):
        read_bounded(tmp_path / "missing")
    with pytest.raises(ReadError, match="cannot be read"):
        read_bounded(tmp_path / "nul\0")


def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert (tmp_path / "s").is_socket()
        with pytest.raises(ReadError):
            read_bounded(tmp_path / "s")


def test_sizes_are_bounded(tmp_path):
    (tmp_path / "big").write_bytes(b"x" * 10_001)
    with pytest.raises(UnsafeFileError, match="10,001 bytes"):
        read_bounded(tmp_path / "big", SMALL)


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zipped(a=data)])
def test_bombs_are_not_unpacked(pack):
    with pytest.raises(UnsafeFileError, match="grows from"):
        unpacked(pack(b"\0" * 40_000), "bomb", SMALL)
    assert unpacked(pack(b"\0" * 900), "fine", SMALL) == b"\0" * 900


def test_members_share_one_limit():
    members = zip_members(zipped(a=b"\0" * 1_500, b=b"\0" * 1_500), "pair", SMALL)
    members["a"]()
    with pytest.raises(UnsafeFileError, match="grows from"):
        members["b"]()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped(a=b"1", b=b"2"), "holds 2 files"),
        (zipped(a=b"", b=b"", c=b"", d=b""), "at most 3"),
        (zipped(**{"../a": b"x"}), "is called"),
        (zipped(**{"/a": b"x"}), "is called"),
    ],
)
def test_archives_that_are_no_single_file_are_refused(data, words):
    with pytest.raises(UnsafeFileError, match=words):
        unpacked(data, "x.zip", SMALL)


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b"x" * 500, mtime=0)[:-6],
        gzip.compress(b"x" * 500, mtime=0)[:20],
        b"\x1f\x8b",
        b"\x1f\x8bxxxxxxxxxxxx",
        zipped(a=b"x" * 500)[:40],
        b"PK\x03\x04",
    ],
)
def test_cut_archives_are_damaged(data):
    with pytest.raises(DamagedFileError, match=r"cut|broken"):
        unpacked(data, "x")


def test_zstd_is_read_or_refused_in_words():
    # A frame that holds the three raw bytes `{}\n`.
    frame = bytes.fromhex("28b52ffd0003190000") + b"{}\n"
    if find_spec("zstandard") or sys.version_info >= (3, 14):
        assert unpacked(frame, "x.zst") == b"{}\n"
    else:
        with pytest.raises(ReadError, match="pip install zstandard"):
            unpacked(frame, "x.zst")


@given(json_values)
def test_json_is_read_exactly_in_every_encoding(value):
    text = json.dumps(value)
    for encoding, mark in {
        "utf-8": codecs.BOM_UTF8,
        "utf-16-le": codecs.BOM_UTF16_LE,
        "utf-16-be": codecs.BOM_UTF16_BE,
        "utf-32-le": codecs.BOM_UTF32_LE,
        "utf-32-be": codecs.BOM_UTF32_BE,
    }.items():
        data = text.encode(encoding)
        assert same(parse_json(mark + data), value)
        if len(text) > 1:
            assert same(parse_json(data), value)


def test_what_is_tolerated_is_said():
    found = parse_noted(b'{"a": NaN, "b": -Infinity, "a": 1e3}')
    assert found.value == {"a": 1e3, "b": -math.inf}
    assert found.notes == (
        "-Infinity is read as a float",
        "NaN is read as a float",
        "duplicate keys: the last one counts",
    )
    assert parse_noted(b'{"a": 1, "a": 2}').notes == ("duplicate keys: the last one counts",)
    assert parse_noted(b'{"a": "\\"x\\\\", "b": "a"}').notes == ()
    assert parse_noted('{"a":1}'.encode("utf-16")).notes == ("encoded as utf-16-le",)


@given(json_values)
def test_no_duplicates_are_claimed_where_there_are_none(value):
    notes = parse_noted(json.dumps(value).encode()).notes
    assert not any("duplicate" in note for note in notes)
    try:
        written = orjson.dumps(value)
    except TypeError:
        return
    assert parse_noted(written).notes == ()


def test_wide_integers_stay_integers():
    assert parse_json(b"[123456789012345678901234567890, 18446744073709551616]") == [
        123456789012345678901234567890,
        2**64,
    ]
    with pytest.raises(UnsafeFileError, match="too long"):
        parse_json(b"1" * 10_000)


@pytest.mark.parametrize("opened", [b"[", b'{"a":', b"[NaN,"])
@pytest.mark.parametrize("depth", [300, 1_500, 200_000])
def test_bombs_of_depth_are_refused(opened, depth):
    closed = {b"[": b"]", b"{": b"}"}[opened[:1]]
    with pytest.raises(UnsafeFileError, match="nested more than 250 deep"):
        parse_json(opened * depth + b"1" + closed * depth)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "line 1, column 1"),
        (b'{"a": 1,\n x}', "line 2, column 2"),
        (b"\xff\xfe\x00", "utf-16-le"),
        (b'{"a": "\xff"}', "byte 7"),
        (b"{} {}", "Extra data"),
        (b"1" + b"\0" * 9, "not JSON|utf"),
    ],
)
def test_what_is_not_json_is_damaged_and_says_where(data, words):
    with pytest.raises(DamagedFileError, match=words):
        parse_json(data, name="x.json")
