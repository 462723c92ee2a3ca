"""How often the sequential rule convicts a null, beside plain peeking, and finds a real cause.

Run as `python -m benchmarks.attribution.error_rates [decisions]`. Every decision follows the rule
as a door does: it runs what `repeats_to_run` asks for until that is nothing, then reads the word.
"""

import random
import sys
from functools import cache

from explainkit.whatif.statistics import (
    ALPHA,
    LAST_LOOK,
    LOOKS,
    Measurement,
    TwoArms,
    judge_all,
    level_in,
    repeats_to_run,
)
from explainkit.whatif.statistics.fisher import fisher_table
from explainkit.whatif.statistics.foresight import chances_to_convict

NULLS = (0.0, 0.1, 1 / 3, 0.5)
EFFECTS = ((1.0, 0.0), (1.0, 0.1), (1.0, 1 / 3), (0.8, 1 / 3), (0.7, 0.1), (0.4, 0.05))
FAMILY = 5


def extended(known, more, rates, drawing):
    """The measurement after so many more re-runs of each arm."""
    unchanged = tuple(drawing.random() < rates[1] for _ in range(more[0]))
    changed = tuple(drawing.random() < rates[0] for _ in range(more[1]))
    return Measurement(arms=TwoArms(known.arms.unchanged + unchanged, known.arms.changed + changed))


def measure_family(rates, drawing, *, planned=0, before=()):
    """Measure suspects side by side, look by look, until the rule asks for nothing more."""
    family = [*before, *(Measurement() for _ in rates)]
    while True:
        level = level_in(family, planned=planned)
        wanted = [repeats_to_run(one, level=level) for one in family[len(before) :]]
        if not any(any(more) for more in wanted):
            return family
        for at, (more, pair) in enumerate(zip(wanted, rates, strict=True), start=len(before)):
            family[at] = extended(family[at], more, pair, drawing)


def is_cause(judgements):
    """Is any of them called a cause?"""
    return any(judged.word == "cause" for judged in judgements)


@cache
def convicting(n):
    """Pairs of counts that Fisher's test at 0.05 convicts after n re-runs of each arm."""
    return (fisher_table(n) <= ALPHA).tolist()


def peeks(rate, drawing, looks):
    """Does Fisher's test at 0.05 ever convict when it is read at each of these repeats?"""
    first = second = 0
    for n in range(1, LAST_LOOK + 1):
        first += drawing.random() < rate
        second += drawing.random() < rate
        if n in looks and convicting(n)[first][second]:
            return True
    return False


def table_of_nulls(decisions):
    """One row for each flip rate of a null."""
    print("Nothing differs: share of decisions that convict (two-sided alpha 0.05)\n")
    print(
        "| flip rate | rule | rule, exact | rule, either side, exact | peeking at 4 looks |", end=""
    )
    print(" peeking after every repeat | re-runs per arm |\n|---|---|---|---|---|---|---|")
    for rate in NULLS:
        drawing = random.Random(f"null {rate}")
        judged = [judge_all(measure_family([(rate, rate)], drawing))[0] for _ in range(decisions)]
        false = sum(one.word == "cause" for one in judged) / decisions
        exact = chances_to_convict(0, (0, 0), (rate, rate), ALPHA)[-1]
        at_looks = sum(peeks(rate, drawing, LOOKS) for _ in range(decisions)) / decisions
        every = range(LOOKS[0], LAST_LOOK + 1)
        always = sum(peeks(rate, drawing, every) for _ in range(decisions)) / decisions
        spent = sum(one.n for one in judged) / decisions
        print(
            f"| {rate:.2f} | {false:.2%} | {exact:.2%} | {2 * exact:.2%} | {at_looks:.2%} "
            f"| {always:.2%} | {spent:.1f} |",
            flush=True,
        )


def table_of_effects(decisions):
    """One row for each real effect: power alone, and beside null suspects of the same baseline."""
    print("\nA real effect: share convicted\n")
    print(f"| changed | unchanged | alone | re-runs per arm | beside {FAMILY - 1} nulls |", end="")
    print(" re-runs per arm |\n|---|---|---|---|---|---|")
    for pair in EFFECTS:
        drawing = random.Random(f"effect {pair}")
        row = []
        for nulls in (0, FAMILY - 1):
            rates = [pair, *[(pair[1], pair[1])] * nulls]
            found = [
                judge_all(measure_family(rates, drawing, planned=len(rates)))[0]
                for _ in range(decisions)
            ]
            row.append(sum(one.word == "cause" for one in found) / decisions)
            row.append(sum(one.n for one in found) / decisions)
        print(
            f"| {pair[0]:.2f} | {pair[1]:.2f} | {row[0]:.1%} | {row[1]:.1f} "
            f"| {row[2]:.1%} | {row[3]:.1f} |",
            flush=True,
        )


def table_of_families(decisions):
    """One row for each flip rate: any false conviction in a family of nulls."""
    print(f"\n{FAMILY} suspects, none a cause: share of families with any conviction\n")
    print("| flip rate | measured together | one by one, any of the words ever shown |", end="")
    print(" one by one, words of the last show |\n|---|---|---|---|")
    for rate in NULLS:
        drawing = random.Random(f"family {rate}")
        pairs = [(rate, rate)] * FAMILY
        together = ever = last = 0
        for _ in range(decisions):
            together += is_cause(judge_all(measure_family(pairs, drawing, planned=FAMILY)))
            family, shown = [], []
            for pair in pairs:
                family = measure_family([pair], drawing, before=family)
                shown.append(is_cause(judge_all(family)))
            ever += any(shown)
            last += shown[-1]
        print(
            f"| {rate:.2f} | {together / decisions:.2%} | {ever / decisions:.2%} "
            f"| {last / decisions:.2%} |",
            flush=True,
        )


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    fewer = wanted // 4
    print(f"{wanted:,} decisions for each row of nulls, {fewer:,} for the others\n")
    table_of_nulls(wanted)
    table_of_effects(fewer)
    table_of_families(fewer)
