"""Of many items, blocks and likely sets find a set in few questions where everything holds."""

from collections.abc import Iterable

import pytest

from explainkit.whatif.searching import Outcome, drive, smallest_set

NEEDED = frozenset({2, 31})
"""What a right answer needs: without it no removal flips, so removing everything does not."""


def searched(count, causes, *, likely: Iterable[tuple[int, ...]] = (), needed=NEEDED):
    asked = []

    def answer(batch):
        asked.extend(batch)
        return [
            Outcome.FLIPS
            if any(cause <= set(one) for cause in causes) and not needed & set(one)
            else Outcome.HOLDS
            for one in batch
        ]

    return drive(smallest_set(range(count), likely=likely), answer), asked


@pytest.mark.parametrize("cause", [17, 40, 48])
def test_one_of_fifty_is_found_in_fewer_questions_than_a_half_of_them(cause):
    found, asked = searched(50, [{cause}])
    assert found.items == (cause,)
    assert found.whole is Outcome.HOLDS
    assert len(asked) < 20


def test_a_cause_beside_what_is_needed_is_found_alone_in_the_end():
    found, _ = searched(50, [{3}], needed=frozenset({2, 4}))
    assert found.items == (3,)


def test_likely_copies_are_asked_before_any_is_tried_alone():
    found, asked = searched(50, [{7, 44}], likely=[(0, 1), (7, 44)])
    assert found.items == (7, 44)
    assert found.is_minimal
    assert asked[1:3] == [(0, 1), (7, 44)]


def test_a_likely_pair_of_which_one_is_enough_is_narrowed_down_to_it():
    assert searched(50, [{44}], likely=[(7, 44)])[0].items == (44,)


def test_copies_beyond_the_few_likely_sets_are_found_after_each_was_tried_alone():
    likely = [(at, at + 1) for at in range(10, 20)] + [(7, 44)]
    found, asked = searched(50, [{7, 44}], likely=likely)
    assert found.items == (7, 44)
    assert len(asked) == len(set(asked))


def test_of_few_items_each_is_tried_alone_at_once():
    _, asked = searched(16, [{9}], needed=frozenset({2}))
    assert asked[1:] == [(at,) for at in range(10)]
