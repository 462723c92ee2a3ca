"""Attributes every generated run and prints the tables.

Run as `python -m benchmarks.attribution.planted.run [workers [file for rows]]`. The figures do
not depend on the machine: budgets are in calls, and every case draws its own random numbers.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.attribution.planted.generating import cases
from benchmarks.attribution.planted.scoring import scored
from benchmarks.attribution.planted.tables import markdown, report

HERE = Path(__file__).parent


def left_out_too(case):
    """Where leaving one out is run beside: three full re-runs of every part, so of small ones."""
    return case.size == 10


def one(case):
    """One case, scored; a case that breaks says which one it was."""
    try:
        return scored(case, with_leaving_out=left_out_too(case))
    except Exception as error:
        error.add_note(case.key)
        raise


def main(workers=2, kept=None):
    """Print the tables, and write the figures beside this file.

    Args:
        workers: Processes.
        kept: A file that gets a line of JSON for each run; what is there already is not run again.
    """
    known = _kept(kept)
    todo = [case for case in cases() if case.key not in known]
    rows = list(known.values())
    with ProcessPoolExecutor(workers) as pool:
        for case, row in zip(todo, pool.map(one, todo, chunksize=4), strict=True):
            rows.append(row)
            if kept is not None:
                with Path(kept).open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": case.key, **row}) + "\n")
    text = json.dumps(report(rows), indent=1, ensure_ascii=False)
    (HERE / "results.json").write_text(text + "\n", encoding="utf-8")
    print(markdown(rows))


def _kept(path):
    if path is None or not Path(path).exists():
        return {}
    rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    return {row["key"]: row for row in rows}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2, *sys.argv[2:3])
