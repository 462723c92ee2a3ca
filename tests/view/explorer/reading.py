"""How a test reads an explorer in a page, and what a hand does in it."""

import explainkit as ek
from tests.view.explorer.hosting import made

TEXT = ".ek-strip-text"
"""The words of the answer."""
WORDS = "half of the fare"


def saying(text):
    def make():
        with ek.trace("said") as run:
            ek.answer(text)
        return run

    return made(make)


def place(page, start, end):
    """Boxes on the screen of the characters of the answer before and after a stretch of UTF-16."""
    return page.evaluate(
        """([start, end]) => {
          const node = document.querySelector(".ek-strip-text").firstChild;
          const range = document.createRange();
          range.setStart(node, start);
          range.setEnd(node, end);
          const {left, right, top, bottom} = range.getBoundingClientRect();
          return {left, right, middle: (top + bottom) / 2};
        }""",
        [start, end],
    )


def drag(page, start, end):
    at = place(page, start, end)
    page.mouse.move(at["left"] + 1, at["middle"])
    page.mouse.down()
    page.mouse.move((at["left"] + at["right"]) / 2, at["middle"])
    page.mouse.move(at["right"] - 1, at["middle"])
    page.mouse.up()


def walked(hosted, page, count=1):
    page.wait_for_function(
        "count => model.sent.filter((each) => each.ask === 'walk').length >= count", arg=count
    )
    page.locator(".ek-status", has_not_text="Walking back").wait_for()
    return hosted.walks()[-1]


def title(page):
    return page.locator(".ek-inspector .ek-title").inner_text()


def expect_title(page, words):
    page.locator(".ek-inspector .ek-title", has_text=words).wait_for()


def said(page):
    return page.locator(".ek-status").inner_text()


def mark_out(page, start, end):
    """Select a stretch of the answer's first text as a script would, in UTF-16 units."""
    page.evaluate(
        """([start, end]) => {
          const text = document.querySelector(".ek-strip-text");
          const node = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode();
          text.focus();
          getSelection().setBaseAndExtent(node, start, node, end);
        }""",
        [start, end],
    )


def open_tabs(page):
    """Opens each tab, and waits until it has been answered."""
    for tab in page.get_by_role("tab").all():
        tab.click()
        asking = page.locator(".ek-tab-body:not([hidden])", has_text="Asking …")
        asking.wait_for(state="detached")
        yield tab
