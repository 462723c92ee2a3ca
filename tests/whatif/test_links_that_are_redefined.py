"""Re-runs of mended code are not added to those of the code before."""

import subprocess
import sys

import explainkit as ek


def test_outcomes_of_other_code_stand_beside_and_are_not_added_up():
    def answers(prompt):
        return "yes" if "half" in prompt else "no"

    def mended(prompt):
        return "yes"

    links = [ek.link(kind="model", name="ask")(answers)]

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "pay half")
        return links[-1](ek.assemble("{n} {q}", n=note, q=question))

    claim("q")
    run = ek.last()
    first = run.whatif(remove="note")
    assert str(first).startswith("cause 5/5 vs 0/5")
    links.append(ek.link(kind="model", name="ask")(mended))
    again = run.whatif(remove="note")
    assert (again.word, again.n, again.flips) == ("not shown", 5, (0, 0))
    assert again.judgement.family == 2
    assert (first.word, first.flips) == ("cause", (5, 0))
    assert len(run.findings) == 2
    links.append(links[0])
    more = run.whatif(remove="note")
    assert more.judgement.family >= 2


def test_outcomes_of_the_same_code_are_added_up():
    @ek.link(kind="model")
    def ask(prompt):
        return "yes" if "half" in prompt else "no"

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "pay half")
        return ask(ek.assemble("{n} {q}", n=note, q=question))

    claim("q")
    run = ek.last()
    assert run.whatif(remove="note", times=3).word == "inconclusive"
    assert str(run.whatif(remove="note")).startswith("cause 5/5 vs 0/5")
    assert len(run.findings) == 1


def helped(prompt):
    return prompt


def test_outcomes_with_another_helper_around_the_links_stand_beside(monkeypatch):
    @ek.link(kind="model")
    def ask(prompt):
        return "yes" if "half" in prompt else "no"

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "pay half")
        return ask(helped(ek.assemble("{n} {q}", n=note, q=question)))

    claim("q")
    run = ek.last()
    first = run.whatif(remove="note", times=3)
    assert first.n == 3
    monkeypatch.setitem(globals(), "helped", lambda prompt: f"{prompt} half")
    again = run.whatif(remove="note")
    assert again.n == 5
    assert again.judgement.family == 2
    assert again.flips[0] == 0
    found = run.smallest_cause()
    assert found.items == ()


def test_a_link_that_was_mended_before_it_ran_again_makes_the_outcomes_of_then_others():
    def find(question):
        return "no rule"

    links = [ek.link(find)]

    @ek.link(kind="model")
    def ask(prompt):
        return "yes" if "half" in prompt else "no"

    @ek.traced("claim")
    def claim(question):
        return ask(ek.assemble("{n} {f}", n=ek.context("note", "pay half"), f=links[-1](question)))

    claim("q")
    run = ek.last()
    assert str(run.whatif(remove="note")).startswith("cause 5/5 vs 0/5")

    def mended(question):
        return "half it is"

    mended.__name__ = mended.__qualname__ = "find"
    links.append(ek.link(mended))
    again = run.whatif(remove="note")
    assert (again.n, again.flips[0]) == (5, 0)
    assert again.judgement.family == 2


def test_a_search_measures_anew_what_another_judge_or_slot_said():
    @ek.link(kind="model")
    def ask(prompt):
        return "5 euros, or 5 euros by card" if "half" in prompt else "0 or 5 euros by card"

    @ek.traced("claim")
    def claim(question):
        note, law = ek.context("note", "pay half"), ek.context("law", "No law.")
        said = ask(ek.assemble("{n} {l} {q}", n=note, l=law, q=question))
        ek.answer(said.upper(), slot="loud")
        return ek.answer(said)

    claim("q")
    run = ek.last()
    first = run.whatif(remove="note", span=(0, 7))
    second = run.whatif(remove="note", span=(12, 19))
    assert first.judgement.family == 1 or second.trial.continues is None
    assert second.trial.continues is None  # the same words at another place are another judge
    loud = run.whatif(remove="note", slot="loud")
    assert loud.trial.continues is None
    by = run.whatif(remove="note", judge=lambda said: said.startswith("5"))
    assert by.trial.continues is None
    found = run.smallest_cause(judge=lambda said: "card" in said)
    assert found.items == ()
    assert all(one.trial.continues is None for one in found.whatifs)
    again = run.smallest_cause()
    assert again.items == ("note",)
    assert again.whatif.judgement.family == len(again.whatifs)


MODULE = """
import explainkit as ek

@ek.link(kind="model")
def ask(prompt):
    return "yes" if {says} else "no"

@ek.traced("claim")
def claim(question):
    note = ek.context("note", "pay half")
    return ask(ek.assemble("{{n}} {{q}}", n=note, q=question))
"""


RECORDS = """
import explainkit as ek
import mended_desk
mended_desk.claim("q")
ek.last().save("run.ek.jsonl")
"""
ASKS = """
import explainkit as ek
import mended_desk
run = ek.load("run.ek.jsonl")
print(run.whatif(remove="note"), run.whatif(remove="note", call=mended_desk.claim), sep="\\n")
"""


def test_a_loaded_run_whose_link_was_changed_is_not_decided(tmp_path):
    def run(code, says):
        (tmp_path / "mended_desk.py").write_text(MODULE.format(says=says))
        done = subprocess.run(
            [sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True
        )
        assert not done.stderr
        return done.stdout.splitlines()

    run(RECORDS, "'half' in prompt")
    loaded, called = run(ASKS, "'half' in prompt")
    assert (loaded[:5], called[:5]) == ("cause", "cause")
    loaded, called = run(ASKS, "len(prompt) > 5")
    assert loaded.startswith(
        "inconclusive: the code of link 'ask' has changed since the run was recorded"
    )
    assert called.startswith("cause")


def test_a_live_run_says_that_a_link_was_defined_anew():
    links = [ek.link(kind="model", name="ask")(lambda prompt: "yes")]

    @ek.traced("claim")
    def claim(question):
        return links[-1](f"{ek.context('note', 'pay half')} {question}")

    claim("q")
    run = ek.last()
    assert "other code" not in repr(run.whatif(remove="note"))
    links.append(ek.link(kind="model", name="ask")(lambda prompt: prompt))
    told = repr(run.whatif(remove="note"))
    assert "link 'ask' has other code now than when the run was recorded" in told
