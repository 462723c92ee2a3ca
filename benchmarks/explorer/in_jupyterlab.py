"""How long the explorer takes in a real JupyterLab: to its first paint, and from words to a path.

    python benchmarks/explorer/in_jupyterlab.py [LINKS ...]

Starts JupyterLab and Chromium, opens a run of each size several times, each time read anew from
its file, and selects other words of the answer with the mouse each time. The run has answers and
value edges: every reply carries words of a context and of the reply before it, and the answer
carries words of twelve replies. Times are in milliseconds on this machine's clock:

- answer: from the call of explore() until the answer and its trail are painted
- graph: the same until the boxes are painted, with places for all of them
- lit: from letting the mouse go until the new path is painted
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from playwright.sync_api import sync_playwright

from tests.notebook.explorer_pages import select_words
from tests.notebook.jupyterlab import jupyterlab
from tests.notebook.lab_pages import open_page, write_notebook
from tests.view.browsing import ARGUMENTS

SIZES = (100, 1_000, 10_000)
ROUNDS = 12
RECORD = """
import explainkit as ek

@ek.link(kind="model")
def reply(prompt):
    return prompt[-120:]

def record(links):
    said, all_said = "", []
    with ek.trace(f"{links} links", question="What do the lines say?", to=".") as run:
        for number in range(links):
            note = ek.context(f"line-{number}", f"Line {number} tells of {number * 37} parcels. ")
            said = reply(f"{said[-60:]}{note}")
            all_said.append(f"Line {number} tells of {number * 37} parcels.")
        ek.answer(" ".join(all_said[-12:]))
        ek.override(lambda text: text + " That is all.", by="closer", reason="a last word")
    run.verdict("failed", judge="reader", reason="too long")
    return run.path
"""
OPEN = """
import time
run = ek.load(path)
begun = time.time() * 1000
explorer = run.explore()
print("begun", begun)
"""
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


def measured(lab, links):
    """Times of one size."""
    lab.cell(1).locator(".cm-content").click()
    times = {"answer": [], "graph": [], "lit": []}
    lab.page.evaluate(WATCH)
    for number in range(ROUNDS):
        lab.page.evaluate("() => Object.assign(window.ekSeen, { answer: 0, graph: 0, lit: 0 })")
        lab.run(2)
        root = lab.output(2).locator(".ek-explorer")
        root.locator(".ek-node").first.wait_for()
        begun = float(lab.output(2).inner_text().rpartition("begun ")[2].split()[0])
        lab.page.wait_for_function("() => window.ekSeen.graph > 1 && window.ekSeen.answer > 1")
        seen = lab.page.evaluate("() => window.ekSeen")
        times["answer"].append(seen["answer"] - begun)
        times["graph"].append(seen["graph"] - begun)
        for line in range(links - 1 - number % 12, links - 12, -4):
            lab.page.evaluate("() => { window.ekSeen.lit = 0; }")
            select_words(root, f"{line * 37} parcels")
            lab.page.wait_for_function("() => window.ekSeen.lit > 0")
            times["lit"].append(lab.page.evaluate("() => window.ekSeen.lit"))
    return times


def row(times):
    """Median and 95th percentile of each."""
    return "   ".join(
        f"{name} p50 {statistics.median(each):6.0f} p95 {statistics.quantiles(each, n=20)[-1]:6.0f}"
        f" (n={len(each)})"
        for name, each in times.items()
    )


def main():
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        notebooks, home = Path(folder, "notebooks"), Path(folder, "home")
        notebooks.mkdir()
        home.mkdir()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*ARGUMENTS])
        with jupyterlab(notebooks, home=home) as address:
            for links in sizes:
                name = f"links-{links}.ipynb"
                write_notebook(notebooks / name, RECORD, f"path = record({links})", OPEN)
                with open_page(browser, address.format(name=name), height=1200) as lab:
                    lab.run(0)
                    lab.run(1)
                    print(f"{links:>7,} links   {row(measured(lab, links))}", flush=True)
                    assert lab.said == [], json.dumps(lab.said)
        browser.close()


if __name__ == "__main__":
    main()
