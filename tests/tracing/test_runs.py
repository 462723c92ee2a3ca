"""Runs: how they open, nest, end, and find their question and answer."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

import explainkit as ek


def test_a_traced_function_is_a_run_with_its_arguments(tmp_path, rows, shown):
    @ek.traced("claim", to=tmp_path)
    def claim(question, limit=3):
        return f"asked {question}"

    assert claim("how long?", limit=5) == "asked how long?"
    run = ek.last()
    assert (run.name, run.question, run.answer, run.status) == (
        "claim",
        "how long?",
        "asked how long?",
        "answered",
    )
    (start,) = rows(run, "run_started")
    assert {each["slot"]: shown(run, each["value"]) for each in start["inputs"]} == {
        "question": "how long?",
        "limit": 5,
    }
    assert start["callable"].endswith("claim")
    assert run.path.parent == tmp_path
    assert rows(run, "answer")[0]["via"] == "return"


def test_the_question_is_the_last_user_message_of_a_chat():
    @ek.traced
    def chat(messages):
        return "ok"

    chat(
        [
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "x"},
            {"role": "user", "content": "last"},
        ]
    )
    assert ek.last().question == "last"


def test_the_question_can_be_named_and_can_be_unknown():
    @ek.traced("two", question="b")
    def two(a, b):
        return a

    two("x", "y")
    assert ek.last().question == "y"

    @ek.traced
    def three(a, b):
        return a

    three("x", "y")
    assert ek.last().question is None


def test_an_async_function_can_be_traced():
    @ek.traced("slow")
    async def slow(question):
        await asyncio.sleep(0)
        return ek.answer("done")

    assert asyncio.run(slow("q")) == "done"
    assert ek.last().answer == "done"


def test_a_generator_cannot_be_traced():
    with pytest.raises(TypeError, match=r"with ek\.trace"):

        @ek.traced
        def stream():
            yield 1


def test_an_exception_ends_the_run_and_goes_on(rows):
    @ek.traced("bad")
    def bad(question):
        ek.context("c", "kept")
        raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        bad("q")
    run = ek.last()
    assert run.status == "error"
    assert len(rows(run, "context")) == 1


def test_a_nested_run_is_a_link_of_the_outer_one(rows, shown):
    with ek.trace("outer") as outer, ek.trace("inner") as inner:
        ek.answer("from inside")
    assert rows(inner, "run_started")[0]["parent"] == outer.id
    (opened,) = rows(outer, "link_opened")
    assert (opened["type"], opened["name"], shown(outer, opened["inputs"][0]["value"])) == (
        "run",
        "inner",
        inner.id,
    )
    assert shown(outer, rows(outer, "link_closed")[0]["output"]) == "from inside"


def test_untracked_sources_are_named(rows):
    local = ["closure"]

    @ek.traced("reads")
    def reads(question):
        return f"{os.environ.get('HOME')} {local} {LIMIT} {json.dumps(1)}"

    reads("q")
    assert rows(ek.last(), "run_started")[0]["untracked"] == [
        "closure local",
        "environment os",
        "global LIMIT",
    ]


LIMIT = 60


def test_the_folder_can_come_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLAINKIT_RUNS", str(tmp_path))
    with ek.trace("env") as run:
        pass
    assert run.path.parent == tmp_path
    assert [info.run for info in ek.runs(tmp_path)] == [run.id]


def test_a_folder_that_cannot_be_written_never_stops_the_run(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")

    @ek.traced("kept", to=blocked)
    def kept(question):
        return "answer"

    with pytest.warns(RuntimeWarning, match="kept in memory"):
        assert kept("q") == "answer"
    assert (ek.last().path, ek.last().answer) == (None, "answer")


def test_verdicts_and_notes_after_the_end(tmp_path, rows):
    with ek.trace("judged", to=tmp_path) as run:
        ek.answer("half")
    before = run.path.read_bytes()
    run.verdict("failed", judge="reviewer", reason="too much").note("see tariff", about=0)
    assert run.path.read_bytes() == before
    again = ek.load(run.path)
    assert [row["reason"] for row in rows(again, "verdict")] == ["too much"]
    assert rows(again, "note")[0]["target"] == {"seq": 0}
    assert again.recording.passing == "failing"


def test_a_verdict_binds_to_a_version(rows):
    with ek.trace("t") as run:
        ek.answer("one")
        run.verdict("passed", judge="j")
        ek.override("two", by="b")
    assert rows(run, "verdict")[0]["version"] == 1
    assert run.recording.passing == "unlabelled"
    run.verdict("failed", judge="j")
    assert run.recording.passing == "failing"
    with pytest.raises(ek.NoAnswerError, match="versions 1 to 2"):
        run.verdict("failed", judge="j", version=3)
    with pytest.raises(ek.UnknownRecordError, match="not a link"):
        run.verdict("failed", judge="j", link=0)
    with pytest.raises(ValueError, match="passed, failed"):
        run.verdict("wrong", judge="j")


def test_save_load_save_is_byte_identical(tmp_path):
    with ek.trace("t") as run:
        ek.answer(ek.assemble("{a} and {b}", a="x" * 300, b=[1, "two"]))
    run.verdict("failed", judge="j")
    first = run.save(tmp_path / "a.ek.jsonl")
    second = ek.load(first).save(tmp_path / "b.ek.jsonl")
    assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "a.notes.ek.jsonl").read_bytes() == (
        tmp_path / "b.notes.ek.jsonl"
    ).read_bytes()


def test_a_kill_keeps_what_was_recorded(tmp_path):
    script = f"""
import os, signal, explainkit as ek
@ek.link
def step(n): return n
@ek.link
def stuck():
    import time; time.sleep(0.1); os.kill(os.getpid(), signal.SIGKILL)
with ek.trace("killed", to={str(tmp_path)!r}, run_id="k"):
    for n in range(5): step(n)
    stuck()
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -9
    run = ek.load(tmp_path / "k.ek.jsonl")
    assert run.status == "crashed"
    names = [row["name"] for row in run.recording.rows("link_opened")]
    assert names == ["step"] * 5 + ["stuck"]
    assert len(run.recording.open_links) == 1


def test_the_same_run_gives_the_same_bytes(tmp_path):
    files = []
    for seed in ("1", "2"):
        script = f"""
from itertools import count
import explainkit as ek
ticks = count(1)
with ek.trace("same", to={str(tmp_path / seed)!r}, run_id="s", clock=lambda: next(ticks)):
    ek.context("set", {{"b", "a", "c"}})
    ek.answer(ek.assemble("{{x}}", x={{"k": [1, 2.5, None]}}))
"""
        subprocess.run(
            [sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        files.append((tmp_path / seed / "s.ek.jsonl").read_bytes())
    assert files[0] == files[1]


FULL = """
import resource, signal, sys
import explainkit as ek

room = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

@ek.link
def thrice(text):
    return text * 3

with ek.trace("full", to=sys.argv[1]) as run:
    for number in range(100):
        assert thrice(f"text {number} ") == f"text {number} " * 3
    ek.override(ek.answer(ek.assemble("{a}", a=ek.context("c", ek.event("e", "v")))), by="b")
    with ek.trace("nested", to=sys.argv[1]):
        thrice("nested")
print("done")
"""


@pytest.mark.parametrize("room", [0, 60, 200, 400, 2_000, 10_000])
def test_a_full_disk_never_stops_the_program(tmp_path, room):
    pytest.importorskip("resource")
    command = [sys.executable, "-W", "ignore", "-c", FULL, str(tmp_path), str(room)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (told.stdout, told.stderr) == ("done\n", "")
    for info in ek.runs(tmp_path):
        if info.status != "damaged":
            assert ek.load(info.path).status in {"crashed", "answered"}


def test_links_and_contexts_are_judged_and_noted_by_name(rows):
    @ek.link
    def step(text):
        return text

    with ek.trace("named") as run:
        ek.context("tariff", "No refund below 60 minutes.")
        ek.answer(step("no"))
    run.verdict("failed", judge="j", link="step").note("old", about="tariff")
    assert rows(run, "verdict")[0]["link"] == rows(run, "link_opened")[0]["seq"]
    assert rows(run, "note")[0]["target"]["seq"] == rows(run, "context")[0]["seq"]
    with pytest.raises(ek.UnknownRecordError, match="no link named 'stop'"):
        run.verdict("failed", judge="j", link="stop")
    with pytest.raises(TypeError, match="version= is a number from 1"):
        run.verdict("failed", judge="j", version="last")
    with pytest.raises(TypeError, match="An issue is a mapping"):
        run.verdict("failed", judge="j", issues=["too much"])
