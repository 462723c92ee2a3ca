"""Make invisible and reordering characters visible, one symbol for one, so that offsets hold."""

import re

_ZERO_WIDTH = "⌀"
_BIDI = "⇄"
_BROKEN = "\ufffd"


def _table() -> dict[int, str]:
    table = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"}
    table[0x7F] = "␡"
    table |= dict.fromkeys(range(0x80, 0xA0), _BROKEN)
    table |= dict.fromkeys((0x85, 0x2028, 0x2029), "␤")
    bidi = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    table |= dict.fromkeys(bidi, _BIDI)
    unseen = (
        *(0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180E, 0x180F),
        *(0x200B, 0x200C, 0x200D, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x2060, 0x2066),
        *range(0x206A, 0x2070),
        *range(0xFE00, 0xFE0E),  # the two that choose between text and emoji stay
        *range(0xFFF9, 0xFFFC),
        *range(0x1D173, 0x1D17B),
        *range(0xE0000, 0xE0080),
        *range(0xE0100, 0xE01F0),
    )
    table |= dict.fromkeys(unseen, _ZERO_WIDTH)
    ends = (plane + last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))
    table |= dict.fromkeys((*range(0xD800, 0xE000), *range(0xFDD0, 0xFDF0), *ends), _BROKEN)
    return table


_SYMBOLS = _table()


def _ranges() -> str:
    codes = sorted(_SYMBOLS)
    parts: list[str] = []
    start = last = codes[0]
    for code in [*codes[1:], 0x110001]:
        if code != last + 1:
            parts.append(f"\\U{start:08x}-\\U{last:08x}")
            start = code
        last = code
    return "".join(parts)


_HIDDEN = re.compile(f"[{_ranges()}]")
_PICTURES = "\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff"
_VIRAMAS = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca"
_CURSIVE = "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\u0710-\u074f\u0750-\u077f\u08a0-\u08c9"
_JOINING = re.compile(
    f"(?<=[{_PICTURES}\ufe0f])\u200d(?=[{_PICTURES}])"
    f"|(?<=[{_VIRAMAS}])[\u200c\u200d]"
    f"|(?<=[{_CURSIVE}])[\u200c\u200d](?=[{_CURSIVE}])"
)
"""A joiner that shapes what is seen: of an emoji, of an Indic conjunct, of a cursive word."""
_OWN = re.compile(f"[{re.escape(''.join(sorted(set(_SYMBOLS.values()))))}]")


def visible(text: str) -> str:
    r"""Return the text with a symbol for each character that hides, moves or controls.

    Control characters (ANSI escapes begin with one), bidi controls, zero-width characters,
    tag characters, line separators and lone surrogates each become one symbol, so code-point
    offsets are those of the original. Line feeds and tabs stay, and so do joiners inside of an
    emoji or a word that is spelt with them.

    Example:
        >>> visible("ok\x1b[31m")
        'ok␛[31m'
    """
    return _HIDDEN.sub(_symbol, text)


def behind_symbols(text: str) -> list[int]:
    r"""The recorded code points behind the symbols of the visible text, in order.

    Numbers, so that whatever carries them hides nothing. A symbol that was recorded as such stands
    for itself, and so does that of a lone surrogate, which no text outside of the record can hold.
    Empty when nothing is hidden.

    Example:
        >>> [chr(each) for each in behind_symbols("a\u200b⌀")]
        ['\u200b', '⌀']
    """
    shown = visible(text)
    if shown == text:
        return []
    found = (ord(text[each.start()]) for each in _OWN.finditer(shown))
    return [ord(_BROKEN) if 0xD800 <= each <= 0xDFFF else each for each in found]


def _symbol(match: re.Match[str]) -> str:
    if match[0] in "\u200c\u200d" and _JOINING.match(match.string, match.start()):
        return match[0]
    return _SYMBOLS[ord(match[0])]
