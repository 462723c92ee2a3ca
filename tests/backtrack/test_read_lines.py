"""A text that is a line of a prompt was read, however alike the other lines of it are."""

import pytest

import explainkit as ek


@ek.link(kind="model")
def told(prompt):
    return "Honestly, nobody in this whole town seems to know anything about such numbers."


def joined(count, *, shown):
    with ek.trace("joined") as run:
        facts = [ek.context(f"note {at}", f"Fact {at} of the long list.") for at in range(count)]
        ek.answer(told("\n".join(facts[:shown])))
    return run.backtrack()


@pytest.mark.parametrize("count", [4, 30, 120])
def test_rows_of_one_pattern_that_stand_in_a_prompt_are_not_said_to_be_left_out(count):
    back = joined(count, shown=count)
    assert back.left_out == ()
    assert [use.name for use in back.ignored] == [f"note {at}" for at in range(count)]


def test_the_row_that_does_not_stand_in_the_prompt_is_named_alone():
    assert [each.name for each in joined(30, shown=29).left_out] == ["note 29"]
