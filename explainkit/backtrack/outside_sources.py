"""Honest lines about what a run read outside of its record: globals, closures, stale cells."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from explainkit.backtrack.naming import Names

_FIELDS: Final = ("cell", "defined", "redefined")

_Seen: TypeAlias = dict[int, dict[str, Any]]
"""Cells, by the number of the record that names them."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A line, and the records that it is about; none when it is about the whole run."""

    line: str
    records: tuple[int, ...] = ()


def untracked_of(names: Names, walked: Iterable[int]) -> tuple[str, ...]:
    """Lines about sources outside the record: what was read there, cells edited or run again.

    Args:
        names: The run.
        walked: Places of the walk; lines about links that it crosses come first and say so.
    """
    evidence = names.evidence
    if "untracked" not in evidence.memo:
        rows = list(_shaped(evidence.recording.rows("run_started", "link_opened")))
        evidence.memo["untracked"] = (*_read_outside(rows), *_cells(rows), *_definitions(rows))
    facts: tuple[_Fact, ...] = evidence.memo["untracked"]
    crossed = {names.record(node) for node in walked} if any(f.records for f in facts) else set()
    on_path, beside = [], []
    for fact in facts:
        if not fact.records:
            beside.append(fact.line)
        elif crossed.isdisjoint(fact.records):
            beside.append(f"{fact.line} (not on this path)")
        else:
            on_path.append(f"{fact.line} (on this path)")
    return tuple(dict.fromkeys([*on_path, *beside]))


def _shaped(rows: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Rows whose cells and names have the shape that they should."""
    for row in rows:
        cells = [row.get(field) for field in _FIELDS]
        read = row.get("untracked")
        if all(each is None or isinstance(each, dict) for each in cells) and (
            read is None or isinstance(read, list)
        ):
            yield row


def _read_outside(rows: Collection[dict[str, Any]]) -> Iterable[_Fact]:
    seen: dict[str, dict[str, dict[int, None]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        is_run = row["kind"] == "run_started"
        by = "" if is_run else f", by {row.get('name', '')}"
        for name in row.get("untracked") or ():
            seen[by][str(name)].update({} if is_run else {row["seq"]: None})
        if row.get("unlinked"):
            link = f"link {row.get('name', '')} ({row['seq']})"
            yield _Fact(f"{link} was found without its context", (row["seq"],))
    for by, names in seen.items():
        together: dict[tuple[int, ...], list[str]] = defaultdict(list)
        for name, records in names.items():
            together[tuple(records)].append(name)
        for read_in, known in together.items():
            yield _Fact(f"read, not recorded{by}: {', '.join(known)}", read_in)


def _cells(rows: Collection[dict[str, Any]]) -> Iterable[_Fact]:
    """Cells that links of the run ran in, edited or run again meanwhile."""
    counts: dict[Any, dict[str, _Seen]] = defaultdict(dict)
    same: dict[str, _Seen] = defaultdict(dict)
    for row in rows:
        cell = row.get("cell") or {}
        count, code = cell.get("count"), cell.get("hash")
        if count is None or not code:
            continue
        counts[count].setdefault(str(code), {})[row["seq"]] = cell
        same[str(cell.get("id") or code)][row["seq"]] = cell
    for count, hashes in counts.items():
        if len(hashes) > 1:
            line = f"cell [{count}] was edited between links of this run"
            yield _Fact(line, tuple(seq for seen in hashes.values() for seq in seen))
    for seen in same.values():
        numbers = {cell["count"]: None for cell in seen.values()}
        if len(numbers) < 2:
            continue
        edited = len({cell["hash"] for cell in seen.values()}) > 1
        how = "edited and run again" if edited else "run again"
        ran = "".join(f"[{number}]" for number in numbers)
        yield _Fact(f"one cell ran as {ran}: {how} within this run", tuple(seen))


def _definitions(rows: Collection[dict[str, Any]]) -> Iterable[_Fact]:
    """Functions that were defined anew before they ran, or between two links that ran them."""
    versions: dict[str, dict[str, _Seen]] = defaultdict(dict)
    older: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        cell, later, name = row.get("defined"), row.get("redefined"), str(row.get("name", ""))
        if not cell or not row.get("code"):
            continue
        versions[name].setdefault(str(row["code"]), {})[row["seq"]] = cell
        if later:
            code = "the same code" if later.get("same") else "other code"
            first, second = f"cell [{cell.get('count')}]", f"cell [{later.get('count')}]"
            if cell.get("id") and cell.get("id") == later.get("id"):
                edit = "" if cell.get("hash") == later.get("hash") else "edited and "
                second = f"that cell, {edit}run again as [{later.get('count')}],"
            line = f"{name} ran as {first} defined it; {second} had defined it anew, with {code}"
            older[line] += [row["seq"]] if row["kind"] == "link_opened" else []
    for name, codes in versions.items():
        if len(codes) > 1:
            places = {f"[{cell.get('count')}]": None for c in codes.values() for cell in c.values()}
            line = f"{name} was defined in cells {' and '.join(places)}, each time other code"
            yield _Fact(
                f"{line}: this run ran them all", tuple(s for seen in codes.values() for s in seen)
            )
    for line, records in older.items():
        yield _Fact(line, tuple(records))
