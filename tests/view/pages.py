"""How a test reads a page, and what a hand does in it."""

from explainkit.demos.claims_desk import run_demo
from tests.view.explorer.hosting import made


def expect_title(page, words):
    page.locator(".ek-inspector .ek-title", has_text=words).wait_for()


def expect_said(page, words):
    page.locator(".ek-status", has_text=words).wait_for()


def desk_page():
    """The demo's page, written in a thread of its own: Playwright's loop runs in this one."""
    return made(lambda: run_demo().run.to_html())


def select(page, words):
    """Select words of the answer as a hand does it."""
    page.evaluate(
        """words => {
          const text = document.querySelector(".ek-strip-text");
          const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
          const nodes = [];
          while (walker.nextNode()) nodes.push(walker.currentNode);
          const start = text.textContent.indexOf(words), end = start + words.length;
          const range = document.createRange();
          let at = 0;
          for (const node of nodes) {
            const size = node.data.length;
            if (start >= at && start < at + size) range.setStart(node, start - at);
            if (end > at && end <= at + size) range.setEnd(node, end - at);
            at += size;
          }
          text.focus();
          getSelection().removeAllRanges();
          getSelection().addRange(range);
        }""",
        words,
    )
    page.locator(".ek-strip-text").press("Enter")
