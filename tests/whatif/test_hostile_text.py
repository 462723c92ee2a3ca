"""Recorded text moves no cursor and turns no line around, in whatever a what-if says."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError
from tests.whatif.programs import ask, recorded

HOSTILE = "<img src=x>\x1b[31m\u202e</script>\x1b]0;x\x07"
RAW = ("\x1b", "\u202e", "\x07")


@ek.traced(HOSTILE)
def program(question):
    note = ek.context(HOSTILE, f"{HOSTILE} half")
    return ask(note + ek.context("other", "x")) + HOSTILE


@ek.traced("crashes")
def crashes(question):
    if not ek.context("other", "x"):
        raise ValueError(HOSTILE)
    return ask("half")


def is_clean(*texts):
    return not any(raw in text for raw in RAW for text in texts)


@pytest.mark.parametrize(
    "asked",
    [
        lambda run: run.whatif(remove=HOSTILE),
        lambda run: run.whatif(replace={"other": HOSTILE}),
        lambda run: run.smallest_cause(),
        lambda run: run.cause_roles(),
        lambda run: run.cause_shares(),
        lambda run: run.whatif(remove=HOSTILE).diff,
    ],
)
def test_every_display_shows_what_hides_or_moves_as_symbols(asked):
    found = asked(recorded(program, "q"))
    assert is_clean(str(found), repr(found), found._repr_html_())
    assert "␛[31m⇄" in repr(found) or "<img" not in repr(found)


def test_messages_and_reasons_are_clean():
    def raising(answer):
        raise ValueError(HOSTILE)

    with pytest.raises(InterventionError) as refused:
        recorded(program, "q").whatif(remove="other", judge=raising)
    assert is_clean(str(refused.value))
    found = recorded(crashes, "q").whatif(remove="other")
    assert "ValueError: <img" in found.reason
    assert is_clean(found.reason, str(found), repr(found), *found.interventions)


def test_a_step_that_is_asked_about_is_clean():
    @ek.link(name=HOSTILE)
    def step(number):
        return number

    with ek.trace("steps") as run:
        ek.answer(step(1))
    asked = run.bisect()
    assert is_clean(str(asked.question), str(asked), repr(asked))
