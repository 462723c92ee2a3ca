"""Secrets given away by the name before them: ``password=…``, ``"api_key": "…"``, ``Cookie: …``."""

import heapq
import re
from collections.abc import Iterator

from explainkit.safety.secret_names import secret_kind
from explainkit.safety.spans import MARK, Span

_STEMS = ("passw", "passph", "passcode", "pwd", "secret", "token", "credential", "authoriz",
          "cookie", "sessi", "jwt")  # fmt: skip
_PREFIXES = ("api", "access", "private", "signing", "encryption")


def _forms(*stems: str) -> tuple[str, ...]:
    return tuple(form for stem in stems for form in (stem, stem.capitalize(), stem.upper()))


_ANCHORS = (*_forms(*_STEMS), *_forms("key"))
# After a name: closing quote, separator, opening quote, four characters of a value.
_TAIL_GATE = (
    r"[A-Za-z0-9_-]{0,48}\\{0,3}[\"'`]?[ \t]{0,4}[:=][=>]?[ \t]{0,4}\\{0,3}[\"'`]?"
    r"[^\s\"'`\\]{3}"
)
# The wide class after a prefix keeps the literals few: beyond 64 the search loses its fast start.
ASSIGNMENT_GATE = (
    f"(?:{'|'.join(_forms(*_STEMS))}|(?:{'|'.join(_forms(*_PREFIXES))})[A-Za-z _-]?(?:[kK]ey|KEY))"
    f"{_TAIL_GATE}|(?:key|Key|KEY)=[A-Za-z0-9+/_-]{{20}}"
)

_NAME = re.compile(r"[A-Za-z0-9_-]{0,48}")
_BEFORE = re.compile(r"[A-Za-z0-9_-]")
_FARTHEST = 48
_REREAD = 256
_VALUE = re.compile(
    r"\\{0,3}[\"'`]?[ \t]{0,4}(?::|=)[=>]?[ \t]{0,4}"
    r"(?:(?P<slashes>\\{0,3})(?P<quote>[\"'`])(?P<scheme1>(?:[Bb]earer|[Bb]asic|[Tt]oken)[ ]+)?"
    r"(?P<quoted>[^\"'`\\\n]{4,})"
    r"|(?P<scheme2>(?:[Bb]earer|[Bb]asic|[Tt]oken)[ ]+)?(?P<bare>[^\s\"'`\\,;(){}<>&|]{4,}))"
)
_COOKIES = re.compile(
    r"(?P<quoted>(?!))?\\{0,3}[\"'`]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}[\"'`]?"
    r"(?P<bare>[^\"'`\\\n]{4,})"
)
_DULL = frozenset(
    "none null true false string str text undefined required optional redacted example password "
    "secret token hidden masked your_api_key changeme empty".split()
)
_HOLLOW = (
    "${",
    "$(",
    "{",
    "<",
    "%(",
    "%s",
    "***",
    "...",
    "xxx",
    "XXX",
    "your",
    "YOUR",
    "Your",
    MARK,
)


def assignments(text: str) -> Iterator[Span]:
    """Yield the values in a text that stand after the name of a secret."""
    done = 0
    for at in _candidates(text):
        if at < done:
            continue
        start, end = _name_around(text, at)
        name = text[start:end]
        kind = secret_kind(name)
        bare_key = kind is None and name.lower() == "key"
        if bare_key and text[max(0, start - 4) : start].lower() == "api ":
            kind, bare_key = "api-key", False
        # Other stems in the same name, and in a long value that was refused, say nothing new.
        done = end
        if kind is not None or bare_key:
            span, stop = _value_after(text, end, kind)
            if span is not None or stop - end > _REREAD:
                done = stop
            if span is not None:
                yield span


def _candidates(text: str) -> Iterator[int]:
    """Yield where a stem of a secret's name stands, in order."""
    stems = [stem for stem in _ANCHORS if stem in text]
    return heapq.merge(*(_places(text, stem) for stem in stems))


def _places(text: str, stem: str) -> Iterator[int]:
    at = text.find(stem)
    while at >= 0:
        yield at
        at = text.find(stem, at + len(stem))


def _name_around(text: str, at: int) -> tuple[int, int]:
    start = at
    while start > 0 and at - start < _FARTHEST and _BEFORE.match(text, start - 1):
        start -= 1
    # The `n` of a two-character `\n` belongs to the line break, not to the name.
    if 0 < start < at and text[start - 1] == "\\" and text[start] in "nrt":
        start += 1
    match = _NAME.match(text, at)
    return start, match.end() if match else at


def _value_after(text: str, end: int, kind: str | None) -> tuple[Span | None, int]:
    """Return the secret after a name, or ``None``, and how far was read."""
    match = (_COOKIES if kind == "cookie" else _VALUE).match(text, end)
    if match is None:
        return None, end
    quoted = match["quoted"] is not None
    start, stop = match.span("quoted" if quoted else "bare")
    value = text[start:stop]
    if value.startswith(_HOLLOW) or value.lower() in _DULL:
        return None, stop
    scheme = kind == "authorization" and match["scheme1" if quoted else "scheme2"] is not None
    if not _accepted(value, kind, quoted=quoted) and not (scheme and len(value) >= 8):
        return None, stop
    return Span(start, stop, kind or "api-key", value), stop


def _accepted(value: str, kind: str | None, *, quoted: bool) -> bool:
    if kind is None:
        return _dense(value)
    if kind == "cookie":
        return "=" in value
    if quoted and kind not in {"token", "authorization", "session"}:
        return not any(letter.isspace() for letter in value)
    if kind == "password" and len(value) >= 6 and value.isdigit():
        return True
    return _strong(value)


def _strong(value: str) -> bool:
    """Letters and digits mixed, or long without being words."""
    if len(value) < 6 or any(letter.isspace() for letter in value):
        return False
    digits = sum(letter.isdigit() for letter in value)
    letters = sum(letter.isalpha() for letter in value)
    if digits and letters:
        return len(set(value)) >= 4
    return letters >= 20 and value.isalnum()


def _dense(value: str) -> bool:
    """Upper case, lower case and digits together: not a word, an id in hex or a UUID."""
    return (
        len(value) >= 24
        and any(letter.islower() for letter in value)
        and any(letter.isupper() for letter in value)
        and any(letter.isdigit() for letter in value)
    )
