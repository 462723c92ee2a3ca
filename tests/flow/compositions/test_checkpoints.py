"""Checkpoints: plain JSON that a new instance goes on from, or a clear word why there is none."""

import datetime as dt
import math
import uuid
from decimal import Decimal

import pytest

import explainkit as ek
from explainkit.errors import ResumeError
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    map_reduce,
    router,
    when,
)
from explainkit.flow.outcomes import Answered, Exhausted, Failed, Paused
from tests.flow.compositions.scripts import (
    Boom,
    Scripted,
    answers,
    decisions,
    echoes,
    fails,
    outcome,
    pauses,
    played,
    statuses,
    through_json,
)

EXACT = [
    (1, (2,)),
    {3: "three", (4,): 5},
    {"$tuple": [1]},
    frozenset({1}),
    b"\x00\xff",
    10**40,
    Decimal("1.10"),
    uuid.UUID(int=7),
    dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC),
    dt.timedelta(days=1),
    float("inf"),
    complex(1, -2),
    "half \ud800",
    None,
]


@pytest.mark.parametrize("value", EXACT, ids=range(len(EXACT)))
def test_answers_that_wait_for_a_sibling_come_back_with_their_type(value):
    paused, nodes = pauses(Answered("p")), {"a": answers(value), "p": pauses(Answered("p"))}

    def make():
        return Parallel({"p": paused, "other": answers(value)})

    found = outcome(make())
    again = outcome(make(), resume=through_json(found.checkpoint)).value["other"]
    assert again == value
    assert type(again) is type(value)

    def make():
        return graph({**nodes, "z": echoes()}, [("a", "z")])

    found = outcome(make())
    again = outcome(make(), resume=through_json(found.checkpoint)).value
    assert (again["z"], type(again["a"])) == (value, type(value))


def test_a_nan_comes_back_as_one():
    paused = pauses(Answered("p"))

    def make():
        return Parallel({"p": paused, "other": answers(float("nan"))})

    found = outcome(make())
    assert math.isnan(outcome(make(), resume=through_json(found.checkpoint)).value["other"])


@pytest.mark.parametrize("value", [object(), Boom("x"), print], ids=type)
def test_an_answer_that_cannot_be_kept_whole_is_told_with_its_place(value):
    error = outcome(Parallel({"p": pauses(None), "o": answers(value)})).error
    assert isinstance(error, ResumeError)
    assert "the answer of Parallel.o cannot be kept whole" in str(error)
    whole = graph({"a": answers(value), "p": pauses(None)}, [("a", "p")])
    assert "the answer of a cannot be kept whole" in str(outcome(whole).error)


def test_an_input_is_kept_only_where_a_branch_has_to_run_again():
    live = object()
    assert isinstance(outcome(Parallel({"p": pauses(None), "o": answers(1)}), live), Paused)
    error = outcome(Parallel({"p": pauses(None), "o": fails()}), live).error
    assert "the input of Parallel cannot be kept whole (object, opaque)" in str(error)


def test_the_run_that_goes_on_says_which_one_it_resumes(tmp_path):
    child = pauses(Answered(1))
    found, first = played(Sequence(child), to=tmp_path)
    _, second = played(Sequence(child), resume=through_json(found.checkpoint), to=tmp_path)
    assert next(second.rows("run_started"))["resumes"] == first.run
    assert {info.run for info in ek.runs(tmp_path)} == {first.run, second.run}


def test_a_sequence_goes_on_after_the_paused_step():
    first, waits, last = answers(1), pauses(Answered(2)), echoes()

    def make():
        return Sequence(first, waits, last)

    found = outcome(make())
    assert outcome(make(), resume=through_json(found.checkpoint)) == Answered(2)
    assert [each.runs for each in (first, waits, last)] == [1, 2, 1]


def test_a_conditional_does_not_ask_again():
    asked = []

    def make():
        return Conditional(when(lambda n: asked.append(n) or True, waits))

    waits = pauses(Answered(2))
    found = outcome(make(), 1)
    again, recording = played(make(), resume=through_json(found.checkpoint))
    assert again == Answered(2)
    assert asked == [1]
    assert decisions(recording) == []


def test_a_loop_keeps_its_count():
    body = Scripted(
        Answered(1), Paused({"n": 2}), Answered(2), Answered(3), Paused({"n": 4}), Answered(4)
    )

    def make():
        return Loop(body, until=lambda n: n == 99, for_at_most=4)

    found = outcome(make(), 0)
    found = outcome(make(), resume=through_json(found.checkpoint))
    assert outcome(make(), resume=through_json(found.checkpoint)) == Exhausted(4)
    assert body.runs == 6


def test_a_map_goes_on_with_the_items_that_waited():
    class Item(Scripted):
        async def outcome(self, given=None, *, resume=None):
            self.script = [Answered(resume or given) if given != 2 else Paused("item 2")]
            return await super().outcome(given, resume=resume)

    each = Item()
    found = outcome(map_reduce(each, list), [1, 2, 3])
    again = outcome(map_reduce(each, list), resume=through_json(found.checkpoint))
    assert again == Answered([1, "item 2", 3])
    assert each.given == [1, 2, 3, None]


def test_a_router_keeps_its_input_while_its_choice_waits():
    choose, route = pauses(Answered("a")), echoes()

    def make():
        return router(choose, {"a": route})

    found = outcome(make(), ("the", "input"))
    assert outcome(make(), resume=through_json(found.checkpoint)) == Answered(("the", "input"))
    routes = {"a": pauses(Answered("done"))}
    found = outcome(router(answers("a"), routes), 1)
    again, recording = played(router(answers("a"), routes), resume=through_json(found.checkpoint))
    assert again == Answered("done")
    assert [name for name, _ in statuses(recording)] == ["router", "Agent"]


def test_deep_pauses_wrap_each_other_and_unwrap():
    child = pauses(Answered(1))

    def make():
        return Sequence(
            Loop(
                Parallel({"a": graph({"n": Conditional(when(lambda _: True, child))})}),
                for_at_most=1,
                on_exhausted=lambda last: last,
            ),
        )

    found = outcome(make(), {"x": 1})
    assert outcome(make(), resume=through_json(found.checkpoint)) == Answered({"a": {"n": 1}})


@pytest.mark.parametrize("wrong", [{}, {"form": "other"}, {"form": 3}, [], "x", 7])
def test_what_is_no_checkpoint_is_told(wrong):
    found = outcome(Sequence(answers(1)), resume=wrong)
    assert isinstance(found, Failed)
    assert isinstance(found.error, ResumeError)
    assert "no checkpoint of a composition" in str(found.error)


def test_a_checkpoint_of_another_composition_is_told_with_both():
    found = outcome(Sequence(pauses(None), echoes()))
    error = outcome(Sequence(pauses(None)), resume=found.checkpoint).error
    assert "sequence Sequence(Agent, Agent)" in str(error)
    assert "this is sequence Sequence(Agent)" in str(error)


DAMAGED = {
    "step": (lambda: Sequence(pauses(None)), [None, 0, 2, "1"]),
    "iteration": (lambda: Loop(pauses(None)), [None, 0, 11, []]),
    "branch": (lambda: Conditional(when(bool, pauses(None)), default=pauses(None)), [None, "2", 1]),
    "branches": (
        lambda: Parallel({"a": pauses(None)}),
        [
            None,
            {},
            {"b": {"again": True}},
            {"a": {"done": 1}},
            {"a": {"answered": {"$x": 1, "y": 2}}},
            {"a": {"refused": {}}},
            {"a": 3},
        ],
    ),
    "level": (lambda: graph({"a": pauses(None)}), [None, 0, 2]),
    "nodes": (lambda: graph({"a": pauses(None)}), [None, {}, {"a": {"done": 1}}]),
    "results": (lambda: graph({"a": pauses(None)}), [None, {"a": 1}]),
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, (_, values) in DAMAGED.items() for value in values]
)
def test_a_damaged_checkpoint_is_told_and_starts_nothing(key, value):
    build = DAMAGED[key][0]
    checkpoint = through_json(outcome(build()).checkpoint)
    assert key in checkpoint
    error = outcome(build(), resume={**checkpoint, key: value}).error
    assert isinstance(error, ResumeError)
    assert "damaged" in str(error)


def asks(name="Agent"):
    """Waits once, then answers what the person said."""
    return Scripted(Paused({"at": name}), lambda given: Answered(given), name=name)


NESTS = {
    "sequence": lambda child: Sequence(child),
    "loop": lambda child: Loop(child, until=lambda _: True),
    "conditional": lambda child: Conditional(when(lambda _: True, child)),
    "parallel": lambda child: Sequence(Parallel({"a": child, "o": answers(0)}), lambda by: by["a"]),
    "merge": lambda child: Parallel({"o": answers(0)}, merge=child),
    "graph": lambda child: Sequence(graph({"a": child, "o": answers(0)}), lambda by: by["a"]),
    "map": lambda child: Sequence(lambda _: [1], map_reduce(child, lambda found: found[0])),
    "route": lambda child: router(answers("a"), {"a": child}),
}


@pytest.mark.parametrize("inner", NESTS)
@pytest.mark.parametrize("outer", NESTS)
def test_what_a_person_answers_is_handed_to_the_child_that_waits(outer, inner):
    child = asks()
    whole = NESTS[outer](NESTS[inner](child))
    found = outcome(whole, "in")
    said = ("yes", 1)
    again, recording = played(whole, said, resume=through_json(found.checkpoint))
    assert again.value is said
    assert child.given[-1] is said
    places = [
        place
        for row in recording.rows("link_opened")
        if row["name"] == "Agent"
        for given in row["inputs"]
        for place in given.get("from", ())
    ]
    assert places, "the record does not say where the answer came from"


def test_an_answer_to_a_choice_leaves_the_input_of_the_route_as_it_was():
    route = echoes()
    whole = router(asks(), {"a": route})
    found = outcome(whole, {"n": 1})
    assert outcome(whole, "a", resume=found.checkpoint) == Answered({"n": 1})


WIDE = {
    "parallel": lambda nodes: Parallel(nodes),
    "graph": lambda nodes: graph(nodes),
}


@pytest.mark.parametrize("wide", WIDE)
def test_when_several_wait_an_answer_says_whom_it_is_for(wide):
    nodes = {"a/b": asks(), "b": asks(), "c": answers(3)}
    whole = WIDE[wide](nodes)
    found = outcome(whole)
    for unclear in ("yes", {"c": 1}, {"a/b": 1, "x": 2}):
        error = outcome(whole, unclear, resume=found.checkpoint).error
        assert isinstance(error, ResumeError)
        assert "a/b, b wait" in str(error)
    half, recording = played(whole, {"b": "for b"}, resume=found.checkpoint)
    assert isinstance(half, Paused)
    assert nodes["a/b"].runs == 1, "it was not answered, so it goes on waiting"
    [place] = [
        place
        for row in recording.rows("link_opened")
        if row["name"] == "Agent"
        for place in row["inputs"][0]["from"]
    ]
    assert place["path"] == "/b"
    both = outcome(whole, {"b": 2, "a/b": 1}, resume=through_json(found.checkpoint))
    assert both == Answered({"a/b": 1, "b": 2, "c": 3})
    last = outcome(whole, 1, resume=through_json(half.checkpoint))
    assert last == Answered({"a/b": 1, "b": "for b", "c": 3})
