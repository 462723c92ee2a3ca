"""The fast index of a run's evidence, from which slices, walks and the drawn graph are taken."""

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explainkit.errors import DamagedFileError
from explainkit.graph.carrying import Carrying
from explainkit.graph.contents import Contents
from explainkit.graph.cycles import uncollected
from explainkit.graph.edges import EdgeTable
from explainkit.graph.givers import Givers
from explainkit.graph.holding import Holding
from explainkit.graph.matches import Matches
from explainkit.graph.reading import Reader
from explainkit.graph.written import WrittenValues
from explainkit.records import read_record
from explainkit.store import Recording

if TYPE_CHECKING:
    import networkx as nx


class Evidence:
    """Places and edges of one run.

    Places are numbered in time and named ``"<seq>"`` (a record) or ``"<seq>:<slot>"`` (a value at
    a record). Declared edges, edges of equal digests and exposure are read at once; characters
    are compared the first time that something asks for them.

    Attributes:
        recording: The run.
        places: Every place.
        links: Every link.
        base: Edges that need no look at characters.
        answers: For each answer slot, the places of its versions.
        lost: ``seq`` of each lost record that says that something is missing.
        losses: What the lost records say.
        verdicts: ``seq`` of each verdict.
        overrides: ``seq`` of each override.
        unreadable: Records whose shape is wrong.
        dangling: Declared origins that name no earlier place of this run.
        memo: What layers above found out once and keep with the run.
    """

    def __init__(self, recording: Recording) -> None:
        """Read the records of a run once.

        Args:
            recording: The run; a prefix of one is fine.
        """
        with uncollected():
            reader = Reader(recording)
        self.recording = recording
        self.places = reader.places
        self.links = reader.links
        self.base = EdgeTable(reader.edges, len(reader.places))
        self.answers = reader.answers
        self.lost = tuple(reader.lost)
        self.losses = reader.losses
        self.verdicts = tuple(reader.verdicts)
        self.overrides = tuple(reader.overrides)
        self.dangling = reader.dangling
        self.unreadable = reader.unreadable
        self.nearest = reader.nearest
        self.memo: dict[object, Any] = {}
        self._holders = reader.holders
        self._ranges = reader.ranges

    @cached_property
    def contents(self) -> Contents:
        """What the stored values are made of."""
        with uncollected():
            return Contents(self.recording.rows("value"))

    @cached_property
    def holding(self) -> Holding:
        """Where characters stand in values."""
        return Holding(self.contents)

    @cached_property
    def givers(self) -> Givers:
        """Which place gave characters to a later one."""
        return Givers(self.places, self.links, self.nearest, self.holding)

    @cached_property
    def matches(self) -> Matches:
        """Common stretches of the run's distinct texts."""
        return Matches(self.contents.atoms)

    @cached_property
    def carrying(self) -> Carrying:
        """Where a stretch of characters came from."""
        return Carrying(
            self.places,
            self.links,
            self.base,
            self.givers,
            self.holding,
            self.matches,
            self._ranges,
            written=self.written,
        )

    @cached_property
    def written(self) -> WrittenValues:
        """Which earlier containers the JSON in a text says again."""
        rows = partial(self.recording.rows, "value")
        return WrittenValues(self.givers, self.nearest, self.holding, rows)

    @cached_property
    def edges(self) -> EdgeTable:
        """All data edges, those of equal characters included."""
        from explainkit.graph.weaving import woven

        with uncollected():
            return woven(self)

    def also_at(self, node: int) -> tuple[int, ...]:
        """The other places that hold a place's value, ascending."""
        digest = self.places.digest[node]
        return () if digest < 0 else tuple(each for each in self._holders[digest] if each != node)

    def held_at(self, node: int) -> int:
        """How many places hold a place's value, itself included."""
        digest = self.places.digest[node]
        return 0 if digest < 0 else len(self._holders[digest])

    def row(self, seq: int) -> dict[str, Any]:
        """The JSON object of a record, of the shape that its kind has.

        Raises:
            DamagedFileError: It has another shape.
        """
        row = self.recording.raw(seq)
        try:
            read_record(row)
        except ValueError as error:
            raise DamagedFileError(
                f"Record {seq} does not have the shape of its kind. Run: explainkit doctor"
            ) from error
        return row

    def link_of(self, node: int) -> int | None:
        """Row of the link that a place belongs to, as an input, output or error."""
        kind = self.places.kind_of(node)
        if kind == "input":
            return self.links.row(self.places.seq[node])
        if kind in ("output", "error"):
            return self.links.row(self.places.inside[node])
        return None

    def ancestors(self, nodes: list[int], *, grade: str = "value") -> NDArray[np.int32]:
        """Places from which the given ones can be reached along edges of at least a grade.

        Args:
            nodes: Numbers of places.
            grade: Weakest grade admitted: declared, value or exposure.

        Returns:
            Ascending numbers, int32[n].
        """
        table = self.base if grade == "declared" else self.edges
        return table.ancestors(nodes, grade=grade)

    def last_model_output(self) -> int | None:
        """Place of the last output of a model link, which stands for an answer nobody gave."""
        links = self.links
        best: int | None = None
        for row in range(len(links) - 1, -1, -1):
            node = links.output[row]
            if node >= 0 and (best is None or node > best) and links.type_of(row) == "model":
                best = node
        return best

    @property
    def nbytes(self) -> int:
        """Bytes held by the tables of places and edges."""
        total = self.places.nbytes + self.base.nbytes
        return total + (self.edges.nbytes if "edges" in self.__dict__ else 0)

    def networkx(self) -> "nx.MultiDiGraph[str]":
        """The whole graph as networkx objects, control edges included.

        Node attributes: kind, name, label, status, seq, digest. Edge attributes: role, grade, and
        ``evidence``, a list of ``(src_path, src_start, src_end, dst_path, dst_start, dst_end)``
        in which the end -1 means the rest. Every edge points from the earlier place to the later
        one, as data flows; ``part_of`` from the whole to its part, ``next`` to the next record.
        """
        from explainkit.graph.drawing import drawn

        return drawn(self)
