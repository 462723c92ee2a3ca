"""Ids of imported runs, made from content alone, so that one file always gives the same ids."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any


def content_key(data: Any) -> str:
    """Twelve hex characters that stand for parsed JSON.

    Example:
        >>> content_key([1, 2]) == content_key([1, 2])
        True
    """
    text = json.dumps(data, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:12]


def distinct(ids: Iterable[str]) -> tuple[str, ...]:
    """Give the second and later holders of an id a number that no other id has.

    Example:
        >>> distinct(["a", "a", "a~2"])
        ('a', 'a~3', 'a~2')
    """
    wanted = list(ids)
    taken = set(wanted)
    seen: set[str] = set()
    result = []
    number = 2
    for word in wanted:
        chosen = word
        while chosen in seen or (chosen != word and chosen in taken):
            chosen = f"{word}~{number}"
            number += 1
        seen.add(chosen)
        result.append(chosen)
    return tuple(result)


def match(ids: tuple[str, ...], wanted: str) -> tuple[int, ...]:
    """Positions of the runs that ``wanted`` names: by id, else by an unfinished id.

    Example:
        >>> match(("tau-0-trial-0-ab", "tau-0-trial-1-cd"), "tau-0-trial-1")
        (1,)
    """
    exact = tuple(i for i, word in enumerate(ids) if word == wanted)
    if exact or not wanted:
        return exact
    return tuple(i for i, word in enumerate(ids) if word.startswith(wanted))
