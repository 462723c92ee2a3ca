"""Re-runs and model calls of the product beside plain leave-one-out without reuse, by size.

Run as `python -m benchmarks.attribution.planted.savings [workers]`. Plain leave-one-out runs the
whole program three times for every part that can be changed. The product's figures are those of the
attributor, of one `run.whatif` for every removable part, and of one `run.smallest_cause`, without a
budget.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.attribution.planted.attributing import Attributor
from benchmarks.attribution.planted.baselines import leave_one_out
from benchmarks.attribution.planted.generating import SIZES, generate
from benchmarks.attribution.planted.scenes import Case
from benchmarks.attribution.planted.suspects import Suspects, arguments_of
from benchmarks.attribution.planted.tables import table

HERE = Path(__file__).parent
RUNS = (
    ("poisoned fact", "prompt", 0),
    ("poisoned fact", "two_stage", 0),
    ("poisoned fact", "parallel", 0),
    ("wrong number in a row", "prompt", 1),
)
RATES = {0.0: "deterministic", 1 / 3: "flips 1 in 3"}
ENOUGH = 100_000


def measured(kind, structure, seed, size, rate):
    """One run: what each way of asking costs, as (re-runs, model calls, links reused)."""
    case = Case(kind, structure, size, rate, seed)
    item = generate(case)
    named, calls, reruns = leave_one_out(item, Suspects(item.run))
    found = {"plain": (reruns, calls, 0, item.truth.keys[0] in named)}
    attribution = Attributor(item.run, item.judge()).attribute()
    convicted = {key for keys in attribution.convicted for key in keys}
    reused = sum(whatif.trial.spent.saved for _, whatif in attribution.tried)
    found["attributor"] = (
        attribution.reruns, attribution.calls, reused, item.truth.keys[0] in convicted,
    )  # fmt: skip
    if rate == 0:
        found["each"] = _each(generate(case))
        found["smallest"] = _smallest(generate(case))
    return found


def _each(item):
    total, named = [0, 0, 0], False
    for key in Suspects(item.run).removable:
        whatif = item.run.whatif(**arguments_of(key), **item.judge(), budget=ENOUGH)
        spent = whatif.trial.spent
        total = [
            a + b for a, b in zip(total, (spent.reruns, spent.calls, spent.saved), strict=True)
        ]
        named |= key in item.truth.keys and whatif.word == "cause"
    return (*total, named)


def _smallest(item):
    keys = Suspects(item.run).removable
    items = [arguments_of(key)["remove"] for key in keys]
    search = item.run.smallest_cause(items, **item.judge(), budget=ENOUGH)
    spent = search.whatifs[-1].trial.spent
    return spent.reruns, spent.calls, spent.saved, bool(search.items)


WAYS = {
    "plain": "plain leave-one-out",
    "attributor": "attributor (400 calls at most)",
    "each": "`run.whatif` of each part",
    "smallest": "`run.smallest_cause`",
}


def cell(place):
    """One run of the table."""
    size, rate, run = place
    return measured(*run, size, rate)


def main(workers=2):
    """Print the table, and write the figures beside this file."""
    places = [(size, rate, run) for size in SIZES for rate in RATES for run in RUNS]
    with ProcessPoolExecutor(workers) as pool:
        found = list(pool.map(cell, places))
    lines, kept = [], []
    for (size, rate, (kind, structure, _)), each in zip(places, found, strict=True):
        kept.append({"kind": kind, "structure": structure, "size": size, "rate": RATES[rate],
                     **{way: list(figures) for way, figures in each.items()}})  # fmt: skip
        for way, (reruns, calls, reused, named) in each.items():
            said = "yes" if named else "no"
            lines.append(
                (size, RATES[rate], f"{kind}, {structure}", WAYS[way], reruns, calls, reused, said)
            )
    (HERE / "savings.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    head = ("parts", "unchanged run", "run", "asked by", "re-runs", "model calls", "links reused",
            "cause named")  # fmt: skip
    print(table(head, lines))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
