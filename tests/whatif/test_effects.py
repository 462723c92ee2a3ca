"""Effects are never repeated unasked, whatever else runs again."""

import pytest

import explainkit as ek
from tests.whatif.programs import HALF, ask, executed, recorded

SENT = []


@ek.link(kind="effect", name="mail")
def mail(text):
    SENT.append(text)
    return f"sent {len(text)} characters"


@pytest.fixture(autouse=True)
def nothing_sent():
    SENT.clear()


@ek.traced("mails the answer")
def mails_the_answer(question):
    reply = ask(ek.assemble("{n} {q}", n=ek.context("note", HALF), q=question))
    mail(reply)
    return reply


@ek.traced("mails before")
def mails_before(question):
    receipt = mail("A claim came in.")
    note = ek.context("note", HALF)
    return ask(ek.assemble("{n} {r} {q}", n=note, r=receipt, q=question))


def test_an_effect_whose_input_changed_holds_the_verdict_back():
    run = recorded(mails_the_answer, "q")
    found = run.whatif(remove="note")
    assert str(found).startswith(
        "inconclusive: effect mail would have to run again. allow_effects=True"
    )
    assert SENT == ["Half is paid back."]
    assert [row["word"] for row in run.recording.rows("finding")] == ["inconclusive"]


def test_an_effect_whose_input_stays_gives_its_recorded_result():
    found = recorded(mails_before, "q").whatif(remove="note")
    assert (found.word, executed(found)) == ("cause", ["ask"])
    assert len(SENT) == 1


def test_effects_run_again_when_that_is_allowed():
    found = recorded(mails_the_answer, "q").whatif(remove="note", allow_effects=True)
    assert found.word == "cause"
    assert (
        len(SENT) == 11
    )  # once recorded, five re-runs of each arm: an effect is not deterministic


def test_a_program_that_catches_everything_does_not_let_an_effect_through():
    @ek.traced("catches")
    def program(question):
        reply = ask(ek.context("note", HALF))
        try:
            mail(reply)
        except BaseException:
            return "could not mail"
        return reply

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "effect mail" in found.reason
    assert len(SENT) == 1


def test_an_effect_inside_of_a_link_that_runs_again_is_held_back_too():
    @ek.link
    def outer(text):
        return mail(f"about {text}")

    @ek.traced("nested effect")
    def program(question):
        return outer(ask(ek.context("note", HALF)))

    assert "effect mail" in recorded(program, "q").whatif(remove="note").reason
    assert len(SENT) == 1


def test_an_effect_whose_result_was_not_recorded_whole_is_held_back():
    class Handle:
        pass

    @ek.link(kind="effect", name="open a file")
    def opens(name):
        SENT.append(name)
        return Handle()

    @ek.traced("handle")
    def program(question):
        opens("log")
        return ask(ek.context("note", HALF))

    assert "effect open a file" in recorded(program, "q").whatif(remove="note").reason
    assert SENT == ["log"]


def test_the_result_of_an_effect_is_swapped_without_running_it():
    found = recorded(mails_before, "q").whatif(swap={"mail": f"{HALF} 12"})
    assert (found.word, found.after) == ("cause", "You paid 12.")
    assert len(SENT) == 1


@pytest.mark.parametrize("given", [None, True, "sent"])
def test_an_effect_may_be_swapped_for_what_it_gave_so_that_another_change_is_tried(given):
    @ek.link(kind="effect")
    def mail(text):
        return given

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "half" if "half" in prompt else "nothing"

    @ek.traced
    def desk(question):
        said = ask(ek.context("note", "We pay half.") + question)
        mail(said)
        return said

    desk("?")
    run = ek.last()
    advised = run.whatif(remove="note")
    assert "swap={'mail': ...}" in str(advised)
    assert run.whatif(remove="note", swap={"mail": given}).word == "cause"
    assert run.whatif(swap={"mail": given}).word == "not applied"


def test_an_effect_that_only_the_changed_run_comes_to_is_told_as_that():
    @ek.link(kind="effect")
    def refund(amount):
        return True

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "refuse" if "nothing" in prompt else "pay"

    @ek.traced
    def desk(question):
        if ask(ek.context("note", "We pay nothing.") + question) == "pay":
            return refund(40) and "paid"
        return "refused"

    desk("?")
    run = ek.last()
    told = str(run.whatif(remove="note"))
    assert "effect refund would have to run, which it did not in the recorded run" in told
    assert "swap" not in told
    assert run.whatif(remove="note", allow_effects=True).word == "cause"


def test_an_effect_that_comes_once_more_than_it_is_swapped_is_told_as_that():
    @ek.traced("mails until it is short")
    def program(question):
        receipt = mail(f"{ek.context('note', HALF)} {question}")
        if receipt == "try again":
            receipt = mail(question)
        return receipt

    found = recorded(program, "q").whatif(swap={"mail": "try again"})
    assert str(found).startswith(
        "inconclusive: effect mail would have to run once more than swap= gives results for. "
        "allow_effects=True lets it run"
    )
    assert len(SENT) == 1
