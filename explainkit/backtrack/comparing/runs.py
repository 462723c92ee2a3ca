"""Holds two runs against each other, in time that grows with their links."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.backtrack.comparing.compared import (
    AnswerChange,
    Compared,
    ContextChange,
    Divergence,
    LinkPair,
    RecordChange,
)
from explainkit.backtrack.comparing.rows import LinkRow, link_rows
from explainkit.errors import ExplainkitError
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
    return Compared(
        a.run,
        b.run,
        (a.name, b.name),
        (a.status, b.status),
        tuple(pairs),
        divergence,
        tuple(_contexts(a, b, until)),
        tuple(_answers(a, b)),
        tuple(_records(a, b)),
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
    return "\n".join(f"{slot}: {_text(recording, digest)}" for slot, digest in row.inputs)


def _gave(recording: "Recording", row: LinkRow | None) -> str:
    if row is None:
        return ""
    status, digest = row.ended
    text = _text(recording, digest) if digest else ""
    return text if status == "answered" else f"{status}: {text}".rstrip(": ")


def _text(recording: "Recording", digest: Any) -> str:
    try:
        return recording.values.shown(str(digest))
    except (ExplainkitError, LookupError):
        return "(cannot be read)"


def _contexts(
    a: "Recording", b: "Recording", until: tuple[int | None, int | None]
) -> Iterator[ContextChange]:
    left, right = _offered(a, until[0], _reused(a, b)), _offered(b, until[1])
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
    started = next(b.rows("run_started"), {})
    if started.get("origin") != a.run:
        return frozenset()
    attrs = (row.get("attrs") or {} for row in b.rows("link_closed"))
    return frozenset(each["reused"] for each in attrs if isinstance(each.get("reused"), int))


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
    return "" if row is None or row.get("value") is None else _text(recording, row["value"])


def _answers(a: "Recording", b: "Recording") -> Iterator[AnswerChange]:
    slots = dict.fromkeys(("answer",))
    for recording in (a, b):
        slots |= {str(row.get("slot") or "answer"): None for row in recording.rows("answer")}
    for slot in slots:
        one, other = _answer(a, slot), _answer(b, slot)
        yield AnswerChange(slot, one, other, one == other)


def _answer(recording: "Recording", slot: str) -> str:
    fold = recording.effective(slot)
    if fold is None or (slot == "answer" and recording.status == "verdict"):
        return f"no answer ({recording.status})"
    return "" if fold.final.value is None else _text(recording, fold.final.value)


def _records(a: "Recording", b: "Recording") -> Iterator[RecordChange]:
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


def _told(recording: "Recording", kind: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for row in recording.rows(kind):
        if kind == "override":
            reason = f": {row['reason']}" if row.get("reason") else ""
            slot = str(row.get("slot") or "")
            at = "" if slot in {"", "answer"} else f" of {slot}"
            found[row["seq"]] = f"override{at} by {row.get('by')}, {row.get('outcome')}{reason}"
        else:
            target = row.get("slot") or "a link"
            reason = f": {row['reason']}" if row.get("reason") else ""
            judge = row.get("judge") or "nobody"
            found[row["seq"]] = f"{row.get('status')}, says {judge} of {target}{reason}"
    return found
