"""The benchmark's planted causes are what it says they are, and a few of them are found."""

import pytest

from benchmarks.attribution.planted.attributing import Attributor
from benchmarks.attribution.planted.generating import (
    MADE,
    cases,
    generate,
    scene_of,
)
from benchmarks.attribution.planted.scenes import Case
from benchmarks.attribution.planted.scoring import chance, flips, hits, is_false
from benchmarks.attribution.planted.suspects import Suspects

SMALL = [case for case in cases(sizes=(10,), rates=(0.0,)) if case.seed < 2]
NULLS = [case for case in SMALL if case.kind == "nothing planted" and case.seed == 0]
TRUE = [case for case in SMALL if case.kind != "nothing planted"]
ONE_EACH = [case for at, case in enumerate(TRUE) if (at // 2 + at) % 2 == 0]


def key_of(case):
    return case.key


def test_there_are_a_thousand_runs_of_every_kind_structure_size_and_rate():
    made = cases()
    assert len(made) >= 1_000
    assert len({case.key for case in made}) == len(made)
    cells = {(case.kind, case.structure, case.size, case.rate) for case in made}
    wanted = sum(len(structures) for _, structures in MADE.values()) * 3 * 3
    assert len(cells) == wanted


def test_a_third_of_the_causes_share_no_five_characters_with_the_answer():
    scenes = [scene_of(case) for case in cases() if case.kind != "nothing planted"]
    assert sum(not scene.shares_text for scene in scenes) * 3 >= len(scenes)
    assert any(scene.shares_text for scene in scenes)


def test_some_are_read_and_some_are_computed():
    models = {getattr(scene_of(case).model, "__name__", "computed") for case in TRUE}
    assert models == {"read", "computed"}


@pytest.mark.parametrize("rate", [0.0, 1 / 3])
def test_a_case_is_the_same_whenever_it_is_made(rate):
    case = Case("unit error", "chat", 10, rate, 1)
    one, two = generate(case), generate(case)
    assert one.scene.pieces == two.scene.pieces
    assert one.truth == two.truth
    said = [[item.call(item.scene.question) for _ in range(20)] for item in (one, two)]
    assert said[0] == said[1]
    assert (len(set(said[0])) > 1) is (rate > 0)


def test_flaky_runs_are_drawn_anew_each_time_and_cases_apart():
    said = []
    for seed in (0, 2):
        item = generate(Case("nothing planted", "prompt", 10, 1 / 3, seed))
        answers = [item.call(item.scene.question) for _ in range(200)]
        said.append([item.is_flip(answer) for answer in answers])
    assert said[0] != said[1]
    assert all(0.2 < sum(flips) / len(flips) < 0.47 for flips in said)


@pytest.mark.parametrize("case", ONE_EACH, ids=key_of)
def test_taking_the_cause_away_flips_the_answer(case):
    truth = generate(case).truth
    if truth.mode == "redundant":
        assert flips(truth.keys, case)
        assert not any(flips((key,), case) for key in truth.keys)
    else:
        assert truth.keys
        assert all(flips((key,), case) for key in truth.keys)


@pytest.mark.parametrize("case", ONE_EACH[::6], ids=key_of)
def test_taking_anything_else_away_does_not(case):
    item = generate(case)
    others = [key for key in Suspects(item.run).all if key not in item.truth.keys]
    assert others
    assert [key for key in others if flips((key,), case)] == []


@pytest.mark.parametrize("case", NULLS[::2], ids=key_of)
def test_nothing_flips_a_null(case):
    item = generate(case)
    assert [key for key in Suspects(item.run).all if flips((key,), case)] == []
    assert Attributor(item.run, item.judge()).attribute().convicted == []


@pytest.mark.parametrize(
    "case",
    [
        Case("poisoned fact", "prompt", 10, 0.0, 0),
        Case("injected instruction", "retrieval", 10, 1 / 3, 0),
        Case("wrong tool result", "two_stage", 10, 0.0, 1),
        Case("wrong number in a row", "prompt", 10, 0.0, 0),
        Case("truncated evidence", "prompt", 10, 1 / 3, 0),
        Case("wrong override", "chat", 10, 1 / 3, 1),
        Case("swallowed verdict", "two_stage", 10, 0.0, 0),
        Case("bad reducer", "parallel", 10, 0.0, 1),
    ],
    ids=key_of,
)
def test_a_planted_cause_is_named_first(case):
    item = generate(case)
    found = Attributor(item.run, item.judge()).attribute()
    assert hits(found.rows, item.truth) == {"top1": 1.0, "top3": 1.0}
    assert not [keys for keys in found.convicted if is_false(keys, item)]
    assert found.calls <= 400 + 1


def test_a_tie_counts_by_its_share():
    groups = [["a"], ["b", "c", "d", "e"]]
    assert chance(groups, "a", 1) == 1.0
    assert chance(groups, "c", 3) == 0.5
    assert chance(groups, "x", 3) == 0.0
