"""Verdicts on what was delivered are shown first, and those left out are counted."""

import re

import pytest
from playwright.sync_api import expect

import explainkit as ek
from explainkit.answering import CheckResult
from tests.answering.flow_parts import PASSED, failed, run
from tests.view.explorer.hosting import made


def reviewed(names="a"):
    """Each item: a failed draft, a repair that its check puts otherwise, and a passed review."""
    return run(
        names,
        generate=lambda *, items, repairs, **_: {
            each.id: "an hour" if repairs else "" for each in items
        },
        check=lambda *, value, **_: (
            CheckResult("passed", value=value.upper()) if value else failed("EMPTY", "no text")
        ),
        review=lambda *, items, **_: {each.item.id: PASSED for each in items},
    ).run


def test_the_verdict_on_the_delivered_version_stands_before_stale_ones():
    back = reviewed().backtrack(slot="item:a", span="HOUR")
    told = [line for line in repr(back).split("\n") if line.startswith("Verdict")]
    assert len(told) == 3
    assert "says review" in told[0]
    assert "stale" not in told[0]
    assert all("stale" in line for line in told[1:])


def test_verdicts_that_are_not_shown_are_counted():
    record = reviewed("abcde")
    assert len(record.verdicts) == 15
    assert "Verdict  … 12 more in .verdicts" in repr(record)
    html = record.to_html()
    assert "… 3 more verdicts in .verdicts" in html
    told = [each.words for each in record.backtrack().board().verdicts]
    assert sum("passed, says review" in words for words in told) == 5


def test_a_verdict_on_the_answer_stands_before_those_on_its_items():
    record = reviewed("abcde")
    record.verdict("failed", judge="reader", reason="not what was asked")
    record.verdict("passed", judge="second reader")
    told = [verdict.words for verdict in record.backtrack().board().verdicts]
    assert told[:2] == [
        "passed, says second reader (answer v1)",
        "failed, says reader (answer v1)",
    ]
    first = record.backtrack(slot="item:b").board().verdicts[0]
    assert first.words == "passed, says review (item:b v3)"


def stepwise(count):
    @ek.link
    def step(number):
        return number * 3 + 1

    with ek.trace("steps") as run:
        number = 7
        for _ in range(count):
            number = step(number)
        ek.answer(number)
    return run, [row["seq"] for row in run.recording.rows("link_opened")]


def test_what_a_bisection_said_of_steps_is_one_line():
    run, steps = stepwise(20)
    for at, link in enumerate(steps[:16]):
        run.verdict("passed" if at < 13 else "failed", judge="bisection", link=link)
    run.verdict("unavailable", judge="bisection", link=steps[17])
    run.verdict("not-run", judge="bisection", link=steps[0], reason="the answer was taken back")
    run.verdict("failed", judge="reader", reason="not what was asked")
    board = run.backtrack().board()
    assert [each.words for each in board.verdicts] == ["failed, says reader (answer v1)"]
    (judged,) = board.judged_steps
    assert judged.words == (
        "bisection let 12 steps pass, called 3 wrong, could not judge 1 and left open 1"
    )
    assert (len(judged.verdicts), judged.more, judged.failed) == (12, 6, True)
    html = run._repr_html_()
    assert html.count("Verdicts on steps: ") == 1
    assert html.index("failed, says reader") < html.index("Verdicts on steps: ")
    assert "… 6 more in .verdicts" in html


def test_a_single_verdict_on_a_step_stands_as_it_is():
    run, steps = stepwise(3)
    run.verdict("failed", judge="Ada", link=steps[1])
    board = run.backtrack().board()
    assert board.judged_steps == ()
    assert board.verdicts[0].words.startswith("on a step, not on the answer: failed, says Ada")


@pytest.mark.browser
def test_the_fold_of_a_page_opens_with_the_keyboard(browser, tmp_path):
    def page_of():
        run, _ = stepwise(8)
        run.bisect(lambda asked: asked.seq < 9)
        return run.to_html()

    path = tmp_path / "run.html"
    path.write_text(made(page_of), "utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(path.as_uri())
        fold = page.locator(".ek-answer details", has_text="Verdicts on steps: bisection")
        line = fold.locator(".ek-line").first
        expect(fold.locator("summary")).to_have_text(
            re.compile(r"bisection let \d steps? pass and called \d wrong")
        )
        expect(line).to_be_hidden()
        fold.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(line).to_be_visible()
        line.get_by_role("button").click()
        expect(page.locator(".ek-inspector .ek-title")).to_contain_text("bisection")
        page.get_by_role("tab", name="Verdicts").click()
        expect(page.get_by_role("tabpanel", name="Verdicts")).to_contain_text("bisection let")
