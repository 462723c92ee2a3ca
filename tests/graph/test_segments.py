"""Thousands of declared segments are met by bisection, each range of a text cut once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.backtrack import prompt_of, walk
from explainkit.graph.declared_into import DeclaredInto
from explainkit.graph.edges import Edge, Evidence
from explainkit.graph.stretches import Remaining, Stretch, merged, without, without_all
from tests.backtrack.runs import Writing
from tests.graph.operations import operations

RANGES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda a: (a[0], sum(a))))


@given(whole=RANGES, taken=RANGES)
def test_ranges_taken_at_once_are_those_taken_one_by_one(whole, taken):
    left = whole = merged([each for each in whole if each[0] < each[1]])
    for low, high in taken:
        if low < high:
            left = without(left, low, high)
    assert without_all(whole, taken) == left


@given(taken=RANGES)
def test_what_is_taken_and_what_remains_are_the_whole(taken):
    remaining, free = Remaining(0, 30), set(range(30))
    for low, high in taken:
        got = [at for a, b in remaining.take(low, high) for at in range(a, b)]
        assert got == sorted(free & set(range(low, high)))
        free -= set(got)
    assert [at for a, b in remaining for at in range(a, b)] == sorted(free)


@given(parts=RANGES, asked=st.tuples(st.integers(0, 30), st.integers(1, 9)))
def test_the_segments_that_touch_a_stretch_are_those_that_a_search_of_all_finds(parts, asked):
    low, high = asked[0], sum(asked)
    edges = [
        Edge(0, 9, "carries", "declared", True, Evidence("", 0, 5, "/a", start, end))
        for start, end in parts
        if start < end
    ]
    found = DeclaredInto(edges).touching(Stretch(9, "/a", low, high))
    wanted = [each for each in edges if each.evidence[4] < high and each.evidence[5] > low]
    assert sorted(found) == sorted(wanted)


def assembled(count):
    run = Writing()
    texts = [
        f"Rule {at}: parcel {at * 37 + 1000} pays {at * 11 + 500} crowns." for at in range(count)
    ]
    for at, text in enumerate(texts):
        run.context(f"c{at}", text)
    link = run.open("assemble", "assemble", l=texts)
    whole, segments = "[", []
    for at, text in enumerate(texts):
        ends = {"start": len(whole), "end": len(whole) + len(text)}
        origin = {"seq": link, "slot": "l", "path": f"/{at}", "start": 0, "end": len(text)}
        segments.append(ends | {"origin": origin})
        whole += text + "; "
    run.close(link, whole, segments=segments)
    run.link("model", "ask", whole, prompt=whole)
    run.answer(whole)
    return run.evidence()


def test_every_piece_of_a_large_assembly_leads_to_its_context():
    prompt = prompt_of(assembled(40))
    named = [each for each in prompt.segments if each.name.startswith("c")]
    assert [each.name for each in named] == [f"c{at}" for at in range(40)]
    assert all(each.text.startswith(f"Rule {each.name[1:]}:") for each in named)


@pytest.mark.parametrize("act", [walk, prompt_of])
def test_operations_grow_with_the_pieces_of_an_assembly_and_not_with_their_square(act):
    counts = []
    act(assembled(3))  # what is imported and compiled once is not counted
    for size in (100, 200, 400):
        evidence = assembled(size)
        counts.append(operations(lambda: act(evidence)))  # noqa: B023
    assert counts[2] - counts[1] < 2.3 * (counts[1] - counts[0])


def tabulated(rows):
    run = Writing()
    table = "\n".join(f"row {at}: {at * 37 + 1000}.00 crowns" for at in range(rows))
    said = "\n".join(f"- {at * 37 + 1000:,} crowns at row {at}" for at in range(rows))
    run.context("table", table)
    run.link("model", "ask", said, prompt=table)
    run.answer(said)
    return run.evidence()


def test_operations_grow_with_the_numbers_that_an_answer_spells_otherwise():
    counts = []
    walk(tabulated(3))
    for rows in (200, 400, 800):
        evidence = tabulated(rows)
        counts.append(operations(lambda: walk(evidence)))  # noqa: B023
    assert counts[2] - counts[1] < 2.3 * (counts[1] - counts[0])
