"""Texts without what only dresses them, so that a copy is found in other line breaks or escapes."""

import html
import re
import unicodedata
from typing import Final

_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrtbf\"'\\/]))")
_PLAIN: Final = {"n": " ", "r": " ", "t": " ", "b": " ", "f": " "}
_LINE_START: Final = re.compile(r"\n[ \t]*(?:[>#*|-]+[ \t]+)+")


def folded(text: str) -> str:
    r"""A text as it is compared: escapes of JSON and HTML read, case and white space folded.

    Marks at the start of a line, such as those of a quotation, count as white space.

    Args:
        text: A text of any length; it is gone through a fixed number of times.

    Example:
        >>> folded('Half of the\n> FARE') == folded("half of the fare")
        True
        >>> folded(r'{"note": "a \"caf\u00e9\"\nopens"}')
        '{"note": "a "café" opens"}'
    """
    if "\\" in text:
        text = _ESCAPE.sub(_character, text)
    if "&" in text:
        text = html.unescape(text)
    text = unicodedata.normalize("NFKC", _LINE_START.sub(" ", text)).casefold()
    return " ".join(text.split())


def _character(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    return chr(int(code, 16)) if code else _PLAIN.get(escape[3], escape[3])
