"""Cells that open explorers, and what a person does in them."""

CLAIM = "from explainkit.demos.claims_desk import run_demo\nrun = run_demo().run"
EXPLORE = "explorer = run.explore()"
READ = (
    "names = [each.name for each in explorer.backtrack.contexts]\n"
    "print(explorer.selection, explorer.span, *names, sep='|')"
)

PLACE_OF_WORDS = """(strip, words) => {
  const walker = document.createTreeWalker(strip, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(words);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + words.length);
    const boxes = [...range.getClientRects()];
    const [first, last] = [boxes[0], boxes.at(-1)];
    return [first.left + 1, first.top + first.height / 2,
            last.right - 1, last.top + last.height / 2];
  }
  return null;
}"""


def explored(lab, number=1, *, setup=0):
    """Run the cell of the set-up and the one that explores; gives the explorer in the page."""
    lab.run(setup)
    output = lab.run(number)
    root = output.locator(".ek-explorer")
    root.wait_for()
    root.locator(".ek-node").first.wait_for()  # the graph comes a moment after the answer
    return root


def select_words(root, words):
    """Drag over words of the answer, as a person with a mouse does."""
    strip = root.locator(".ek-strip-text")
    strip.scroll_into_view_if_needed()
    left, top, right, bottom = strip.evaluate(PLACE_OF_WORDS, words)
    mouse = root.page.mouse
    mouse.move(left, top)
    mouse.down()
    mouse.move((left + right) / 2, (top + bottom) / 2)
    mouse.move(right, bottom)
    mouse.up()
