"""What was measured stays beside the run, and every verdict counts with all of its family."""

import random

import pytest

import explainkit as ek
from explainkit.whatif.families import families_of
from tests.whatif.programs import HALF, claim, recorded, undeclared, undeclared_claim


def findings(run):
    return list(run.recording.rows("finding"))


def test_a_finding_is_recorded_after_the_end_with_its_numbers():
    run = recorded(undeclared_claim, "q")
    length = run.recording.run_length
    found = run.whatif(remove="rules")
    (row,) = findings(run)
    assert run.recording.run_length == length
    assert (row["word"], row["n"], row["flips"]) == ("cause", 5, [5, 0])
    assert (
        row["interventions"] == [{"verb": "remove", "seq": 3, "name": "rules"}]
        or row["interventions"][0]["name"] == "rules"
    )
    assert row["p"] == found.p == pytest.approx(0.00794, abs=1e-4)
    assert row["detail"]["family"] == {"slot": "answer", "version": 1, "judge": "same answer"}
    assert run.doctor() == []


def test_the_word_is_worked_out_anew_beside_all_others():
    run = recorded(undeclared_claim, "q")
    first = run.whatif(remove="rules", times=5)
    assert str(first) == "cause 5/5 vs 0/5, p = 0.008"
    for at in range(7):
        run.whatif(replace={"note": f"Ask for ticket {at}."}, times=5)
    assert first.p > 0.05
    assert first.word != "cause"
    assert findings(run)[0]["word"] == "cause"  # what was said then stays


def test_the_same_change_asked_again_adds_to_its_outcomes():
    run = recorded(undeclared_claim, "q")
    first = run.whatif(remove="note", times=3)
    assert str(first) == "inconclusive: ask again: at least 2 more repeats needed"
    again = run.whatif(remove="note", times=3)
    assert (again.n, again.flips, len(again.reruns)) == (5, (0, 0), 2)
    assert again.judgement.family == 1
    assert (first.n, str(first)) == (again.n, str(again))  # it is the same suspect
    assert run.findings["n"].tolist() == [5]
    assert [row["n"] for row in findings(run)] == [3, 5]  # the records stay


def test_a_question_asked_again_says_which_re_runs_were_made_before():
    run = recorded(undeclared_claim, "q")
    assert "earlier" not in repr(run.whatif(remove="rules"))
    told = repr(run.whatif(remove="rules"))
    assert "ran       1 re-run, " in told
    assert "earlier   10 re-runs of this question made before" in told


def test_a_cause_that_others_made_doubtful_is_measured_further_when_it_is_asked_again():
    run = recorded(undeclared_claim, "q")
    first = run.whatif(remove="rules", times=5)
    for at in range(7):
        run.whatif(replace={"note": f"Ask for ticket {at}."}, times=5)
    assert first.word == "inconclusive"
    again = run.whatif(remove="rules")
    assert (again.word, again.judgement.family, again.n) == ("cause", 8, 10)
    assert (first.word, first.p) == (again.word, again.p)
    assert len(run.findings) == 8


def test_other_values_or_another_function_are_other_suspects():
    run = recorded(undeclared_claim, "q")
    long = "Ask for the ticket. " * 20
    run.whatif(replace={"note": f"{long}A"}, times=5)
    assert run.whatif(replace={"note": f"{long}B"}, times=5).judgement.family == 2
    assert run.whatif(replace={"note": f"{long}B"}, times=5).judgement.family == 2
    live = object()
    run.whatif(replace={"note": live}, times=5)
    assert run.whatif(replace={"note": live}, times=5).judgement.family == 4  # not known whole
    again = run.whatif(replace={"note": f"{long}A"}, times=5, call=undeclared_claim)
    assert again.judgement.family == 5


def test_judges_of_one_name_are_told_apart_by_their_code():
    run = recorded(undeclared_claim, "q")
    words = "Half"
    run.whatif(remove="rules", judge=lambda answer: "Half" in answer, times=5)
    same = run.whatif(remove="rules", judge=lambda answer: "Half" in answer, times=5)
    assert same.judgement.family == 1
    other = run.whatif(remove="rules", judge=lambda answer: "paid" in answer, times=5)
    assert (other.word, other.judgement.family) == ("not shown", 2)
    for family in (3, 4):  # what is read from outside may have changed meanwhile
        found = run.whatif(remove="rules", judge=lambda answer: words in answer, times=5)
        assert found.judgement.family == family


def test_a_deterministic_result_that_is_measured_again_takes_the_place_of_the_first():
    run = recorded(claim, "q")
    for _ in range(2):
        assert str(run.whatif(remove="rules")) == "cause 1/1 vs 0/2, deterministic"
    assert len(run.findings) == 1


def test_deterministic_suspects_cost_the_family_nothing():
    run = recorded(claim, "q")
    for _ in range(12):
        run.whatif(remove="note")
    assert run.whatif(remove="rules").word == "cause"


def test_another_judge_or_answer_is_another_family():
    run = recorded(undeclared_claim, "q")
    run.whatif(remove="rules", times=5)
    run.whatif(remove="rules", span="Half", times=5)
    assert [each.judge for each in families_of(run.recording)] == [
        "same answer",
        "still says 'Half'",
    ]
    assert run.whatif(remove="note", span="Half", times=5).judgement.family == 2


def test_the_family_is_kept_when_a_run_is_saved_and_loaded(tmp_path):
    run = recorded(undeclared_claim, "q")
    first = run.whatif(remove="rules", times=5)
    run.save(tmp_path / "run.ek.jsonl")
    loaded = ek.load(tmp_path / "run.ek.jsonl")
    assert [row["word"] for row in findings(loaded)] == ["cause"]
    again = loaded.whatif(remove="rules", times=5, call=undeclared_claim)
    assert again.judgement.family == 2
    assert again.p > first.p
    again_loaded = ek.load(tmp_path / "run.ek.jsonl")
    assert len(findings(again_loaded)) == 2
    assert again_loaded.doctor() == []


def test_nulls_with_a_flaky_baseline_are_not_called_causes():
    chance = random.Random(11)

    @ek.link(kind="model")
    def flaky(prompt):
        return "Half" if chance.random() < 2 / 3 else "Nothing"

    @ek.traced("null")
    def program(question):
        return flaky(ek.context("note", HALF))

    words = [recorded(program, "q").whatif(remove="note").word for _ in range(12)]
    assert words.count("cause") <= 1
    assert set(words) <= {"cause", "not shown", "inconclusive"}


def test_a_flaky_baseline_raises_the_repeats_and_a_real_cause_is_still_found():
    chance = random.Random(2)

    @ek.link(kind="model")
    def flaky(prompt):
        return "Half" if "half" in prompt and chance.random() < 0.85 else "Nothing"

    @ek.traced("flaky cause")
    def program(question):
        return flaky(ek.context("note", HALF))

    while recorded(program, "q").answer != "Half":
        pass
    found = ek.last().whatif(remove="note")
    assert found.word == "cause"
    assert found.n >= 5
    assert found.flips[0] > found.flips[1]


def test_a_what_if_of_a_what_if_belongs_to_its_own_run():
    run = recorded(claim, "q")
    first = run.whatif(remove="rules")
    assert first.run.question == "q" or first.run.question is None
    assert findings(first.run) == []
    started = next(first.run.recording.rows("run_started"))
    assert started["origin"] == run.id
    assert started["interventions"][0]["verb"] == "remove"
    baseline = next(first.trial.unchanged[0].done.run.recording.rows("run_started"))
    assert (baseline["origin"], baseline.get("interventions")) == (run.id, None)


def test_every_display_says_the_word_and_its_numbers():
    found = recorded(undeclared_claim, "q").whatif(remove="rules")
    assert str(found) == "cause 5/5 vs 0/5, p = 0.008"
    for text in (repr(found), found._repr_html_()):
        assert "cause 5/5 vs 0/5" in text
        assert "remove rules" in text
    assert found.interval[0] > 0.5
    assert found.diff is not None
    assert len(found.reruns) == 5


def test_hostile_text_is_escaped_in_the_page():
    @ek.traced("hostile")
    def program(question):
        return undeclared(ek.context("<script>alert(1)</script>", HALF))

    found = recorded(program, "q").whatif(remove="<script>alert(1)</script>")
    assert "<script>alert" not in found._repr_html_()


def test_the_board_says_what_the_numbers_of_the_verdict_count():
    found = recorded(claim, "q").whatif(remove="rules")
    assert "in 1 of 1 re-run with the change, in 0 of 2 re-runs without it" in repr(found)
    assert "in 0 of 2 re-runs without it" in found._repr_html_()


def test_a_finding_says_how_many_re_runs_each_arm_has():
    run = recorded(undeclared_claim, "q")
    first = run.whatif(remove="rules", budget=7)
    assert sum(first.sizes) == 7
    found = run.whatif(remove="rules")
    assert (found.flips, found.n) == ((found.sizes[0], 0), min(found.sizes))
    (row,) = run.findings.to_dict("records")
    assert (row["flips_of"], row["baseline_of"], row["n"]) == (*found.sizes, found.n)
    assert row["flips"] <= row["flips_of"]


def test_a_finding_that_cannot_be_written_is_kept_in_memory_with_a_warning(tmp_path):
    path = tmp_path / "claim.ek.jsonl"
    recorded(undeclared_claim, "q").save(path)
    ek.load(path).verdict("failed", judge="me")
    path.unlink()
    recorded(undeclared_claim, "q").save(path)  # the notes of the run before lie beside it
    run = ek.load(path)
    with pytest.warns(UserWarning, match=r"kept in memory only: .* holds no notes of run"):
        found = run.whatif(remove="rules")
    assert found.word == "cause"
    assert run.findings["word"].tolist() == ["cause"]
    run.save(tmp_path / "again.ek.jsonl")
    assert ek.load(tmp_path / "again.ek.jsonl").findings["word"].tolist() == ["cause"]
