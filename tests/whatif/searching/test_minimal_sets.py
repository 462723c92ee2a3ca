"""Sets are minimal, roles and shares are right, against brute force over every subset."""

import asyncio
from fractions import Fraction
from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.whatif.searching import (
    MOST_ITEMS,
    Outcome,
    drive,
    drive_async,
    find_roles,
    outcome_of,
    shapley_shares,
    smallest_set,
)
from explainkit.whatif.statistics import judge_all
from tests.whatif.statistics.flips import measured

ITEMS = "abcdefgh"


def flipping(causes):
    """An answer that flips when any of these sets is wholly removed."""
    causes = [frozenset(cause) for cause in causes]

    def oracle(removed):
        return any(cause <= frozenset(removed) for cause in causes)

    return oracle


def told(oracle, log=None):
    """Answer batches from a yes-or-no oracle, as if each were measured to its end."""

    def answer(batch):
        if log is not None:
            log.extend(batch)
        return [Outcome.FLIPS if oracle(one) else Outcome.HOLDS for one in batch]

    return answer


def subsets(items):
    return [one for size in range(len(items) + 1) for one in combinations(items, size)]


causes = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1, max_size=4), min_size=1, max_size=3)
tables = st.sets(st.frozensets(st.sampled_from("abcde"), min_size=1))


@given(causes=causes)
def test_no_item_of_a_smallest_set_can_be_left_out(causes):
    oracle = flipping(causes)
    found = drive(smallest_set(ITEMS), told(oracle))
    assert oracle(found.items)
    assert found.is_minimal
    # For a monotone oracle no smaller subset of it flips at all.
    assert [one for one in subsets(found.items) if oracle(one)] == [found.items]


@given(table=tables)
def test_nor_when_removing_more_can_undo_a_flip(table):
    oracle = lambda removed: frozenset(removed) in table  # noqa: E731
    found = drive(smallest_set("abcde"), told(oracle))
    if not oracle("abcde"):
        alone = next(((item,) for item in "abcde" if oracle(item)), ())
        assert found.whole is Outcome.HOLDS
        assert found.is_minimal == bool(found.items)
        assert found.items == alone or (not alone and len(found.items) > 1)
    if found.items:
        assert oracle(found.items)
        less = [tuple(one for one in found.items if one != item) for item in found.items]
        assert not any(oracle(one) for one in less if one)


@given(causes=causes)
def test_nothing_is_asked_twice(causes):
    log = []
    known = drive(smallest_set(ITEMS), told(flipping(causes), log)).outcomes
    known |= drive(find_roles(ITEMS, known=known), told(flipping(causes), log)).outcomes
    assert len(set(map(frozenset, log))) == len(log) == len(known)
    assert all(log)


def test_one_cause_among_many_takes_few_questions():
    log = []
    found = drive(smallest_set(range(64)), told(flipping([{41}]), log))
    assert found.items == (41,)
    assert len(log) <= 14


def test_what_was_found_before_is_not_asked_again():
    log = []
    first = drive(smallest_set("abc"), told(flipping(["b"])))
    again = drive(smallest_set("abc", known=first.outcomes), told(flipping(["b"]), log))
    assert (again.items, log) == (("b",), [])


def test_what_stayed_unresolved_is_asked_again():
    known = {frozenset("abc"): Outcome.UNRESOLVED}
    assert smallest_set("abc", known=known).question == (("a", "b", "c"),)


@given(table=tables, unresolved=tables)
def test_an_unresolved_set_neither_flips_nor_proves_minimality(table, unresolved):
    def oracle(batch):
        return [
            Outcome.UNRESOLVED
            if frozenset(one) in unresolved
            else (Outcome.FLIPS if frozenset(one) in table else Outcome.HOLDS)
            for one in batch
        ]

    found = drive(smallest_set("abcde"), oracle)
    if found.items:
        assert oracle([found.items]) == [Outcome.FLIPS]
        less = [tuple(one for one in found.items if one != item) for item in found.items]
        doubtful = tuple(one for one in less if one and oracle([one]) == [Outcome.UNRESOLVED])
        assert found.uncertain == doubtful
        assert found.is_minimal == (not doubtful)


class TestRoles:
    @pytest.mark.parametrize(
        ("causes", "needed", "copies", "bystanders", "unexplained"),
        [
            (["c"], "c", "", "abde", ""),  # one cause
            (["b", "d"], "bd", "", "ace", ""),  # two needed together
            (["bd"], "", "bd", "ace", ""),  # either suffices
            (["ace"], "", "ace", "bd", ""),  # any of three suffices
            (["c", "ab"], "c", "ab", "de", ""),  # c, and a or b
            (["ab", "ac", "bc"], "", "", "", "abcde"),  # two of three
            (["ab", "ac"], "", "", "", "abcde"),  # a, or b and c together: a is nobody's copy
            (["d", "ab", "ac"], "d", "", "", "abce"),  # the same beside one that is needed
        ],
    )
    def test_a_planted_structure_is_found(self, causes, needed, copies, bystanders, unexplained):
        roles = drive(find_roles("abcde"), told(flipping(causes)))
        assert roles.needed == tuple(needed)
        assert roles.copies == tuple(copies)
        assert roles.bystanders == tuple(bystanders)
        assert roles.unexplained == tuple(unexplained)
        assert roles.is_joint == (len(needed) > 1)
        assert roles.is_redundant == (len(copies) > 1)

    @given(causes=causes)
    def test_each_item_has_one_role_and_the_needed_ones_flip_alone(self, causes):
        oracle = flipping(causes)
        log = []
        roles = drive(find_roles(ITEMS), told(oracle, log))
        every = (
            roles.needed, roles.copies, roles.bystanders, roles.unexplained, roles.unresolved
        )  # fmt: skip
        assert sorted(item for role in every for item in role) == list(ITEMS)
        assert roles.needed == tuple(item for item in ITEMS if oracle(item))
        assert len(roles.copies) != 1  # a copy is one of several
        for copy in roles.copies:
            assert not oracle(copy)
            assert not oracle([i for i in ITEMS if i != copy and i not in roles.needed])
        # A bystander is never one of a copy's alternatives.
        if roles.copies and roles.bystanders:
            assert oracle(roles.copies)
        assert len(log) <= 2 * len(ITEMS) + 3

    def test_when_removing_everything_does_not_flip_nobody_is_cleared(self):
        roles = drive(find_roles("ab"), told(lambda removed: False))
        assert (roles.whole, roles.bystanders) == (Outcome.HOLDS, ())
        assert roles.unresolved == ("a", "b")

    def test_when_removing_everything_does_not_flip_each_is_tried_alone(self):
        roles = drive(find_roles("abc"), told(lambda removed: set(removed) == {"b"}))
        assert (roles.whole, roles.needed) == (Outcome.HOLDS, ("b",))
        assert (roles.bystanders, roles.unresolved) == ((), ("a", "c"))

    def test_what_was_not_resolved_has_no_role(self):
        def oracle(batch):
            unclear = {("b",)}
            flips = told(flipping(["c"]))
            return [Outcome.UNRESOLVED if one in unclear else flips([one])[0] for one in batch]

        roles = drive(find_roles("abc"), oracle)
        assert (roles.needed, roles.bystanders, roles.unresolved) == (("c",), ("a",), ("b",))


class TestShapley:
    @given(table=tables)
    def test_shares_are_the_mean_over_all_orders_of_removal(self, table):
        items = "abcde"
        oracle = lambda removed: frozenset(removed) in table  # noqa: E731
        shares = drive(shapley_shares(items), told(oracle))
        expected = dict.fromkeys(items, Fraction(0))
        for order in permutations(items):
            before = False
            for at, item in enumerate(order):
                after = oracle(order[: at + 1])
                expected[item] += Fraction(after - before, factorial(len(items)))
                before = after
        assert {share.item: share.low for share in shares} == expected
        assert all(share.is_exact for share in shares)
        assert sum(share.low for share in shares) == int(oracle(items))

    @given(table=tables, unresolved=tables, resolved=tables)
    def test_bounds_hold_however_an_unresolved_set_would_have_come_out(
        self, table, unresolved, resolved
    ):
        def three_valued(batch):
            return [
                Outcome.UNRESOLVED if frozenset(one) in unresolved else truth([one])[0]
                for one in batch
            ]

        truth = told(
            lambda one: frozenset(one) in (resolved if frozenset(one) in unresolved else table)
        )
        bounds = drive(shapley_shares("abcde"), three_valued)
        exact = drive(shapley_shares("abcde"), truth)
        for bound, share in zip(bounds, exact, strict=True):
            assert bound.low <= share.low <= bound.high

    def test_ten_items_are_shared_out(self):
        shares = drive(shapley_shares(range(MOST_ITEMS)), told(flipping([{1, 2}, {7}])))
        assert [share.low for share in shares if share.low] == [
            Fraction(1, 6), Fraction(1, 6), Fraction(2, 3)
        ]  # fmt: skip

    def test_more_are_refused_with_the_number_of_sets(self):
        with pytest.raises(ValueError, match="2,047 sets"):
            shapley_shares(range(11))


class TestAnswers:
    @pytest.mark.parametrize("one_sample", [True, False, "flips", None])
    def test_one_sample_is_refused_and_the_question_stays(self, one_sample):
        inquiry = smallest_set("ab")
        with pytest.raises(TypeError, match="one sample never decides"):
            inquiry.answer([one_sample])
        inquiry.answer([Outcome.FLIPS])
        assert inquiry.question == (("a",),)

    def test_a_batch_needs_one_outcome_for_each_set(self):
        inquiry = find_roles("ab")
        with pytest.raises(ValueError, match="2 outcomes answer 1 sets"):
            inquiry.answer([Outcome.FLIPS, Outcome.HOLDS])
        with pytest.raises(TypeError, match="list of outcomes"):
            inquiry.answer(Outcome.FLIPS)

    @pytest.mark.parametrize(
        ("changed", "unchanged", "outcome"),
        [
            ("5/5", "0/5", Outcome.FLIPS),
            ("0/5", "0/5", Outcome.HOLDS),
            ("3/5", "1/5", Outcome.UNRESOLVED),
            ("1/1", "0/1", Outcome.UNRESOLVED),
        ],
    )
    def test_only_a_measured_word_decides(self, changed, unchanged, outcome):
        assert outcome_of(judge_all([measured(changed, unchanged)])[0]) is outcome

    @pytest.mark.parametrize("start", [smallest_set, find_roles, shapley_shares])
    def test_no_item_and_a_repeated_item_are_refused(self, start):
        with pytest.raises(ValueError, match="nothing to remove"):
            start("")
        with pytest.raises(ValueError, match="'a' stands twice"):
            start("aba")

    def test_a_result_waits_for_the_last_answer_and_then_nothing_is_asked(self):
        inquiry = smallest_set("a")
        with pytest.raises(LookupError, match="not done"):
            _ = inquiry.result
        inquiry.answer([Outcome.FLIPS])
        assert inquiry.result.items == ("a",)
        with pytest.raises(LookupError, match="asks nothing more"):
            _ = inquiry.question

    def test_a_coroutine_can_answer(self):
        async def oracle(batch):
            await asyncio.sleep(0)
            return told(flipping(["bd"]))(batch)

        assert asyncio.run(drive_async(smallest_set("abcd"), oracle)).items == ("b", "d")
