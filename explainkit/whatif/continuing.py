"""The same change asked again goes on with its outcomes, instead of standing beside itself."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from explainkit.safety.encoding import encode
from explainkit.tracing.spec import code_hash
from explainkit.tracing.untracked import untracked_sources
from explainkit.whatif.families import Member
from explainkit.whatif.judging import Judge
from explainkit.whatif.judging.judges import FunctionJudge
from explainkit.whatif.rerunning import Rerun
from explainkit.whatif.statistics import NO_ARMS, TwoArms
from explainkit.whatif.varying import Plan

COPIED = "+copied"
"""Ends the key of a change that is measured although a copy of what it removes stays."""


def change_key(plan: Plan, judge: Judge) -> str | None:
    """What tells one change from another; None where it is not known whole.

    Args:
        plan: What is changed.
        judge: Who judges: functions may have one name and say different things, so of those only
            the ones count of which the code says everything.
    """
    parts: list[Any] = [list(plan.told)]
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


def is_other_code(before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Whether a link that ran is of other code than when the earlier outcomes were made.

    Args:
        before: Codes by name, of then.
        now: Codes by name.
    """
    return any(before.get(name, code) != code for name, code in now.items())


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
