"""What the explorer's questions cost in Python, in CPU time and without a browser.

Bars: docs/decisions/0018-explorer-protocol.md.

Run: python benchmarks/explorer/view_model.py [links ...]
"""

import gc
import json
import random
import resource
import sys
import time
from itertools import starmap

from explainkit.graph import Evidence
from explainkit.store import MemorySink, Recording
from explainkit.tracing import Recorder
from explainkit.view.explorer import Exploration
from explainkit.view.layout import dot_engine
from explainkit.view.page import page_of

SIZES = (100, 1_000, 10_000, 100_000)
SYLLABLES = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("", "n", "r", "st")]
KEPT = 7
"""Facts that the answer says again."""


def desk(links, seed=7):
    """A run of turns: a fact, a step around a search and a model that says parts of both again."""
    draw = random.Random(seed)
    words = ["".join(draw.choices(SYLLABLES, k=3)) for _ in range(4_000)]
    sink = MemorySink(run="desk", name="desk")
    recorder = Recorder(sink, run="desk", clock=iter(range(10**9)).__next__)
    put, value = recorder.append, recorder.value
    put("run_started", run="desk", name="desk", question=value("What is paid for a delay?"))
    facts, said = [], ""
    for turn in range(-(-links // 3)):
        fact = f"Rule {turn}: {' '.join(draw.choices(words, k=12))} pays {draw.randint(100, 999)}."
        facts.append(fact)
        seq = put("context", name=f"rule-{turn}", type="document", value=value(fact))
        step = put("link_opened", name="turn", type="function", inputs=[])
        used = put("link_opened", name="search", type="tool", parent=step, inputs=[])
        hit = f"Hit {turn} of {' '.join(draw.choices(words, k=10))}."
        put("link_closed", link=used, status="answered", output=value(hit))
        prompt = f"{fact}\n{hit}\n{said}"
        slots = [
            {"slot": "prompt", "value": value(prompt), "from": [{"seq": seq, "slot": "value"}]}
        ]
        ask = put("link_opened", name="ask", type="model", parent=step, inputs=slots)
        said = f"So {' '.join(fact.split()[2:9])}, and {' '.join(hit.split()[3:8])}."
        put("link_closed", link=ask, status="answered", output=value(said))
        put("link_closed", link=step, status="answered", output=value(said))
    kept = [facts[len(facts) * number // KEPT] for number in range(KEPT)]
    put("answer", value=value(" ".join(kept) + " Nothing else is known."))
    put("verdict", slot="answer", version=1, status="failed", judge="reviewer", reason="too long")
    recorder.close("answered")
    return Recording.of_lines(sink.lines()), kept


def timed(fn):
    gc.collect()
    began = time.process_time()
    result = fn()
    return (time.process_time() - began) * 1e3, result


def size_of(answer):
    return len(json.dumps(answer, separators=(",", ":"))) / 1e3


def measure(links):
    recording, kept = desk(links)
    bare, _ = timed(lambda: sum(1 for _ in recording.rows()))
    reading, evidence = timed(lambda: Evidence(recording))
    asked = Exploration(evidence)
    first = {name: timed(getattr(asked, name)) for name in ("scene", "walk")}
    board = reading + sum(ms for ms, _ in first.values())
    matching, _ = timed(lambda: evidence.edges)
    first["chart"] = timed(asked.chart)
    each = ", ".join(starmap(said_of, first.items()))
    print(f"{links:,} links: a bare pass over the records {bare:,.0f} ms, index {reading:,.0f} ms")
    print(f"  board {board:,.0f} ms with the index; characters compared {matching:,.0f} ms; {each}")
    text = asked.walk_of().answer
    spans = [(text.index(fact), text.index(fact) + n) for fact in kept for n in (len(fact), 40)]
    tell("a walk", [timed(lambda at=at: asked.walk(start=at[0], end=at[1]))[0] for at in spans])
    chart = first["chart"][1]
    seqs = [node["seq"] for node in chart["nodes"]]
    tell("inspect", [timed(lambda seq=seq: asked.inspect(seq))[0] for seq in seqs])
    folds = [node["seq"] for node in chart["nodes"] if node["members"]][:1]
    others = {
        "rows": asked.rows,
        "rows of a name": lambda: asked.rows("rule-7"),
        "rows of a text": lambda: asked.rows(kept[3][10:40]),
        "rows by grade": lambda: asked.rows(grades=["value"]),
        "path": lambda: asked.chart(only="path"),
        "chart again": asked.chart,
        "chart with a fold open": lambda: asked.chart(folds),
        "timeline": asked.timeline,
        "tree": asked.tree,
        "story": asked.story,
    }
    print("  " + ", ".join(said_of(name, timed(fn)) for name, fn in others.items()))
    walk = asked.walk_of()
    written, page = timed(lambda: page_of(evidence, walk))
    print(f"  page {written:,.0f} ms {len(page) / 1e3:,.0f} KB")
    notes = "; ".join(chart["notes"]) or "none"
    print(f"  {len(chart['nodes'])} boxes by {chart['engine']}; notes: {notes}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"  most memory so far {most:,.0f} MB", flush=True)


def said_of(name, found):
    ms, answer = found
    return f"{name} {ms:,.1f} ms {size_of(answer):,.0f} KB"


def tell(name, found):
    found = sorted(found)
    middle, worst = found[len(found) // 2], found[-1]
    print(f"  {name}: median {middle:.1f} ms, worst {worst:.1f} ms of {len(found)}")


def main(*sizes):
    compiled, engine = timed(dot_engine)
    print(f"{'no dot' if engine is None else engine.name}: found in {compiled:,.0f} ms, once")
    for links in sizes or SIZES:
        measure(int(links))


if __name__ == "__main__":
    main(*sys.argv[1:])
