"""The table of compositions, row by row: what a child ends with is what the whole says."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import (
    BranchesError,
    ExhaustedError,
    HandOffError,
    PausedError,
    PolicyHaltError,
)
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    branch,
    graph,
    step,
    to_message,
    when,
    workflow,
)
from explainkit.flow.outcomes import Answered, Cancelled, Exhausted, Failed, Paused, Refused
from tests.flow.compositions.scripts import (
    HALT,
    VERDICTS,
    Boom,
    Scripted,
    answers,
    checked,
    decisions,
    echoes,
    error_of,
    exhausts,
    fails,
    last_note,
    outcome,
    path,
    pauses,
    played,
    reads,
    refuses,
    statuses,
)


def never(_):
    raise AssertionError("this never starts")


LINEAR = {
    "Sequence": lambda child: Sequence(child, never),
    "workflow": lambda child: workflow(child, never),
    "Conditional": lambda child: Conditional(when(lambda _: True, child), default=never),
    "Loop": lambda child: Loop(child, until=never),
}
STEPS = {
    "Sequence": "Sequence[1]",
    "workflow": "workflow[1]",
    "Conditional": "Conditional.1",
    "Loop": "Loop[1]",
}


@pytest.fixture(params=LINEAR)
def linear(request):
    return request.param


class TestLinear:
    def test_a_childs_error_is_the_one_that_is_raised(self, linear):
        error = Boom("no")
        assert error_of(LINEAR[linear](fails(error))) is error
        assert path(error) == f"{STEPS[linear]} > Agent"
        assert error.__notes__ == [f"in {STEPS[linear]} > Agent"]

    @pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.kind)
    def test_a_childs_verdict_ends_the_whole_with_the_childs_own_error(self, linear, verdict):
        found, recording = played(LINEAR[linear](refuses(verdict)))
        assert isinstance(found, Refused)
        assert found.verdict is verdict
        assert set(statuses(recording)) == {(linear, "verdict"), ("Agent", "verdict")}
        alone, composed = error_of(refuses(verdict)), error_of(LINEAR[linear](refuses(verdict)))
        assert type(composed) is type(alone)
        assert str(composed) == str(alone)
        assert composed.verdict == alone.verdict == verdict
        assert last_note(composed) == f"in {STEPS[linear]} > Agent"
        assert (last_note(alone), path(alone)) == ("in Agent", "Agent")

    def test_the_record_says_once_who_refused(self, linear):
        _, recording = played(LINEAR[linear](refuses()))
        [row] = recording.rows("verdict")
        child = [each["seq"] for each in recording.rows("link_opened")][-1]
        assert (row["link"], row["terminal"], row["judge"]) == (child, "policy-halt", "Agent")

    def test_the_error_names_the_links_that_it_came_through(self, linear):
        with ek.trace("t") as run:
            error = error_of(Sequence(LINEAR[linear](refuses()), name="outer"))
        recording = checked(run.recording)
        assert error.trace.run == recording.run
        names = [recording.raw(seq)["name"] for seq in error.trace.links]
        assert names == ["outer", linear, "Agent"]

    def test_a_childs_pause_stops_the_whole_and_its_resumption_goes_on_there(self, linear):
        child = pauses(Failed(Boom("after")))
        found = outcome(LINEAR[linear](child))
        assert isinstance(found, Paused)
        again = LINEAR[linear](child)
        assert isinstance(outcome(again, resume=found.checkpoint).error, Boom)
        assert child.resumed == [None, {"at": "Agent"}]
        assert isinstance(error_of(LINEAR[linear](pauses(None))), PausedError)

    def test_an_exhausted_child_is_handed_on_unchanged(self, linear):
        assert outcome(LINEAR[linear](exhausts("so far"))) == Exhausted("so far")
        error = error_of(LINEAR[linear](exhausts("so far")))
        assert isinstance(error, ExhaustedError)
        assert error.last == "so far"

    def test_a_child_cancelled_by_its_own_signal_cancels_the_whole(self, linear):
        found, recording = played(LINEAR[linear](Scripted(Cancelled())))
        assert found == Cancelled()
        assert {status for _, status in statuses(recording)} == {"cancelled"}
        cancelled = error_of(LINEAR[linear](Scripted(Cancelled())))
        assert isinstance(cancelled, asyncio.CancelledError)


class TestSequence:
    def test_the_value_itself_goes_on(self):
        value = object()
        seen = []
        assert outcome(Sequence(lambda _: value, seen.append, lambda _: value)).value is value
        assert seen == [value]

    def test_nothing_is_made_a_text_by_itself(self):
        agent = echoes()
        assert outcome(Sequence(lambda n: {"n": n}, agent), 7) == Answered({"n": 7})
        assert agent.given == [{"n": 7}]

    def test_a_message_is_made_by_an_explicit_step_that_is_recorded(self):
        agent = echoes()
        found, recording = played(
            Sequence(lambda n: {"n": n}, to_message(lambda d: f"It is {d['n']}"), agent), 7
        )
        assert found == Answered("It is 7")
        assert ("to_message", "answered") in statuses(recording)
        assert agent.given == ["It is 7"]

    def test_a_message_that_is_no_text_is_told(self):
        error = outcome(Sequence(to_message(), echoes()), 7).error
        assert isinstance(error, HandOffError)
        assert "7" in str(error)
        assert path(error) == "Sequence[1] > to_message"

    def test_steps_are_numbered_from_one(self):
        whole = Sequence(echoes(), Parallel({"a": echoes(), "b": refuses()}))
        found, recording = played(whole)
        group = found.error
        [error] = group.exceptions
        names = [recording.raw(seq)["name"] for seq in error.trace.links]
        assert names == ["Sequence", "Parallel", "Agent"]
        assert path(group) == "Sequence[2] > Parallel"
        assert path(error) == "Sequence[2] > Parallel.b > Agent"

    def test_an_exhausted_step_goes_on_only_as_what_on_exhausted_makes_of_it(self):
        agent = echoes()
        whole = Sequence(exhausts("x"), agent, on_exhausted=lambda last: f"{last}!")
        found, recording = played(whole)
        assert found == Answered("x!")
        assert agent.given == ["x!"]
        assert ("<lambda>", "answered") in statuses(recording)


class TestWorkflow:
    def test_python_values_arrive_whole(self):
        rows = [{"a": 1}]

        def gives() -> list[dict[str, int]]:
            return rows

        def takes(given: list[dict[str, int]]) -> list[dict[str, int]]:
            assert given is rows
            return given

        assert outcome(workflow(lambda _: gives(), takes, step(takes, gives=list))).value is rows

    def test_a_wrong_hand_off_names_both_ends(self):
        def load(_: object):
            return "12"

        def price(n: int) -> int:
            return never(n)

        error = outcome(workflow(load, price)).error
        assert isinstance(error, HandOffError)
        assert str(error).startswith(
            "step 1 (load) handed on str '12', and step 2 (price) takes int"
        )
        assert path(error) == "workflow[2]"

    def test_a_step_that_gives_something_else_than_it_says_is_told(self):
        def load(_: object) -> int:
            return "12"

        error = outcome(workflow(load, step(never, name="price"))).error
        assert "step 1 (load) handed on str '12' to step 2 (price)" in str(error)
        assert "says that it gives int" in str(error)
        assert path(error) == "workflow[1]"

    def test_the_input_is_checked_too(self):
        def price(n: int) -> int:
            return never(n)

        assert "The caller handed on str 'x'" in str(outcome(workflow(price), "x").error)


class TestConditional:
    def test_the_first_branch_that_holds_answers_and_later_ones_are_not_asked(self):
        whole = Conditional(
            when(lambda given: given["n"] > 5, never, name="many"),
            when(lambda given: given["n"] > 1, answers("some"), name="some"),
            when(never, never, name="any"),
            default=never,
        )
        found, recording = played(whole, {"n": 3, "other": 4})
        assert found == Answered("some")
        assert decisions(recording) == [
            (("many", "some", "any", "default"), (False, True, None, None), "some")
        ]
        assert reads(recording) == [[("/n", 3)]]

    def test_a_predicate_that_raises_is_the_error_and_is_on_the_record(self):
        whole = Conditional(
            when(lambda given: given["n"], never, name="a"), when(never, never, name="b")
        )
        found, recording = played(whole, {})
        assert isinstance(found.error, KeyError)
        assert path(found.error) == "Conditional.a > when"
        assert decisions(recording) == [(("a", "b"), ({"raised": "KeyError"}, None), None)]
        assert reads(recording) == [[("", {})]]

    def test_a_predicate_that_raises_falls_through_when_it_is_told_to(self):
        whole = Conditional(
            when(lambda given: given["n"], never, name="a", on_error="fall-through"),
            default=answers("else"),
        )
        found, recording = played(whole, {})
        assert found == Answered("else")
        assert decisions(recording) == [
            (("a", "default"), ({"raised": "KeyError"}, None), "default")
        ]

    def test_no_branch_is_an_error_that_shows_the_input(self):
        found, recording = played(Conditional(when(lambda _: False, never)), 41)
        assert "41" in str(found.error)
        assert decisions(recording) == [(("1",), (False,), None)]
        assert type(found.error).__name__ == "UndecidedError"


class TestLoop:
    def test_the_bodys_answer_is_the_next_input(self):
        body = Scripted(lambda n: Answered(n + 1))
        found, recording = played(Loop(body, until=lambda n: n == 4), 1)
        assert found == Answered(4)
        assert body.given == [1, 2, 3]
        assert [chosen for _, _, chosen in decisions(recording)] == ["go on", "go on", "stop"]
        assert reads(recording) == [[("", 2)], [("", 3)], [("", 4)]]

    def test_the_budget_is_ten(self):
        body = Scripted(lambda n: Answered(n + 1))
        assert outcome(Loop(body, until=lambda n: False), 0) == Exhausted(10)
        assert body.runs == 10

    @pytest.mark.parametrize("wrong", [0, -1, 501, 2.0, True, "3"])
    def test_a_budget_that_is_no_number_to_500_is_told(self, wrong):
        with pytest.raises(ValueError, match="1 to 500"):
            Loop(never, for_at_most=wrong)

    def test_a_verdict_in_the_last_iteration_stands_before_the_budget(self):
        body = Scripted(Answered(1), Refused(HALT))
        assert isinstance(outcome(Loop(body, for_at_most=2)), Refused)
        assert isinstance(outcome(Loop(body, for_at_most=1)), Refused)

    def test_on_exhausted_makes_an_answer_of_the_end_of_the_budget(self):
        whole = Loop(lambda n: n + 1, for_at_most=3, on_exhausted=lambda last: ("best", last))
        assert outcome(whole, 0) == Answered(("best", 3))

    def test_an_error_of_until_is_told_with_its_iteration(self):
        error = outcome(Loop(lambda n: n, until=lambda n: n["x"]), 0).error
        assert isinstance(error, TypeError)
        assert path(error) == "Loop[1] > until"


class TestStrictParallel:
    def test_answers_are_joined_by_name_in_order(self):
        found = outcome(Parallel({"b": answers(1), "a": answers(2)}))
        assert list(found.value.items()) == [("b", 1), ("a", 2)]

    def test_the_merge_is_given_answers_by_name(self):
        whole = Parallel({"b": answers(1), "a": answers(2)}, merge=lambda by: by["a"] - by["b"])
        assert outcome(whole) == Answered(1)

    def test_exactly_the_failed_branches_are_named_after_all_have_ended(self):
        error = Boom("no")
        slow = Scripted(lambda _: later(Answered("slow")))
        whole = Parallel(
            {"a": fails(error), "b": slow, "c": refuses(), "d": exhausts("l"), "e": answers(5)},
            merge=never,
        )
        found, recording = played(whole)
        group = found.error
        assert isinstance(group, BranchesError)
        assert isinstance(group, ExceptionGroup)
        assert group.failed == ("a", "c", "d")
        assert [type(each) for each in group.exceptions] == [Boom, PolicyHaltError, ExhaustedError]
        assert group.exceptions[0] is error
        assert [last_note(each) for each in group.exceptions] == [
            "in Parallel.a > Agent",
            "in Parallel.c > Agent",
            "in Parallel.d",
        ]
        assert "3 of 5 branches failed: a, c, d" in str(group)
        assert group.results == {"b": "slow", "e": 5}
        assert statuses(recording)[0] == ("Parallel", "error")

    def test_fail_fast_cancels_the_rest(self):
        hangs = Scripted(lambda _: asyncio.Event().wait())
        late = Scripted(lambda _: later(Failed(Boom("no"))))
        found, recording = played(
            Parallel({"a": hangs, "b": late, "c": hangs}, fail_fast=True, merge=never)
        )
        assert found.error.failed == ("b",)
        assert [status for _, status in statuses(recording)] == [
            "error",
            "cancelled",
            "error",
            "cancelled",
        ]

    def test_a_paused_branch_lets_the_others_finish_and_merges_once_when_resumed(self):
        merged = []
        paused, other = pauses(Answered(1)), answers((2, 3))

        def make():
            return Parallel({"p": paused, "o": other}, merge=merged.append)

        found, recording = played(make())
        assert isinstance(found, Paused)
        assert [status for _, status in statuses(recording)] == ["paused", "paused", "answered"]
        assert merged == []
        again, recording = played(make(), resume=found.checkpoint)
        assert again == Answered(None)
        assert merged == [{"p": 1, "o": (2, 3)}]
        assert (paused.runs, other.runs) == (2, 1)

    def test_a_branch_that_raised_while_another_one_waits_runs_again(self):
        flaky = Scripted(Failed(Boom("once")), lambda given: Answered(given))
        paused = pauses(Answered(1))

        def make():
            return Parallel({"p": paused, "f": flaky})

        found = outcome(make(), ("the", "input"))
        assert isinstance(found, Paused)
        assert outcome(make(), resume=found.checkpoint) == Answered({"p": 1, "f": ("the", "input")})

    def test_a_verdict_stands_before_a_pause(self):
        found = outcome(Parallel({"p": pauses(None), "v": refuses()}))
        assert found.error.failed == ("v",)

    def test_a_paused_merge_goes_on_without_the_branches(self):
        merge, child = pauses(Answered("m")), answers(1)

        def make():
            return Parallel({"a": child}, merge=merge)

        found = outcome(make())
        assert outcome(make(), resume=found.checkpoint) == Answered("m")
        assert (child.runs, merge.given) == (1, [{"a": 1}, None])


class TestTolerantParallel:
    def test_the_merge_is_given_whole_outcomes_and_decides(self):
        seen = {}
        whole = Parallel(
            {"a": answers(1), "b": fails(), "c": refuses(), "d": exhausts(4)},
            tolerant=True,
            merge=lambda outcomes: seen.update(outcomes) or "decided",
        )
        assert outcome(whole) == Answered("decided")
        assert [type(each) for each in seen.values()] == [Answered, Failed, Refused, Exhausted]
        assert seen["c"].verdict is HALT
        assert isinstance(seen["b"].error, Boom)

    def test_a_required_branch_still_fails_the_whole(self):
        for whole in (
            Parallel({"a": fails(), "b": refuses()}, tolerant=True, required=["b"], merge=never),
            Parallel(
                {"a": fails(), "b": branch(refuses(), required=True)}, tolerant=True, merge=never
            ),
        ):
            assert outcome(whole).error.failed == ("b",)

    def test_a_cancelled_branch_is_an_outcome_that_the_merge_is_given(self):
        whole = Parallel({"a": Scripted(Cancelled()), "b": answers(1)}, tolerant=True)
        assert outcome(whole) == Answered({"a": Cancelled(), "b": Answered(1)})

    def test_verdicts_and_answers_survive_a_pause(self):
        paused = pauses(Answered(1))

        def make():
            return Parallel({"p": paused, "v": refuses(), "x": exhausts((1,))}, tolerant=True)

        found = outcome(make())
        again = outcome(make(), resume=found.checkpoint).value
        assert again == {"p": Answered(1), "v": Refused(HALT), "x": Exhausted((1,))}


class TestGraph:
    def test_answers_are_keyed_by_node_and_hand_off_by_edges(self):
        whole = graph(
            {"d": lambda by: by, "a": lambda n: n + 1, "b": lambda n: n * 10, "c": lambda n: -n},
            [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")],
            joins={"d": lambda by: [by["b"], by["c"]]},
        )
        found = outcome(whole, 1)
        assert list(found.value.items()) == [("d", [20, -2]), ("a", 2), ("b", 20), ("c", -2)]

    def test_a_failed_level_is_reported_and_later_ones_are_not_started(self):
        whole = graph(
            {"a": answers(1), "b": refuses(), "c": answers(3), "d": never},
            [("a", "b"), ("a", "c"), ("b", "d")],
        )
        found, recording = played(whole)
        group = found.error
        assert group.failed == ("b",)
        assert isinstance(group.exceptions[0], PolicyHaltError)
        assert path(group.exceptions[0]) == "graph.b > Agent"
        assert group.results == {"a": 1, "c": 3}
        assert str(group).startswith("graph: 1 of 2 nodes of level 2 failed: b; not started: d")
        assert len(statuses(recording)) == 4

    def test_a_paused_node_lets_its_level_finish_and_the_next_one_waits(self):
        first, paused, other, last = answers(1), pauses(Answered(2)), answers(3), echoes()

        def make():
            return graph(
                {"a": first, "p": paused, "o": other, "z": last},
                [("a", "p"), ("a", "o"), ("p", "z"), ("o", "z")],
                joins={"z": lambda by: (by["p"], by["o"])},
            )

        found = outcome(make(), "in")
        assert isinstance(found, Paused)
        assert last.runs == 0
        again = outcome(make(), resume=found.checkpoint)
        assert again == Answered({"a": 1, "p": 2, "o": 3, "z": (2, 3)})
        assert [each.runs for each in (first, paused, other, last)] == [1, 2, 1, 1]

    def test_a_join_that_raises_fails_its_node(self):
        whole = graph(
            {"a": answers(1), "b": answers(2), "c": never},
            [("a", "c"), ("b", "c")],
            joins={"c": lambda by: by["x"]},
        )
        group = outcome(whole).error
        assert group.failed == ("c",)
        assert path(group.exceptions[0]) == "graph.c > <lambda>"
        assert group.results == {"a": 1, "b": 2}


async def later(end):
    """An end that comes after those of all siblings."""
    for _ in range(20):
        await asyncio.sleep(0)
    return end
