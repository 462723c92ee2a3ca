"""Folds of a page: what was prepared is the chart that a kernel would have drawn."""

import json
from importlib.resources import files

import pytest

from explainkit.graph import Evidence
from explainkit.view.explorer import Exploration
from explainkit.view.explorer.openings import FEWEST, MOST, Openings
from explainkit.view.explorer.page_data import PageData
from tests.view.bigger import chat
from tests.view.explorer import explored

ONLY = ("run", "path")


def length(value):
    return len(json.dumps(value, separators=(",", ":")))


@pytest.fixture(scope="module")
def asked():
    asked = Exploration(explored.RUNS["links_100"]().evidence)
    asked.walk()
    return asked


@pytest.fixture(scope="module")
def bases(asked):
    return {only: asked.chart(only=only) for only in ONLY}


def drawn(chart):
    """A chart to compare: ranges of records that lie side by side are one."""
    boxes = {seq: box for first, last, box in chart["boxOf"] for seq in range(first, last + 1)}
    return {each: chart[each] for each in chart if each != "boxOf"} | {"boxes": boxes}


def near(one, other):
    """Whether two values are equal, places apart by no more than rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return abs(one - other) < 0.2
    return one == other


@pytest.mark.browser
def test_an_opening_of_a_page_is_the_chart_that_a_kernel_draws(browser, asked, bases):
    openings = Openings(asked, bases, length=length)
    script = (files("explainkit.view") / "static/explorer/openings.js").read_text("utf-8")
    with browser.new_context() as context:
        page = context.new_page()
        made = page.evaluate(
            f"([bases, told]) => {{ {script}; return told.map((e) => madeOf(bases[e.only], e)); }}",
            json.loads(json.dumps([bases, openings.told])),
        )
    assert {each["only"] for each in made} == set(ONLY)
    for each in made:
        right = json.loads(json.dumps(asked.chart(each["opened"], each["only"])))
        assert near(drawn(each), drawn(right))


def test_every_fold_of_a_small_run_opens_in_its_page(asked, bases):
    openings = Openings(asked, bases, length=length)
    folds = [n["seq"] for n in bases["run"]["nodes"] if n["members"]]
    opened = [each["opened"] for each in openings.told if each["only"] == "run"]
    assert [[seq] for seq in folds if [seq] not in opened] == []
    assert len(openings.told) <= MOST


def test_a_big_run_opens_few_folds_and_counts_the_others():
    asked = Exploration(Evidence(chat(2_000)))
    bases = {only: asked.chart(only=only) for only in ONLY}
    openings = Openings(asked, bases, length=length)
    folds = sum(1 for base in bases.values() for node in base["nodes"] if node["members"])
    assert FEWEST <= len(openings.told) < folds
    (words,) = openings.words()
    assert words.startswith(f"{len(openings.told)} of {folds} folded boxes open in this page")
    assert "run.explore() opens them all" in words


def test_what_stands_in_folds_is_told_in_the_page_as_far_as_there_is_room(asked):
    told = PageData(asked).told()
    seqs = [
        node["seq"] for each in told["openings"] for node in each["nodes"] if isinstance(node, dict)
    ]
    assert seqs
    for seq in seqs:
        assert told["replies"][json.dumps(["inspect", seq], separators=(",", ":"))]["lines"]


def test_a_run_without_folds_says_nothing_of_them():
    asked = Exploration(explored.RUNS["claims"]().evidence)
    bases = {"run": asked.chart()}
    openings = Openings(asked, bases, length=length)
    assert (openings.told, openings.words()) == ([], [])
