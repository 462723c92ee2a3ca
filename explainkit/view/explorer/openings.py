"""What a page shows when a fold is opened: charts drawn before, written as what they change."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from explainkit.view.drawing import HEIGHT
from explainkit.view.explorer.pieces import Json
from explainkit.view.words import counted

if TYPE_CHECKING:
    from explainkit.view.explorer.exploration import Exploration

MOST: Final = 120
"""Folds that open in one page at most."""
WORK: Final = 250_000
"""Records of a run times its prepared charts, roughly: a big run has fewer of them."""
FEWEST: Final = 4
ROOM: Final = 600_000
"""Characters of JSON for all openings of a page."""
NEAR: Final = 0.2
"""Places are told to a tenth; as far apart is the same."""

Chain = tuple[str, tuple[int, ...]]
"""Which chart, and the first records of the folds that are open in it, outer ones first."""


class Openings:
    """The openings of one page; each holds one fold, and those around it.

    Attributes:
        told: What the page's script makes charts of.
        seqs: Records that have a box of their own in one of them, in order of preparation.
    """

    def __init__(
        self, asked: "Exploration", bases: dict[str, Json], length: Callable[[Any], int]
    ) -> None:
        """Prepare them.

        Args:
            asked: The run.
            bases: The charts in which nothing is open, by ``only``.
            length: Gives the characters of a JSON value.
        """
        self.told: list[Json] = []
        self.seqs: dict[int, None] = {}
        self._bases = bases
        records = max(1, asked.outline.rows_of(())[0])
        most = min(MOST, max(FEWEST, WORK // records))
        room = ROOM
        self._counts = {"outer": [0, 0], "inner": [0, 0]}
        for chain in self._chains():
            only, opened = chain
            counts = self._counts["inner" if len(opened) > 1 else "outer"]
            counts[1] += 1
            if len(self.told) >= most or room <= 0:
                continue
            chart = asked.chart(opened, only)
            told = opening_of(bases[only], chart)
            self._waiting += [(only, (*opened, seq)) for seq in _folds(told)]
            room -= length(told)
            self.told.append(told)
            self.seqs |= dict.fromkeys(
                node["seq"] for node in told["nodes"] if isinstance(node, dict)
            )
            counts[0] += 1

    def words(self) -> list[str]:
        """Which folds open in the page and which do not."""
        (outer, outers), (inner, inners) = self._counts["outer"], self._counts["inner"]
        if not outers:
            return []
        said = f"{outer:,} of {counted(outers, 'folded box', 'folded boxes')} open in this page"
        if inners:
            said += f", and {inner:,} of {inners:,} inside of those"
        more = "; run.explore() opens them all" if outer < outers or inner < inners else ""
        return [f"{said}, one at a time{more}."]

    def _chains(self) -> Iterator[Chain]:
        """Folds of the charts, those beside the path first, and then the folds in them."""
        self._waiting: list[Chain] = []
        for only, base in self._bases.items():
            nodes = base["nodes"]
            single = {at for at, node in enumerate(nodes) if not node["members"]}
            beside = {arrow["source"] for arrow in base["arrows"] if arrow["target"] in single}
            beside |= {arrow["target"] for arrow in base["arrows"] if arrow["source"] in single}
            folds = [at for at, node in enumerate(nodes) if node["members"]]
            for at in sorted(folds, key=lambda each: (each not in beside, each)):
                yield only, (nodes[at]["seq"],)
        while self._waiting:
            yield self._waiting.pop(0)


def opening_of(base: Json, chart: Json) -> Json:
    """A chart as what differs from another one.

    Args:
        base: The chart in which nothing is open.
        chart: The same with folds open.

    Returns:
        A node is ``[place in base, x, y]`` or a whole one. An arrow is ``[source, target, place in
        base or [role, grade, count], x, y, ...]`` with the bends between its ends, or a whole one
        where its route is not made of bends. ``boxOf`` has the ranges of whole nodes alone.
    """
    places = {_name(node): at for at, node in enumerate(base["nodes"])}
    nodes = chart["nodes"]
    found = [places.get(_name(node)) for node in nodes]
    known = {
        (arrow["source"], arrow["target"], *_said(arrow)): number
        for number, arrow in enumerate(base["arrows"])
    }
    arrows: list[Json | list[Any]] = []
    for arrow in chart["arrows"]:
        bends = _bends(arrow["route"], nodes[arrow["source"]], nodes[arrow["target"]], arrow)
        if bends is None:
            arrows.append(arrow)
            continue
        ends = found[arrow["source"]], found[arrow["target"]]
        number = None if None in ends else known.get((*ends, *_said(arrow)))
        how = _said(arrow) if number is None else number
        arrows.append([arrow["source"], arrow["target"], how, *bends])
    return {
        **{each: chart[each] for each in ("only", "opened", "width", "height", "notes")},
        "nodes": [
            node if at is None else [at, node["x"], node["y"]]
            for at, node in zip(found, nodes, strict=True)
        ],
        "arrows": arrows,
        "boxOf": [each for each in chart["boxOf"] if found[each[2]] is None],
    }


def _name(node: Json) -> tuple[Any, ...]:
    return tuple(node[each] for each in ("seq", "kind", "word", "label", "absent", "members"))


def _said(arrow: Json) -> list[Any]:
    return [arrow["role"], arrow["grade"], arrow["count"]]


def _bends(route: list[list[float]], source: Json, target: Json, arrow: Json) -> list[float] | None:
    """The bends of a route, flat; nothing where a route cannot be made of them and of its ends."""
    sign = 1 if arrow["source"] < arrow["target"] else -1
    start = [source["x"], source["y"] + sign * HEIGHT / 2]
    end = [target["x"], target["y"] - sign * HEIGHT / 2]
    stops = [start, *route[3:-1:3], end]
    made = [start]
    for here, there in pairwise(stops):
        middle = (here[1] + there[1]) / 2
        made += [[here[0], middle], [there[0], middle], there]
    near = len(made) == len(route) and all(
        abs(one - other) < NEAR
        for point, drawn in zip(made, route, strict=True)
        for one, other in zip(point, drawn, strict=True)
    )
    return [each for stop in stops[1:-1] for each in stop] if near else None


def _folds(opening: Json) -> list[int]:
    return [node["seq"] for node in opening["nodes"] if isinstance(node, dict) and node["members"]]
