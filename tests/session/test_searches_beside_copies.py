"""Copies are items of a search like all others: nothing is concluded from one that stays."""

import pytest

import explainkit as ek


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half." if "half" in prompt and "valid" in prompt else "Nothing."


@ek.traced("copied")
def copied(question):
    one, two = ek.context("one", "We pay half."), ek.context("two", "We pay half.")
    rule = ek.context("rule", "It is valid.")
    return ask(ek.assemble("{a}\n{b}\n{r}\n{q}", a=one, b=two, r=rule, q=question))


def recorded():
    copied("q")
    return ek.last()


def test_shares_of_copies_are_those_of_the_game():
    shares = recorded().cause_shares().shares
    assert shares == {
        "one": (pytest.approx(1 / 6),) * 2,
        "two": (pytest.approx(1 / 6),) * 2,
        "rule": (pytest.approx(2 / 3),) * 2,
    }


def test_a_search_and_a_what_if_of_the_same_change_do_not_go_on_with_each_other():
    run = recorded()
    alone = run.whatif(remove="one")
    assert alone.word == "not applied"
    found = run.smallest_cause()
    assert found.items == ("rule",)
    shares = run.cause_shares()
    assert alone.word == "not applied"
    assert run.whatif(remove="one").word == "not applied"
    assert shares.shares["rule"] == (pytest.approx(2 / 3),) * 2


def test_of_several_changes_the_one_that_came_another_way_is_told_apart():
    found = recorded().whatif(remove=["one", "rule"])
    assert found.word == "not applied"
    assert "It is one of 2 changes: ask for the others alone" in found.reason


def test_each_is_tried_alone_where_removing_everything_breaks_the_code():
    @ek.traced("broken")
    def broken(question):
        note = ek.context("note", "half is valid")
        base = ek.context("base", "needed words; here")
        other = ek.context("other", "other things")
        return ask(note + other + base.split(";")[1])

    broken("q")
    run = ek.last()
    found = run.smallest_cause()
    assert found.items == ("note",)
    assert "so each was tried alone" in repr(found)
    assert "Without everything: the run raised" in repr(found)
    assert found.lines()[-1] == ("This is one such set; others were not tried: base, other alone.")
    roles = run.cause_roles()
    assert roles.needed == ("note",)
    assert set(roles.unresolved) == {"base", "other"}
