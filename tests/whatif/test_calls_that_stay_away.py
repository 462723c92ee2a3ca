"""Calls that a re-run does not make: what they would have said is not taken from one record."""

import functools
import random

import pytest

import explainkit as ek
from tests.whatif.programs import ask, recorded


def rare(program, seed):
    """A run whose flaky model said the rare thing."""
    for _ in range(200):
        if program(f"q{seed}") == "A":
            return ek.last()
    raise AssertionError("it never said A")


@pytest.mark.parametrize("seed", range(4))
def test_a_flaky_model_that_the_change_leaves_out_is_asked_in_the_unchanged_run(seed):
    chance = random.Random(seed)

    @ek.link(kind="model")
    def flaky(prompt):
        return "A" if chance.random() < 0.15 else "B"

    @ek.traced("sometimes asks")
    def program(question):
        note = ek.context("note", "ask the model please")
        return flaky(question) if "ask" in note else "B"

    found = rare(program, seed).whatif(remove="note")
    assert found.word == "inconclusive"
    assert "the judge is unfit" in found.reason  # the recorded answer was luck


@pytest.mark.parametrize("seed", range(4))
def test_a_model_whose_answers_are_kept_convicts_nobody(seed):
    chance, kept = random.Random(seed), {}

    @ek.link(kind="model")
    def flaky(prompt):
        return "A" if chance.random() < 0.5 else "B"

    @ek.traced("kept")
    def program(question):
        note = ek.context("note", "greeting words of no weight")
        prompt = ek.assemble("{n} {q}", n=note, q=question)
        if prompt not in kept:
            kept[prompt] = flaky(prompt)
        return kept[prompt]

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "'flaky' was not asked again in" in found.reason


def test_a_declared_model_whose_answers_are_kept_is_no_problem():
    kept = functools.lru_cache(ask)

    @ek.traced("kept")
    def program(question):
        note = ek.context("note", "We pay half of the fare.")
        return kept(ek.assemble("{n} {q}", n=note, q=question))

    assert recorded(program, "q").whatif(remove="note").word == "cause"


def test_a_result_of_another_object_is_not_handed_out():
    def made(table):
        @ek.link(kind="tool", deterministic=True)
        def look_up(key):
            return table[key]

        return look_up

    old, new = made({"fare": "ten euros"}), made({"fare": "ninety euros"})

    @ek.link(kind="model", deterministic=True)
    def priced(prompt):
        return "Expensive." if "ninety" in prompt else "Cheap."

    @ek.traced("two tables")
    def program(question):
        hint = ek.context("hint", "check the old table too")
        if "old table" in hint:
            old("fare")
        return priced(ek.assemble("{h} {t} {q}", h=hint, t=new("fare"), q=question))

    found = recorded(program, "q").whatif(remove="hint")
    assert (found.word, found.after) == ("not shown", "Expensive.")


def test_a_context_that_code_reads_is_the_cause_though_no_prompt_changes():
    @ek.traced("code decides")
    def program(question):
        policy = ek.context("policy", "always approve all")
        other = ek.context("other", "other words")
        said = ask(ek.assemble("half of the fare {o} {q}", o=other, q=question))
        return said if "approve" in policy else "refused"

    run = recorded(program, "q")
    found = run.whatif(remove="policy")
    assert (found.word, found.after) == ("cause", "refused")
    assert run.whatif(remove="other").word == "not shown"
    again = recorded(program, "q")
    assert again.smallest_cause().items == ("policy",)
    roles = again.cause_roles()
    assert (roles.needed, roles.copies) == (("policy",), ())


def test_a_context_that_decides_whether_a_second_model_is_asked_reaches_the_run():
    @ek.traced("asks twice")
    def program(question):
        policy = ek.context("policy", "ask twice, always")
        first = ask("nothing")
        return ask("half of the fare") if "twice" in policy else first

    found = recorded(program, "q").whatif(remove="policy")
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def test_an_unread_context_is_not_applied_though_a_flaky_model_says_something_else():
    chance = random.Random(3)

    @ek.link(kind="model")
    def flaky(prompt):
        return "A" if chance.random() < 0.5 else "B"

    @ek.traced("unread")
    def program(question):
        ek.context("note", "words that nobody reads")
        return flaky(question)

    assert recorded(program, "q").whatif(remove="note").word == "not applied"


@pytest.mark.parametrize("seed", range(4))
def test_a_cache_inside_of_a_link_is_begun_anew_in_each_rerun(seed):
    chance = random.Random(seed)

    @ek.link(kind="model")
    @functools.lru_cache
    def flaky(prompt):
        return "A" if chance.random() < 0.5 else "B"

    @ek.traced("kept inside")
    def program(question):
        note = ek.context("note", "greeting words of no weight")
        prompt = ek.assemble("{n} {q}", n=note, q=question)
        return f"{flaky(prompt)} {flaky(prompt)}"

    run = recorded(program, "q")
    found = run.whatif(remove="note")
    assert found.word != "cause"
    assert {each.end.value for each in found.trial.changed} <= {"A A", "B B"}
    assert len({each.end.value for each in found.trial.changed + found.trial.unchanged}) == 2


def test_a_model_that_only_the_changed_run_asks_is_asked_in_each_of_them():
    chance, kept = random.Random(1), {}

    @ek.link(kind="model")
    def other(prompt):
        return "A" if chance.random() < 0.5 else "B"

    @ek.traced("kept")
    def program(question):
        note = ek.context("note", "We pay half of the fare.")
        if "half" in ask(ek.assemble("{n} {q}", n=note, q=question)):
            return "A"
        return kept.setdefault(question, None) or kept.update({question: other(question)})

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "'other' was not asked again" in found.reason


def test_a_plain_function_that_the_change_leaves_out_is_run_in_the_unchanged_run():
    chance = random.Random(2)

    @ek.link
    def drawn():
        return "A" if chance.random() < 0.15 else "B"

    @ek.traced("sometimes draws")
    def program(question):
        note = ek.context("note", "ask the model please")
        return drawn() if "ask" in note else "B"

    assert rare(program, 2).whatif(remove="note").word == "inconclusive"
