"""Every recording point can be given its value, and the record holds what was given."""

import asyncio

import pytest

import explainkit as ek
from explainkit.session.running import Tracing
from explainkit.tracing.seam import Supplied

CALLED: list[str] = []


@ek.link(kind="tool")
def look_up(city):
    CALLED.append(city)
    return f"rain in {city}"


@ek.link(kind="tool")
async def look_up_later(city):
    CALLED.append(city)
    return f"rain in {city}"


def program():
    note = ek.context("note", "an umbrella")
    ek.event("arrival", "at noon")
    prompt = ek.assemble("{note} for {city}", note=note, city="Oslo")
    ek.answer(look_up(prompt))
    return ek.override(str.upper, by="shouter")


def run_with(supply):
    CALLED.clear()
    with Tracing("seam", supply=supply) as run:
        result = program()
    return run, result


def test_a_supplier_that_gives_nothing_changes_nothing():
    points = []
    run, result = run_with(lambda point: points.append(point))
    assert result == run.answer == "RAIN IN AN UMBRELLA FOR OSLO"
    assert [(point.kind, point.name) for point in points] == [
        ("context", "note"),
        ("event", "arrival"),
        ("assemble", "assemble"),
        ("link", "look_up"),
        ("override", "shouter"),
    ]
    shown = [[run.recording.values.object(each) for each in point.inputs] for point in points]
    assert shown == [
        ["an umbrella"],
        ["at noon"],
        ["an umbrella", "Oslo"],
        ["an umbrella for Oslo"],
        ["rain in an umbrella for Oslo"],
    ]


@pytest.mark.parametrize(
    ("kind", "value", "answer"),
    [
        ("context", "a coat", "RAIN IN A COAT FOR OSLO"),
        ("assemble", "nowhere", "RAIN IN NOWHERE"),
        ("link", "sun", "SUN"),
        ("override", "hush", "hush"),
        ("event", "at night", "RAIN IN AN UMBRELLA FOR OSLO"),
    ],
)
def test_a_supplied_value_is_used_and_recorded(kind, value, answer):
    run, result = run_with(lambda point: Supplied(value) if point.kind == kind else None)
    assert result == run.answer == answer
    assert value in [run.recording.values.object(each) for each in run.recording.values.digests]
    assert bool(CALLED) == (kind != "link")
    assert not run.doctor()
    if kind in ("context", "event"):
        (row,) = run.recording.rows(kind)
        assert run.recording.values.object(row["value"]) == value


def test_a_supplied_none_is_a_value():
    run, _ = run_with(lambda point: Supplied(None) if point.kind == "override" else None)
    assert run.answer is None


def test_an_async_link_is_supplied_without_being_run():
    CALLED.clear()

    async def main():
        async with Tracing("seam", supply=lambda point: Supplied("sun")):
            return await look_up_later("Oslo")

    assert asyncio.run(main()) == "sun"
    assert CALLED == []


@ek.link(kind="model")
def words_of(text, *, loud=False):
    CALLED.append(text)
    yield from (text.upper() if loud else text).split()
    return "all"


@ek.link(kind="model")
async def words_later(text):
    CALLED.append(text)
    for word in text.split():
        yield word


def run_rewritten(rewrite, work):
    CALLED.clear()
    with Tracing("seam", rewrite=rewrite) as run:
        result = work()
    return run, result


def test_what_goes_into_a_link_is_rewritten_before_it_is_recorded():
    shown = []

    def rewrite(kind, name, values, digests=None):
        shown.append((kind, name, dict(values)))
        return {"city": "Rome"} if kind == "link" else None

    run, result = run_rewritten(rewrite, lambda: look_up("Oslo"))
    assert (result, CALLED) == ("rain in Rome", ["Rome"])
    assert shown == [("link", "look_up", {"city": "Oslo"})]
    (row,) = run.recording.rows("link_opened")
    assert run.recording.values.object(row["inputs"][0]["value"]) == "Rome"


def test_what_goes_into_a_template_is_rewritten_and_keeps_its_origins():
    run, result = run_rewritten(
        lambda kind, name, values, digests=None: {"city": "Rome"} if kind == "assemble" else None,
        lambda: ek.assemble("to {city}", city="Oslo"),
    )
    assert result == "to Rome"
    (closed,) = run.recording.rows("link_closed")
    assert [(each["start"], each["end"]) for each in closed["segments"]] == [(3, 7)]
    assert not run.doctor()


def test_a_call_that_does_not_fit_is_refused_by_the_function_alone():
    with pytest.raises(TypeError, match="look_up"):
        run_rewritten(lambda *_: {"city": "Rome"}, lambda: look_up("Oslo", "Bern"))


def test_a_stream_is_rewritten_and_keyword_slots_are_shown_by_name():
    run, result = run_rewritten(
        lambda kind, name, values, digests=None: {"loud": True} if "loud" in values else None,
        lambda: list(words_of("no rain", loud=False)),
    )
    assert result == ["NO", "RAIN"]
    assert not run.doctor()


def test_the_items_of_a_stream_are_supplied_without_its_running():
    CALLED.clear()
    with Tracing("seam", supply=lambda point: Supplied(["a", "b"], reused=7)) as run:
        result = list(words_of("no rain"))
    assert (result, CALLED) == (["a", "b"], [])
    (closed,) = run.recording.rows("link_closed")
    assert (closed["bounds"], closed["attrs"]) == ([1, 2], {"reused": 7})
    assert run.recording.values.object(closed["output"]) == "ab"

    async def later():
        async with Tracing("seam", supply=lambda point: Supplied(["a", "b"])):
            return [word async for word in words_later("no rain")]

    assert (asyncio.run(later()), CALLED) == (["a", "b"], [])


def test_a_point_tells_what_kind_of_link_it_is_and_a_reused_result_says_of_which():
    points = []

    def supply(point):
        points.append(point)
        return Supplied("sun", reused=3)

    with Tracing("seam", supply=supply) as run:
        assert look_up("Oslo") == "sun"
    (opened,), (closed,) = run.recording.rows("link_opened"), run.recording.rows("link_closed")
    (point,) = points
    assert (point.type, point.code, point.link) == ("tool", opened["code"], opened["seq"])
    assert (point.deterministic, point.streams) == (False, False)
    assert closed["attrs"] == {"reused": 3}
    assert not run.doctor()
