"""Texts cut for display, for a spreadsheet, for a graph label: always said, never by surprise."""

import re

from explainkit.safety.symbols import visible

_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?%?")
_FORMULA = frozenset("=+-@\t\r\n|\uff1d\uff0b\uff0d\uff20")
_LABEL = 120


def shorten(text: str, limit: int) -> str:
    """Return at most about ``limit`` characters of a text, with a mark that counts what is cut.

    The beginning and the end are kept. The mark itself comes on top when the limit is smaller
    than it. What hides, moves or controls is shown by a symbol, as ``visible`` does: the result
    stands in messages that a terminal prints.

    Args:
        text: Any text.
        limit: Code points to show, the mark included.

    Example:
        >>> shorten("half of the fare " * 10, 40)
        'half of the fare h … 144 more … he fare '
    """
    if len(text) <= limit:
        return visible(text)
    room = max(limit - len(f" … {len(text):,} more … "), 1)
    head = room - room // 3
    tail = room - head
    end = text[len(text) - tail :] if tail else ""
    return visible(f"{text[:head]} … {len(text) - head - tail:,} more … {end}")


def shorten_at_words(text: str, limit: int) -> str:
    """Return a quotation of at most about ``limit`` characters that ends and begins with words.

    As ``shorten``, and no word is cut in two, unless it is longer than half of what is shown.

    Args:
        text: Any text.
        limit: Code points to show, the mark included.

    Example:
        >>> shorten_at_words("half of the fare " * 10, 40)
        'half of the fare … 149 more … fare'
    """
    if len(text) <= limit:
        return visible(text)
    room = max(limit - len(f" … {len(text):,} more … "), 1)
    tail = room // 3
    head = _end_of_words(text, room - tail)
    begin = len(text) - _end_of_words(text[::-1], tail)
    first, last = text[:head].rstrip(), text[begin:].lstrip()
    return visible(f"{first} … {len(text) - len(first) - len(last):,} more … {last}".rstrip())


def _end_of_words(text: str, at: int) -> int:
    """Where the last whole word before a place ends."""
    if text[at : at + 1].isspace():
        return at
    return next((back for back in range(at, at // 2, -1) if text[back - 1].isspace()), at)


def formula_safe(cell: str) -> str:
    """Return a cell of a CSV table that no spreadsheet takes for a formula.

    Example:
        >>> formula_safe("=1+1"), formula_safe("-12.5")
        ("'=1+1", '-12.5')
    """
    start = cell.lstrip(" ")[:1]
    if (start in _FORMULA and start) or cell[:1] in _FORMULA:
        return cell if _NUMBER.fullmatch(cell) else f"'{cell}"
    return cell


def label(text: str, *, limit: int = _LABEL) -> str:
    r"""Return what may stand between the double quotes of a DOT label.

    Markup, escapes and control characters are disarmed, the length is bounded, line feeds stay
    line breaks. The result never starts a label in angle brackets, which would be HTML.

    Args:
        text: Any text.
        limit: Code points shown.

    Example:
        >>> label('<b>"x"</b>')
        '&lt;b&gt;\\"x\\"&lt;/b&gt;'
    """
    shown = shorten(text, limit).replace("\t", " ")
    # Entities are read inside labels, so the ampersand goes first.
    for plain, escaped in _DOT:
        shown = shown.replace(plain, escaped)
    return shown


_DOT = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"))
