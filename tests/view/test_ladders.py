"""The history of an item, in text and as static HTML, from the records alone."""

import pytest

import explainkit as ek
from explainkit.answering import CheckResult, Recovery
from explainkit.errors import UnknownRecordError
from explainkit.view.ladder_lists import html_of_ladders, text_of_ladders
from explainkit.view.ladder_rungs import ladders_of
from explainkit.view.skin import STYLES
from tests.answering.flow_parts import PASSED, failed, flow_of, item, items, run

MARKUP = "<script>alert(1)</script>"


def repaired(**ports):
    usual = {
        "generate": lambda *, items, repairs, **_: {
            each.id: "An hour." if repairs else "" for each in items
        },
        "check": lambda *, value, **_: (
            CheckResult("passed", value=value.upper()) if value else failed("EMPTY", "no text")
        ),
        "review": lambda *, items, **_: {each.item.id: PASSED for each in items},
    }
    return run("a", **usual | ports)


def test_a_ladder_reads_from_draft_to_delivery():
    assert repaired().ladder("a").text().split("\n") == [
        "a: accepted, the review passed",
        "  round 1  draft",
        "  round 1  check      failed: no text",
        "  round 2  repair     An hour.",
        "  round 2  check      passed",
        "  round 2  value      AN HOUR.",
        "  round 2  review     passed",
        "           delivered  AN HOUR.",
    ]


def test_a_ladder_says_why_there_was_no_value_and_no_fallback():
    def broken(*, items, repairs, **_):
        if repairs:
            raise LookupError("no table")
        return {}

    told = run("a", generate=broken).ladder("a").text()
    assert "round 1  no value   generate gave none" in told
    assert "round 2  no value   generate failed: LookupError" in told
    assert "fallback   did not handle it" in told
    assert told.endswith(
        "blocked    generate failed, and no repair round is left; the fallback did not handle it"
    )


def test_a_source_that_is_not_ready_has_a_ladder_too():
    results = run(batch=[item("a", "lost")], fallback=lambda **_: Recovery(True, "Later."))
    assert results.ladder("a").text().split("\n") == [
        "a: fallback, the source is not ready; the fallback gave a value",
        "           fallback   Later.",
        "           delivered  Later.",
    ]


def test_a_fallback_that_raises_is_on_the_ladder():
    def broken(**_):
        raise OSError("no rest")

    results = run("a", check=lambda **_: failed(), max_repairs=0, fallback=broken)
    assert "fallback   OSError" in results.ladder("a").text()


def test_recorded_words_are_text_in_html():
    results = repaired(
        check=lambda **_: CheckResult("failed", [{"code": MARKUP, "message": MARKUP}]),
        generate=lambda **_: {"a": MARKUP},
        fallback=lambda **_: Recovery(True, MARKUP),
    )
    for html in (
        results.ladder("a").to_html(),
        results._repr_html_(),
        results.ladders._repr_html_(),
    ):
        assert "<script" not in html
        assert "&lt;script&gt;" in html


def test_html_says_what_text_says():
    view = repaired().ladder("a")
    html = view.to_html()
    for word in ("draft", "repair", "value", "review", "delivered", "AN HOUR.", "no text"):
        assert word in html
    assert "style=" in html
    assert view._repr_mimebundle_().keys() == {"text/plain", "text/html"}


def test_how_an_item_ended_is_seen_in_its_title():
    html = run("ab", check=lambda *, item, **_: failed() if item.id == "a" else PASSED).ladders
    blocked, accepted = html.to_html().split("b: accepted")
    style = STYLES["failed"].replace('"', "&#34;")
    assert f'style="{style}">a: blocked' in blocked
    assert blocked.endswith(f'style="{STYLES["passed"]}">')
    assert accepted


def test_displays_are_bounded_and_count_the_rest():
    results = run([f"q{n}" for n in range(50)])
    assert "… 30 more items" in repr(results)
    assert "… 30 more items" in repr(results.ladders)
    assert "30 more items" in results.ladders._repr_html_()
    assert "30 more items" in results._repr_html_()
    assert results.ladders.text().count("delivered") == 50
    assert len(text_of_ladders(results.ladders.ladders).split("\n")) == 81
    assert len(html_of_ladders(results.ladders.ladders)) < 60_000


def test_a_summary_counts_the_ends():
    results = run("abc", check=lambda *, item, **_: failed() if item.id == "c" else PASSED)
    assert repr(results).startswith("3 items: 2 accepted, 1 blocked\n")
    assert "0 items: none" in repr(run(batch=[]))


def test_an_unknown_item_has_no_ladder():
    with pytest.raises(UnknownRecordError, match="'zz'"):
        run("a").ladder("zz")


def test_results_in_a_run_that_is_not_known_any_more_say_so():
    flow = flow_of()
    with ek.trace("outer") as outer, ek.trace("inner"):
        pass
    with ek.trace("other"):
        results = flow.run_sync(input_ids=["in"], items=items("a"))
    assert results.ladder("a").ladders[0].status == "accepted"
    with outer_and_inner() as results:
        with pytest.raises(UnknownRecordError, match="ladder_rungs"):
            results.ladder("a")
        assert outer.status == "answered"
        assert "accepted" in repr(results)


class outer_and_inner:
    """A flow in an outer run, while another run was opened later."""

    def __enter__(self):
        self._outer = ek.trace("outer")
        self._outer.__enter__()
        with ek.trace("inner"):
            pass
        return flow_of().run_sync(input_ids=["in"], items=items("a"))

    def __exit__(self, *error):
        self._outer.__exit__(None, None, None)


def test_later_overrides_and_verdicts_of_the_author_are_rungs():
    with ek.trace("claims") as record:
        flow_of().run_sync(input_ids=["in"], items=items("a"))
        ek.override("Ask the desk.", by="editor", slot="item:a")
        record.verdict("failed", judge="Ann", slot="item:a", reason="too short")
    (ladder,) = ladders_of(record.recording)
    assert [(rung.what, rung.text) for rung in ladder.rungs[-2:]] == [
        ("override", "by editor: Ask the desk."),
        ("verdict", "by Ann; too short"),
    ]
