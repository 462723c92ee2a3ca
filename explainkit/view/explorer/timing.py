"""Links in order of time as bars, summed when there are more than can be drawn."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from explainkit.view.explorer.material import Material
from explainkit.view.explorer.pieces import Json
from explainkit.view.words import counted, flat

MOST_BARS: Final = 400


@dataclass(frozen=True, slots=True)
class Bar:
    """A link with its times, in nanoseconds.

    Attributes:
        seq: The link.
        begin: When it began.
        end: When it ended; the last known time of the run when it did not.
        open: Whether it did not end.
    """

    seq: int
    begin: int
    end: int
    open: bool


class Timeline:
    """Answers when things happened."""

    def __init__(self, material: Material) -> None:
        """Time the links of a run."""
        self._material = material

    @cached_property
    def _bars(self) -> tuple[list[Bar], int]:
        """Bars in order of their beginning, and how many links have no time."""
        begun: dict[int, int] = {}
        ended: dict[int, int] = {}
        untimed, latest = 0, 0
        for row in self._material.recording.rows("link_opened", "link_closed"):
            at, opens = row.get("at"), row["kind"] == "link_opened"
            if not isinstance(at, int):
                untimed += opens
                continue
            latest = max(latest, at)
            if opens:
                begun[row["seq"]] = at
            elif isinstance(row.get("link"), int):
                ended.setdefault(row["link"], at)
        bars = [
            Bar(seq, at, max(at, ended.get(seq, latest)), seq not in ended)
            for seq, at in begun.items()
        ]
        return sorted(bars, key=lambda bar: (bar.begin, bar.seq)), untimed

    def told(self, start: int | None, end: int | None, count: int) -> Json:
        """Bars between two times.

        Args:
            start: Nanoseconds from the first beginning; from there when not given.
            end: Nanoseconds from the first beginning; to the last end when not given.
            count: Bars at most; what is more is summed by stretches of time.
        """
        bars, untimed = self._bars
        if not bars:
            return {"begin": 0, "end": 0, "total": 0, "untimed": untimed, "bars": [],
                    "note": no_times(self._material)}  # fmt: skip
        zero, last = bars[0].begin, max(bar.end for bar in bars)
        low = zero + max(0, start or 0)
        high = last if end is None else zero + max(0, end)
        shown = [bar for bar in bars if bar.end >= low and bar.begin <= high]
        count = min(max(count, 1), MOST_BARS)
        if len(shown) > count:
            made = _summed(shown, low, high, count)
            note = f"{counted(len(shown), 'link')} summed into {counted(len(made), 'bar')}"
        else:
            made, note = [[bar] for bar in shown], ""
        if untimed:
            note = f"{note}; " * bool(note) + f"{counted(untimed, 'link')} without times"
        return {
            "begin": 0,
            "end": last - zero,
            "total": len(bars),
            "untimed": untimed,
            "bars": [self._bar(group, zero) for group in made],
            "note": note,
        }

    def _bar(self, group: list[Bar], zero: int) -> Json:
        first = group[0]
        node = self._material.node(first.seq)
        label = node.label if node else ""
        return {
            "seq": first.seq,
            "begin": min(bar.begin for bar in group) - zero,
            "end": max(bar.end for bar in group) - zero,
            "kind": node.kind if node else "link",
            "word": flat(node.word, 60) if node else "",
            "label": flat(label, 120),
            "depth": self._material.depth.get(first.seq, 0),
            "open": any(bar.open for bar in group),
            "count": len(group),
        }


def _summed(bars: list[Bar], low: int, high: int, count: int) -> list[list[Bar]]:
    """Bars that begin in the same stretch of time together; those that are empty fall away."""
    begins = [bar.begin for bar in bars]
    width = max(1, -(-(high - low + 1) // count))
    made: list[list[Bar]] = []
    edge = bisect_left(begins, low)
    if edge:
        made.append(bars[:edge])  # those that were running already
    for number in range(count - bool(edge)):
        stop = bisect_right(begins, low + width * (number + 1) - 1)
        if number == count - bool(edge) - 1:
            stop = len(bars)
        if stop > edge:
            made.append(bars[edge:stop])
            edge = stop
    return made


def no_times(material: Material) -> str:
    """Why nothing stands on the timeline: without links there is nothing to time."""
    links = next(material.recording.rows("link_opened"), None)
    return "No link was recorded." if links is None else "No times were recorded."
