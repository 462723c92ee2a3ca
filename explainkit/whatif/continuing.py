"""The same change asked again goes on with its outcomes, instead of standing beside itself."""

import hashlib
import inspect
import json
from collections.abc import Mapping
from types import CellType, CodeType, FunctionType
from typing import Any, Final

from explainkit.safety.encoding import encode
from explainkit.tracing.spec import code_hash
from explainkit.tracing.untracked import untracked_sources
from explainkit.whatif.families import Member
from explainkit.whatif.judging import Judge
from explainkit.whatif.judging.judges import CheckerJudge, FunctionJudge, SpanJudge
from explainkit.whatif.rerunning import Entry, Rerun
from explainkit.whatif.statistics import NO_ARMS, TwoArms
from explainkit.whatif.varying import Plan
from explainkit.whatif.varying.recorded_points import RecordedPoint

COPIED = "+copied"
"""Ends the key of a change that is measured although a copy of what it removes stays."""

AROUND: Final = "(code around the links)"
"""Stands among the codes of links for that of the function which calls them, and its helpers."""
_HELPERS: Final = 500
"""Functions around the links that are looked at."""


def change_key(plan: Plan, judge: Judge) -> str | None:
    """What tells one change from another; None where it is not known whole.

    Args:
        plan: What is changed.
        judge: Who judges: functions may have one name and say different things, so of those only
            the ones count of which the code says everything.
    """
    parts: list[Any] = [list(plan.told)]
    if isinstance(judge, SpanJudge):
        parts.append([judge.words, judge.start])  # its name is shortened, and says no place
    elif isinstance(judge, CheckerJudge):
        parts.append(judge.checker)
    if isinstance(judge, FunctionJudge):
        code = code_hash(judge.fn)
        if code is None or untracked_sources(judge.fn):
            return None
        parts.append(code)
    for each in plan.asked:
        values = each.value.items() if isinstance(each.value, Mapping) else [("", each.value)]
        for name, value in values:
            encoded = encode(value)
            if encoded.fidelity != "exact":
                return None
            parts.append([each.verb, str(name), encoded.data.decode("utf-8", "replace")])
    told = json.dumps(parts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def codes_of(done: Rerun) -> dict[str, str]:
    """The code of the links that ran, by name.

    Args:
        done: A re-run.
    """
    ran = {each.link for each in done.executed}
    rows = (row for row in done.recording.rows("link_opened") if row["seq"] in ran)
    return {str(row.get("name")): str(row["code"]) for row in rows if row.get("code")}


def is_other_code(
    before: Mapping[str, str], now: Mapping[str, str], recorded: Mapping[str, str]
) -> bool:
    """Whether what ran is of other code than when the earlier outcomes were made.

    Args:
        before: Codes by name, of then.
        now: Codes by name.
        recorded: Codes of the links of the run itself: a link that did not run then had its own.
    """
    then = {**recorded, **before}
    return any(then.get(name, code) != code for name, code in now.items())


def recorded_codes(points: Mapping[int, RecordedPoint]) -> dict[str, str]:
    """The code of the links of a run, by name; those of one name and several codes are left out.

    Args:
        points: Its recorded points.
    """
    found: dict[str, set[str]] = {}
    for each in points.values():
        if each.code is not None:
            found.setdefault(each.name, set()).add(each.code)
    return {name: next(iter(codes)) for name, codes in found.items() if len(codes) == 1}


def code_around(entry: Entry) -> str | None:
    """Hash of the function that is called and of the functions of its own modules that it names.

    Args:
        entry: What is called.

    Returns:
        None where that is a cell, or belongs to a runner: its steps are links.
    """
    called = getattr(entry, "fn", None)
    waiting = [inspect.unwrap(called)] if callable(called) else []
    known: dict[FunctionType, str | None] = {}
    for fn in waiting:
        if type(fn) is FunctionType and fn not in known and not _is_ours(fn):
            known[fn] = code_hash(fn)
            if len(known) < _HELPERS:
                waiting += _named_in(fn)
    told = sorted(f"{fn.__module__}:{fn.__qualname__} {code}" for fn, code in known.items())
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16] if told else None


def _named_in(fn: FunctionType) -> list[Any]:
    """Functions of the modules around it that a function names, without their decorators."""
    cells = [each.cell_contents for each in fn.__closure__ or () if _is_filled(each)]
    found = [*cells, *(fn.__globals__.get(name) for name in _names_of(fn.__code__))]
    root = str(fn.__module__).partition(".")[0]
    plain = [inspect.unwrap(each) for each in found if type(each) is FunctionType]
    return [each for each in plain if str(each.__module__).partition(".")[0] == root]


def _names_of(code: CodeType) -> list[str]:
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [*code.co_names, *(name for each in inner for name in _names_of(each))]


def _is_filled(cell: CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _is_ours(fn: FunctionType) -> bool:
    return str(fn.__module__).partition(".")[0] == "explainkit"


def earlier_of(
    members: list[Member], key: str | None, *, copies_count: bool = True
) -> tuple[Member | None, TwoArms]:
    """The finding that is gone on with, and its outcomes.

    Outcomes are added in the order in which they were made, and the rule looks at fixed numbers of
    them, so that asking in two calls is no different from asking in one. What was not tested (a
    deterministic result, a change that did not reach the run) has none that count; of what had to
    be refused nothing is taken over, and it stays a suspect of its own.

    Args:
        members: The family so far.
        key: The change.
        copies_count: A copy of what is removed makes it not applied. What a search measured beside
            copies is another question than that of a what-if, and neither goes on with the other.
    """
    if key is None:
        return None, NO_ARMS
    keys = (key,) if copies_count else (key + COPIED, key)
    same = [each for each in reversed(members) if each.key in keys]
    found = min(same, key=lambda each: keys.index(str(each.key)), default=None)
    if found is None or (not copies_count and found.measurement.not_applied is not None):
        return None, NO_ARMS
    measured = found.measurement
    if not measured.is_tested or measured.deterministic:
        return found, NO_ARMS
    return (None, NO_ARMS) if measured.refused else (found, measured.arms)
