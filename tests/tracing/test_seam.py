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
