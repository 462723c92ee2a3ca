"""One set of panels, two dresses: inline styles for sanitizers, classes for the page.

A panel names the *role* of each element. The notebook skin turns a role into an inline style that
JupyterLab's sanitizer keeps; the page skin turns it into a class, because its content policy
refuses inline styles. Without either, tags and words still say everything.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from explainkit.safety import Html, element, shorten
from explainkit.view.palette import AMBER, FAILED, INK, LINE, MUTED, PAPER, PASSED, TINTS, WASH

_SANS = "font-family:system-ui, sans-serif"
_MONO = "font-family:ui-monospace, monospace"
_PLAIN = f"color:{INK};background-color:{PAPER}"
# JupyterLab breaks the lines of a ``pre`` inside words, and what stands in it inherits that.
_WORDS = "word-break:normal;overflow-wrap:break-word"
_CLEAR = "background-color:transparent"
_CARD = f"border:1px solid {LINE};border-radius:6px;padding:10px 12px;margin:8px 0"
_BADGE = "border-radius:3px;padding:0 5px;font-size:12px"

STYLES: dict[str, str] = {
    "board": f"{_PLAIN};{_SANS};font-size:14px;line-height:1.5;padding:16px;"
    f"border:1px solid {LINE};border-radius:8px;max-width:1120px;text-align:left",
    "kicker": f"{_CLEAR};color:{MUTED};font-size:12px;margin:0 0 4px 0",
    "headline": f"{_CLEAR};color:{INK};font-size:18px;line-height:1.35;margin:0 0 12px 0",
    "card": f"{_PLAIN};{_CARD}",
    "answer": f"color:{INK};background-color:{WASH};{_CARD};border-left:4px solid {INK}",
    "label": f"{_CLEAR};color:{MUTED};font-size:12px;font-weight:600",
    "cell": f"{_CLEAR};color:{INK};padding:3px 14px 3px 0;text-align:left;vertical-align:top",
    "text": f"color:{INK};{_CLEAR};{_SANS};font-size:14px;padding:0;white-space:pre-wrap",
    "name": f"color:{INK};{_CLEAR};{_SANS};font-size:14px;padding:0;font-weight:600",
    "note": f"color:{MUTED};{_CLEAR};{_SANS};font-size:12px;padding:0",
    "large": f"color:{INK};{_CLEAR};{_SANS};font-size:18px;padding:0;white-space:pre-wrap",
    "quote": f"color:{INK};background-color:{WASH};{_MONO};font-size:12px;padding:1px 4px;"
    f"white-space:pre-wrap;{_WORDS}",
    "span": f"color:#17202a;background-color:{AMBER};font-weight:600;padding:0 2px",
    "missing": f"color:{INK};{_CLEAR};text-decoration:underline",
    "added": f"color:{PASSED};background-color:#d7f0e5;text-decoration:none;padding:0 2px",
    "removed": f"color:{FAILED};background-color:#fbe1d8;padding:0 2px",
    "skipped": f"color:{MUTED};{_CLEAR};font-size:12px",
    "failed": f"color:{FAILED};{_CLEAR};{_SANS};font-size:14px;padding:0;font-weight:600",
    "passed": f"color:{PASSED};{_CLEAR};font-weight:600",
    "column": "display:inline-block;vertical-align:top;width:49%;min-width:260px;"
    "box-sizing:border-box;padding:0 12px 0 0",
    "heading": f"{_CLEAR};color:{INK};font-size:14px;margin:12px 0 4px 0;font-weight:700",
    "list": f"{_CLEAR};color:{INK};margin:0;padding:0 0 0 22px",
    "item": f"{_CLEAR};color:{INK};margin:0 0 6px 0;padding:0",
    "hop": f"{_CLEAR};color:{INK};margin:0 0 6px 0;padding:0",
    "trail": f"{_CLEAR};color:{INK};margin:0;padding:0 0 0 22px",
    "verb": f"{_CLEAR};color:{INK};font-weight:700",
    "declared": f"{_PLAIN};{_BADGE};border:1px solid {INK}",
    "value": f"{_PLAIN};{_BADGE};border:1px dashed {INK}",
    "exposure": f"{_PLAIN};{_BADGE};border:1px dotted {MUTED}",
    "order": f"{_PLAIN};{_BADGE};border:1px dotted {MUTED}",
    "prompt": f"{_PLAIN};{_MONO};font-size:12px;line-height:1.55;white-space:pre-wrap;"
    f"{_WORDS};border:1px solid {LINE};border-radius:6px;padding:10px 12px;"
    "margin:4px 0;max-height:420px;overflow:auto",
    "number": "user-select:none;-webkit-user-select:none",  # ours, inside of recorded text
    "template": f"color:{MUTED};{_CLEAR}",
    "suspect": f"{_PLAIN};{_CARD};display:inline-block;vertical-align:top;width:31%;"
    "min-width:240px;box-sizing:border-box;margin:4px 8px 4px 0",
    "details": f"{_PLAIN};margin:6px 0;padding:0",
    "summary": f"{_CLEAR};color:{INK};font-weight:600;cursor:pointer",
    "footer": f"{_CLEAR};color:{MUTED};font-size:12px;margin:12px 0 0 0;"
    f"border-top:1px solid {LINE};padding:8px 0 0 0",
} | {
    f"tint{index}": f"color:{INK};background-color:{ground};border-bottom:2px solid {ink}"
    for index, (ground, ink) in enumerate(TINTS)
}


BARE = ("body", "columns", "line", "more", "row", "verdict")
"""Roles that only the page dresses."""


_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff"
_RIGHT_TO_LEFT = re.compile(f"[{_LETTER}]")
_APART = "A-Za-z“”,;:()·←>|"
"""What ends a name in a sentence of ours, unless the name is quoted."""
_RUNS = re.compile(
    f"(?<=“)[^“”]*[{_LETTER}][^“”]*(?=”)|[{_LETTER}](?:[^{_APART}]*[{_LETTER}])?[^{_APART}\\s]*"
)

REMARK = 400
"""Code points of a name or a remark; longer texts are passages, with a limit of their own."""


def isolated(text: str, shown: Html) -> Html:
    """A recorded text that does not reorder what stands beside it.

    An element says so, because sanitizers of notebooks drop the style that would.

    Args:
        text: The recorded text.
        shown: The text as markup.
    """
    return element("bdi", shown) if _RIGHT_TO_LEFT.search(text) else shown


def parted(text: str) -> list[Html | str]:
    """A sentence of ours, each name in it that is written from right to left by itself.

    So what stands around the name stays in its place, and numbers behind it stay behind it.

    Args:
        text: The sentence.
    """
    if not _RIGHT_TO_LEFT.search(text):
        return [text]
    found: list[Html | str] = []
    at = 0
    for run in _RUNS.finditer(text):
        found += [text[at : run.start()], element("bdi", run[0])]
        at = run.end()
    return [each for each in (*found, text[at:]) if each]


@dataclass(frozen=True, slots=True)
class Skin:
    """How a role is dressed.

    Attributes:
        attribute: ``style`` or ``class``.
        dress: Role to attribute value; a role without an entry is left bare.
        title: Tag of what stands above a part; in a notebook headings belong to its author.
    """

    attribute: str
    dress: Mapping[str, str]
    title: str = "div"

    def make(self, tag: str, role: str, *children: Html | str, seq: int | None = None) -> Html:
        """An element of our own: ``tag`` and ``role`` are ours, children are escaped.

        Args:
            tag: Name of the element.
            role: Key of the dress.
            children: What is inside.
            seq: The record that the element speaks of; only the page points at records.
        """
        value = self.dress.get(role)
        attributes = {self.attribute: value} if value else {}
        if seq is not None and self.attribute == "class":
            attributes["data-seq"] = str(seq)
        return element(tag, *children, **attributes)

    def heading(self, *children: Html | str) -> Html:
        """What stands above a part of the board.

        Args:
            children: What is inside.
        """
        return self.make(self.title, "heading", *children)

    def recorded(self, text: str, role: str = "text") -> Html:
        """A recorded name or remark: in ``code``, where no typesetter looks, and not too long."""
        return isolated(text, self.make("code", role, *parted(shorten(text, REMARK))))


NOTEBOOK = Skin("style", STYLES)
PAGE = Skin("class", {role: f"ek-{role}" for role in (*STYLES, *BARE)}, title="h2")
