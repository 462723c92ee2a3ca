"""An error among re-runs ends a measurement: it says of how many, which one, and what to do."""

import re

import explainkit as ek


def program(fails_at):
    made = iter(range(1000))

    @ek.link(kind="model")
    def ask(prompt):
        at = next(made)
        if at and at % fails_at == 0:
            raise TimeoutError("no reply in 30 s")
        return "Half." if "half" in prompt else "Nothing."

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "pay half")
        return ask(ek.assemble("{n} {q}", n=note, q=question))

    claim("q")
    return ek.last()


def test_an_error_that_comes_now_and_then_is_counted_and_named():
    found = program(5).whatif(remove="note")
    assert found.word == "inconclusive"
    told = r"1 of \d re-runs \((unchanged|with the change)\) raised TimeoutError: no reply in 30 s"
    assert re.match(told, found.reason)
    assert "let the code catch or repeat what fails now and then, and ask again" in found.reason


def test_an_error_of_the_first_re_run_with_the_change_says_what_change_to_give():
    @ek.link(kind="model")
    def ask(prompt):
        return prompt.split()[1]

    @ek.traced("second word")
    def second(question):
        return ask(ek.context("note", "pay half"))

    second("q")
    found = ek.last().whatif(remove="note")
    assert found.reason.startswith("the run with the change raised IndexError")
    assert "such as replace= instead of remove=" in found.reason
