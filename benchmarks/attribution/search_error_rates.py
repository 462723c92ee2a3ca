"""Simulates searches over sets: how often is a set convicted that does not change anything?

    python benchmarks/attribution/search_error_rates.py [searches]

Every search is one decision, however many sets it measures: the doors are `smallest_cause` and
`cause_roles`. A wrong conviction is a set (an item with a part) whose removal flips the answer no
more often than the unchanged run flips. Nothing is run; the re-runs are drawn from their rates.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from math import ceil, log2
from typing import Any

from explainkit.whatif.searching import (
    Outcome,
    find_roles,
    outcome_of,
    planned_roles,
    planned_size,
    smallest_set,
)
from explainkit.whatif.statistics import (
    Measurement,
    TwoArms,
    judge_all,
    level_in,
    repeats_to_run,
)

ITEMS = 8
SEED = 20_261_130
Rate = Callable[[frozenset[int]], float]


def measured(rate: Rate, removed: frozenset[int], others: list[Measurement], planned: int,
             chance: random.Random) -> Measurement:  # fmt: skip
    """Measure one set by the rule of every what-if."""
    unchanged: list[bool] = []
    changed: list[bool] = []
    while True:
        now = Measurement(arms=TwoArms(unchanged=tuple(unchanged), changed=tuple(changed)))
        level = level_in([*others, now], planned=planned)
        more, more_changed = repeats_to_run(now, level=level)
        if not more and not more_changed:
            return now
        unchanged += [chance.random() < rate(frozenset()) for _ in range(more)]
        changed += [chance.random() < rate(removed) for _ in range(more_changed)]


def searched(
    search: Any,
    rate: Rate,
    size: Callable[[int], int],
    chance: random.Random,
    held: list[bool] | None = None,
) -> Any:
    """Drive a search to its end; gives what it found and the re-runs it took.

    What `held` lists is whether each set so far held.
    """
    before: list[Measurement] = []
    while not search.is_done:
        outcomes = []
        for chosen in search.question:
            planned = size(len(before))
            now = measured(rate, frozenset(chosen), before, planned, chance)
            outcomes.append(outcome_of(judge_all([*before, now], planned=planned)[-1]))
            before.append(now)
            if held is not None:
                held.append(outcomes[-1] is Outcome.HOLDS)
        search.answer(outcomes)
    return search.result, sum(2 * each.arms.pairs for each in before)


def smallest(rate: Rate, chance: random.Random) -> tuple[list[frozenset[int]], int]:
    """The set that `smallest_cause` convicts, and the re-runs."""
    first = 2 * ceil(log2(ITEMS)) + 2
    found, reruns = searched(
        smallest_set(range(ITEMS)), rate, lambda at: planned_size(at, first=first), chance
    )
    return ([frozenset(found.items)] if found.items else []), reruns


def roles(rate: Rate, chance: random.Random) -> tuple[list[frozenset[int]], int]:
    """The items to which `cause_roles` gives a part, and the re-runs."""
    whole: list[bool] = []

    def size(at: int) -> int:
        holds = bool(whole) and whole[0]
        return planned_roles(at, items=ITEMS, holds=holds)

    found, reruns = searched(find_roles(range(ITEMS)), rate, size, chance, whole)
    copies = [frozenset(found.copies)] if len(found.copies) > 1 else []
    return [*(frozenset({each}) for each in found.needed), *copies], reruns


def main(searches: int) -> None:
    """Print a row for each door, structure and flip rate."""
    structures: dict[str, tuple[frozenset[int], ...]] = {
        "null": (),
        "single": (frozenset({5}),),
        "joint": (frozenset({1}), frozenset({6})),
        "copies": (frozenset({1, 6}),),
    }
    print("| door | structure | flip rate | wrong convictions | right | re-runs |")
    print("|---|---|---|---|---|---|")
    for name, door in (("smallest_cause", smallest), ("cause_roles", roles)):
        for base in (0.1, 1 / 3):
            for structure, causes in structures.items():
                chance, count = random.Random(SEED), Counter[str]()

                def rate(
                    removed: frozenset[int],
                    base: float = base,
                    causes: tuple[frozenset[int], ...] = causes,
                ) -> float:
                    return 1.0 if any(each <= removed for each in causes) else base

                for _ in range(searches):
                    found, reruns = door(rate, chance)
                    count["re-runs"] += reruns
                    wrong = any(rate(each) == base for each in found)
                    count["wrong"] += wrong
                    count["right"] += bool(found) and not wrong
                print(
                    f"| {name} | {structure} | {base:.2f} | {count['wrong'] / searches:.2%} "
                    f"| {count['right'] / searches:.1%} | {count['re-runs'] / searches:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
