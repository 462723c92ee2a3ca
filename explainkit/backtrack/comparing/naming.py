"""Names that a record has in both runs, because its number is another one in each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explainkit.backtrack.comparing.compared import LinkPair

if TYPE_CHECKING:
    from explainkit.store import Recording

PICK, RUNNER = "pick:", "answer:"


class Names:
    """What the records of one of two runs are called.

    Links that are matched have one name in both runs; everything else is named by what it is
    called and how many of that name came before. What a user chose stands in quotes, so that no
    two records of a run have one name.

    Args:
        recording: The run.
        links: The names of its links, as `link_names` gives them.
    """

    def __init__(self, recording: "Recording", links: Mapping[int, str]) -> None:
        self._names = dict(links)
        counts: Counter[str] = Counter()
        for row in recording.rows():
            if row["kind"] == "link_closed":
                self._names[row["seq"]] = f"end of {self.of(row.get('link'))}"
            elif row["kind"] != "link_opened":
                name = self._named(row)
                counts[name] += 1
                self._names[row["seq"]] = _numbered(name, counts[name])

    def of(self, seq: Any) -> str:
        """The name of a record; what is no record of the run is named by its number."""
        return self._names.get(seq, f"record {seq}") if isinstance(seq, int) else repr(seq)

    def slot(self, slot: Any) -> str:
        """The name of an answer slot: of a pick its event, of a runner's answer its link."""
        text = str(slot)
        for prefix, word in ((PICK, "pick of"), (RUNNER, "answer of")):
            number = text.removeprefix(prefix)
            if text.startswith(prefix) and number.isdecimal():
                return f"{word} {self.of(int(number))}"
        return text if text == "answer" else repr(text)

    def _named(self, row: Mapping[str, Any]) -> str:
        kind = str(row["kind"])
        if kind == "event" and row.get("machine") is not None:
            return f"event {row.get('name')!r} in {self.of(row['machine'])}"
        if kind in ("context", "event"):
            return f"{kind} {row.get('name')!r}"
        if kind in ("answer", "override"):
            return f"{kind} in slot {self.slot(row.get('slot') or 'answer')}"
        if kind == "reply":
            return f"reply in {self.slot(PICK + str(row.get('pick')))}"
        if kind == "transition":
            return f"transition {row.get('event')!r} in {self.of(row.get('machine'))}"
        return f"decision in {self.of(row.get('link'))}" if kind == "decision" else kind


def link_names(
    pairs: Sequence[LinkPair], called: tuple[str, str]
) -> tuple[dict[int, str], dict[int, str]]:
    """The names of the links of both runs; matched links have the same.

    Args:
        pairs: Every link of either run.
        called: What each run is called.
    """
    counts: Counter[str] = Counter()
    found: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for pair in pairs:
        name = f"{pair.type} {pair.name!r}"
        if not pair.is_matched:
            name = f"{name} (only in the {called[pair.a is None]})"
        counts[name] += 1
        for names, seq in zip(found, (pair.a, pair.b), strict=True):
            if seq is not None:
                names[seq] = _numbered(name, counts[name])
    return found


def _numbered(name: str, count: int) -> str:
    return name if count < 2 else f"{name} #{count}"
