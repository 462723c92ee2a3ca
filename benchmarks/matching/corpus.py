"""Texts with planted copies: words by Zipf's law, set phrases, numbers and ids, a fixed seed."""

from dataclasses import dataclass

import numpy as np

LETTERS = np.array(list("etaoinshrdlucmfwypvbgk"))
KINDS = ("exact", "case", "space", "numbers")


@dataclass(frozen=True)
class Plant:
    """One copy: where it stands in its text and where it was taken from."""

    kind: str
    source: int
    source_start: int
    source_end: int
    target: int
    start: int
    end: int


def _vocabulary(rng: np.random.Generator, size: int) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < size:
        lengths = rng.integers(2, 11, size)
        letters = rng.choice(LETTERS, int(lengths.sum()))
        ends = np.cumsum(lengths)
        for end, length in zip(ends.tolist(), lengths.tolist(), strict=True):
            words["".join(letters[end - length : end])] = None
    return list(words)[:size]


def _number(rng: np.random.Generator) -> str:
    return f"{rng.integers(1000, 10**7) / 100:.2f}"


def _words(rng: np.random.Generator, count: int, vocabulary: list[str], phrases: list[str]):
    size = len(vocabulary)
    ranks = np.minimum(np.exp(rng.random(count) * np.log(size)).astype(int), size - 1)
    words = [vocabulary[rank] for rank in ranks.tolist()]
    for at in rng.choice(count, count // 20, replace=False).tolist():
        rank = min(int(np.exp(rng.random() * np.log(len(phrases)))), len(phrases) - 1)
        words[at] = phrases[rank]
    for at in rng.choice(count, count // 60, replace=False).tolist():
        words[at] = _number(rng)
    for at in rng.choice(count, count // 300, replace=False).tolist():
        words[at] = f"{chr(65 + rng.integers(26))}{chr(65 + rng.integers(26))}{rng.integers(10**5)}"
    for at in rng.choice(count, count // 14, replace=False).tolist():
        words[at] += "."
    return words


def _altered(rng: np.random.Generator, words: list[str], kind: str) -> str:
    if kind == "case":
        return " ".join(word.upper() if rng.random() < 0.5 else word for word in words)
    if kind == "space":
        gaps = [" ", "\n", "  ", "\t"]
        return "".join(word + gaps[rng.integers(4)] for word in words).strip()
    if kind == "numbers":
        return " ".join(_respelt(word) for word in words)
    return " ".join(words)


def _respelt(word: str) -> str:
    plain = word.rstrip(".")
    try:
        value = float(plain)
    except ValueError:
        return word
    return f"{value:,.2f}" + word[len(plain) :]


def make(megabytes: float, texts: int, *, planted: float = 0.5, seed: int = 1):
    """Make texts of so many megabytes together, and the list of what was planted in them."""
    rng = np.random.default_rng(seed)
    vocabulary = _vocabulary(rng, 40_000)
    phrases = [
        " ".join(vocabulary[i] for i in rng.integers(0, 2000, rng.integers(2, 6)).tolist())
        for _ in range(300)
    ]
    per_text = int(megabytes * 1e6 / texts / 6.6)
    made: list[list[str]] = []
    contents: list[str] = []
    plants: list[Plant] = []
    for number in range(texts):
        words = _words(rng, per_text, vocabulary, phrases)
        if number and rng.random() < planted:
            kind = KINDS[number % len(KINDS)]
            source = int(rng.integers(number))
            size = int(rng.integers(8, 24))
            low = int(rng.integers(max(1, len(made[source]) - size)))
            copied = made[source][low : low + size]
            at = int(rng.integers(len(words)))
            copy = _altered(rng, copied, kind)
            before = " ".join(words[:at])
            start = len(before) + (1 if at else 0)
            source_start = len(" ".join(made[source][:low])) + (1 if low else 0)
            source_end = source_start + len(" ".join(copied))
            plants.append(
                Plant(kind, source, source_start, source_end, number, start, start + len(copy))
            )
            words[at:at] = [copy]
        contents.append(" ".join(words))
        made.append(contents[-1].split(" "))
    return contents, plants
