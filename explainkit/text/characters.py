"""What each character is to a tokenizer, so that the hot path looks it up instead of asking.

Tables are filled for the code points that a text really holds, the first time one is met: the
whole of Unicode would cost half a second at import.
"""

import threading
import unicodedata
from typing import Final

import numpy as np
from numpy.typing import NDArray

SEPARATOR: Final = 0
LETTER: Final = 1
DIGIT: Final = 2
SINGLE: Final = 3  # a token by itself: scripts written without spaces, symbols, currency

# Scripts that are written without spaces between words, or whose marks would split from them.
_SPACELESS: Final = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)
_HANGUL: Final = (0xAC00, 0xD7A3)
GROUP_SPACE: Final = 0xA0
_GROUP_SPACES: Final = "\u00a0\u2009\u202f"
_VARIATION: Final = (0xFE00, 0xFE0F)


def _spaceless(code: int) -> bool:
    return any(low <= code <= high for low, high in _SPACELESS)


def kind_of(code: int) -> int:
    """Return what the code point is: SEPARATOR, LETTER, DIGIT or SINGLE."""
    character = chr(code)
    category = unicodedata.category(character)
    if category == "Nd":
        return DIGIT
    if category in {"So", "Sc"} or character in "%\u2030\u00b0":
        return SINGLE
    if category[0] in "LMN":
        return SINGLE if _spaceless(code) else LETTER
    return LETTER if character == "_" else SEPARATOR


def fold(code: int) -> str:
    """Return the folded form of a code point: no case, no composition; empty if ignorable."""
    character = chr(code)
    if character in _GROUP_SPACES:
        return chr(GROUP_SPACE)
    if character == "\u2019":
        return "'"
    category = unicodedata.category(character)
    if category == "Cf" or _VARIATION[0] <= code <= _VARIATION[1]:
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Cs" or _spaceless(code) or _HANGUL[0] <= code <= _HANGUL[1]:
        return character
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", character).casefold())


class CharacterTable:
    """Kinds and folded forms of the code points met so far, as arrays indexed by code point."""

    def __init__(self) -> None:
        """Reserve the address space; pages are touched only where code points are met."""
        self._lock = threading.Lock()
        self._width = np.zeros(0x110000, np.uint8)  # folded length + 1; 0 is not met yet
        self._kind = np.zeros(0x110000, np.uint8)
        self._fold = np.zeros(0x110000, np.uint32)  # the folded code, or an index into the pool
        self._pool = np.zeros(0, np.uint32)

    def _learn(self, codes: NDArray[np.uint32]) -> None:
        with self._lock:
            pool = self._pool.tolist()
            for code in np.unique(codes).tolist():
                if self._width[code]:
                    continue
                folded = fold(code)
                for part in folded:
                    self._kind[ord(part)] = kind_of(ord(part))
                if len(folded) == 1:
                    self._fold[code] = ord(folded)
                else:
                    self._fold[code] = len(pool)
                    pool.extend(map(ord, folded))
                self._pool = np.array(pool, np.uint32)
                self._width[code] = len(folded) + 1

    def folded(
        self, codes: NDArray[np.uint32]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint8], NDArray[np.int32] | None]:
        """Fold a text.

        Args:
            codes: Code points, uint32[n].

        Returns:
            Folded code points uint32[m]; their kinds uint8[m]; for each the position in `codes`
            that it came from, int32[m], or None when that is its own index.
        """
        width = self._width[codes]
        if not width.all():
            self._learn(codes[width == 0])
            width = self._width[codes]
        folded = self._fold[codes]
        special = width != 2
        if not special.any():
            return folded, self._kind[folded], None
        width = (width - 1).astype(np.int64)
        origin = np.repeat(np.arange(len(codes), dtype=np.int32), width)
        folded = folded[origin]
        pooled = np.flatnonzero(special[origin])
        first = np.cumsum(width) - width
        within = pooled - first[origin[pooled]]
        folded[pooled] = self._pool[folded[pooled] + within]
        return folded, self._kind[folded], origin


TABLE: Final = CharacterTable()
ASCII_KINDS: Final = bytes(kind_of(code) if code < 128 else 0 for code in range(256))
