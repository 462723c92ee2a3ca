"""A child's own error stays what it is, and says where it came about, however strange it is."""

import asyncio

import pytest

from explainkit.flow.compositions import Conditional, Loop, Parallel, Sequence, graph, when
from explainkit.flow.outcomes import Failed
from tests.flow.compositions.scripts import error_of, outcome, path, played


class OwnTrace(Exception):
    @property
    def trace(self):
        raise RuntimeError("trace")


class OwnNotes(Exception):
    __notes__ = 5


class Closed(Exception):
    def __setattr__(self, name, value):
        raise RuntimeError("closed")


class Unreadable(Exception):
    def __getattribute__(self, name):
        raise RuntimeError(name)


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError("str")

    __repr__ = __str__


STRANGE = [OwnTrace, OwnNotes, Closed, Unreadable, Wordless]


def raises(error):
    def child(value):
        raise error

    return child


def around(shape, child):
    return {
        "sequence": lambda: Sequence(Sequence(child)),
        "until": lambda: Loop(lambda value: value, until=child),
        "when": lambda: Conditional(when(child, len)),
        "branch": lambda: Conditional(when(lambda value: True, child)),
    }[shape]()


@pytest.mark.parametrize("shape", ["sequence", "until", "when", "branch"])
@pytest.mark.parametrize("kind", STRANGE)
def test_a_strange_error_goes_through_as_it_is(kind, shape):
    error = kind()
    found = outcome(around(shape, raises(error)), 1)
    assert type(found) is Failed
    assert found.error is error
    if kind not in (Unreadable, Wordless):  # asyncio.run itself hands no such one on
        assert error_of(around(shape, raises(error)), 1) is error


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("joined", [Parallel, graph])
def test_a_strange_error_is_listed_as_it_is(kind, joined):
    error = kind()
    found = outcome(Sequence(joined({"a": raises(error), "b": len})), "four")
    assert [each is error for each in found.error.exceptions] == [True]
    assert found.error.results == {"b": 4}


def test_an_error_that_is_raised_again_says_where_it_was_raised_last():
    error = ValueError("again")
    tried = Parallel({"a": raises(error)}, tolerant=True)
    found, recording = played(Sequence(tried, raises(error), name="Whole"), 1)
    assert path(found.error) == "Whole[2] > child"
    assert found.error.__notes__ == ["in Whole[2] > child"]
    last = [row for row in recording.rows("link_opened") if row["name"] == "child"][-1]
    assert found.error.trace.links[-1] == last["seq"]


def test_an_error_that_two_branches_share_names_one_of_them():
    error = ValueError("shared")
    found = outcome(Parallel({"a": raises(error), "b": raises(error)}), 1)
    assert path(error) in ("Parallel.a > child", "Parallel.b > child")
    assert len(found.error.exceptions) == 2


def test_an_error_in_a_group_keeps_its_own_place_when_the_group_goes_on():
    inner = Parallel({"a": raises(ValueError("x"))})
    found = outcome(Sequence(inner, name="Whole"), 1)
    assert path(found.error.exceptions[0]) == "Whole[1] > Parallel.a > child"


def test_an_error_of_an_earlier_run_says_where_it_was_raised_now():
    error = ValueError("kept")
    asyncio.run(Sequence(Sequence(raises(error))).outcome(1))
    assert path(outcome(Sequence(raises(error)), 1).error) == "Sequence[1] > child"
