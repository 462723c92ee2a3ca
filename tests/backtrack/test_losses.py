"""Lines about what a run lacks: an error is recorded whole, a retyped value keeps its content."""

from contextlib import suppress
from dataclasses import dataclass

import explainkit as ek


@dataclass
class Fare:
    cents: int


def failing(error):
    @ek.link
    def asked():
        raise error

    with ek.trace("lost") as run:
        with suppress(ValueError):
            asked()
        ek.answer("We could not find it.")
    return run


def test_an_error_is_no_loss():
    run = failing(ValueError("the kettle is cold"))
    assert run.backtrack().lost == ()
    assert "Not recorded whole" not in repr(run)


def test_a_value_of_another_type_is_said_once_and_not_to_be_recorded_in_part():
    with ek.trace("lost") as run:
        fare = ek.context("fare", Fare(1200))
        ek.answer(fare)
    (line,) = run.backtrack().lost
    assert "its content is kept, but not that it was of type" in line
    assert line.endswith("Fare")


def test_an_object_of_which_only_the_repr_is_kept_is_still_a_loss():
    with ek.trace("lost") as run:
        ek.answer(ek.context("thing", object()))
    lines = run.backtrack().lost
    assert any("kept by its repr" in line for line in lines)
    assert any("recorded by its type and repr only" in line for line in lines)


def test_what_is_missing_of_an_error_is_still_said():
    error = ValueError("too long " * 100_000)
    lines = failing(error).backtrack().lost
    assert len(lines) == 1
    assert "truncated: the whole value: message (" in lines[0]
