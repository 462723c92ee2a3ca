"""How long the explorer takes in a real JupyterLab: to its first paint, and from words to a path.

    python -m benchmarks.explorer.in_jupyterlab [LINKS ...]

Starts JupyterLab and Chromium, opens a run of each size several times, each time read anew from
its file, and selects other words of the answer with the mouse each time. The run is that of
`view_model.py`: it has an answer that says seven facts again, and value edges all along. Times are
in milliseconds on this machine's clock; the first round of a kernel, which imports, stands apart:

- answer: from the call of explore() until the answer and its trail are painted
- graph: the same until the boxes are painted, with places for all of them
- lit: from letting the mouse go until the new path is painted
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.notebook.explorer_pages import select_words
from tests.notebook.jupyterlab import jupyterlab
from tests.notebook.lab_pages import open_page, write_notebook
from tests.view.browsing import ARGUMENTS

ROOT = Path(__file__).resolve().parents[2]
SIZES = (100, 1_000, 10_000)
ROUNDS = 6
RECORD = f"""
import json, sys
sys.path.insert(0, {str(ROOT)!r})
import explainkit as ek
from benchmarks.explorer.view_model import desk
from explainkit.store import save

def record(links):
    recording, kept = desk(links)
    path = f"{{links}}.ek.jsonl"
    save(recording, path, overwrite=True)
    print(json.dumps(kept))
    return path
"""
OPEN = """
import time
run = ek.load(path)
begun = time.time() * 1000
explorer = run.explore()
print("begun", begun)
"""
CLOSE = "globals().get('explorer') and explorer.close()"
WATCH = """() => {
  const seen = (window.ekSeen = { answer: 0, graph: 0, lit: 0, up: 0 });
  const later = (name, since) => requestAnimationFrame(() => setTimeout(() => {
    seen[name] = since === undefined ? Date.now() : performance.now() - since;
  }));
  const asked = { answer: ".ek-strip-text > *, .ek-strip-text", graph: ".ek-node" };
  new MutationObserver((changes) => {
    for (const [name, selector] of Object.entries(asked)) {
      if (!seen[name] && document.querySelector(`.ek-explorer ${selector}`)) {
        seen[name] = 1;
        later(name);
      }
    }
    if (!seen.up) return;
    const isWalk = ({ target }) => target.matches?.(".ek-strip-text");
    if (changes.some(isWalk)) {
      const since = seen.up;
      seen.up = 0;
      later("lit", since);
    }
  }).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("mouseup", () => { seen.up = performance.now(); }, true);
}"""


def measured(lab, kept):
    """Times of one size."""
    lab.cell(1).locator(".cm-content").click()
    lab.page.set_default_timeout(300_000)  # what is slow is measured, not given up
    times = {"answer": [], "graph": [], "lit": []}
    lab.page.evaluate(WATCH)
    for number in range(ROUNDS):
        lab.run(3)  # the explorer of the round before is closed, so that none is taken for it
        lab.page.wait_for_selector(".ek-explorer", state="detached")
        lab.page.evaluate("() => Object.assign(window.ekSeen, { answer: 0, graph: 0, lit: 0 })")
        lab.run(2)
        root = lab.output(2).locator(".ek-explorer")
        root.locator(".ek-node").first.wait_for()
        begun = float(lab.output(2).inner_text().rpartition("begun ")[2].split()[0])
        lab.page.wait_for_function("() => window.ekSeen.graph > 1 && window.ekSeen.answer > 1")
        seen = lab.page.evaluate("() => window.ekSeen")
        times["answer"].append(seen["answer"] - begun)
        times["graph"].append(seen["graph"] - begun)
        for fact in kept:
            words = " ".join(fact.split()[2 + number : 4 + number])  # never the same twice
            lab.page.evaluate("() => { window.ekSeen.lit = 0; }")
            select_words(root, words)
            lab.page.wait_for_function("() => window.ekSeen.lit > 0")
            times["lit"].append(lab.page.evaluate("() => window.ekSeen.lit"))
    return times


def row(times):
    """Median and 95th percentile of each; the first round, which imports, stands apart."""
    told = []
    for name, every in times.items():
        cold, each = (every[0], every[1:]) if name != "lit" else (None, every)
        high = statistics.quantiles(each, n=20, method="inclusive")[-1]
        first = "" if cold is None else f" first {cold:.0f}"
        told.append(f"{name}{first} p50 {statistics.median(each):.0f} p95 {high:.0f} n={len(each)}")
    return "   ".join(told)


def main():
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        notebooks, home = Path(folder, "notebooks"), Path(folder, "home")
        notebooks.mkdir()
        home.mkdir()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        with jupyterlab(notebooks, home=home) as address:
            for links in sizes:
                name = f"links-{links}.ipynb"
                write_notebook(notebooks / name, RECORD, f"path = record({links})", OPEN, CLOSE)
                with open_page(browser, address.format(name=name), height=1200) as lab:
                    lab.run(0)
                    kept = json.loads(lab.run(1).inner_text())
                    print(f"{links:>7,} links   {row(measured(lab, kept))}", flush=True)
                    assert lab.said == [], json.dumps(lab.said)
        browser.close()


if __name__ == "__main__":
    main()
