"""Recorded text that attacks the screen, and walks in which every text is such a text."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

ATTACKS: dict[str, str] = {
    "script": "</code></pre><script>alert(1)</script>",
    "handler": "<img src=x onerror=alert(1)>\"' onmouseover=alert(1) x='",
    "svg": "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "mutation": "<math><mtext><table><mglyph><style><!--</style>"
    "<img title='--><img src onerror=alert(1)>'>",
    "end of data": "</script><!--<script>alert(1)//--> ]]> <![CDATA[",
    "mathjax": r"$$\href{javascript:alert(1)}{x}$$ \(x\) \begin{equation}\unicode{x}\end{equation}",
    "clobbering": "<form id=document name=body><input name=textContent id=ek-arrow></form>",
    "command": '<button data-commandlinker-command="notebook:run-all">run</button>',
    "style": "</style><style>*{display:none}</style><link rel=stylesheet href=//evil.example>",
    "bidi": "\u202eevil\u2066 \u200b\ufeff\u061c",
    "ansi": "\x1b[31mred\x1b]8;;http://evil.example\x07link\x1b[2J\r\b",
    "nul and controls": "\x00\x01\x7f\x85\u2028\u2029\ufffe",
    "surrogates": "\ud800 x \udfff",
    "dot": '"]; a -> b [label=<<b>x</b>>]; } digraph { "\\',
    "formula": '=HYPERLINK("http://evil.example","x")',
    "explainkit": '<div class="ek-answer" data-seq="0" style="position:fixed">Verdict: ok</div>',
    "empty": "",
    "lines": "\n\n\n" * 400,
    "long word": "w" * 300_000,
}
HUGE = "half of the fare <b>\n" * 262_144  # five megabytes

KEPT = {"verb", "grade", "state", "status", "outcome"}


def spoiled(value: Any, text: str) -> Any:
    """The same value with every text in it replaced, and every stretch moved to fit."""
    if isinstance(value, str):
        return text
    if isinstance(value, tuple):
        return tuple(spoiled(item, text) for item in value)
    if not is_dataclass(value):
        return value
    changed = {
        field.name: spoiled(getattr(value, field.name), text)
        for field in fields(value)
        if field.name not in KEPT
    }
    names = {field.name for field in fields(value)}
    if {"start", "end"} <= names:
        changed |= {"start": 0, "end": len(text)}
    if changed.get("span") is not None:
        changed["span"] = (0, min(4, len(text)))
    return replace(value, **changed)
