"""Fisher's test is scipy's, and without scipy the command that installs it is named."""

import sys
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact

from explainkit.errors import MissingExtraError
from explainkit.whatif.statistics import judge_all, wilson_interval
from explainkit.whatif.statistics.fisher import fisher_p, fisher_table
from tests.whatif.statistics.flips import measured


@pytest.mark.parametrize("n", [1, 5, 10])
def test_the_table_of_a_look_is_the_test_of_each_pair_of_counts(n):
    for changed in range(n + 1):
        for unchanged in range(n + 1):
            table = [[changed, n - changed], [unchanged, n - unchanged]]
            expected = fisher_exact(table).pvalue
            assert isclose(fisher_table(n)[changed, unchanged], expected, rel_tol=1e-9)


@given(changed=st.integers(0, 40), unchanged=st.integers(0, 40))
def test_the_table_of_the_last_look_is_the_test_too(changed, unchanged):
    assert isclose(
        fisher_table(40)[changed, unchanged], fisher_p(40, changed, unchanged), rel_tol=1e-9
    )


@given(n=st.integers(1, 60), data=st.data())
def test_intervals_are_wilson_s(n, data):
    flips = data.draw(st.integers(0, n))
    expected = binomtest(flips, n).proportion_ci(method="wilson")
    assert wilson_interval(flips, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_nothing_run_leaves_everything_open():
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_more_flips_than_re_runs_are_refused():
    with pytest.raises(ValueError, match="6 flips of 5"):
        wilson_interval(6, 5)


@pytest.fixture
def no_scipy(monkeypatch):
    fisher_p.cache_clear()
    fisher_table.cache_clear()
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)


def test_without_scipy_the_command_is_named(no_scipy):
    with pytest.raises(MissingExtraError, match=r"pip install 'explainkit-jupyter\[stats\]'"):
        judge_all([measured("5/5", "0/5")])


def test_the_deterministic_rule_needs_no_scipy(no_scipy):
    assert judge_all([measured("1/1", "0/2", deterministic=True)])[0].word == "cause"
