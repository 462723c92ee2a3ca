"""Compares what was named with the truth of a run."""

from dataclasses import replace

from benchmarks.attribution.planted.attributing import Attributor
from benchmarks.attribution.planted.baselines import (
    by_words,
    first_in_prompt,
    last_in_prompt,
    leave_one_out,
)
from benchmarks.attribution.planted.generating import generate
from benchmarks.attribution.planted.suspects import Suspects, arguments_of
from explainkit.errors import ExplainkitError

PLACED = {"first": first_in_prompt, "last": last_in_prompt, "overlap": by_words}


def chance(groups, key, k):
    """Chance that a change stands in the first k rows, each order of a tie being as likely."""
    before = 0
    for group in groups:
        if key in group:
            return min(max((k - before) / len(group), 0.0), 1.0)
        before += len(group)
    return 0.0


def hits(groups, truth):
    """Top-1: some of the cause in the first row. Top-3: all of it in the first three."""
    if not truth.keys:
        return None
    first = sum(chance(groups, key, 1) for key in truth.keys)
    return {"top1": min(first, 1.0), "top3": min(chance(groups, key, 3) for key in truth.keys)}


def scored(case, *, with_leaving_out=False):
    """Everything that is counted of one case, as plain JSON."""
    item = generate(case)
    suspects = Suspects(item.run)
    before = Suspects(item.run).ranked(3)
    found = Attributor(item.run, item.judge()).attribute()
    sets = found.convicted
    row = {
        "kind": case.kind,
        "structure": case.structure,
        "size": case.size,
        "rate": case.rate,
        "seed": case.seed,
        "shares_text": item.scene.shares_text,
        "judge": item.scene.judge,
        "shortlist": hits(before, item.truth),
        "attributed": hits(found.rows, item.truth),
        "convicted": is_convicted(sets, item.truth),
        "false": [str(keys) for keys in sets if is_false(keys, item)],
        "convictions": len(sets),
        "shown": found.shown,
        "calls": found.calls,
        "reruns": found.reruns,
        "words": found.words,
        "refused": [words for _, words in found.refused],
    }
    for name, ordered in PLACED.items():
        row[name] = hits(ordered(suspects, item.scene.wrong), item.truth)
    if with_leaving_out:
        named, calls, reruns = leave_one_out(item, suspects)
        row["left_out"] = hits([[key] for key in named], item.truth)
        row["left_out_false"] = sum(is_false((key,), item) for key in named)
        row["left_out_calls"], row["left_out_reruns"] = calls, reruns
    return row


def is_convicted(sets, truth):
    """Whether the planted cause was convicted: all of a joint or redundant one."""
    named = {key for keys in sets for key in keys}
    return bool(truth.keys) and set(truth.keys) <= named


def is_false(keys, item):
    """Whether a convicted change does not flip the answer in the same run without noise."""
    truth = item.truth
    if truth.mode != "none":
        if len(keys) == 1 and keys[0] in truth.keys and truth.mode != "redundant":
            return False
        if set(keys) >= set(truth.keys):
            return False
    return not flips(keys, replace(item.case, rate=0.0))


def flips(keys, case):
    """Whether a set of changes flips the answer of a run without noise."""
    item = generate(case)
    values = [Suspects(item.run).swaps.get(key, [None]) for key in keys]
    if len(keys) == 1:
        changes = [_change(keys[0], value, item) for value in values[0]]
    else:
        changes = [{"remove": [arguments_of(key)["remove"] for key in keys]}]
    try:
        return any(item.run.whatif(**each, **item.judge()).word == "cause" for each in changes)
    except ExplainkitError:
        return False


def _change(key, value, item):
    if key[0] != "reorder":
        return arguments_of(key, value)
    if len(key) == 3:
        return {"reorder": [key[2], key[1]]}
    places = list(range(len(item.scene.pieces)))
    places[key[2]], places[key[3]] = key[3], key[2]
    return {"reorder": {key[1]: places}}
