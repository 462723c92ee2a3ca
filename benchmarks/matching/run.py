"""Print throughput, memory, recall on planted copies and spans by chance of the text matching.

Run: python benchmarks/matching/run.py [MEGABYTES [TEXTS]]
Times are processor time of one core, so that a busy machine does not decide; rates stand beside a
bare loop of the same run (case folding and splitting the same text).
"""

import resource
import sys
import time
from collections import Counter

import numpy as np
from corpus import KINDS, make

from explainkit.text.alignment import align
from explainkit.text.matching import all_matches, build_index


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _timed(call):
    began = time.process_time()
    result = call()
    return result, time.process_time() - began


def throughput(contents: list[str]) -> None:
    size = sum(map(len, contents)) / 1e6
    before = _peak()
    _, bare = _timed(lambda: [text.casefold().split() for text in contents])
    base = _peak()
    for name in ("cold", "warm", "warm"):
        index, building = _timed(lambda: build_index(contents))
        table, matching = _timed(lambda index=index: all_matches(index))
        total = building + matching
        print(
            f"{name}: index {building:.2f} s + matches {matching:.2f} s = {total:.2f} s, "
            f"{size / total:.1f} MB/s, {total / bare:.1f} x fold and split ({bare:.2f} s), "
            f"{len(table)} matches"
        )
    print(
        f"peak memory: {_peak() - before:.0f} MB over {before:.0f} MB, text {size:.1f} MB; "
        f"the bare loop took {base - before:.0f} MB"
    )
    words = " ".join(contents[len(contents) // 2].split(" ")[5:11])
    for span in (words, words[2:-2], "1234.56"):
        places, seconds = _timed(lambda span=span: index.find(span))
        print(f"find {span!r}: {seconds * 1000:.1f} ms, {len(places)} places")


def quality(contents: list[str], plants) -> None:
    table = all_matches(build_index(contents))
    by_target: dict[int, list[int]] = {}
    for row, target in enumerate(table.target.tolist()):
        by_target.setdefault(target, []).append(row)
    found, firmly, asked = Counter(), Counter(), Counter()
    planted = np.zeros(len(table), bool)
    for plant in plants:
        asked[plant.kind] += 1
        covered, strongly = 0, 0
        for row in by_target.get(plant.target, []):
            start, end = int(table.target_start[row]), int(table.target_end[row])
            low, high = max(start, plant.start), min(end, plant.end)
            if high <= low:
                continue
            planted[row] = True
            if table.source[row] == plant.source:
                covered = max(covered, high - low)
                strongly = max(strongly, (high - low) * bool(table.strong[row]))
        found[plant.kind] += covered >= 0.8 * (plant.end - plant.start)
        firmly[plant.kind] += strongly >= 0.8 * (plant.end - plant.start)
    for kind in KINDS:
        print(
            f"recall, {kind}: {found[kind] / asked[kind]:.3f} "
            f"(strong {firmly[kind] / asked[kind]:.3f}) of {asked[kind]} copies"
        )
    chance = ~planted
    strong = table.strong
    print(
        f"by chance: loose {chance.sum()} of {len(table)} spans = {chance.mean():.2%}, "
        f"strong {(chance & strong).sum()} of {strong.sum()} = "
        f"{(chance & strong).sum() / max(strong.sum(), 1):.2%}; "
        f"per text: loose {chance.sum() / len(contents):.3f}, "
        f"strong {(chance & strong).sum() / len(contents):.4f}"
    )


def alignment(text: str) -> None:
    words = text.split(" ")
    for at in range(0, len(words), 97):
        words[at] = "changed"
    pieces, seconds = _timed(lambda: align(text, " ".join(words)))
    print(f"align two versions of {len(text) / 1e6:.2f} MB: {seconds:.2f} s, {len(pieces)} pieces")
    repeated = "of the " * (len(text) // 7)
    _, seconds = _timed(lambda: align(repeated, repeated[: len(repeated) // 2] + "x" + repeated))
    print(f"align repeats of {len(text) / 1e6:.2f} MB: {seconds:.2f} s")


def main() -> None:
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    texts = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    contents, plants = make(megabytes, texts)
    print(f"{sum(map(len, contents)) / 1e6:.1f} MB in {texts} texts, {len(plants)} copies planted")
    throughput(contents)
    quality(contents, plants)
    alignment(" ".join(contents)[:1_000_000])


if __name__ == "__main__":
    main()
