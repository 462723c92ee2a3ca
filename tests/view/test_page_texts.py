"""Recorded texts in a page: names written from right to left, and what is copied."""

import pytest

import explainkit as ek
from tests.view.explorer.hosting import made
from tests.view.pages import desk_page

pytestmark = pytest.mark.browser


def rtl_page():
    with ek.trace("rtl") as run:
        note = ek.context("ملاحظة", "ندفع نصف ثمن التذكرة بعد 60 دقيقة", source="ذاكرة/1")
        ek.answer("الجواب: " + note)
    return run.to_html()


@pytest.mark.parametrize("script", [True, False])
def test_names_from_right_to_left_keep_the_order_of_a_hop(opened, script):
    left = """(item) => {
      const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT), found = {};
      for (let node; (node = walker.nextNode());) {
        for (const word of ["ملاحظة", "←", "ذاكرة"]) {
          const at = node.data.indexOf(word), range = document.createRange();
          if (at < 0 || word in found) continue;
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          found[word] = range.getBoundingClientRect().left;
        }
      }
      return [found["ملاحظة"], found["←"], found["ذاكرة"]];
    }"""
    with opened(made(rtl_page), java_script_enabled=script) as page:
        if script:
            page.locator(".ek-explorer .ek-hop").first.wait_for()
        root = ".ek-explorer" if script else ".ek-board"
        held, arrow, source = page.locator(f"{root} .ek-hop", has_text="born").last.evaluate(left)
        assert held < arrow < source


def test_numbers_of_origins_are_not_copied_with_a_prompt(opened):
    with opened(desk_page()) as page:
        prompt = page.locator(".ek-explorer .ek-prompt")
        prompt.wait_for()
        assert prompt.locator("sup").count()
        kept = """(box) => {
          getSelection().selectAllChildren(box);
          const without = box.cloneNode(true);
          for (const each of without.querySelectorAll("sup")) each.remove();
          return [getSelection().toString(), without.textContent];
        }"""
        copied, shown = prompt.evaluate(kept)
        assert copied.strip() == shown.strip()


ORDER = """(box, words) => {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT), found = [];
  const spots = [];
  let text = "";
  for (let node; (node = walker.nextNode());) {
    for (let at = 0; at < node.data.length; at += 1) spots.push([node, at]);
    text += node.data;
  }
  let from = 0;
  for (const word of words) {
    const at = text.indexOf(word, from);
    if (at < 0) return `${word} is missing in ${text}`;
    const range = document.createRange();
    range.setStart(...spots[at]);
    range.setEnd(spots[at + word.length - 1][0], spots[at + word.length - 1][1] + 1);
    found.push(range.getBoundingClientRect().left);
    from = at + word.length;
  }
  return found;
}"""


def named_page():
    @ek.link(kind="tool", name="חיפוש")
    def search(text):
        return text

    with ek.trace("שם", question="Why?") as run:
        note = ek.context("הערה", "We pay 60.", source="זיכרון/1")
        ek.answer(search(note))
    run.verdict("failed", judge="בודק", reason="לא נכון")
    return run.to_html()


@pytest.mark.parametrize("script", [True, False])
def test_names_from_right_to_left_keep_the_order_of_a_sentence(opened, script):
    with opened(made(named_page), java_script_enabled=script) as page:
        headline = page.locator(".ek-headline").first
        words = headline.inner_text()
        assert "הערה" in words
        before, after = (part.split()[0] for part in words.split("הערה", 1))
        shown = headline.evaluate(ORDER, [before, "הערה", after])
        assert shown == sorted(shown)
        if script:
            page.get_by_role("tab", name="Story").click()
            told = page.locator(".ek-told li", has_text="הערה").first
            assert told.locator("bdi").count()
            shown = told.evaluate(ORDER, ["“", "הערה", "”", ", from", "זיכרון", ";", "record"])
            assert shown == sorted(shown)
