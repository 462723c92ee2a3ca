"""A change counts only when it reached the run; else the verdict says which other way it took."""

import explainkit as ek
from tests.whatif.programs import HALF, ask, claim, recorded, undeclared


def test_a_text_that_is_a_global_still_reaches_the_model():
    @ek.traced("global")
    def program(question):
        ek.context("rules", HALF)
        return ask(f"{HALF} {question}")

    found = recorded(program, "q").whatif(remove="rules")
    assert found.word == "not applied"
    assert "still reached the model by another way" in found.reason
    assert found.n == 0


def test_a_text_that_stands_in_a_closure_still_reaches_the_model():
    def made(text):
        @ek.traced("closure")
        def program(question):
            ek.context("rules", text)
            return ask(ek.assemble("{t} {q}", t=text, q=question))

        return program

    assert recorded(made(HALF), "q").whatif(remove="rules").word == "not applied"


def test_words_that_stand_in_a_closure_still_reach_the_model():
    text = f"Bring a ticket. {HALF}"

    @ek.traced("closure")
    def program(question):
        note = ek.context("note", "Be brief.")
        ek.context("rules", text)
        return ask(ek.assemble("{n} {t} {q}", n=note, t=text, q=question))

    found = recorded(program, "q").whatif(remove=[("rules", "half"), "note"])
    assert found.word == "not applied"
    assert HALF in found.reason


def test_a_second_context_with_the_text_is_named():
    @ek.traced("twice")
    def program(question):
        first, second = ek.context("rules", HALF), ek.context("copy", HALF)
        return ask(ek.assemble("{a} {b} {q}", a=first, b=second, q=question))

    run = recorded(program, "q")
    found = run.whatif(remove="rules")
    assert found.word == "not applied"
    assert "context 'copy'" in found.reason
    both = run.whatif(replace={"rules": "-", "copy": "-"})
    assert both.word == "cause"


def test_words_that_stand_elsewhere_with_every_right_are_no_other_way():
    @ek.traced("words")
    def program(question):
        rules = ek.context("rules", HALF)
        note = ek.context("note", "The whole fare is 30 euros, the fare for children is 10.")
        return ask(ek.assemble("{r} {n} {q}", r=rules, n=note, q=question))

    found = recorded(program, "What about the fare?").whatif(remove=("rules", "half of the fare"))
    assert found.word == "cause"


def test_a_context_that_nobody_reads_is_not_applied():
    @ek.traced("unread")
    def program(question):
        ek.context("rules", "Something else.")
        return undeclared(question)

    found = recorded(program, "q").whatif(remove="rules")
    assert found.word == "not applied"
    assert "never reached one" in found.reason
    assert found.trial.spent.reruns == 1


def test_an_unread_context_inside_of_a_link_is_not_applied():
    @ek.link
    def outer(question):
        ek.context("inside", "Something else.")
        return undeclared(question)

    @ek.traced("nested")
    def program(question):
        return outer(question)

    assert recorded(program, "q").whatif(remove="inside").word == "not applied"


def test_a_change_to_the_same_value_is_not_applied():
    run = recorded(claim, "40 minutes late?")
    prompt = run.prompt().text
    for changes in (
        {"replace": {"note": "Ask for the ticket."}},
        {"edit": {"ask": {"prompt": prompt}}},
    ):
        found = run.whatif(**changes)
        assert (found.word, found.n) == ("not applied", 0), changes
        assert "same as before" in found.reason


def test_a_context_that_does_not_come_up_again_is_not_applied():
    turn = iter(["first", "second", "third"])

    @ek.traced("moves on")
    def program(question):
        note = ek.context(f"note of the {next(turn)}", HALF)
        return ask(ek.assemble("{n} {q}", n=note, q=question))

    found = recorded(program, "q").whatif(remove="note of the first")
    assert found.word == "not applied"
    assert "did not come up in the re-run" in found.reason


def test_a_value_that_a_tool_reads_is_applied_though_no_prompt_changes():
    @ek.link(kind="tool", deterministic=True)
    def decide(limit):
        return "late" if limit < 60 else "in time"

    @ek.traced("tool only")
    def program(question):
        ask("a prompt that stays")
        return decide(ek.context("limit", 30))

    found = recorded(program, "q").whatif(replace={"limit": 90})
    assert (found.word, found.after) == ("cause", "in time")


def test_a_restored_text_that_the_program_throws_away_is_not_applied():
    @ek.traced("cuts again")
    def program(question):
        whole = ek.context("terms", "Bring a ticket.")
        ek.left_out("terms", f"Bring a ticket. {HALF}", why="too long", how="truncated")
        return ask(ek.assemble("{t} {q}", t=whole[:15], q=question))

    found = recorded(program, "q").whatif(restore="terms")
    assert found.word == "not applied"
    assert "did not reach the model" in found.reason
