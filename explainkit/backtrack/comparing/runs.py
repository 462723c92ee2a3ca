"""Holds two runs against each other, in time that grows with their links."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.backtrack.comparing.compared import (
    AnswerChange,
    Compared,
    ContextChange,
    Divergence,
    LinkPair,
    RecordChange,
)
from explainkit.backtrack.comparing.naming import Names, link_names
from explainkit.backtrack.comparing.remaining import Elsewhere, what_else
from explainkit.backtrack.comparing.rows import LinkRow, link_rows
from explainkit.backtrack.comparing.sides import Side
from explainkit.backtrack.comparing.telling import error_of, record_told, text_of
from explainkit.safety import shorten
from explainkit.text.alignment import common_runs

if TYPE_CHECKING:
    from explainkit.store import Recording


def compare(a: "Recording", b: "Recording") -> Compared:
    """Compare two runs.

    Links that are the same in every respect are matched first; between them, links are matched by
    type, name and what they lie in. The runs part at the first matched links that were given the
    same and gave something else; without such, at the first difference of any kind.

    Args:
        a: The first run, such as a good one.
        b: The second run.
    """
    left, right = link_rows(a), link_rows(b)
    pairs = list(_pairs(left, right))
    rows = ({each.seq: each for each in left}, {each.seq: each for each in right})
    divergence = _divergence(a, b, pairs, rows)
    until = (None, None) if divergence is None else (divergence.pair.a, divergence.pair.b)
    called = _called(a, b)
    links = link_names(pairs, called)
    sides = (
        Side(a, Names(a, links[0]), until[0], _reused(a, b)),
        Side(b, Names(b, links[1]), until[1]),
    )
    answers = tuple(_answers(*sides))
    records = tuple(_records(*sides))
    return Compared(
        a.run,
        b.run,
        (a.name, b.name),
        (a.status, b.status),
        tuple(pairs),
        divergence,
        tuple(_contexts(*sides)),
        answers,
        records,
        tuple(what_else(*sides, _told_of(a, b, pairs, links[0], answers, records))),
        called,
    )


def _called(a: "Recording", b: "Recording") -> tuple[str, str]:
    """What each of two runs is called, so that nobody has to know which one was given first."""
    if _is_varied(a, b):
        return "recorded run", "re-run"
    if _is_varied(b, a):
        return "re-run", "recorded run"
    names = [shorten(" ".join(each.name.split()), 40) for each in (a, b)]
    if all(names) and names[0] != names[1]:
        return f"run {names[0]}", f"run {names[1]}"
    return "first run", "second run"


def _told_of(
    a: "Recording",
    b: "Recording",
    pairs: Sequence[LinkPair],
    names: Mapping[int, str],
    answers: Sequence[AnswerChange],
    records: Sequence[RecordChange],
) -> Elsewhere:
    both = [(each, names[each.a]) for each in pairs if each.a is not None and each.is_matched]
    return Elsewhere(
        other_inputs=frozenset(name for each, name in both if not each.same_inputs),
        other_outputs=frozenset(f"end of {name}" for each, name in both if not each.same_output),
        answers=not all(each.same for each in answers),
        records=frozenset(each.kind for each in records),
        varied=_is_varied(a, b),
    )


def _pairs(left: Sequence[LinkRow], right: Sequence[LinkRow]) -> Iterator[LinkPair]:
    a_done = b_done = 0
    same = common_runs([each.whole for each in left], [each.whole for each in right])
    for i, j, size in [*same, (len(left), len(right), 0)]:
        yield from _by_signature(left[a_done:i], right[b_done:j])
        for step in range(size):
            yield _pair(left[i + step], right[j + step])
        a_done, b_done = i + size, j + size


def _by_signature(left: Sequence[LinkRow], right: Sequence[LinkRow]) -> Iterator[LinkPair]:
    a_done = b_done = 0
    same = common_runs([each.signature for each in left], [each.signature for each in right])
    for i, j, size in [*same, (len(left), len(right), 0)]:
        yield from (_pair(each, None) for each in left[a_done:i])
        yield from (_pair(None, each) for each in right[b_done:j])
        for step in range(size):
            yield _pair(left[i + step], right[j + step])
        a_done, b_done = i + size, j + size


def _pair(a: LinkRow | None, b: LinkRow | None) -> LinkPair:
    if a is None or b is None:
        type_, name, _ = (a or b).signature  # type: ignore[union-attr]
        seqs = (None if a is None else a.seq, None if b is None else b.seq)
        return LinkPair(*seqs, type_, name)
    type_, name, _ = a.signature
    return LinkPair(a.seq, b.seq, type_, name, a.inputs == b.inputs, a.ended == b.ended)


def _divergence(
    a: "Recording",
    b: "Recording",
    pairs: Sequence[LinkPair],
    rows: tuple[dict[int, LinkRow], dict[int, LinkRow]],
) -> Divergence | None:
    parted = [each for each in pairs if not (each.same_inputs and each.same_output)]
    given_same = [each for each in parted if each.is_matched and each.same_inputs]
    # A link around others differs because one of them does: the innermost one is where they part.
    around = {a.raw(each.a).get("parent") for each in given_same if each.a is not None}
    inner = [each for each in given_same if each.a not in around]
    first = next(iter(inner or parted), None)
    if first is None:
        return None
    how: Any = "output" if first in given_same else "inputs"
    if how == "output" and first.a in _given_results(a, b):
        how = "changed"
    if not first.is_matched:
        how = "only in a" if first.b is None else "only in b"
    one, other = rows[0].get(first.a or -1), rows[1].get(first.b or -1)
    return Divergence(
        first,
        how,
        (_given(a, one), _given(b, other)),
        (_gave(a, one), _gave(b, other)),
    )


def _given(recording: "Recording", row: LinkRow | None) -> str:
    if row is None:
        return ""
    return "\n".join(f"{slot}: {text_of(recording, digest)}" for slot, digest in row.inputs)


def _gave(recording: "Recording", row: LinkRow | None) -> str:
    if row is None:
        return ""
    status, digest = row.ended
    told = error_of if status == "error" else text_of
    text = told(recording, digest) if digest else ""
    return text if status == "answered" else f"{status}: {text}".rstrip(": ")


def _contexts(first: Side, second: Side) -> Iterator[ContextChange]:
    a, b = first.recording, second.recording
    left, right = _offered(a, first.until, first.skipped), _offered(b, second.until)
    for key in dict.fromkeys((*left, *right)):
        name, _ = key
        one, other = left.get(key), right.get(key)
        before, after = _content(a, one), _content(b, other)
        seqs = (None if one is None else one["seq"], None if other is None else other["seq"])
        how = _how(one, other)
        if how:
            yield ContextChange(name, how, *seqs, before, after)
    kept = [key for key in left if key in right]
    order = [key for key in right if key in left]
    for key, other in zip(kept, order, strict=True):
        if key != other:
            yield ContextChange(
                key[0], "moved", left[key]["seq"], right[key]["seq"], *(_content(a, left[key]),) * 2
            )
            break


def _how(one: Any, other: Any) -> str:
    if one is None or other is None:
        return "only in b" if one is None else "only in a"
    out = (one.get("admitted") is False, other.get("admitted") is False)
    if out[0] != out[1]:
        return "left out in a" if out[0] else "left out in b"
    return "" if one.get("value") == other.get("value") else "changed"


def _reused(a: "Recording", b: "Recording") -> frozenset[int]:
    """Links of a run whose results a what-if of it used again, so that nothing in them came up."""
    if not _is_varied(a, b):
        return frozenset()
    attrs = (row.get("attrs") or {} for row in b.rows("link_closed"))
    return frozenset(each["reused"] for each in attrs if isinstance(each.get("reused"), int))


def _is_varied(a: "Recording", b: "Recording") -> bool:
    """Whether the second run is a re-run of the first one."""
    return bool(next(b.rows("run_started"), {}).get("origin") == a.run)


def _given_results(a: "Recording", b: "Recording") -> frozenset[int]:
    """Links of a run to which a what-if of it gave another result."""
    if not _is_varied(a, b):
        return frozenset()
    asked = next(b.rows("run_started"), {}).get("interventions") or ()
    seqs = {(each.get("verb"), each["seq"]) for each in asked if isinstance(each.get("seq"), int)}
    # What comes back goes into the result of the link that had left it out.
    makers = (a.raw(seq).get("parent") for verb, seq in seqs if verb == "restore")
    given = {seq for verb, seq in seqs if verb != "edit"}
    return frozenset((*given, *(each for each in makers if each is not None)))


def _offered(
    recording: "Recording", until: int | None, skipped: frozenset[int] = frozenset()
) -> dict[tuple[str, int], Any]:
    """Contexts and events by name and how many of that name came before."""
    found: dict[tuple[str, int], Any] = {}
    counts: Counter[str] = Counter()
    for row in recording.rows("context", "event"):
        if until is not None and row["seq"] > until:
            break
        if row.get("parent") in skipped:
            continue
        name = str(row.get("name"))
        found[name, counts[name]] = row
        counts[name] += 1
    return found


def _content(recording: "Recording", row: Any) -> str:
    return "" if row is None else text_of(recording, row.get("value"))


def _answers(a: Side, b: Side) -> Iterator[AnswerChange]:
    left, right = _slots(a), _slots(b)
    for name in dict.fromkeys(("answer", *left, *right)):
        slots = left.get(name, ""), right.get(name, "")
        (one, before), (other, after) = (
            _answer(side.recording, slot) for side, slot in zip((a, b), slots, strict=True)
        )
        yield AnswerChange(slots[0] or slots[1], before, after, one == other, name, slots[1])


def _slots(side: Side) -> dict[str, str]:
    """The answer slots of a run by their names in both runs."""
    rows = side.recording.rows("answer")
    slots = dict.fromkeys(("answer", *(str(row.get("slot") or "answer") for row in rows)))
    return {side.names.slot(slot): slot for slot in slots}


def _answer(recording: "Recording", slot: str) -> tuple[tuple[str, ...], str]:
    """What tells an answer from others, and the words for it."""
    fold = recording.effective(slot) if slot else None
    if fold is None or (slot == "answer" and recording.status == "verdict"):
        ended = recording.status if slot == "answer" else "answered"
        words = "no answer" if ended == "answered" else f"no answer ({ended})"
        return ("none", ended), words
    digest = fold.final.value
    return ("answer", str(digest)), text_of(recording, digest)


def _records(a: Side, b: Side) -> Iterator[RecordChange]:
    for kind in ("override", "verdict"):
        one, other = _told(a, kind), _told(b, kind)
        extra_a, extra_b = Counter(one.values()), Counter(other.values())
        both = extra_a & extra_b
        for side, told in (("a", one), ("b", other)):
            left = Counter(both)
            for seq, words in told.items():
                if left[words]:
                    left[words] -= 1
                    continue
                yield RecordChange(kind, side, seq, words)  # type: ignore[arg-type]


def _told(side: Side, kind: str) -> dict[int, str]:
    return {row["seq"]: record_told(row, side.names) for row in side.recording.rows(kind)}
