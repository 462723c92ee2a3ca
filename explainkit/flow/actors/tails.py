"""The end of an output of any length, because what a command says last says most."""

_WIDEST = 4  # bytes of one character in UTF-8
_SLACK = 1 << 16


class Tail:
    r"""Keeps the last characters of a stream of bytes in bounded memory.

    Args:
        characters: How many characters are kept at most.

    Example:
        >>> tail = Tail(5)
        >>> tail.add(b"one two three")
        >>> tail.text()
        '[… 8 bytes left out …]\nthree'
    """

    def __init__(self, characters: int) -> None:
        self._characters = characters
        # A few bytes more than the widest text, so that a cut inside of a character shows.
        self._limit = characters * _WIDEST + _WIDEST - 1
        self._kept = bytearray()
        self._total = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self._total += len(data)
        self._kept += data
        if len(self._kept) > self._limit + _SLACK:  # seldom, so that moving the rest is cheap
            del self._kept[: -self._limit]

    def text(self) -> str:
        """The last characters; a first line tells how many bytes before them were left out."""
        kept = bytes(self._kept[-self._limit :])
        if len(kept) < self._total:
            kept = _from_a_character(kept)
        # Each byte that is no UTF-8 stands for itself, so characters can be counted in bytes.
        characters = kept.decode("utf-8", "surrogateescape")
        shown = characters[max(len(characters) - self._characters, 0) :]
        kept = shown.encode("utf-8", "surrogateescape")
        left_out = self._total - len(kept)
        text = kept.decode("utf-8", "replace")
        return f"[… {left_out:,} bytes left out …]\n{text}" if left_out else text


def _from_a_character(kept: bytes) -> bytes:
    start = 0
    while start < min(_WIDEST - 1, len(kept)) and kept[start] & 0xC0 == 0x80:
        start += 1
    return kept[start:]
