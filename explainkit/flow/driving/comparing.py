"""The records of one machine as lines that do not depend on what else a run holds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from explainkit.store.reader import Recording

_PLACES = ("parent", "link", "machine", "source")
_ELSEWHERE = ("cell", "seq", "kind")
_ONLY_LIVE = (("link_closed", "error"), ("event", "uses"))
"""What only those know who were there: the exception itself, and what an Agent picked from."""
_SAID_AROUND = frozenset(("from", "segments"))
_KINDS = (
    "link_opened",
    "link_closed",
    "event",
    "reply",
    "transition",
    "answer",
    "override",
    "lost",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay first differs from what was recorded.

    Attributes:
        index: Position among the machine's records.
        recorded: The recorded line; None when the replay has more.
        replayed: The replayed line; None when the record has more.
        seq: The recorded record.
    """

    index: int
    recorded: bytes | None
    replayed: bytes | None
    seq: int | None

    def __str__(self) -> str:
        return (
            f"record {self.index} of the machine differs: recorded {_shown(self.recorded)}, "
            f"replayed {_shown(self.replayed)}"
        )


def machine_lines(recording: Recording, link: int) -> list[tuple[int, bytes]]:
    """Every record of a machine with its `seq`, references renumbered within the machine.

    What stands in the actors' own links, such as the calls of a model, is not the machine's.

    Args:
        recording: The run.
        link: The machine's link.
    """
    numbers: dict[int, int] = {}
    lines = []
    for row in recording.rows(*_KINDS):
        if _belongs(row, link, numbers):
            numbers[row["seq"]] = len(numbers)
            lines.append((row["seq"], _line(row, numbers)))
    return lines


def first_difference(
    recorded: list[tuple[int, bytes]], replayed: list[tuple[int, bytes]], *, ended: bool
) -> Difference | None:
    """Where two lists of lines first differ.

    Args:
        recorded: Lines of the recorded machine.
        replayed: Lines of its replay.
        ended: Whether the recorded machine came to an end; one that was killed may lack the last
            lines of its last input. After the last input it may close the links of its actors and
            its own, which no input leads to.
    """
    for index in range(max(len(recorded), len(replayed))):
        seq, old = recorded[index] if index < len(recorded) else (None, None)
        new = replayed[index][1] if index < len(replayed) else None
        lacks = old is None and not ended
        closes = new is None and old is not None and orjson.loads(old)["kind"] == "link_closed"
        if old != new and not lacks and not closes:
            return Difference(index, old, new, seq)
    return None


def _belongs(row: Mapping[str, Any], link: int, numbers: Mapping[int, int]) -> bool:
    kind = row["kind"]
    if kind == "link_opened":
        return row["seq"] == link or (row.get("parent") == link and "session" in _attrs(row))
    if kind == "link_closed":
        return row["link"] in numbers
    if kind == "reply":
        return int(row["pick"]) in numbers
    if kind in ("event", "transition"):
        return row.get("machine") == link and not row.get("refused")
    return row.get("parent") == link


def _line(row: Mapping[str, Any], numbers: Mapping[int, int]) -> bytes:
    written: dict[str, Any] = {"kind": row["kind"], "seq": numbers[row["seq"]]}
    for key, value in row.items():
        if key in _ELSEWHERE or (row["kind"], key) in _ONLY_LIVE:
            continue
        if key in _PLACES:
            if value in numbers:  # where the machine itself stands is no matter of its own
                written[key] = numbers[value]
        elif key == "pick":
            written[key] = numbers[int(value)]
        elif key == "slot" and str(value).startswith("pick:"):
            written[key] = f"pick:{numbers[int(value[5:])]}"
        elif key == "attrs":  # the names of functions are in the chart: what they do tells
            written[key] = {
                name: each for name, each in value.items() if name not in ("branch", "chart")
            }
        elif key == "inputs":  # what a composition around says of them is not the machine's
            written[key] = [
                {name: part for name, part in each.items() if name not in _SAID_AROUND}
                for each in value
            ]
        elif key == "uses":
            within = list(_within(value, numbers))
            if within:
                written[key] = within
        else:
            written[key] = value
    return orjson.dumps(written, option=orjson.OPT_SORT_KEYS)


def _within(uses: Any, numbers: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    for each in uses:
        if each["seq"] in numbers:
            yield each | {"seq": numbers[each["seq"]]}


def _attrs(row: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = row.get("attrs") or {}
    return found


def _shown(line: bytes | None) -> str:
    if line is None:
        return "nothing"
    text = line.decode()
    return text if len(text) <= 400 else text[:400] + "…"
