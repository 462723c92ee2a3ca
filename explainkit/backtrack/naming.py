"""Names places as a person would, and turns stretches into places with their text."""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from explainkit.backtrack.results import Place
from explainkit.graph.evidence import Evidence
from explainkit.graph.stretches import REST, Stretch

_ROWS_KEPT: Final = 4096


class Names:
    """Labels and texts of a run's places.

    Attributes:
        evidence: The run.
        row: The JSON object of a record, by ``seq``.
        label: What a person calls a place, such as ``context tariff`` or ``prompt of ask``.
        place: A stretch with its text and label.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.row = lru_cache(maxsize=_ROWS_KEPT)(self._row)
        self.label = lru_cache(maxsize=_ROWS_KEPT)(self._label)
        self.place = lru_cache(maxsize=_ROWS_KEPT)(self._place)
        self._calls = lru_cache(maxsize=_ROWS_KEPT)(self._calls_of)

    def _row(self, seq: int) -> dict[str, Any]:
        return self.evidence.row(seq)

    def _label(self, node: int) -> str:
        evidence = self.evidence
        places = evidence.places
        kind = places.kind_of(node)
        link = evidence.link_of(node)
        if link is not None:
            return f"{places.slot_name(node)} of {self.call(link)}"
        if node in evidence.nearest.receipts:
            return f"receipt of {self.row(places.seq[node]).get('slot') or 'answer'}"
        if kind == "argument":
            return f"argument {places.slot_name(node)}"
        if kind in ("context", "event"):
            row = self.row(places.seq[node])
            return f"{kind} {row.get('name', '')}{_step(row)}".strip()
        if kind in ("answer", "override"):
            return self._version(node, kind)
        if kind == "link":
            return f"link {self.row(places.seq[node]).get('name', '')}"
        return "question (asked)" if kind == "question" else kind

    def call(self, link: int) -> str:
        """Name of a link, told from others of that name: by its step or by which call it is.

        Args:
            link: Row of the link.
        """
        links = self.evidence.links
        name = links.name_of(link)
        if links.type_of(link) == "chunk":
            name = f"call {name}"
        step = _step(self.row(links.opened[link]))
        if step:
            return f"{name}{step}"
        same = self._calls(links.name[link])
        if len(same) < 2:
            return name
        return f"{name} #{int(np.searchsorted(same, link)) + 1}"

    def _calls_of(self, name: int) -> np.ndarray:
        """Rows of the links of one name, in order."""
        return np.flatnonzero(np.array(self.evidence.links.name) == name)

    def _version(self, node: int, kind: str) -> str:
        row = self.row(self.evidence.places.seq[node])
        slot = row.get("slot") or "answer"
        versions = self.evidence.answers.get(slot, [])
        if kind == "answer" and len(versions) <= 1:
            return str(slot)
        number = versions.index(node) + 1 if node in versions else 0
        by = f" by {row.get('by', '')}" if kind == "override" else ""
        return f"{slot} v{number}{by}"

    def record(self, node: int) -> int:
        """The record that a place is shown under: the link for its slots, else its own."""
        link = self.evidence.link_of(node)
        return self.evidence.places.seq[node] if link is None else self.evidence.links.opened[link]

    def _place(self, stretch: Stretch) -> Place:
        places = self.evidence.places
        text = self.evidence.carrying.text(stretch)
        end = len(text) if stretch.end == REST else stretch.end
        return Place(
            seq=places.seq[stretch.node],
            slot=places.slot_name(stretch.node),
            path=stretch.path,
            start=stretch.start,
            end=end,
            text=text,
            label=self.label(stretch.node),
        )


def _step(row: dict[str, Any]) -> str:
    """Where an imported record stands in its source."""
    index = row.get("source_index")
    return f" at step {index}" if isinstance(index, int) else ""
