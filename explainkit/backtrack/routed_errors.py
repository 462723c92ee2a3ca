"""Knows the errors that a machine caught by a route of its chart, which are part of its plan."""

from typing import Final

from explainkit.backtrack.naming import Names

_EVENT: Final = "error.actor."


def unreached_errors(names: Names, answer: int | None) -> frozenset[int]:
    """Places of errors that took an error route and from which no data leads to an answer.

    Not even exposure: nothing that was made from the error was read on the way to the answer.

    Args:
        names: The run.
        answer: Place of the answer.
    """
    routed = _routed(names)
    if not routed or answer is None:
        return frozenset()
    memo = names.evidence.memo
    key = ("unreached errors", answer)
    if key not in memo:
        reached = set(names.evidence.ancestors([answer], grade="exposure").tolist())
        memo[key] = routed - reached
    found: frozenset[int] = memo[key]
    return found


def _routed(names: Names) -> frozenset[int]:
    memo = names.evidence.memo
    if "routed errors" not in memo:
        memo["routed errors"] = _read(names)
    found: frozenset[int] = memo["routed errors"]
    return found


def _read(names: Names) -> frozenset[int]:
    evidence = names.evidence
    invoked: dict[int, tuple[object, object]] = {}
    failed: dict[tuple[object, object], int] = {}
    found: set[int] = set()
    if next(evidence.recording.rows("transition"), None) is None:
        return frozenset()
    for row in evidence.recording.rows("link_opened", "link_closed", "transition"):
        if row["kind"] == "link_opened":
            attrs = row.get("attrs")
            if isinstance(attrs, dict) and isinstance(attrs.get("invocation"), str):
                invoked[row["seq"]] = row.get("parent"), attrs["invocation"]
        elif row["kind"] == "link_closed":
            if row.get("error") and row.get("link") in invoked:
                failed[invoked[row["link"]]] = row["seq"]
        else:
            event = str(row.get("event"))
            at = failed.pop((row.get("machine"), event.removeprefix(_EVENT)), None)
            node = None if at is None else evidence.places.find(at, "error")
            if node is not None and event.startswith(_EVENT):
                found.add(node)
    return frozenset(found)
