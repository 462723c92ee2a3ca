"""What secrets look like: one gate in Rust that says no quickly, and detectors that say where.

Every detector starts at a literal anchor and reads a bounded distance (or a run that is read
once), so finding is linear in the text whatever the text is.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pydantic_core import SchemaValidator, core_schema

from explainkit.safety.assigned import ASSIGNMENT_GATE, assignments
from explainkit.safety.spans import Span


class _Shape(NamedTuple):
    """A secret recognised by its first characters."""

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]
    accept: Callable[[str], bool] | None = None


# Not inside a longer word. A `\n` written with two characters, as in JSON inside a text, is a
# boundary too.
_LEFT = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"


def _has_digit(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _token(kind: str, *anchors: str, rest: str, digit: bool = False) -> _Shape:
    heads = "|".join(map(re.escape, anchors))
    pattern = re.compile(f"{_LEFT}(?P<secret>(?:{heads}){rest})")
    return _Shape(kind, anchors, pattern, _has_digit if digit else None)


_WORD = "[A-Za-z0-9_-]"
# No possessive groups: CPython before 3.11.4 ends them too early, and a key would stay in part.
_PEM = re.compile(
    r"(?P<secret>-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]|-(?!----))*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\\[nr]|\s)*[A-Za-z0-9+/=]{16,})*))"
)
_USERINFO = re.compile(
    r"://[^\s/:@?#\"'<>\\]{0,256}:(?!\[redacted:)(?P<secret>[^\s/@\"'<>\\]{1,256})@"
)
_BEARER = re.compile(
    r"(?<![A-Za-z0-9])(?:[Bb]earer|BEARER)[ \t]{1,8}(?P<secret>[A-Za-z0-9._~+/-]{12,}=*)"
)

SHAPES: tuple[_Shape, ...] = (
    _token("api-key", "sk-", rest=_WORD + "{16,}", digit=True),
    _token("api-key", "sk_live_", "sk_test_", "rk_live_", "rk_test_", rest="[A-Za-z0-9]{16,}"),
    _token("api-key", "gsk_", "hf_", "npm_", rest="[A-Za-z0-9]{30,}"),
    _token("api-key", "AIza", rest=_WORD + "{35,}"),
    _token("github-token", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", rest="[A-Za-z0-9]{20,}"),
    _token("github-token", "github_pat_", rest="[A-Za-z0-9_]{22,}"),
    _token("gitlab-token", "glpat-", rest=_WORD + "{20,}"),
    _token("aws-key", "AKIA", "ASIA", rest="[0-9A-Z]{16}(?![A-Za-z0-9])"),
    _token("slack-token", "xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-",
           rest="[A-Za-z0-9-]{10,}"),
    _token("jwt", "eyJ", rest=_WORD + r"{8,}\.eyJ" + _WORD + r"{8,}(?:\." + _WORD + "*)?"),
    _Shape("private-key", ("-----BEGIN ",), _PEM),
    _Shape("url-password", ("://",), _USERINFO),
    _Shape("bearer", ("Bearer", "bearer", "BEARER"), _BEARER, _has_digit),
)  # fmt: skip

_SHAPE_GATE = (
    r"(?:sk-|[sr]k_|gsk_|hf_|npm_|gh[opsur]_|github_pat_|glpat-|AIza|A[KS]IA|xox|eyJ)"
    r"[A-Za-z0-9_-]{10}"
    r"|-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY"
    r"|://[^\s/:@?#\"'<>\\]{0,256}:[^\s/@\"'<>\\]{1,256}@"
    r"|(?:[Bb]earer|BEARER)[ \t]{1,8}[A-Za-z0-9._~+/-]{12}"
)


def gate(pattern: str) -> Callable[[str], bool]:
    """Return a predicate that searches a text with a regular expression in Rust.

    It is false for a text that UTF-8 cannot hold, which callers must look at themselves.
    """
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    found: Callable[[str], bool] = SchemaValidator(schema).isinstance_python
    return found


# Two gates, because one would have more literals than the fast search of the engine takes.
may_be_shaped = gate(_SHAPE_GATE)
may_be_assigned = gate(ASSIGNMENT_GATE)


def shaped(text: str) -> Iterator[Span]:
    """Yield the stretches of a text that are shaped like secrets."""
    for shape in SHAPES:
        for anchor in shape.anchors:
            yield from _found(text, shape, anchor)
    yield from assignments(text)


def _found(text: str, shape: _Shape, anchor: str) -> Iterator[Span]:
    at = text.find(anchor)
    while at >= 0:
        match = shape.pattern.match(text, at)
        if match is None:
            at = text.find(anchor, at + 1)
            continue
        start, end = match.span("secret")
        if shape.accept is None or shape.accept(text[start:end]):
            yield Span(start, end, shape.kind, text[start:end])
        at = text.find(anchor, end)
