"""Tells what happened in few sentences: repetition once with its count, the rest individually."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from explainkit.view.story.material import plain_kind
from explainkit.view.story.sentences import NOTABLE, QUIET, Happening, Sentence, finished
from explainkit.view.story.wording import called, number, series, times

ALIKE: Final = 3
"""So many neighbours that read the same are told as one, with their number."""
PERIOD: Final = 6
"""Longest order of happenings that is looked for."""
ENTRIES: Final = 4
OTHERS: Final = 2
"""Entries that are listed of each further outcome."""
KINDS: Final = 6
"""Kinds of happenings that a sentence about several names; the others are counted."""


def told_all(happenings: Iterable[Happening]) -> list[Sentence]:
    """A sentence for each happening."""
    return [Sentence(each.seq, finished(each.tell()), each.kind) for each in happenings]


def told_shortly(happenings: Sequence[Happening], limit: int) -> list[Sentence]:
    """At most so many sentences; a sentence about several says how many of what.

    Args:
        happenings: In order.
        limit: Sentences at most, four or more.
    """
    groups = _repeated(_neighbours(*_absorbed(happenings)))
    for floor in range(NOTABLE + 1):
        parts = _folded(groups, floor)
        if len(parts) <= limit:
            return [_sentence(part) for part in _opened(parts, groups, floor, limit)]
    parts = _gathered(groups)
    if len(parts) > limit:
        first, last = limit // 2, limit - limit // 2 - 1
        between = [each for part in parts[first : len(parts) - last] for each in part]
        parts = [*parts[:first], sorted(between, key=lambda h: h.seq[0]), *parts[-last:]]
    return [_sentence(part) for part in parts]


Group = list[Happening]
"""Happenings that one sentence tells."""


def _absorbed(happenings: Sequence[Happening]) -> tuple[list[Happening], set[int]]:
    """The happenings without the engine's own small steps, and where a round of a flow begins.

    What a small step led to is told for it, with its records.
    """
    if all(each.weight == QUIET for each in happenings):
        return list(happenings), set()
    found: list[Happening] = []
    rounds: set[int] = set()
    waiting: list[Happening] = []
    for each in happenings:
        if each.weight == QUIET:
            waiting.append(each)
            continue
        if any(small.manner.key[:2] == _ROUND for small in waiting):
            rounds.add(len(found))
        found.append(_standing_for(each, waiting))
        waiting = []
    found[-1] = _standing_for(found[-1], waiting)
    return found, rounds


_ROUND: Final = ("begun", "round")


def _standing_for(each: Happening, small: Sequence[Happening]) -> Happening:
    if not small:
        return each
    seq = {*each.seq, *(record for step in small for record in step.seq)}
    return replace(each, seq=tuple(sorted(seq)), within=each.within + len(small))


def _neighbours(happenings: Sequence[Happening], rounds: set[int]) -> list[Group]:
    groups: list[Group] = []
    gathered: dict[tuple[str, ...], Group] = {}
    for at, each in enumerate(happenings):
        if at in rounds:
            gathered = {}
        key = each.manner.key
        if each.manner.gathered and key in gathered:
            gathered[key].append(each)
            continue
        if groups and groups[-1][0].manner.key == key:
            groups[-1].append(each)
            continue
        groups.append([each])
        if each.manner.gathered:
            gathered[key] = groups[-1]
    found: list[Group] = []
    for group in groups:
        if group[0].manner.listed is not None or len(group) >= ALIKE:
            found.append(group)
        else:
            found += [[each] for each in group]
    return found


def _repeated(groups: Sequence[Group]) -> list[Group]:
    """Neighbours that come over and over in the same order become one group."""
    keys = [group[0].manner.key for group in groups]
    found: list[Group] = []
    at = 0
    while at < len(groups):
        size, often = max(
            ((size, _turns(keys, at, size)) for size in range(2, PERIOD + 1)),
            key=lambda turn: turn[0] * turn[1] if turn[1] >= ALIKE else 0,
        )
        end = at + size * often
        if often >= ALIKE and all(_weight(group) < NOTABLE for group in groups[at:end]):
            # The last turn is told as it was: it is the one that led on.
            found.append([each for group in groups[at : end - size] for each in group])
            found += groups[end - size : end]
            at = end
        else:
            found.append(groups[at])
            at += 1
    return found


def _turns(keys: Sequence[tuple[str, ...]], at: int, size: int) -> int:
    """How often the next keys come in a row."""
    often, first = 1, keys[at : at + size]
    while keys[at + often * size : at + (often + 1) * size] == first:
        often += 1
    return often


def _weight(group: Group) -> int:
    return max(each.weight for each in group)


def _folded(groups: Sequence[Group], floor: int) -> list[Group]:
    """Neighbours below a weight become one group."""
    parts: list[Group] = []
    for less, near in groupby(groups, key=lambda group: _weight(group) < floor):
        if less:
            parts.append([each for group in near for each in group])
        else:
            parts += near
    return parts


def _opened(parts: list[Group], groups: Sequence[Group], floor: int, limit: int) -> list[Group]:
    """Room that is left goes to the first and the last of what is told together."""
    for part in sorted((p for p in parts if _weight(p) < floor), key=len, reverse=True):
        room = limit - len(parts)
        inner = _inside(part, groups)
        if room < 1 or len(inner) < 3:
            continue
        before = room // 2
        after = min(room - before, len(inner) - before - 1)
        middle = [each for group in inner[before : len(inner) - after] for each in group]
        opened = [*inner[:before], middle, *inner[len(inner) - after :]]
        at = parts.index(part)
        parts = [*parts[:at], *opened, *parts[at + 1 :]]
    return parts


def _inside(part: Group, groups: Sequence[Group]) -> list[Group]:
    """The groups that a part was put together from."""
    firsts = {each.seq[0] for each in part}
    return [group for group in groups if group[0].seq[0] in firsts]


def _gathered(groups: Sequence[Group]) -> list[Group]:
    """What matters least becomes one group; what reads the same becomes one at its first place."""
    kept: dict[tuple[str, ...], Group] = {}
    for group in groups:
        key = group[0].manner.key if _weight(group) >= NOTABLE else ()
        kept.setdefault(key, []).extend(group)
    return sorted(kept.values(), key=lambda group: group[0].seq[0])


def _sentence(group: Group) -> Sentence:
    seq = tuple(sorted({each for happening in group for each in happening.seq}))
    if len(group) == 1:
        return Sentence(seq, finished(group[0].tell()), group[0].kind, group[0].within)
    listed = group[0].manner.listed
    alike = len({each.manner.key for each in group}) == 1
    if alike and listed is not None:
        return _listed(group, listed, seq)
    text = f"then {_counts(group)}"
    if alike:
        last = group[-1].entry
        text = group[0].manner.times(len(group)) + (f"; the last time it {last()}" if last else "")
    within = sum(each.within for each in group)
    kind = group[0].kind if alike else "several"
    return Sentence(seq, finished(text), kind, len(group) + within)


def _listed(group: Group, listed: Callable[[int], str], seq: tuple[int, ...]) -> Sentence:
    if group[0].outcome:
        return _by_outcome(group, listed, seq)
    told = [each.entry() for each in group[:ENTRIES] if each.entry is not None]
    more = len(group) - len(told)
    names = series([*told, *([f"{more:,} more"] if more else [])], ENTRIES + 1)
    more += sum(each.within for each in group)
    return Sentence(seq, finished(f"{listed(len(group))}{names}"), group[0].kind, more)


def _by_outcome(group: Group, listed: Callable[[int], str], seq: tuple[int, ...]) -> Sentence:
    """What came out alike is told together; what reads the same in all of it is told once."""
    found: dict[str, dict[str, None]] = {}
    for each in sorted(group, key=lambda each: each.order):
        if each.entry is not None:
            found.setdefault(each.outcome, {}).setdefault(each.entry())
    told, left, room = [], 0, ENTRIES
    for outcome, entries in found.items():
        more = len(entries) - room if len(entries) > room + 1 else 0
        names = list(entries)[: len(entries) - more]
        told.append(f"{series([*names, *([f'{more:,} more'] if more else [])], 9)} {outcome}")
        left, room = left + more, OTHERS
    count = sum(map(len, found.values()))
    left += sum(each.within for each in group)
    return Sentence(seq, finished(f"{listed(count)}{'; '.join(told)}"), group[0].kind, left)


def _counts(group: Group) -> str:
    counts: dict[tuple[str, ...], list[Happening]] = {}
    for each in group:
        counts.setdefault(each.manner.key, []).append(each)
    kin: dict[tuple[str, str], list[list[Happening]]] = {}
    for alike in counts.values():
        akin = alike[0].manner.kin
        kin.setdefault(("", str(len(kin))) if akin is None else (akin[0], akin[2]), []).append(
            alike
        )
    # What happened most often first; of equals, what happened first.
    ranked = sorted(kin.items(), key=lambda item: -sum(len(alike) for alike in item[1]))
    told = [_kin_words(kind, verb, alikes) for (kind, verb), alikes in ranked[:KINDS]]
    rest = sum(len(alike) for _, alikes in ranked[KINDS:] for alike in alikes)
    more = [f"{number(rest, 'further thing')} happened"] if rest else []
    return series([*told, *more], KINDS + 1)


def _kin_words(kind: str, verb: str, alikes: list[list[Happening]]) -> str:
    if len(alikes) == 1:
        return alikes[0][0].manner.times(len(alikes[0]))
    ranked = sorted(alikes, key=lambda alike: -len(alike))
    names = [_often(alike) for alike in ranked[:KINDS]]
    more = [f"{len(ranked) - KINDS:,} more"] if len(ranked) > KINDS else []
    return f"the {plain_kind(kind)}s {series([*names, *more], KINDS + 1)} {verb}"


def _often(alike: list[Happening]) -> str:
    kin = alike[0].manner.kin
    name = "" if kin is None else called(kin[1])
    return name if len(alike) == 1 else f"{name} ({times(len(alike))})"
