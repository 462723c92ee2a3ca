"""Verdicts on what was delivered are shown first, and those left out are counted."""

from explainkit.answering import CheckResult
from tests.answering.flow_parts import PASSED, failed, run


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
