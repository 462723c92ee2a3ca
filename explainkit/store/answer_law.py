"""The law of answers: versions follow each other, and a verdict names one that there is."""

from collections.abc import Iterator
from typing import Any

from explainkit.store.problem import Problem


class AnswerLaw:
    """Follows the answer slots of one run."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}
        self._models: set[int] = set()
        self._links: set[int] = set()

    def check(self, row: dict[str, Any]) -> Iterator[Problem]:
        """What is wrong with an answer, an override or a verdict."""
        kind = row["kind"]
        if kind == "link_opened":
            self._links.add(row["seq"])
            if row.get("type") == "model":
                self._models.add(row["seq"])
        elif kind == "link_closed" and row.get("link") in self._models and row.get("output"):
            self._versions.setdefault("", 1)  # a model's output stands in for a missing answer
        elif kind == "answer":
            slot = row.get("slot", "answer")
            if slot in self._versions:
                yield Problem("answer", row["seq"], f"{slot!r} was answered before: this overrides")
            self._versions.setdefault(slot, 1)
        elif kind == "override":
            yield from self._override(row)
        elif kind == "verdict":
            yield from self._verdict(row)

    def _override(self, row: dict[str, Any]) -> Iterator[Problem]:
        seq, slot, outcome = row["seq"], row.get("slot", "answer"), row.get("outcome", "applied")
        if outcome == "unheard":
            if row.get("slot") is not None:
                yield Problem("answer", seq, f"an unheard override has the slot {slot!r}")
            return
        version = self._versions.get(slot)
        if version is None:
            yield Problem("answer", seq, f"an override of {slot!r}, which has no answer")
            return
        if outcome not in {"applied", "cleared"}:
            return
        before = row.get("from_version")
        if before != version:
            yield Problem("answer", seq, f"it replaces version {before}; {slot!r} is at {version}")
        self._versions[slot] = version + 1

    def _verdict(self, row: dict[str, Any]) -> Iterator[Problem]:
        seq, slot, version, link = row["seq"], row.get("slot"), row.get("version"), row.get("link")
        if slot is None:
            if link is None:
                yield Problem("verdict", seq, "it judges neither an answer nor a link")
            elif link not in self._links:
                yield Problem("verdict", seq, f"it judges link {link!r}, which is none")
            return
        last = self._versions.get(slot, self._versions.get("", 0) if slot == "answer" else 0)
        if not (isinstance(version, int) and 1 <= version <= last):
            there = f"there are {last}" if last else "there is no answer"
            yield Problem("verdict", seq, f"it judges version {version} of {slot!r}: {there}")
