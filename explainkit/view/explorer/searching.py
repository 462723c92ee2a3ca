"""Finds the records that hold some words, by name at once and by text within a bounded time."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from explainkit.errors import ExplainkitError
from explainkit.view.explorer.material import Material
from explainkit.view.words import counted, flat

SECONDS: Final = 0.3
"""Time for the texts of one search; the same search asked again goes on from there."""
KEPT: Final = 32_000_000
"""Code points of texts that are kept for the next search."""
AROUND: Final = 30


class Texts:
    """The texts of a run for searching."""

    def __init__(self, material: Material, clock: Callable[[], float]) -> None:
        """Search the records of a run; ``clock`` gives seconds."""
        self._material = material
        self._clock = clock
        self._kept: dict[str, str] = {}
        self._size = 0
        self._last: tuple[str, dict[str, str], int] = "", {}, 0

    def search(self, query: str, seqs: Sequence[int]) -> tuple[dict[int, str], str]:
        """Find the records that a query means.

        Args:
            query: Words, or the number of a record.
            seqs: The records to look at.

        Returns:
            How each was found, in words; and a note when the texts were not all looked at.
        """
        words = " ".join(query.casefold().split())
        how = dict(self._named(words, seqs))
        by_text, note = self._held(words)
        for seq in seqs:
            if seq not in how and seq in by_text:
                how[seq] = by_text[seq]
        return how, note

    def _named(self, words: str, seqs: Sequence[int]) -> Iterator[tuple[int, str]]:
        number = words.removeprefix("record ").removeprefix("#")
        wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else None
        at = None if wanted is None else self._material.nearest(wanted)
        for seq in seqs:
            node = self._material.boxes.nodes[seq]
            if seq == at:
                yield seq, "number" if seq == wanted else f"nearest to record {wanted}"
            elif words in node.label.casefold():
                yield seq, "name"
            elif words in node.word.casefold():
                yield seq, "kind"

    def _held(self, words: str) -> tuple[dict[int, str], str]:
        """The records with a value that holds the words, as far as the time allows."""
        digests = self._digests
        found: dict[str, str] = {}
        begun = 0
        if self._last[0] == words:
            _, found, begun = self._last
        until = self._clock() + SECONDS
        at = begun
        while at < len(digests):
            if (at - begun) % 16 == 0 and at > begun and self._clock() > until:
                break
            digest = digests[at]
            text = self._text(digest)
            place = text.find(words)
            if place >= 0:
                low = max(0, place - AROUND)
                shown = self._as_written(digest, text)
                found[digest] = flat(shown[low : place + len(words) + AROUND], 100)
            at += 1
        self._last = words, found, at
        seqs: dict[int, str] = {}
        for digest, said in found.items():
            for seq in self._holders[digest]:
                seqs.setdefault(seq, said)
        left = len(digests) - at
        note = f"{counted(left, 'text')} not searched yet" if left else ""
        return seqs, note

    @property
    def _digests(self) -> list[str]:
        return self._table[0]

    @property
    def _holders(self) -> dict[str, list[int]]:
        return self._table[1]

    @property
    def _table(self) -> tuple[list[str], dict[str, list[int]]]:
        """Values in order of the first record that holds one, and all those that do."""
        memo = self.__dict__.get("_memo")
        if memo is None:
            holders: dict[str, list[int]] = {}
            for seq, digest in _values(self._material):
                if not holders.setdefault(digest, []) or holders[digest][-1] != seq:
                    holders[digest].append(seq)
            memo = self.__dict__["_memo"] = list(holders), holders
        return memo

    def _text(self, digest: str) -> str:
        text = self._kept.get(digest)
        if text is not None:
            return text
        try:
            text = " ".join(self._material.recording.values.shown(digest).casefold().split())
        except ExplainkitError:
            return ""
        if self._size + len(text) <= KEPT:
            self._kept[digest] = text
            self._size += len(text)
        return text

    def _as_written(self, digest: str, folded: str) -> str:
        """A text in its own case, where folding it moved no character."""
        text = " ".join(self._material.recording.values.shown(digest).split())
        return text if len(text) == len(folded) else folded


def _values(material: Material) -> Iterator[tuple[int, str]]:
    """Each record with a box, and each value that it holds."""
    places, boxes = material.evidence.places, material.boxes
    for number in range(len(places)):
        digest = places.digest_of(number)
        at: Any = None if digest is None else boxes.at(places.seq[number])
        if digest is not None and at is not None:
            yield at, digest
