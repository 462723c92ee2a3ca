"""What is built wrongly is told when it is built, and names the place."""

import functools

import pytest

from explainkit.errors import CompositionError
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    branch,
    graph,
    map_reduce,
    router,
    self_consistency,
    step,
    when,
    workflow,
)
from explainkit.flow.outcomes import Answered, Failed
from tests.flow.compositions.scripts import Boom, Scripted, answers, outcome, path, played

one = answers(1)


class Hostile:
    """Not to be run, and not even to be shown."""

    def __repr__(self):
        raise Boom("no repr")


WRONG = {
    "no step": (lambda: Sequence(), "Sequence: there is no step"),
    "no runner": (lambda: Sequence(one, 3), "step 2 of Sequence: 3 cannot be run"),
    "hostile": (lambda: Sequence(Hostile()), "a Hostile cannot be run"),
    "a class": (lambda: Sequence(Scripted), "Scripted is a class"),
    "two arguments": (lambda: Sequence(lambda a, b: a), "cannot be called with one input"),
    "no argument": (lambda: Sequence(lambda: 1), "cannot be called with one input"),
    "empty name": (lambda: Sequence(one, name=" "), "is no name"),
    "no steps": (lambda: workflow(name="w"), "w: there is no step"),
    "unknown type": (lambda: workflow(step(len, takes="no such type")), "takes="),
    "no type": (lambda: workflow(step(len, gives=3)), "gives=3 cannot be checked"),
    "empty step name": (lambda: workflow(step(len, name="")), "step 1 of workflow: '' is no name"),
    "no branch": (lambda: Conditional(), "there is no branch"),
    "no when": (lambda: Conditional(one), "branch 1 of Conditional"),
    "no predicate": (lambda: when(3, one), "this is no predicate"),
    "on_error": (lambda: when(len, one, on_error="ignore"), "on_error='ignore'"),
    "twice": (
        lambda: Conditional(when(len, one, name="a"), when(len, one, name="a")),
        'branch 2 of Conditional: the name "a" is taken',
    ),
    "default twice": (
        lambda: Conditional(when(len, one, name="default"), default=one),
        'the name "default" is taken',
    ),
    "no until": (lambda: Loop(one, until=3), "until=3"),
    "no body": (lambda: Loop(None), "the body of Loop: None cannot be run"),
    "no branches": (lambda: Parallel({}), "Parallel: there is no branch"),
    "no mapping": (lambda: Parallel(one), "holds no branch"),
    "a text": (lambda: Parallel("ab"), "holds no branch"),
    "no pairs": (lambda: Parallel([one]), "no pair of a name"),
    "duplicate": (lambda: Parallel([("a", one), ("a", one)]), 'branch "a" is there twice'),
    "empty branch": (lambda: Parallel({"": one}), "'' is no name"),
    "number": (lambda: Parallel({1: one}), "1 is no name"),
    "bad branch": (lambda: Parallel({"a": 3}), "Parallel.a: 3 cannot be run"),
    "unknown": (lambda: Parallel({"a": one}, tolerant=True, required=["b"]), "'b' is no branch"),
    "all are": (lambda: Parallel({"a": one}, required=["a"]), "without tolerant=True"),
    "all are too": (lambda: Parallel({"a": branch(one, required=True)}), "without tolerant=True"),
    "a word": (lambda: Parallel({"a": one}, tolerant=True, required="a"), "give a list"),
    "dead": (lambda: Parallel({"a": one}, tolerant=True, fail_fast=True), "no branch has to"),
    "cycle": (
        lambda: graph(
            dict.fromkeys("abc", one), [("a", "b"), ("b", "c"), ("c", "b")], joins={"b": len}
        ),
        "graph: nodes wait for each other in a cycle: b -> c -> b",
    ),
    "self": (lambda: graph({"a": one}, [("a", "a")]), "cycle: a -> a"),
    "unknown node": (lambda: graph({"a": one}, [("a", "z")]), "names 'z', which is no node"),
    "duplicate id": (lambda: graph([("a", one), ("a", one)]), 'node "a" is there twice'),
    "no edge": (lambda: graph({"a": one}, ["ab", 3]), "'ab' is no edge"),
    "no edges": (lambda: graph({"a": one}, 3), "3 are no edges"),
    "edge twice": (
        lambda: graph({"a": one, "b": one}, [("a", "b"), ("a", "b")]),
        "is there twice",
    ),
    "fan-in": (
        lambda: graph(dict.fromkeys("abc", one), [("a", "c"), ("b", "c")]),
        '"c" comes after a, b, and nothing says how to join',
    ),
    "unknown join": (lambda: graph({"a": one}, joins={"b": len}), "'b' is no node"),
    "idle join": (
        lambda: graph({"a": one, "b": one}, [("a", "b")], joins={"b": len}),
        '"b" has 1 node before it',
    ),
    "runner join": (
        lambda: graph(dict.fromkeys("abc", one), [("a", "c"), ("b", "c")], joins={"c": one}),
        "is a runner",
    ),
    "one vote": (lambda: self_consistency(one, votes=1), "votes=1"),
    "no route": (lambda: router(one, {}), "router: there is no route"),
    "bad reduce": (lambda: map_reduce(one, None), "map_reduce(reduce=...): None cannot be run"),
    "bad on_exhausted": (lambda: Sequence(one, on_exhausted=3), "Sequence(on_exhausted=...): 3"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_told_when_it_is_built(case):
    build, words = WRONG[case]
    with pytest.raises(CompositionError) as raised:
        build()
    assert words in str(raised.value)


def test_annotations_that_cannot_be_read_are_told_unless_the_types_are_said():
    def late(given: "NoSuchType") -> int:  # noqa: F821
        return given

    with pytest.raises(CompositionError, match=r"step 1 of workflow \(late\).*Say takes="):
        workflow(late)
    assert outcome(workflow(step(late, takes=int, gives=int)), 3) == Answered(3)


def test_a_merge_that_raises_is_the_error_with_its_place():
    def merge(by):
        raise Boom("no merge")

    found, recording = played(Parallel({"a": one}, merge=merge))
    assert isinstance(found.error, Boom)
    assert path(found.error) == "Parallel > merge"
    assert recording.status == "error"


def test_a_stop_iteration_is_an_error_and_no_end_of_anything():
    def stops(_):
        raise StopIteration(3)

    async def stops_too(_):
        raise StopIteration(3)

    for child in (stops, stops_too):
        found = outcome(Sequence(child))
        assert isinstance(found, Failed)
        assert isinstance(found.error, RuntimeError)


def test_items_that_are_no_list_are_told():
    found = outcome(map_reduce(len, sum), "abc")
    assert "map_reduce takes a list of items" in str(found.error)


def test_a_runner_that_gives_no_outcome_is_told():
    class Wrong(Scripted):
        async def outcome(self, given=None):
            return 3

    assert "Wrong.outcome(...) gave 3" in str(outcome(Sequence(Wrong())).error)


def test_an_error_that_allows_no_attributes_is_still_the_one_that_is_raised():
    class Closed(Exception):
        def __setattr__(self, name, value):
            raise AttributeError(name)

    error = Closed("shut")

    def fails(_):
        raise error

    assert outcome(Sequence(Sequence(fails))).error is error


def test_partials_and_bound_methods_are_functions():
    found, recording = played(
        Sequence(functools.partial(int, base=2), (10).__add__, functools.partial(pow, 2)), "11"
    )
    assert found == Answered(2**13)
    assert [row["type"] for row in recording.rows("link_opened")] == ["sequence"] + ["function"] * 3
