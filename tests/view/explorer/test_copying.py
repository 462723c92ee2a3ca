"""Copied words are those that were recorded, whatever stands for them on the screen."""

import pytest

import explainkit as ek
from tests.view.explorer.hosting import made
from tests.view.explorer.reading import TEXT, saying

pytestmark = pytest.mark.browser

HIDDEN = (
    "pay\u200bload \u202ea\u202c so\u00adft \x1b[31m ⌀ 👩\u200d👧 \u0645\u06cc\u200c\u062e\u0648"
)
COPIED = """() => new Promise((done) => {
  addEventListener("copy", (event) => {
    done(event.defaultPrevented ? event.clipboardData.getData("text/plain") : getSelection().toString());
  }, { once: true });
  document.execCommand("copy");
})"""  # noqa: E501


def copied(page, where):
    page.locator(where).first.evaluate("(box) => getSelection().selectAllChildren(box)")
    return page.evaluate(COPIED)


def test_a_copied_answer_has_the_recorded_characters(opened):
    with opened(saying(HIDDEN)) as (_, page):
        assert page.locator(TEXT).inner_text().startswith("pay⌀load ⇄a⇄ so⌀ft ␛[31m ⌀ ")
        assert copied(page, TEXT) == HIDDEN
        assert copied(page, ".ek-explorer").count(HIDDEN) >= 1


def test_a_part_of_it_is_copied_to_the_character(opened):
    with opened(saying(HIDDEN)) as (_, page):
        page.locator(TEXT).evaluate(
            """(box) => {
              const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode();
              getSelection().setBaseAndExtent(words, 2, words, 11);
            }"""
        )
        assert page.evaluate(COPIED) == HIDDEN[2:11]


def test_words_without_symbols_are_left_to_the_browser(opened):
    with opened(saying("Half of the fare ⌀ is paid.")) as (_, page):
        page.locator(TEXT).evaluate("(box) => getSelection().selectAllChildren(box)")
        assert not page.evaluate(
            """() => {
              let kept = null;
              addEventListener("copy", (event) => { kept = event.defaultPrevented; }, { once: true });
              document.execCommand("copy");
              return kept;
            }"""  # noqa: E501
        )


def prompt_run():
    def make():
        with ek.trace("prompted") as run:
            note = ek.context("note", f"Say {HIDDEN} twice.", source="memory/1")
            ask = ek.link(kind="model")(lambda prompt: f"I say {prompt[4:-7]}.")
            ek.answer(ask(note))
        return run

    return made(make)


@pytest.mark.parametrize("page_alone", [False, True])
def test_prompts_and_quotes_are_copied_as_recorded_in_both_skins(opened, page_alone):
    run = prompt_run()
    with opened(run) as (_, page):
        if page_alone:
            page.set_content(made(run.to_html))
        page.locator(".ek-explorer .ek-hop").first.wait_for()
        assert HIDDEN in copied(page, ".ek-explorer .ek-prompt")
        assert HIDDEN in copied(page, ".ek-explorer .ek-trail")
