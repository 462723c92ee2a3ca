"""What a flow leaves behind: versions, verdicts bound to them, links that close, a way back."""

import threading

import pytest

import explainkit as ek
from explainkit.answering import AnswerItem, CheckResult, Recovery
from explainkit.flow import Sequence
from explainkit.session.answer_results import AnswerResults
from explainkit.view.ladder_rungs import ladders_of
from tests.answering.flow_parts import (
    PASSED,
    closed,
    copied,
    failed,
    flow_of,
    item,
    items,
    link_rows,
    run,
    source,
)


def drafted(*, items, repairs, **_):
    return {each.id: each.data["source"] if repairs else "" for each in items}


def stripped(*, value, **_):
    return CheckResult("passed", value=value.strip(".")) if value else failed("EMPTY", "no text")


@pytest.fixture
def repaired():
    """One item with a draft, a repair, a value of the check, a failed review and a fallback."""
    return run(
        "a",
        generate=drafted,
        check=stripped,
        review=lambda **_: {"a": failed("WRONG", "120 is not said")},
        fallback=lambda **_: Recovery(True, "Ask the desk."),
    )


def test_versions_of_an_item_are_a_draft_and_overrides_by_repair_check_and_fallback(repaired):
    record = repaired.run
    assert record.doctor() == []
    (answer,) = [row for row in record.recording.rows("answer") if row["slot"] == "item:a"]
    assert record.recording.values.object(answer["value"]) == ""
    overrides = record.overrides
    assert list(overrides["slot"]) == ["item:a"] * 3
    assert list(overrides["by"]) == ["repair", "check", "fallback"]
    assert list(overrides["from_version"]) == [1, 2, 3]
    assert list(overrides["reason"]) == [
        "no text",
        "the check passed, and gave this value",
        "the review failed, and no repair round is left",
    ]
    assert overrides["site"][0].endswith(" drafted")
    assert list(overrides["after"])[1:] == [source("a").strip("."), "Ask the desk."]


def test_each_check_and_review_is_a_verdict_on_the_version_that_it_saw(repaired):
    verdicts = repaired.run.verdicts
    assert list(verdicts["slot"]) == ["item:a"] * 3
    assert list(verdicts["judge"]) == ["check", "check", "review"]
    assert list(verdicts["status"]) == ["failed", "passed", "failed"]
    assert list(verdicts["version"]) == [1, 2, 3]
    assert list(verdicts["issues"]) == ["EMPTY no text", None, "WRONG 120 is not said"]
    assert list(verdicts["stale"]) == [True, True, True]


def test_each_call_of_a_port_is_a_link_and_each_round_is_one(repaired):
    links = repaired.run.links
    assert list(links["type"]) == [
        "answer-flow",
        *["round", "guard", "generate", "check"],
        *["round", "guard", "generate", "check", "guard", "review"],
        "fallback",
    ]
    assert set(links["status"]) == {"answered"}


def test_an_answer_walks_back_to_the_text_of_its_source():
    with ek.trace("claims") as record:
        tariff = ek.context("tariff", source("a"), kind="document")
        batch = [AnswerItem("q1", ["in"], "ready", {"source": tariff}), item("b")]
        flow_of(generate=drafted, check=stripped).run_sync(input_ids=["in"], items=batch)
    assert record.doctor() == []
    back = record.backtrack(slot="item:q1", span="120 minutes")
    assert "tariff" in [each.name for each in back.contexts]
    assert record.backtrack(slot="item:b", span="train b").contexts


def test_an_answer_in_other_words_still_leads_to_its_own_item():
    results = run("ab", generate=lambda *, items, **_: {i.id: f"{i.id}!" for i in items})
    hops = results.run.backtrack(slot="item:b", grade="declared").to_frame()
    assert (hops["source_path"] == "/b").any()
    assert not (hops["source_path"] == "/a").any()


def test_what_a_repair_was_given_is_on_the_record(repaired):
    second = link_rows(repaired.run, "generate")[1]
    values = {
        each["slot"]: repaired.run.recording.values.object(each["value"])
        for each in second["inputs"]
    }
    assert values["repairs"] == {"a": [{"code": "EMPTY", "message": "no text"}]}
    assert values["previous"] == {"a": ""}
    assert [each["id"] for each in values["items"]] == ["a"]


def test_a_saved_run_tells_the_same_ladders(repaired, tmp_path):
    repaired.run.save(tmp_path / "run.ek.jsonl")
    loaded = ek.load(tmp_path / "run.ek.jsonl")
    assert ladders_of(loaded.recording) == ladders_of(repaired.run.recording)
    assert loaded.answer == [{"id": "a", "status": "fallback", "value": "Ask the desk."}]


def test_a_file_is_written_where_a_run_of_its_own_is_asked_for(tmp_path):
    results = flow_of().run_sync(input_ids=["in"], items=items("a"), to=tmp_path)
    assert results.run.path.parent == tmp_path


def test_two_flows_of_one_run_keep_their_items_apart():
    flow = flow_of()
    with ek.trace("both") as record:
        first = flow.run_sync(input_ids=["in"], items=items("a"))
        second = flow.run_sync(input_ids=["in"], items=items("a"))
    assert record.doctor() == []
    slots = [row["slot"] for row in record.recording.rows("answer") if row["slot"] != "answer"]
    assert slots == ["item:a", "item:a (2)"]
    assert first.ladder("a").ladders[0].slot == "item:a"
    assert second.ladder("a").ladders[0].slot == "item:a (2)"


HOSTILE = [
    "$ref",
    "a/b",
    "a~1b",
    "<b>&</b>",
    "item:a",
    "a (2)",
    "",
    "password",
    "\u202eabc",
    "x" * 500,
]


def test_hostile_ids_stay_apart_and_lead_to_their_own_values():
    names = [name for name in HOSTILE if name]
    results = run(names, check=stripped)
    assert results.run.doctor() == []
    assert [each.value for each in results] == [source(name).strip(".") for name in names]
    assert [each.item for each in ladders_of(results.run.recording)] == names
    for each in ladders_of(results.run.recording):
        assert [rung.what for rung in each.rungs] == ["draft", "check", "value", "delivered"]


def test_an_id_that_is_a_secret_is_not_in_the_record():
    secret = "sk-abcdefghij0123456789abcdefghij"
    other = "sk-zyxwvutsrq0123456789zyxwvutsrq"
    results = run([secret, other])
    assert [each.status for each in results] == ["accepted", "accepted"]
    assert results.run.doctor() == []
    rows = str(list(results.run.recording.rows("answer", "link_opened", "decision")))
    assert secret not in rows
    assert other not in rows


def test_a_value_of_a_check_that_says_the_same_makes_no_version():
    results = run("a", check=lambda *, value, **_: CheckResult("passed", value=str(value)))
    assert len(results.run.overrides) == 0


def test_a_value_of_a_review_is_not_delivered():
    results = run("a", review=lambda **_: {"a": CheckResult("passed", value="something else")})
    assert results[0].value == source("a")
    assert len(results.run.overrides) == 0


def test_what_was_found_beyond_the_first_issues_is_counted():
    many = CheckResult("failed", [{"code": "N", "message": str(n)} for n in range(50)])
    results = run("a", check=lambda **_: many, max_repairs=0)
    assert len(results[0].issues) == 50
    (verdict,) = results.run.recording.rows("verdict")
    assert len(verdict["issues"]) == 20
    assert verdict["reason"] == "and 30 more issues"


def test_an_error_of_a_port_is_on_its_link():
    def broken(**_):
        raise LookupError("no such table")

    results = run("a", check=broken)
    (link,) = link_rows(results.run, "check")
    row = closed(results.run, link)
    assert row["status"] == "error"
    assert "no such table" in results.run.recording.values.shown(row["error"])


def test_links_of_a_port_stand_in_its_own_link():
    @ek.link
    def look_up(text):
        return text.upper()

    def check(*, value, **_):
        return PASSED if look_up(value) else failed()

    results = run("a", check=check, generate=Sequence(lambda given: copied(**given)))
    links = results.run.links.set_index("seq")
    inner = links[links["name"] == "look_up"].iloc[0]
    assert links.loc[inner["parent"], "type"] == "check"
    made = links[links["type"] == "sequence"].iloc[0]
    assert links.loc[made["parent"], "type"] == "generate"


def test_a_flow_without_a_record_error_still_answers(monkeypatch):
    from explainkit.tracing.recorder import Recorder

    monkeypatch.setenv("EXPLAINKIT_STRICT", "0")
    append = Recorder.append

    def refusing(self, kind, **fields):
        if kind in ("answer", "override", "verdict", "decision"):
            raise ValueError("full")
        return append(self, kind, **fields)

    monkeypatch.setattr(Recorder, "append", refusing)
    results = run("ab", check=stripped)
    assert [each.value for each in results] == [source(name).strip(".") for name in "ab"]


def test_results_are_a_sequence_with_a_table():
    results = run("abc", check=lambda *, item, **_: failed() if item.id == "b" else PASSED)
    assert len(results) == 3
    assert results["c"] is results[2]
    assert isinstance(results[:2], AnswerResults)
    assert results[:2].ladder("b").ladders[0].status == "blocked"
    with pytest.raises(KeyError, match="'zz'"):
        results["zz"]
    frame = results.to_frame()
    assert list(frame["id"]) == ["a", "b", "c"]
    assert list(frame["status"]) == ["accepted", "blocked", "accepted"]
    assert list(frame["checks"]) == ["passed", "failed, failed", "passed"]
    assert frame["value"].isna().tolist() == [False, True, False]
    assert list(run(batch=[]).to_frame().dtypes) == list(frame.dtypes)


def test_a_check_that_is_left_alone_writes_nothing_more():
    began, hold = threading.Event(), threading.Event()
    done = []

    def check(*, item, **_):
        if item.id == "b":
            began.set()
            hold.wait()
        done.append(item.id)
        return PASSED

    import asyncio

    async def main():
        task = asyncio.ensure_future(flow_of(check=check).run(input_ids=["in"], items=items("abc")))
        await asyncio.to_thread(began.wait)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    record = ek.last()
    written = len(record.recording)
    threads = [each for each in threading.enumerate() if each.name == "explainkit-child"]
    hold.set()
    for each in threads:
        each.join()
    assert done == ["a", "b"]
    assert len(record.recording) == written
    assert record.doctor() == []
    checks = link_rows(record, "check")
    assert [closed(record, link)["status"] for link in checks] == ["answered", "cancelled"]
    assert [each.status for each in ladders_of(record.recording)] == ["unfinished"] * 3
