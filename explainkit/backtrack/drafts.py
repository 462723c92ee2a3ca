"""Drafts of an answer that were refused or replaced: they said words before, and support none."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from explainkit.backtrack.makers import JUDGING, is_saying
from explainkit.backtrack.naming import Names
from explainkit.errors import ExplainkitError
from explainkit.graph.stretches import REST, Stretch

_DEEPEST: Final = 4
"""Links within links that handed a draft on as it stands."""
_UNREAD: Final = {
    "superseded": "a later one took its place",
    "unread": "nobody was there to read it",
    "unheard": "nobody was waiting for it",
}
Piece = tuple[str, int, int, str]
"""Path, start and end in a value (the end -1 means the rest), and what became of it."""


class Drafts:
    """What was said before the walked answer and did not stand.

    Attributes:
        pieces: For each place the stretches that did not stand, each with why in words.
    """

    def __init__(self, names: Names, answer: int) -> None:
        """Read what was refused or replaced before an answer was given, by its place."""
        self._names = names
        self.pieces: dict[int, list[Piece]] = {}
        for node, why in (*_judged(names, answer), *_failed_checks(names, answer)):
            self._refuse(Stretch(node, "", 0, REST), why, 0)
        self._replace(answer)
        for node, why in (*_unread(names), *_refused_picks(names, answer)):
            self._refuse(Stretch(node, "", 0, REST), why, 0)
        self.pieces.pop(answer, None)

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def why(self, stretch: Stretch) -> str | None:
        """What became of the draft that a stretch lies in; ``None`` where it lies in none."""
        for path, start, end, why in self.pieces.get(stretch.node, ()):
            if end == REST and f"{stretch.path}/".startswith(f"{path}/"):
                return why
            if path == stretch.path and start <= stretch.start and stretch.end <= end:
                return why
        return None

    def _refuse(self, stretch: Stretch, why: str, depth: int) -> None:
        """Note a stretch, and where the same text was said that it was made of."""
        piece = stretch.path, stretch.start, stretch.end, why
        known = self.pieces.setdefault(stretch.node, [])
        if any(each[:3] == piece[:3] for each in known) or depth > _DEEPEST:
            return
        known.append(piece)
        carrying = self._names.evidence.carrying
        leaves = carrying.leaves(stretch.node) if stretch.end == REST else [stretch]
        for leaf in leaves:
            for carry in carrying.sources(leaf):
                whole = (carry.target.start, carry.target.end) == (leaf.start, leaf.end)
                if whole and carry.role != "overrides" and self._is_said(carry.source):
                    self._refuse(carry.source, why, depth + 1)

    def _is_said(self, source: Stretch) -> bool:
        return source.end != REST and is_saying(self._names, source.node)

    def _replace(self, answer: int) -> None:
        """What of earlier versions of the answer later ones put other words in place of."""
        evidence = self._names.evidence
        slots = evidence.answers.values()
        known: list[int] = next((nodes for nodes in slots if answer in nodes), [])
        versions = [node for node in known if node <= answer]
        for before, after in pairwise(versions):
            by = str(self._names.row(evidence.places.seq[after]).get("by") or "somebody")
            for leaf in evidence.carrying.leaves(before):
                for start, end in self._replaced(before, after, leaf):
                    gone = leaf._replace(start=start, end=end)
                    self._refuse(gone, f"{by} replaced it", 0)

    def _replaced(self, before: int, after: int, leaf: Stretch) -> list[tuple[int, int]]:
        pieces = self._names.evidence.carrying.declared.versions(before, after, leaf.path)
        if pieces is None:
            return [(leaf.start, leaf.end)]
        said = self._names.evidence.carrying.text(leaf)
        kept = [
            each
            for each in pieces
            if each.equal and any(map(str.isalnum, said[each.before_start : each.before_end]))
        ]
        if not kept:
            return [(leaf.start, leaf.end)]
        return [
            (each.before_start, each.before_end)
            for each in pieces
            if not each.equal and each.before_start < each.before_end
        ]


def drafts_before(names: Names, answer: int) -> Drafts:
    """The drafts before an answer, found once.

    Args:
        names: The run.
        answer: Place of the answer.
    """
    memo, key = names.evidence.memo, ("drafts", answer)
    if key not in memo:
        memo[key] = Drafts(names, answer)
    known: Drafts = memo[key]
    return known


def _judged(names: Names, answer: int) -> Iterator[tuple[int, str]]:
    """Versions and outputs of which the last verdict before an answer says that they failed."""
    before = names.evidence.places.seq[answer]
    last: dict[int, dict[str, Any]] = {}
    for seq in names.evidence.verdicts:
        if seq < before:
            row = names.row(seq)
            node = _target(names, row)
            if node is not None and node < answer and row.get("status") in ("failed", "passed"):
                last[node] = row
    for node, row in last.items():
        if row["status"] == "failed":
            yield node, f"{row.get('judge') or 'a verdict'} refused it"


def _failed_checks(names: Names, answer: int) -> Iterator[tuple[int, str]]:
    """What was said before an answer and given to a check that says that it failed."""
    links = names.evidence.links
    for row in range(len(links)):
        output = links.output[row]
        judges = 0 <= output < answer and links.type_of(row) in JUDGING
        if judges and _says_failed(names, output):
            first = links.first[row]
            for given in range(first, first + links.inputs[row]):
                for node in _said_before(names, given):
                    yield node, f"{links.name_of(row)} refused it"


def _target(names: Names, row: dict[str, Any]) -> int | None:
    """The place of what a verdict judges: a version, or what a link said."""
    evidence = names.evidence
    link = row.get("link")
    if link is not None:
        at = evidence.links.row(link)
        output = -1 if at is None else evidence.links.output[at]
        return output if output >= 0 and is_saying(names, output) else None
    versions = evidence.answers.get(row.get("slot") or "answer", [])
    version = row.get("version")
    return versions[version - 1] if type(version) is int and 0 < version <= len(versions) else None


def _says_failed(names: Names, output: int) -> bool:
    """Whether the result of a check says that what it checked failed."""
    digest = names.evidence.places.digest_of(output)
    try:
        value = None if digest is None else names.evidence.recording.values.tagged(digest)
    except ExplainkitError:
        return False
    return isinstance(value, dict) and value.get("status") == "failed"


def _said_before(names: Names, given: int) -> Iterator[int]:
    """The places that a check was given its value from: what said it, or the version that it is."""
    evidence = names.evidence
    for node in evidence.also_at(given):
        kind = evidence.places.kind_of(node)
        if node < given and (kind in ("answer", "override") or is_saying(names, node)):
            yield node


def _unread(names: Names) -> Iterator[tuple[int, str]]:
    """Values that were set for an answer and never read."""
    for seq in names.evidence.overrides:
        why = _UNREAD.get(str(names.row(seq).get("outcome")))
        node = names.evidence.places.find(seq, "value")
        if why is not None and node is not None:
            yield node, why


def _refused_picks(names: Names, answer: int) -> Iterator[tuple[int, str]]:
    """What came with picks that a machine refused."""
    before = names.evidence.places.seq[answer]
    for row in names.evidence.recording.rows("event"):
        node = names.evidence.places.find(row["seq"], "value") if row.get("refused") else None
        if node is not None and row["seq"] < before:
            yield node, "the machine refused it"
