"""The doctor: each law, broken once, is named."""

import pytest

from explainkit.safety.digests import digest
from explainkit.store import Recording, doctor
from explainkit.testing.building import TraceBuilder


@pytest.fixture(autouse=True)
def unproved(monkeypatch):
    """Long runs open without a look at each record; the doctor is what looks."""
    monkeypatch.setattr("explainkit.store.scanning.SHORT", 0)


def found(*steps, status="answered", start=True):
    built = TraceBuilder()
    if start:
        built.append("run_started", run="r1", name="demo")
    for step in steps:
        step(built)
    return [
        (problem.law, problem.seq)
        for problem in doctor(Recording.of_lines(built.build(status).lines))
    ]


def record(kind, **fields):
    return lambda built: built.append(kind, **fields)


def context(built):
    return built.append("context", name="c", value=built.value("x"))  # the value is 1, this is 2


def answer(built):
    return built.append("answer", value=built.value("x"))


BROKEN = {
    "no start": ([], {"start": False}, ("order", 0)),
    "a second start": ([record("run_started", run="r1", name="x")], {}, ("order", 1)),
    "an end before the end": ([record("run_ended", status="error")], {}, ("order", 2)),
    "a link that never closes": ([record("link_opened", name="x")], {}, ("link", 1)),
    "a close without a link": ([record("link_closed", link=0, status="error")], {}, ("link", 1)),
    "a parent that is no link": ([record("event", name="x", parent=0)], {}, ("reference", 1)),
    "a parent to come": ([record("event", name="x", parent=7)], {}, ("reference", 1)),
    "a reply to nothing": ([record("reply", pick="p", source=5, index=0)], {}, ("reference", 1)),
    "an origin to come": (
        [context, record("note", text="x", target={"seq": 8})], {}, ("reference", 3),
    ),
    "an origin without that slot": (
        [context, record("event", name="x", uses=[{"seq": 2, "slot": "output"}])],
        {}, ("reference", 3),
    ),
    "content that is not stored": ([record("event", name="x", value="0" * 40)], {}, ("value", 1)),
    "content of the start that is not stored": (
        [record("run_started", run="r1", name="demo", question="0" * 40)],
        {"start": False}, ("value", None),
    ),
    "content that is not its digest": (
        [record("value", digest="0" * 40, size=3, data="x")], {}, ("value", 1),
    ),
    "content of another size": (
        [lambda b: b.append("value", digest=digest(b'"a"'), size=9, data="a")], {}, ("value", 1),
    ),
    "a value without content": ([record("value", digest="0" * 40, size=3)], {}, ("shape", 1)),
    "a value in two forms": (
        [record("value", digest="0" * 40, size=3, data="x", items=[])], {}, ("shape", 1),
    ),
    "a record of the wrong shape": ([record("event", name=["x"])], {}, ("shape", 1)),
    "a second answer": (
        [context, answer, answer], {}, ("answer", 4),
    ),
    "an override without an answer": ([record("override", by="x")], {}, ("answer", 1)),
    "an override of a version that is past": (
        [context, answer, record("override", by="x", from_version=2)],
        {}, ("answer", 4),
    ),
    "an unheard override with a slot": (
        [record("override", by="x", slot="answer", outcome="unheard")], {}, ("answer", 1),
    ),
    "a verdict on no answer": (
        [record("verdict", status="failed", slot="answer", version=1)], {}, ("verdict", 1),
    ),
    "a verdict on no link": ([record("verdict", status="failed", link=0)], {}, ("verdict", 1)),
    "a verdict on nothing": ([record("verdict", status="failed")], {}, ("verdict", 1)),
}  # fmt: skip


@pytest.mark.parametrize(("steps", "options", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_broken_law_is_named_with_its_record(steps, options, problem):
    assert problem in found(*steps, **options)


def test_a_link_closed_twice():
    def twice(built):
        link = built.append("link_opened", name="x")
        for _ in range(2):
            built.append("link_closed", link=link, status="cancelled")

    assert found(twice) == [("link", 3)]


def test_content_stored_twice():
    def twice(built):
        row = {"digest": built.value("x"), "size": 3, "data": "x"}
        built.append("value", **row)

    assert found(twice) == [("value", 2)]


def test_links_that_a_crash_left_open_break_no_law():
    assert found(record("link_opened", name="x"), status=None) == []


def test_a_sound_run_has_no_problems(claim):
    assert doctor(Recording.of_lines(claim.lines)) == []


def test_content_may_stand_before_the_record_that_starts_the_run():
    def start(built):
        built.append("run_started", run="r1", name="demo", question=built.value("Why?"))

    assert found(start, start=False) == []


def test_problems_beyond_a_thousand_are_counted():
    problems = found(*[record("verdict", status="failed")] * 1500)
    assert len(problems) == 1001
    assert problems[-1] == ("more", None)


def test_an_end_without_its_end_line_is_not_taken_for_an_end():
    with_end = TraceBuilder()
    with_end.append("run_started", run="r1", name="demo")
    with_end.append("answer", value=with_end.value("half of the fare"))
    lines = with_end.build("answered").lines
    assert Recording.of_lines(lines).status == "answered"
    cut = Recording.of_lines(lines[:-1])
    assert cut.status == "crashed"
    assert [problem.law for problem in doctor(cut)] == ["integrity"]
    assert "end line is missing" in doctor(cut)[0].message
