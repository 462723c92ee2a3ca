"""The shape of the lines themselves, written and read in one place so that both always agree."""

import re
from dataclasses import dataclass
from typing import Any

import orjson

from explainkit.errors import DamagedFileError, NewerFormatError, UnknownFormatError
from explainkit.safety.labels import fields_json

FORMAT = 1
"""The version that this explainkit writes, and the newest that it reads."""

CHECK_EVERY = 1 << 20
"""Bytes between two check lines: a cut or edit is then located to about 1 MB."""

HEADER_LIMIT = 1 << 20
"""A first line longer than this many bytes is no header."""

LINE_LIMIT = 1 << 30
"""A longer line, in bytes, is no record that explainkit wrote."""

_PREFIX = re.compile(
    rb'\{"kind":"([a-z_]{1,40})","seq":(0|[1-9][0-9]{0,17}),"at":(?:null|-?[0-9]{1,20})'
    rb'(?:,"digest":"([0-9a-f]{40})")?[,}]'
)


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a run file, or of its notes.

    Attributes:
        run: Id of the run.
        name: What the author called it; empty for notes.
        notes: True for a notes file.
        head: For notes: the head of the run that they are about.
    """

    run: str
    name: str = ""
    notes: bool = False
    head: str | None = None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """What a record line says of itself before its content is read."""

    kind: str
    seq: int
    digest: str | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A check line, or the end line when it has a status."""

    records: int
    sha256: str
    status: str | None = None


def plain(text: str) -> str:
    """Replace lone surrogates, which JSON in UTF-8 cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def header_line(run: str, name: str) -> bytes:
    """The first line of a run file."""
    return orjson.dumps({"explainkit": FORMAT, "run": plain(run), "name": plain(name)}) + b"\n"


def notes_header_line(run: str, head: str) -> bytes:
    """The first line of a notes file."""
    return orjson.dumps({"explainkit": FORMAT, "notes": plain(run), "head": head}) + b"\n"


def check_line(records: int, sha256: str) -> bytes:
    """A checkpoint after ``records`` records."""
    return b'{"check":{"records":%d,"sha256":"%s"}}\n' % (records, sha256.encode())


def end_line(records: int, status: str, sha256: str) -> bytes:
    """The last line of a run file."""
    end = {"records": records, "status": plain(status), "sha256": sha256}
    return orjson.dumps({"end": end}) + b"\n"


def record_line(kind: str, seq: int, at: int | None, fields: dict[str, Any]) -> bytes:
    """A record line with its prefix in the promised order."""
    return fields_json({"kind": kind, "seq": seq, "at": at, **fields}) + b"\n"


def read_header(line: bytes, *, name: str) -> Header:
    """Read a first line.

    Args:
        line: The bytes of the line, with or without its newline.
        name: The file's name, for the message.

    Raises:
        NewerFormatError: The version is newer than this explainkit.
        DamagedFileError: The header is cut or broken.
        UnknownFormatError: Anything else.
    """
    try:
        fields = orjson.loads(line)
    except ValueError:
        return _no_header(line, name)
    if not isinstance(fields, dict) or "explainkit" not in fields:
        raise UnknownFormatError(
            f"{name} is not an explainkit file: it starts with {_short(line)}. "
            "Open it with explainkit.load, which also reads other tools' formats."
        )
    _check_version(fields["explainkit"], name)
    run, label, head = fields.get("run"), fields.get("name", ""), fields.get("head")
    if isinstance(run, str) and isinstance(label, str):
        return Header(run, label)
    notes = fields.get("notes")
    if isinstance(notes, str) and isinstance(head, str):
        return Header(notes, notes=True, head=head)
    raise DamagedFileError(
        f"The header of {name} names no run: {_short(line)}. Get the file again from its source."
    )


def _no_header(line: bytes, name: str) -> Header:
    whole = line.endswith(b"\n")
    if not line.strip() and not whole:
        raise DamagedFileError(f"{name} is empty: the run was cut before its header was written.")
    start = b'{"explainkit":'
    # A whole line that is only the beginning, such as "{", starts another tool's JSON.
    if line[: len(start)] == start if whole else line[: len(start)] == start[: len(line)]:
        raise DamagedFileError(
            f"The header of {name} is cut or broken: {_short(line)}. "
            "Get the file again from its source."
        )
    raise UnknownFormatError(
        f"{name} is not an explainkit file: it starts with {_short(line)}. "
        "Open it with explainkit.load, which also reads other tools' formats."
    )


def _check_version(version: object, name: str) -> None:
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise UnknownFormatError(
            f"{name} has no known explainkit version: {str(version)[:40]!r}. "
            f"This explainkit reads version {FORMAT}."
        )
    if version > FORMAT:
        raise NewerFormatError(
            f"{name} was written in format {str(version)[:40]}, and this explainkit reads up to "
            f"{FORMAT}. Run: pip install --upgrade explainkit-jupyter"
        )


def read_line(line: bytes) -> RecordLine | Mark | None:
    """Say what a line after the header is.

    Args:
        line: The bytes of one line without its newline.

    Returns:
        A record's kind, seq and digest, a mark, or None for a line that is neither.
    """
    found = _PREFIX.match(line)
    if found is not None:
        kind, seq, digest = found.groups()
        if (kind == b"value") == (digest is not None) and line[-1:] == b"}":
            word = digest.decode() if digest is not None else None
            return RecordLine(kind.decode(), int(seq), word)
    try:
        fields = orjson.loads(line)
    except ValueError:
        return None
    return _parsed(fields) if isinstance(fields, dict) else None


def _parsed(fields: dict[str, Any]) -> RecordLine | Mark | None:
    kind, seq = fields.get("kind"), fields.get("seq")
    if isinstance(kind, str) and isinstance(seq, int) and not isinstance(seq, bool):
        digest = fields.get("digest") if kind == "value" else None
        if kind == "value" and not (isinstance(digest, str) and _is_digest(digest)):
            return None
        return RecordLine(kind, seq, digest)
    if "kind" in fields:
        return None
    check, end = fields.get("check"), fields.get("end")
    body = end if isinstance(end, dict) else check
    if not isinstance(body, dict):
        return None
    records, sha256, status = body.get("records"), body.get("sha256"), body.get("status")
    if not isinstance(records, int) or not isinstance(sha256, str):
        return None
    if body is end:
        return Mark(records, sha256, status if isinstance(status, str) else "")
    return Mark(records, sha256)


def _is_digest(text: str) -> bool:
    return len(text) == 40 and all(letter in "0123456789abcdef" for letter in text)


def _short(line: bytes) -> str:
    return repr(line[:60].decode("utf-8", "replace")) + ("..." if len(line) > 60 else "")


def split_lines(block: bytes) -> list[bytes]:
    """The lines of a block, each with its newline (a last one without it stays without)."""
    lines = [line + b"\n" for line in block.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def records_after(lines: bytes) -> int:
    """How many records a run holds once these lines, its newest, are written."""
    last = lines[lines.rfind(b"\n", 0, len(lines) - 1) + 1 : len(lines) - 1]
    found = read_line(last)
    return found.seq + 1 if isinstance(found, RecordLine) else 0
