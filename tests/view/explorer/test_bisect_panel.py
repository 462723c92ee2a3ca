"""The bisection panel in a page: what a hand presses until the first wrong step is named."""

import pytest
from playwright.sync_api import expect

from tests.view.explorer import desks
from tests.view.explorer.hosting import made

pytestmark = pytest.mark.browser


def test_an_answer_that_a_checker_let_pass_is_bisected_with_the_mouse(opened):
    run = made(desks.run)
    with opened(run, walk={"slot": "item:pool"}) as (_, page):
        page.get_by_role("tab", name="Bisect").click()
        panel = page.get_by_role("tabpanel", name="Bisect")
        anyway = panel.get_by_role("button", name="It is wrong all the same")
        panel.get_by_role("button", name="Begin", exact=True).click()
        words = panel.locator(".ek-bisect-words")
        expect(words).to_contain_text("No step was asked about: “check” let the answer pass.")
        assert "run." not in panel.inner_text()  # nothing there speaks Python
        anyway.click()
        expect(words).to_contain_text("Question 1")
        expect(anyway).to_have_count(0)
        while "Question" in (asked := words.inner_text()):
            wrong = "pool costs 5" in panel.locator(".ek-answer").inner_text()
            panel.get_by_role("button", name="Wrong" if wrong else "Right", exact=True).click()
            expect(words).not_to_have_text(asked)
        expect(words).to_contain_text("The first wrong link is model ask")
        assert run.bisect(slot="item:pool", wrong=True, known=True).step.output == (
            "The pool costs 5 euros."
        )
    judged = [
        (row["judge"], row["status"])
        for row in run.recording.rows("verdict")
        if row.get("slot") == "item:pool"
    ]
    assert judged == [("check", "passed"), ("bisection", "failed")]
