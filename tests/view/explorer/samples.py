"""Writes what an explorer answers for several runs, for those who draw it.

Run ``python -m tests.view.explorer.samples FOLDER``. Further arguments are recorded runs of any
format that explainkit reads.
"""

import json
import sys
from pathlib import Path
from typing import Any

import explainkit as ek
from explainkit.session import Run
from explainkit.view.explorer import Exploration
from tests.view.explorer.explored import RUNS
from tests.view.explorer.walking import walks_of

MOST = 60


def sample_of(run: Run) -> dict[str, Any]:
    """Every question with its answer."""
    asked = Exploration(run.evidence, walk=walks_of(run))
    scene, chart = asked.scene(), asked.chart()
    numbers = iter(range(1_000_000))

    def reply(ask: str, **fields: Any) -> dict[str, Any]:
        request = {"id": next(numbers), "ask": ask, **fields}
        return {"request": request, "reply": asked.reply(request)}

    folds = [node["seq"] for node in chart["nodes"] if node["members"]]
    whole = asked.walk() if scene["answers"] else None
    spans = [(0, 4), (2, 12), (0, 40), (5, 10_000_000)]
    replies = [
        *(reply("walk", start=start, end=end) for start, end in spans),
        *(
            reply("walk", slot=each["slot"], version=each["version"])
            for each in scene["answers"][:6]
        ),
        reply("walk", grade="exposure"),
        reply("walk"),
        *(reply("inspect", seq=node["seq"]) for node in chart["nodes"][:MOST]),
        *(reply("nearest", seq=seq) for seq in (0, 1, 2, 10**9)),
        reply("rows"),
        reply("rows", query="half of the fare"),
        reply("rows", query="12"),
        reply("rows", kinds=["context"], count=5),
        reply("rows", grades=["declared"], start=2, count=5),
        reply("rows", verdicts=["failed"]),
        reply("chart", only="path"),
        *(reply("chart", opened=[seq]) for seq in folds[:3]),
    ]
    replies += [
        reply("story"),
        reply("timeline"),
        reply("timeline", count=10),
        reply("tree"),
        *(
            reply("machine", link=each["link"], step=step)
            for each in scene["machines"][:3]
            for step in (None, 0, 1)
        ),
        *(reply("ladder", item=each["item"]) for each in scene["items"][:10]),
        reply("answer", start=10),
        reply("nonsense"),
    ]
    return {"scene": scene, "chart": chart, "shown": whole, "replies": replies}


def main(folder: str, *files: str) -> None:
    """Write a JSON file for each run."""
    to = Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    runs = dict(RUNS)
    runs |= {f"file_{number}": lambda file=file: ek.load(file) for number, file in enumerate(files)}
    for name, make in runs.items():
        text = json.dumps(sample_of(make()), ensure_ascii=True, indent=1)
        (to / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {len(text):,} characters")


if __name__ == "__main__":
    main(*sys.argv[1:])
