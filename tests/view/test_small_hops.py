"""Hops of a greeting stand in one counted line below those that matter."""

import pytest
from playwright.sync_api import expect

import explainkit as ek
from explainkit.demos.claims_desk import run_demo
from tests.view.explorer.hosting import made


def answering(said, note="The parcel is in Linz since the 14 March.", *, by=None):
    @ek.link(kind="model")
    def ask(prompt):
        return said

    with ek.trace("small") as run:
        context = ek.context("note", note, source="file/7")
        ek.answer(ask(ek.assemble("{note}", note=context)))
        if by is not None:
            ek.override(by, by="editor", reason="style")
    return run


def changed_twice():
    with ek.trace("twice") as run:
        ek.answer("It is approved and so half of the fare is paid.")
        ek.override("It is denied and so half of the fare is paid.", by="filter", reason="policy")
        ek.override("We say denied but they pay something else.", by="editor", reason="style")
    return run


def small(run, **asked):
    board = run.backtrack(**asked).board()
    quotes = ["".join(piece.text for piece in step.quote.pieces) for step in board.trail_small]
    return board, quotes


def test_a_greeting_that_an_override_left_is_below_the_hops_that_matter():
    board, quotes = small(run_demo().run)
    assert quotes == ["Dear ", "Dear "]
    assert [step.verb for step in board.trail] == [
        "overridden", "overridden", "said", "read", "landed", "allowed", "born"]  # fmt: skip
    text = run_demo().run.backtrack().text()
    assert "2 hops of a word or two: “Dear”" in text
    assert "said       answer v1 ← output of ask  value  «Dear »" in text  # and there in full


def test_a_word_that_leads_to_a_source_or_is_a_fact_stays():
    run = answering(
        "Well, Linz. 14 March.",
        by=lambda text: text.replace("Well", "So").replace(". ", ", since "),
    )
    board, quotes = small(run)
    assert all("14 March" not in each and "Linz" not in each for each in quotes)
    assert any("14 March" in str(step.quote) for step in board.trail)


def test_words_that_were_asked_about_alone_are_never_folded():
    _, quotes = small(run_demo().run, span="Dear")
    assert quotes == []
    board, quotes = small(answering("Yes."))
    assert quotes == []
    assert board.trail


@pytest.mark.parametrize("span", ["denied", None])
def test_a_word_that_an_override_put_in_stays_between_two_overrides(span):
    run = changed_twice()
    board, quotes = small(run, span=span)
    assert not any("denied" in each for each in quotes)
    carried = [step for step in board.trail if "denied" in str(step.quote)]
    assert [step.verb for step in carried] == ["overridden"]


def test_a_trail_that_is_cut_still_begins_at_the_answer():
    run = answering(
        "So. " + " ".join(f"Parcel {at} is in Linz since the 14 March." for at in range(20)),
        note=" ".join(f"Parcel {at} is in Linz since the 14 March." for at in range(20)),
        by=lambda text: text.replace("So.", "Well.").replace(" is ", " was "),
    )
    board = run.backtrack().board()
    assert board.trail_folded
    assert board.trail[0].held.startswith("answer v2")


def test_every_hop_is_counted_once():
    back = run_demo().run.backtrack()
    board = back.board()
    shown = sum(step.count for step in (*board.trail, *board.trail_small))
    assert shown + board.trail_folded == len(back.hops)


def test_punctuation_alone_is_no_reason_for_a_suspect():
    run = answering(
        "Dear Ms Harlow, it is lost!", by=lambda text: text.replace("Ms Harlow", "passenger")
    )
    for suspect in run.backtrack().shortlist():
        for reason in suspect.reasons:
            assert all(any(map(str.isalnum, place.text)) for place in reason.evidence)


@pytest.mark.browser
def test_the_folded_hops_open_in_the_page(browser, tmp_path):
    path = tmp_path / "run.html"
    path.write_text(made(lambda: run_demo().run.to_html()), "utf-8")
    for scripts in (True, False):
        with browser.new_context(java_script_enabled=scripts) as context:
            page = context.new_page()
            page.goto(path.as_uri())
            fold = page.locator("details", has_text="2 hops of a word or two")
            hop = fold.locator("li").first
            expect(hop).to_be_hidden()
            fold.locator("summary").click()
            expect(hop).to_contain_text("overridden")
            expect(hop).to_be_visible()
            if scripts:
                hop.get_by_role("button").click()
                expect(hop).to_have_attribute("aria-current", "true")
