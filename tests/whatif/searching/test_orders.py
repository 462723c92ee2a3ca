"""An order that flips is found, narrowed down, and true of what was asked."""

from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.whatif.searching import Outcome, drive, find_order
from explainkit.whatif.searching.orders import order_of


def told(flips, log=None):
    def answer(batch):
        if log is not None:
            log.extend(batch)
        return [Outcome.FLIPS if flips(one) else Outcome.HOLDS for one in batch]

    return answer


pairs = st.integers(2, 60).flatmap(
    lambda n: st.tuples(
        st.just(n), st.lists(st.integers(0, n - 1), min_size=2, max_size=2, unique=True)
    )
)


@given(drawn=pairs)
def test_the_two_whose_order_decides_are_found_in_about_log_n_tries(drawn):
    count, two = drawn
    first, second = sorted(two)
    log = []
    found = drive(find_order(count), told(lambda o: o.index(second) < o.index(first), log))
    assert found.pair == (first, second)
    assert found.order.index(second) < found.order.index(first)
    assert sorted(found.order) == list(range(count))
    assert len(log) <= 4 * ceil(log2(count)) + 1
    assert len(set(log)) == len(log)


@given(
    count=st.integers(1, 12), flipping=st.sets(st.permutations(range(5)).map(tuple), max_size=40)
)
def test_what_is_found_was_seen_to_flip(count, flipping):
    log = []
    found = drive(find_order(count), told(lambda order: order in flipping, log))
    assert not found.order or (found.order in flipping and found.order in log)
    assert tuple(range(count)) not in log
    if found.order:
        assert order_of(count, found.moves) == found.order


def test_one_that_must_stay_last_is_found_by_moving_each_alone():
    """Swapping halves moves the last one away, and so does moving one behind all others."""

    def flips(order):
        return order[-1] == 8 and order.index(3) < order.index(1)

    found = drive(find_order(9), told(flips))
    assert flips(found.order)
    assert found.pair == (1, 3)


@pytest.mark.parametrize("outcome", [Outcome.HOLDS, Outcome.UNRESOLVED])
def test_nothing_is_found_where_nothing_is_seen_to_flip(outcome):
    found = drive(find_order(6), lambda batch: [outcome for _ in batch])
    assert (found.order, found.moves, found.pair) == ((), (), None)
