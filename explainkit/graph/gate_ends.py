"""Reads how a Gate ended: one that a person answered and that was then left was not cancelled."""

from typing import Any


class GateEnds:
    """Takes the records of a run in order.

    Example:
        >>> gates = GateEnds()
        >>> gates.opened({"seq": 3, "type": "gate"})
        >>> gates.arrived({"arrival": "gate", "parent": 3})
        >>> gates.status({"link": 3, "status": "cancelled"})
        'answered'
    """

    def __init__(self) -> None:
        """Begin before the first record."""
        self._sent: dict[int, bool] = {}

    def opened(self, row: dict[str, Any]) -> None:
        """A link began."""
        if row.get("type") == "gate":
            self._sent[row["seq"]] = False

    def arrived(self, row: dict[str, Any]) -> None:
        """An event came."""
        parent = row.get("parent")
        if row.get("arrival") == "gate" and isinstance(parent, int) and parent in self._sent:
            self._sent[parent] = True

    def status(self, row: dict[str, Any]) -> str:
        """How a link ended, by the record of its end."""
        status, link = str(row.get("status") or "answered"), row.get("link")
        left = status == "cancelled" and isinstance(link, int) and self._sent.get(link, False)
        return "answered" if left else status
