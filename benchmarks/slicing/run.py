"""Slices and backtracks beside networkx, in one run. Bars: docs/decisions/0005-evidence-graph.md.

Run: python benchmarks/slicing/run.py [slice] [hops] [text] [chat]
"""

import gc
import random
import resource
import sys
import time
import tracemalloc
from functools import partial

import networkx as nx
import numpy as np

from explainkit.backtrack import walk
from explainkit.graph import Evidence
from explainkit.graph.edges import EdgeColumns, EdgeTable
from explainkit.store import MemorySink, Recording
from explainkit.tracing import Recorder

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("", "n", "r", "st", "lk")]


def timed(fn, times=5):
    found = []
    for _ in range(times):
        began = time.perf_counter()
        result = fn()
        found.append(time.perf_counter() - began)
    return sorted(found)[len(found) // 2], result


def slicing(nodes=500_000, edges=1_000_000):
    rng = np.random.default_rng(7)
    target = np.sort(rng.integers(1, nodes, edges))
    back = np.minimum((rng.exponential(nodes / 50, edges) + 1).astype(np.int64), target)
    source = target - back
    gc.collect()
    tracemalloc.start()
    columns = EdgeColumns()
    columns.source.frombytes(source.astype(np.int32).tobytes())
    columns.target.frombytes(target.astype(np.int32).tobytes())
    for name in ("role", "grade"):
        getattr(columns, name).frombytes(np.ones(edges, np.uint8).tobytes())
    columns.strong.frombytes(np.ones(edges, np.uint8).tobytes())
    columns.shown.frombytes(np.full(edges, -1, np.int32).tobytes())
    table = EdgeTable(columns, nodes)
    del columns
    ours_memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    ours, found = timed(lambda: table.ancestors([nodes - 1]))
    gc.collect()
    tracemalloc.start()
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    theirs_memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    theirs, expected = timed(lambda: nx.ancestors(graph, nodes - 1), 3)
    assert set(found.tolist()) == expected
    print(
        f"slice of {len(found):,} at {edges:,} edges: {ours * 1e3:.1f} ms, "
        f"networkx {theirs * 1e3:,.0f} ms: "
        f"{theirs / ours:.0f} x faster (bar 20)"
    )
    print(
        f"memory: {ours_memory / 2**20:.0f} MB, networkx {theirs_memory / 2**20:,.0f} MB: "
        f"1/{theirs_memory / ours_memory:.1f} (bar 1/5)"
    )


class Run:
    """A run written through the recorder into memory."""

    def __init__(self):
        self.sink = MemorySink(run="r1", name="benchmark")
        self.recorder = Recorder(self.sink, run="r1", clock=None)
        self.value = self.recorder.value
        self.add(
            "run_started",
            run="r1",
            name="benchmark",
            question=self.value("What is the rate of the day?"),
        )

    def add(self, kind, **fields):
        return self.recorder.append(kind, **fields)

    def link(self, kind, name, inputs, output):
        opened = self.add(
            "link_opened",
            type=kind,
            name=name,
            inputs=[{"slot": key, "value": self.value(item)} for key, item in inputs.items()],
        )
        return self.add("link_closed", link=opened, status="answered", output=self.value(output))

    def evidence(self):
        self.add("run_ended", status="answered")
        self.recorder.close("answered")
        return Evidence(Recording.of_lines(self.sink.lines()))


def sentence(rng, size):
    return " ".join(rng.choice(WORDS) for _ in range(size))


def hops(sizes=(300, 3_000, 30_000)):
    """A walk of about 100 hops through runs of growing size."""
    for size in sizes:
        rng = random.Random(size)
        run = Run()
        fact = f"the rate of the day is {rng.randint(10_000, 99_999)} crowns per ton of barley"
        run.add("context", name="rates", type="document", value=run.value(fact), source="rates.md")
        for _ in range(size):
            run.link("function", "other", {"x": sentence(rng, 12)}, sentence(rng, 12))
        for step in range(50):
            run.link("function", f"pass{step}", {"text": fact}, fact)
        run.link("model", "ask", {"prompt": f"Rates: {fact}."}, f"Today {fact}.")
        run.add("answer", slot="answer", value=run.value(f"Today {fact}."), via="answer")
        evidence = run.evidence()
        cold, found = timed(partial(walk, evidence), 1)
        warm, found = timed(partial(walk, evidence), 15)
        span, spanned = timed(partial(walk, evidence, span="crowns per ton"), 15)
        print(
            f"{size:>7,} links beside: walk of {len(found.hops)} hops {warm * 1e3:.1f} ms, "
            f"with a span ({len(spanned.hops)} hops) {span * 1e3:.1f} ms (bar 5), cold {cold:.2f} s"
        )


def text(links=10_000, size=2_000):
    """Links with distinct text, 20 MB in all, each reading a little of an earlier one."""
    rng = random.Random(1)
    run = Run()
    said = []
    for step in range(links):
        body = sentence(rng, size // 8)
        if said:
            earlier = said[rng.randrange(len(said))]
            body += ". " + earlier[40:160]
        reply = sentence(rng, size // 12) + " " + body[100:260]
        said.append(body)
        run.link("model", f"agent{step % 7}", {"prompt": body}, reply)
    run.add("answer", slot="answer", value=run.value(reply), via="answer")
    volume = sum(len(line) for line in run.sink.lines()) / 1e6
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    evidence = run.evidence()
    walk(evidence)
    cold = time.perf_counter() - began
    warm, found = timed(lambda: walk(evidence))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(
        f"{links:,} links, {volume:.0f} MB: first backtrack {cold:.2f} s (bar 4), "
        f"then {warm * 1e3:.1f} ms (bar 50), "
        f"{len(found.hops)} hops; peak memory grew {grown:.0f} MB "
        f"= {grown / volume:.1f} x the text (bar 20)"
    )


def chat(turns=200, size=1_000):
    """A chat whose flat prompts repeat their history: 20 MB of prompts in all."""
    rng = random.Random(2)
    run = Run()
    prompt = "You are the desk. " + sentence(rng, 100)
    for turn in range(turns):
        prompt += f"\nuser: {sentence(rng, size // 12)}"
        reply = sentence(rng, size // 12)
        if turn == turns - 1:
            reply = f"{reply} As I said: {prompt[3 * size : 3 * size + 200]}."
        run.link("model", "ask", {"prompt": prompt}, reply)
        prompt += f"\nassistant: {reply}"
    run.add("answer", slot="answer", value=run.value(reply), via="answer")
    volume = sum(size * at for at in range(turns)) / 1e6
    began = time.perf_counter()
    evidence = run.evidence()
    walk(evidence)
    cold = time.perf_counter() - began
    warm, found = timed(lambda: walk(evidence))
    print(
        f"chat of {turns} turns, about {volume:.0f} MB of prompts: "
        f"first backtrack {cold:.2f} s (bar 0.2), "
        f"then {warm * 1e3:.1f} ms, {len(found.hops)} hops"
    )


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["slice", "hops", "text", "chat"]
    for name, fn in (("slice", slicing), ("hops", hops), ("text", text), ("chat", chat)):
        if name in wanted:
            fn()
