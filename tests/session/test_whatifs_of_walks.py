"""A walk is asked what would have happened to its own words, and a run lists what was found."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import InterventionError

NOTE = "For 30 minutes we pay back half of the fare."


@ek.link(kind="model")
def ask(prompt):
    fare = "half" if "half" in prompt else "nothing"
    return f"We pay back {fare}. Your ticket costs 12 euros."


@ek.traced("claim")
def claim(question):
    rules = ek.context("rules", NOTE)
    other = ek.context("other", "Tickets cost 12 euros.")
    return ask(ek.assemble("{r} {o} {q}", r=rules, o=other, q=question))


def recorded():
    claim("How much?")
    return ek.last()


def test_the_words_of_a_walk_decide():
    run = recorded()
    found = run.backtrack(span="pay back half").whatif(remove="rules")
    assert (found.word, found.trial.judge.name) == ("cause", "still says 'pay back half'")
    kept = run.backtrack(span="costs 12 euros").whatif(remove="rules")
    assert kept.word == "not shown"
    assert run.backtrack().whatif(remove="rules").trial.judge.name == "same answer"


def test_a_walk_is_awaited_too():
    found = asyncio.run(recorded().backtrack(span="half").whatif_async(remove="rules"))
    assert found.word == "cause"


def test_what_is_asked_goes_before_what_the_walk_says():
    found = recorded().backtrack(span="half").whatif(remove="rules", judge=lambda answer: 1)
    assert found.word == "not shown"


def test_a_walk_from_an_earlier_version_is_refused():
    @ek.traced("overridden")
    def program(question):
        ek.answer(ask(ek.context("rules", NOTE)))
        return ek.override(str.upper, by="shouter")

    program("q")
    back = ek.last().backtrack(answer=1)
    with pytest.raises(InterventionError, match=r"version 1 of the answer.*version 2"):
        back.whatif(remove="rules")


def test_findings_are_a_table_with_the_word_that_holds_now():
    run = recorded()
    assert run.findings.empty
    assert list(run.findings.columns)[:4] == ["seq", "word", "changed", "slot"]
    run.whatif(remove="rules", times=5)
    for _ in range(7):
        run.whatif(remove="other", judge=lambda answer: "half" in answer, times=5)
    first = run.findings.iloc[0]
    assert (first["word"], first["changed"], first["reason"]) == ("cause", "remove rules", None)
    assert (first["n"], first["flips"], first["baseline"]) == (5, 5, 0)
    assert first["p"] == pytest.approx(0.0079, abs=1e-3)
    for at in range(7):
        run.whatif(replace={("other", "Tickets"): f"Ticket {at}"}, times=5)
    again = run.findings.iloc[0]
    assert again["word"] == "inconclusive"
    assert again["reason"].startswith("cause when it was measured; ")
    assert again["p"] > first["p"]
    assert set(run.findings["judge"]) == {"same answer", "<lambda>"}


def test_hostile_names_are_shown_as_text():
    @ek.traced("hostile")
    def program(question):
        return ask(ek.context("=1+1", NOTE))

    program("q")
    ek.last().whatif(remove="=1+1")
    assert not ek.last().findings["changed"][0].startswith("=")
