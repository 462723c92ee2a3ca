"""A run that opens inside of a traced function is no re-run of that function."""

import explainkit as ek
from tests.whatif.programs import HALF, ask, recorded


@ek.traced("inner")
def inner(text):
    return ask(text)


def test_a_nested_run_does_not_take_the_place_of_the_re_run():
    runs = []

    @ek.traced("outer")
    def outer(question):
        runs.append(ek.last())
        note, other = ek.context("note", HALF), ek.context("other", "hello friend of mine")
        inner(note)  # an opinion that nobody uses
        return ask(ek.assemble("half of the fare {o}", o=other))

    outer("q")
    (run,) = runs
    assert run.name == "outer"
    found = run.whatif(remove="note")
    assert found.word != "cause"
    assert found.before == "Half is paid back."
    assert found.after in (None, "Half is paid back.")


def test_a_block_inside_of_the_function_does_not_either():
    runs = []

    @ek.traced("outer")
    def outer(question):
        runs.append(ek.last())
        note, other = ek.context("note", HALF), ek.context("other", "hello friend of mine")
        with ek.trace("sub"):
            ek.answer(ask(note))
        return ask(ek.assemble("half of the fare {o}", o=other))

    outer("q")
    assert runs[0].name == "outer"
    assert runs[0].whatif(remove="note").word != "cause"


def test_a_function_of_the_users_that_opens_the_run_makes_it_again():
    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", HALF)
        return ask(ek.assemble("{n} {q}", n=note, q=question))

    run = recorded(claim, "q")
    assert run.whatif(remove="note", call=lambda: claim("q")).word == "cause"
