"""Context, answers, overrides and what happens outside a run."""

from pathlib import Path

import pytest

import explainkit as ek


def test_a_context_keeps_its_custody(traced_run, rows, shown):
    with traced_run() as run:
        note = ek.context("note", "Half of it.", kind="memory", source="memory/1", why="it matched")
    assert note == "Half of it."
    (row,) = rows(run, "context")
    assert (row["name"], row["type"], row["source"], row["why"]) == (
        "note",
        "memory",
        "memory/1",
        "it matched",
    )
    assert shown(run, row["value"]) == "Half of it."


def test_what_was_left_out_says_why(traced_run, rows):
    with traced_run() as run:
        ek.left_out("page 9", "text", why="rank 9", how="cut by rank")
    (row,) = rows(run, "context")
    assert (row["admitted"], row["why"], row["how"]) == (False, "rank 9", "cut by rank")


def test_uses_declares_where_a_context_was_made_from(traced_run, rows):
    @ek.link
    def summarise(text):
        return f"short: {text}"

    with traced_run() as run:
        source = ek.context("source", "a long text")
        short = summarise(source)
        ek.context("summary", short, uses=[source, short])
    uses = rows(run, "context")[1]["uses"]
    assert [each["slot"] for each in uses] == ["value", "output"]


def test_uses_of_an_unknown_value_says_what_to_do(traced_run):
    with traced_run(), pytest.raises(ek.ExplainkitError, match="has not recorded"):
        ek.context("x", "y", uses=["never seen"])


def test_answer_then_override_then_answer_again(traced_run, rows, shown):
    with traced_run() as run:
        assert ek.answer("Ann gets half.") == "Ann gets half."
        changed = ek.override(
            lambda text: text.replace("Ann", "She"), by="redactor", reason="names"
        )
        assert changed == "She gets half."
        ek.override("nothing", by="guard")
        ek.answer("a quarter")
    assert run.answer == "a quarter"
    overrides = rows(run, "override")
    assert [row["by"] for row in overrides] == ["redactor", "guard", "answered again"]
    assert [row["from_version"] for row in overrides] == [1, 2, 3]
    assert overrides[0]["site"].startswith("test_points.py:")
    assert "test_answer_then" in overrides[0]["site"]


@pytest.mark.parametrize("value", [None, "", "UNCHANGED", False, 0, []])
def test_any_value_is_a_real_answer(traced_run, value):
    with traced_run() as run:
        ek.answer(value)
    assert run.answer == value
    assert type(run.answer) is type(value)


def test_an_override_without_an_answer_is_misuse(traced_run):
    with traced_run(), pytest.raises(ek.NoAnswerError, match="found no answer in slot 'answer'"):
        ek.override("x", by="guard")


@pytest.mark.parametrize(
    "call",
    [
        lambda: ek.context("a", "b"),
        lambda: ek.left_out("a", "b", why="c"),
        lambda: ek.event("a", "b"),
        lambda: ek.assemble("a"),
        lambda: ek.answer("a"),
        lambda: ek.override("a", by="b"),
    ],
)
def test_a_call_outside_a_run_says_what_to_do(call):
    with pytest.raises(ek.NoRunError, match=r"called outside a run\. Put it inside"):
        call()


def test_what_is_recorded_is_a_copy(traced_run, rows, shown):
    state = {"seats": [1, 2]}
    with traced_run() as run:
        ek.context("state", state)
        state["seats"].append(3)
    assert shown(run, rows(run, "context")[0]["value"]) == {"seats": [1, 2]}


class Broken:
    """Fails at everything a recorder could try."""

    def __repr__(self):
        raise RuntimeError("no repr")

    __str__ = __len__ = __iter__ = __hash__ = __repr__

    def __eq__(self, other):
        raise RuntimeError("no eq")


def test_a_value_that_cannot_be_recorded_never_hurts(traced_run, rows):
    @ek.link
    def through(x):
        return x

    broken = Broken()
    with traced_run() as run:
        assert through(broken) is broken
        assert ek.context("broken", broken) is broken
    digest = rows(run, "context")[0]["value"]
    assert run.recording.values.fidelity(digest) == "opaque"


def test_own_faults_are_counted_not_raised(monkeypatch, rows):
    @ek.link
    def add(a, b):
        return a + b

    with ek.trace("t", strict=False) as run:
        monkeypatch.setattr(run.active.recorder.values, "_redactor", None)
        assert add("one", "two") == "onetwo"
        assert ek.context("c", "five") == "five"
        monkeypatch.undo()
    assert rows(run, "run_ended")[0]["suppressed"] == 2


def test_own_faults_are_raised_when_strict(monkeypatch):
    with ek.trace("t", strict=True) as run:
        monkeypatch.setattr(run.active.recorder.values, "_redactor", None)
        with pytest.raises(AttributeError):
            ek.context("c", "five")
        monkeypatch.undo()


def test_lone_surrogates_are_recorded_everywhere(traced_run, rows, shown):
    bad = "half \ud800 of it"

    @ek.link(name=bad, kind=bad)
    def step(text):
        return text

    with traced_run() as run:
        ek.context(bad, bad, source=bad, why=bad)
        text = ek.assemble("{a} and " + "more " * 60 + "{b}", a=bad, b="x" * 300 + bad)
        ek.answer(step(text))
        ek.override(bad, by=bad, reason=bad)
        run.verdict("failed", judge=bad, reason=bad)
    run.verdict("failed", judge=bad, reason=bad).note(bad, by=bad)
    assert shown(run, rows(run, "context")[0]["value"]) == bad
    assert run.answer == bad
    assert shown(run, rows(run, "answer")[0]["value"]) == text
    assert not run.doctor()


def test_secrets_in_an_authors_words_are_redacted_too(traced_run, tmp_path):
    key = "sk-" + "a1B2" * 8
    with traced_run(to=tmp_path) as run:
        ek.context(f"name {key}", "text", source=f"https://u:{key}@host/x", why=key)
        ek.answer("x")
        ek.override("y", by=key, reason=f"key {key}")
    run.verdict("failed", judge="j", reason=key, issues=[{"code": "c", "message": key}])
    run.note(key)
    files = [path.read_bytes() for path in tmp_path.iterdir()]
    assert len(files) == 2
    assert not any(key.encode() in content for content in files)


def test_labels_that_are_no_texts_leave_a_run_that_can_be_read(rows):
    class Judge:
        def __repr__(self):
            raise ValueError

    @ek.link(kind=5, name=7)
    def step():
        return 1

    with ek.trace(3) as run:
        ek.context(None, "a", source=Path("tariff.md"), kind=5, why=3)
        ek.left_out(4, "b", why=6, how=7)
        ek.event(1, 2, sender=3)
        ek.answer(step(), slot=5)
        ek.override(2, by=None, reason=4, slot=5)
        run.note(5, by=7)
        run.verdict("failed", judge=Judge(), reason=5, slot="5")
    run.verdict("passed", judge=8, slot="5")
    assert run.doctor() == []
    (piece, _) = rows(run, "context")
    assert (piece["name"], piece["source"], piece["type"]) == ("None", "tariff.md", "5")
    assert rows(run, "override")[0]["by"] == "None"
    assert [row["judge"][:5] for row in rows(run, "verdict")] == ["<test", "8"]
    assert run.name == "3"


@pytest.mark.parametrize(
    "ranges", [[(-1, 2, 3, 4)], [("a", 1, 2, 3)], [(1, 2)], [(0, 10**30, 1, 1)], 5, [None]]
)
def test_ranges_that_are_no_stretches_are_misuse(traced_run, ranges):
    with traced_run() as run:
        ek.answer("abc def")
        with pytest.raises(ek.ExplainkitError, match="stretches"):
            ek.override("xyz def", by="b", ranges=ranges)
    assert (run.answer, run.doctor()) == ("abc def", [])
