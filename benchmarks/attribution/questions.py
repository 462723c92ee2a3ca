"""Questions that a bisection asks on runs of 10 to 1,000 links, against log2 of their number."""

import random
from math import ceil, log2

from explainkit.whatif.searching import drive, first_wrong

SIZES = (10, 60, 100, 300, 1000)
RUNS = 30  # of each shape and size


def chain(size, drawing):
    """Each link was made from the one before."""
    return {link: [link - 1] if link else [] for link in range(size)}


def side_by_side(size, drawing):
    """Two links at a time, each made from both before."""
    return {
        link: [place for place in (link - 2 - link % 2, link - 1 - link % 2) if place >= 0]
        for link in range(size - 1)
    } | {size - 1: [size - 2, size - 3]}


def sparse(size, drawing):
    """One to three inputs among the twenty links before."""
    return {
        link: sorted(
            {drawing.randrange(max(0, link - 20), link) for _ in range(drawing.randint(1, 3))}
        )
        if link
        else []
        for link in range(size)
    }


def branches(size, drawing):
    """Ten chains that meet in the answer."""
    inputs = {link: [link - 10] if link >= 10 else [] for link in range(size - 1)}
    return inputs | {size - 1: list(range(max(0, size - 11), size - 1))}


def chat(size, drawing):
    """Each link reads everything before."""
    return {link: list(range(link)) for link in range(size)}


def wrong_from(inputs, fault, target, drawing):
    """A fault, and what it spoils: every link on one way to the answer, others at random."""
    spoiled = {fault}
    for link in range(fault + 1, target + 1):
        touched = any(one in spoiled for one in inputs[link])
        if touched and (link == target or drawing.random() < 0.8):
            spoiled.add(link)
    return spoiled


def measured(shape, size, drawing, **options):
    """Mean and most questions over faults that reach the answer; and whether each was right."""
    counts, right = [], 0
    while len(counts) < RUNS:
        inputs, target = shape(size, drawing), size - 1
        wrong = wrong_from(inputs, drawing.randrange(size), target, drawing)
        if target not in wrong:
            continue
        oracle = lambda question: question.link not in wrong  # noqa: B023, E731 - used at once
        found = drive(first_wrong(inputs, target, **options), oracle)
        counts.append(len(found.answers))
        right += found.link in wrong and not any(one in wrong for one in inputs[found.link])
    return sum(counts) / RUNS, max(counts), right


if __name__ == "__main__":
    print(f"{RUNS} faults of each row; mean (most) questions; named truly first wrong links\n")
    print("| shape | links | log2 | inputs checked | first wrong | inputs presumed | first wrong |")
    print("|---|---|---|---|---|---|---|")
    for shape in (chain, side_by_side, sparse, branches, chat):
        for size in SIZES[:3] if shape is chat else SIZES:
            checked = measured(shape, size, random.Random(f"{shape.__name__} {size}"))
            presumed = measured(
                shape, size, random.Random(f"{shape.__name__} {size}"), presume=True
            )
            print(
                f"| {shape.__name__.replace('_', ' ')} | {size} | {ceil(log2(size))} "
                f"| {checked[0]:.1f} ({checked[1]}) | {checked[2]}/{RUNS} "
                f"| {presumed[0]:.1f} ({presumed[1]}) | {presumed[2]}/{RUNS} |",
                flush=True,
            )
