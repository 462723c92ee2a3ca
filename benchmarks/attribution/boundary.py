"""Recomputes the constants of the sequential rule, exactly, and prints them as a module."""

from explainkit.whatif.statistics.fisher import fisher_table
from explainkit.whatif.statistics.looks import LOOKS, WEIGHTS
from explainkit.whatif.statistics.null_paths import worst_error_rate

FINEST = 1e-7  # smaller statistics get the error rate of this one
STEP = 1.05  # neighbouring constants differ by about this factor


def rounded_up(value: float, digits: int = 6) -> float:
    """The value at so many digits, never below it."""
    text = f"{value:.{digits - 1}e}"
    exponent = int(text.partition("e")[2])
    rounded = float(text)
    if rounded < value:
        rounded = float(f"{rounded + 10.0 ** (exponent - digits + 1):.{digits - 1}e}")
    return rounded


def attainable():
    """Every value that the statistic can have, rounded up, ascending; and those of look 1."""
    values, first = set(), set()
    for look, weight in zip(LOOKS, WEIGHTS, strict=True):
        found = {rounded_up(p / weight) for p in fisher_table(look).ravel().tolist()}
        values |= found
        first = first or found
    return sorted(v for v in values if v >= FINEST), first


def constants():
    """Thresholds and their error rates, thinned so that a table of them stays readable."""
    values, always = attainable()
    kept = []
    for value in values:
        level = rounded_up(worst_error_rate(value, looks=LOOKS, weights=WEIGHTS), 5)
        if level >= 1:
            break
        near = len(kept) > 1 and level < kept[-2][1] * STEP
        if near and kept[-1][0] not in always:
            kept[-1] = (value, level)  # the larger of two neighbours stands for both
        else:
            kept.append((value, level))
    return [t for t, _ in kept], [level for _, level in kept]


def as_module(thresholds, levels):
    """The text of `explainkit/whatif/statistics/crossing_levels.py`."""
    parts = [
        '"""Constants of the sequential rule, computed once because a notebook should not wait.',
        "",
        "`LEVELS[i]` is the exact chance, at the worst flip rate, that some look has Fisher's p at",
        "or below its weight times `THRESHOLDS[i]`, rounded up.",
        'The benchmark `attribution/boundary.py` writes this module; a test recomputes it.\n"""',
        "",
        "from typing import Final",
        "",
    ]
    for name, numbers in (("THRESHOLDS", thresholds), ("LEVELS", levels)):
        parts.append(f"# fmt: off\n{name}: Final = (")
        rows = [numbers[at : at + 7] for at in range(0, len(numbers), 7)]
        parts += ["    " + " ".join(f"{number!r}," for number in row) for row in rows]
        parts.append(")\n# fmt: on")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    print(as_module(*constants()), end="")
