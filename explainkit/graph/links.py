"""What each link was, in columns, because a run may have a million of them."""

from array import array
from bisect import bisect_left

OPEN = -1
"""The link never closed: the run crashed inside it, or still goes on."""


class Links:
    """The table of links, a row each, in order of ``seq``.

    Args:
        unended: Status of a link that did not close: ``running`` while its run goes on.

    Attributes:
        opened: ``seq`` of the ``link_opened`` record: the link's id.
        closed: ``seq`` of the ``link_closed`` record, or ``OPEN``.
        parent: ``seq`` of the enclosing link, or -1.
        first: Number of the first input's place.
        inputs: How many inputs there are.
        output: Number of the output's place, or -1.
        type: Number of its type in ``words``.
        name: Number of its name in ``words``.
        status: Number of its status in ``words``.
        children: Whether a link lies in it.
    """

    __slots__ = (
        "_ids",
        "_unended",
        "children",
        "closed",
        "first",
        "inputs",
        "name",
        "opened",
        "output",
        "parent",
        "status",
        "type",
        "words",
    )

    def __init__(self, unended: str = "crashed") -> None:
        self._unended = unended
        self.opened = array("i")
        self.closed = array("i")
        self.parent = array("i")
        self.first = array("i")
        self.inputs = array("i")
        self.output = array("i")
        self.type = array("i")
        self.name = array("i")
        self.status = array("i")
        self.children = array("B")
        self.words: list[str] = []
        self._ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.opened)

    def open(self, seq: int, parent: int, kind: str, name: str, first: int, inputs: int) -> None:
        """Append a link that begins."""
        self.opened.append(seq)
        self.closed.append(OPEN)
        self.parent.append(parent)
        self.first.append(first)
        self.inputs.append(inputs)
        self.output.append(-1)
        self.type.append(self._word(kind))
        self.name.append(self._word(name))
        self.status.append(self._word(self._unended))
        self.children.append(0)
        above = self.row(parent)
        if above is not None:
            self.children[above] = 1

    def close(self, row: int, seq: int, status: str, output: int) -> None:
        """Say how a link ended."""
        self.closed[row] = seq
        self.status[row] = self._word(status)
        self.output[row] = output

    def row(self, seq: int) -> int | None:
        """Row of the link with this id."""
        row = bisect_left(self.opened, seq)
        return row if row < len(self.opened) and self.opened[row] == seq else None

    def type_of(self, row: int) -> str:
        """Type of a link."""
        return self.words[self.type[row]]

    def name_of(self, row: int) -> str:
        """Name of a link."""
        return self.words[self.name[row]]

    def status_of(self, row: int) -> str:
        """How a link ended; ``crashed`` when it never did, ``running`` when it yet may."""
        return self.words[self.status[row]]

    def scopes(self, seq: int) -> list[int]:
        """A link and those around it, innermost first, ending with -1 for the run."""
        found = []
        while seq >= 0:
            found.append(seq)
            row = self.row(seq)
            if row is None:
                break
            seq = self.parent[row]
        return [*found, -1]

    def _word(self, word: str) -> int:
        found = self._ids.get(word)
        if found is None:
            found = self._ids[word] = len(self.words)
            self.words.append(word)
        return found


def unended_status(run: str) -> str:
    """What a link is that did not close, by the status of its run: it may yet, or never will."""
    return "running" if run == "running" else "crashed"
