"""Finds results that something keeps: a call that varies and stays away when it should be repeated.

A call may stay away because one before it said something else this time. Where none did, a cache
stands around it, and every repeat would show the one sample that it keeps.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from explainkit.safety import shorten
from explainkit.safety.digests import digest
from explainkit.safety.encoding import encode
from explainkit.whatif.rerunning import Origin, Rerun

_NOTHING: Final = digest(encode(None).data)
"""A link that gives nothing hands out no sample."""
_BY_CHANCE: Final = 3
"""Re-runs that have to lack a call where chance may leave it out (ours)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that ran.

    Attributes:
        name: Its name.
        inputs: Digests of what it was given.
        output: Digest of what it gave.
        varies: It is not declared deterministic.
        link: Its record.
    """

    name: str
    inputs: tuple[str, ...]
    output: str | None
    varies: bool
    link: int


def asked_in(done: Rerun) -> tuple[Asked, ...]:
    """The calls that ran in a re-run, in order."""
    ran = {each.link: each for each in done.executed}
    outputs = {row["link"]: row.get("output") for row in done.recording.rows("link_closed")}
    return tuple(
        Asked(
            ran[row["seq"]].name,
            tuple(str(each.get("value")) for each in row.get("inputs") or ()),
            outputs.get(row["seq"]),
            not ran[row["seq"]].deterministic,
            row["seq"],
        )
        for row in done.recording.rows("link_opened")
        if row["seq"] in ran
    )


def asked_before(origin: Origin, links: frozenset[int]) -> tuple[Asked, ...]:
    """Recorded calls, in order, without those that never come up by themselves."""
    points = origin.recorded.points
    return tuple(
        Asked(
            points[seq].name,
            points[seq].inputs,
            points[seq].value,
            not points[seq].deterministic,
            seq,
        )
        for seq in sorted(origin.coming_up(links))
    )


def kept(
    first: Sequence[Asked], later: Iterable[Asked], readers: frozenset[str] = frozenset()
) -> str | None:
    """The name of a call that was made first and not again, with nothing before it to explain that.

    Args:
        first: The calls of one re-run, or of the record.
        later: The calls of a re-run that should repeat it.
        readers: Names of calls that may give what an earlier re-run has left: that they gave
            something else explains nothing.
    """
    again = Counter((each.name, each.inputs, each.output) for each in later)
    for each in first:
        if again[each.name, each.inputs, each.output]:
            again[each.name, each.inputs, each.output] -= 1
        elif any(left and key[0] == each.name for key, left in again.items()):
            if each.name in readers:
                continue
            return None  # it was given, or gave, something else: what follows may differ
        elif each.varies:
            return each.name
    return None


def kept_in(
    first: Sequence[Asked],
    arm: Sequence[Sequence[Asked]],
    *,
    by_chance: bool,
    readers: frozenset[str] = frozenset(),
) -> str | None:
    """Why the re-runs of an arm are no repeats; None when they are.

    Args:
        first: The calls that each should make.
        arm: The calls that each made.
        by_chance: Whether the code around them draws, so that chance may leave a call out.
        readers: Names of calls that may give what an earlier re-run has left.
    """
    names = [kept(first, each, readers) for each in arm]
    missing = [each for each in names if each is not None]
    if not missing or (by_chance and (len(missing) < len(names) or len(names) < _BY_CHANCE)):
        return None
    return (
        f"{shorten(missing[0], 60)!r} was not asked again in each re-run: something keeps its "
        "result (a cache?), so repeats show nothing. Clear or leave out what keeps it in the "
        "function that runs, or give call= one that does"
    )


def sampled_once(arms: Sequence[Sequence[Sequence[Asked]]], keepers: dict[str, str]) -> str | None:
    """Why repeats of a link that reads what it left are one sample; None when they are not.

    Args:
        arms: The calls of each re-run, by arm.
        keepers: Links that change and read what outlives a run, with what that is.
    """
    for arm in arms:
        gave: dict[tuple[str, tuple[str, ...]], list[str | None]] = {}
        for each in (each for calls in arm for each in calls):
            if each.varies and each.name in keepers and each.output != _NOTHING:
                gave.setdefault((each.name, each.inputs), []).append(each.output)
        for (name, _), outputs in gave.items():
            if len(outputs) > 1 and len(set(outputs)) == 1:
                return _kept_by(
                    repr(shorten(name, 60)),
                    keepers[name],
                    "gave the same each time",
                    ", give call= one that does, or declare the link deterministic=True if it is",
                )
    return None


def kept_around(word: str) -> str:
    """Why code around the links that draws, and reads what it left, may show one sample.

    Args:
        word: What it reads.
    """
    return _kept_by("the code around the links", word, "draws", ", or give call= one that does")


def _kept_by(who: str, word: str, does: str, instead: str) -> str:
    return (
        f"{who} reads what it left in {shorten(word, 60)}, and {does}: where it keeps its "
        f"results, repeats are one sample. Begin that anew in the function that runs{instead}"
    )
