"""Every row of the table of what happens to an item, from real runs."""

import asyncio

import pytest

import explainkit as ek
from explainkit.answering import (
    UNSET,
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Issue,
    OperationContext,
    Recovery,
    define_answer_flow,
)
from explainkit.errors import AnswerPortError
from tests.answering.flow_parts import (
    PASSED,
    closed,
    codes,
    copied,
    definition,
    ends,
    failed,
    flow_of,
    item,
    items,
    link_rows,
    run,
)


class Asked:
    """A generator that remembers what it was asked."""

    def __init__(self, give=copied):
        self.rounds = []
        self._give = give

    def __call__(self, *, items, repairs, previous, context):
        self.rounds.append(([each.id for each in items], dict(repairs), dict(previous)))
        return self._give(items=items, repairs=repairs, previous=previous)


def recovered(*, item, issues, context):
    return Recovery(True, f"instead of {item.id}")


def test_an_item_whose_source_is_not_ready_is_never_generated_for_and_falls_back():
    asked, seen = Asked(), []

    def fallback(*, item, issues, context):
        seen.append((item.id, [issue.code for issue in issues]))
        return Recovery(True, "We ask again.")

    batch = [item("a"), item("b", "unavailable")]
    results = run(batch=batch, generate=asked, fallback=fallback)
    assert asked.rounds == [(["a"], {}, {})]
    assert ends(results) == {"a": "accepted", "b": "fallback"}
    assert seen == [("b", ["SOURCE_NOT_READY"])]
    assert (results[1].value, results[1].rounds, results[1].checks) == ("We ask again.", 0, ())


def test_an_item_without_a_value_is_repaired_and_its_round_counts():
    asked = Asked(lambda *, items, repairs, **_: copied(items=items) if repairs else {})
    results = run("a", generate=asked)
    assert [ids for ids, _, _ in asked.rounds] == [["a"], ["a"]]
    assert [issue.code for issue in asked.rounds[1][1]["a"]] == ["NO_VALUE"]
    assert asked.rounds[1][2] == {}
    assert (results[0].status, results[0].rounds) == ("accepted", 2)


@pytest.mark.parametrize("broken", ["raises", "list", "none", "text"])
def test_a_generate_that_fails_is_repaired_and_then_falls_back(broken):
    def give(**_):
        if broken == "raises":
            raise LookupError("no such table")
        return {"list": [1], "none": None, "text": "a"}[broken]

    asked = Asked(give)
    results = run("ab", generate=asked, max_repairs=2)
    assert len(asked.rounds) == 3
    assert ends(results) == {"a": "blocked", "b": "blocked"}
    assert codes(results[0]) == ["GENERATE_FAILED"]
    assert results[0].rounds == 3
    links = link_rows(results.run, "generate")
    assert [closed(results.run, link)["status"] for link in links] == ["error"] * 3


def test_a_coroutine_in_place_of_a_value_ends_the_round_of_that_item_only():
    async def later():
        return "text"

    def generate(*, items, repairs, **_):
        return copied(items=items) | ({} if repairs else {"a": later()})

    results = run("ab", generate=generate)
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert [each.rounds for each in results] == [2, 1]


def test_unknown_ids_are_recorded_and_ignored():
    results = run("a", generate=lambda *, items, **_: copied(items=items) | {"x": 1, 7: 2})
    assert ends(results) == {"a": "accepted"}
    (link,) = link_rows(results.run, "generate")
    assert closed(results.run, link)["attrs"] == {"unknown_ids": ["'x'", "7"], "unknown": 2}


def test_no_budget_before_generate_is_an_issue_and_falls_back():
    asked = Asked()
    results = run("ab", generate=asked, can_invoke=lambda context: False, fallback=recovered)
    assert asked.rounds == []
    assert ends(results) == {"a": "fallback", "b": "fallback"}
    assert codes(results[0]) == ["BUDGET"]
    assert results[0].rounds == 0


def test_no_budget_for_a_repair_keeps_what_was_accepted():
    allowed = iter([True, False])
    results = run(
        "ab",
        can_invoke=lambda context: next(allowed),
        check=lambda *, item, **_: failed() if item.id == "b" else PASSED,
    )
    assert ends(results) == {"a": "accepted", "b": "blocked"}
    assert codes(results[1]) == ["BAD", "BUDGET"]


@pytest.mark.parametrize(("policy", "end"), [("optional", "accepted"), ("required", "blocked")])
def test_no_budget_before_review_leaves_it_unresolved(policy, end):
    allowed = iter([True, False])
    results = run(
        "a",
        review_policy=policy,
        can_invoke=lambda context: next(allowed),
        review=lambda **_: pytest.fail("it was asked"),
    )
    assert results[0].status == end
    assert [each.status for each in results[0].reviews] == ["not-run"]
    assert codes(results[0]) == ["BUDGET"]


def test_a_failed_check_is_repaired_with_its_issues_and_its_value():
    asked = Asked(lambda *, items, repairs, **_: {each.id: bool(repairs) for each in items})
    results = run("a", generate=asked, check=lambda *, value, **_: PASSED if value else failed())
    assert asked.rounds[1] == (["a"], {"a": (Issue("BAD", "it is not good"),)}, {"a": False})
    assert [each.status for each in results[0].checks] == ["failed", "passed"]
    assert (results[0].status, results[0].issues) == ("accepted", ())


def test_a_check_that_fails_in_every_round_falls_back():
    results = run("a", check=lambda **_: failed(), max_repairs=2, fallback=recovered)
    assert (results[0].status, results[0].value, results[0].rounds) == (
        "fallback",
        "instead of a",
        3,
    )
    assert codes(results[0]) == ["BAD"]


async def _later(**_):
    return PASSED


def _raises(**_):
    raise ValueError("broken")


@pytest.mark.parametrize(
    "check",
    [
        lambda **_: CheckResult("unavailable"),
        lambda **_: {"status": "not-run"},
        lambda **_: {"status": "perhaps"},
        lambda **_: None,
        lambda **_: CheckResult("passed", value=_later()),
        _raises,
        _later,
    ],
    ids=["unavailable", "not-run", "no status", "nothing", "coroutine value", "raises", "awaits"],
)
def test_a_check_that_cannot_judge_falls_back_without_a_repair(check):
    asked = Asked()

    def only_a(*, item, value, context):
        return check(item=item, value=value, context=context) if item.id == "a" else PASSED

    results = run("ab", generate=asked, check=only_a, fallback=recovered, max_repairs=3)
    assert len(asked.rounds) == 1
    assert ends(results) == {"a": "fallback", "b": "accepted"}
    assert results[0].checks[0].status in ("unavailable", "not-run")


def test_a_value_of_a_passed_check_takes_the_place_of_the_draft():
    seen = []

    def review(*, items, context):
        seen.extend(entry.value for entry in items)
        return {entry.item.id: PASSED for entry in items}

    results = run(
        "a", check=lambda *, value, **_: CheckResult("passed", value=value.upper()), review=review
    )
    assert seen == [results[0].value]
    assert results[0].value.startswith("DELAYS OF TRAIN A")
    overrides = results.run.overrides
    assert list(overrides["by"]) == ["check"]
    assert overrides["before"][0].upper() == overrides["after"][0]


@pytest.mark.parametrize("policy", ["optional", "off"])
def test_a_passed_check_is_accepted_where_no_review_is_due(policy):
    review = None if policy == "optional" else lambda **_: pytest.fail("it was asked")
    results = run("a", review=review, review_policy=policy)
    assert (results[0].status, results[0].reviews) == ("accepted", ())


def test_a_passed_review_accepts_and_a_failed_one_is_repaired():
    rounds = []

    def review(*, items, context):
        rounds.append([entry.item.id for entry in items])
        bad = len(rounds) == 1
        return {e.item.id: failed("R", "no") if bad and e.item.id == "b" else PASSED for e in items}

    asked = Asked()
    results = run("ab", generate=asked, review=review)
    assert rounds == [["a", "b"], ["b"]]
    assert asked.rounds[1][0] == ["b"]
    assert asked.rounds[1][1]["b"][0].code == "R"
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert [each.rounds for each in results] == [1, 2]


@pytest.mark.parametrize("policy", ["optional", "required"])
def test_a_review_that_fails_in_every_round_falls_back_with_what_it_found(policy):
    seen = []

    def fallback(*, item, issues, context):
        seen.append([issue.code for issue in issues])
        return Recovery(True, "instead")

    results = run(
        "a",
        review=lambda **_: {"a": failed("R", "no")},
        review_policy=policy,
        max_repairs=2,
        fallback=fallback,
    )
    assert (results[0].status, results[0].value, results[0].rounds) == ("fallback", "instead", 3)
    assert [each.status for each in results[0].reviews] == ["failed"] * 3
    assert seen == [["R"]]


def test_the_guard_is_asked_before_every_generate_and_every_review():
    asked = []
    rounds = []

    def generate(*, items, repairs, **_):
        asked.append("generate")
        rounds.append(len(items))
        return copied(items=items)

    def review(*, items, context):
        asked.append("review")
        return {each.item.id: failed() if len(rounds) == 1 else PASSED for each in items}

    results = run(
        "ab",
        generate=generate,
        review=review,
        check=lambda **_: asked.append("check") or PASSED,
        can_invoke=lambda context: asked.append("guard") is None,
    )
    once = ["guard", "generate", "check", "check", "guard", "review"]
    assert asked == once * 2
    links = link_rows(results.run, "guard")
    assert [link["attrs"]["before"] for link in links] == [
        "generate:1",
        "review:1",
        "generate:2",
        "review:2",
    ]


def test_a_value_of_a_wrong_type_is_repaired_and_ends_no_other_item():
    asked = Asked(
        lambda *, items, repairs, **_: {
            each.id: "1" if each.id == "a" and not repairs else 1 for each in items
        }
    )
    typed = AnswerFlowDefinition[dict, int, None](**dict(definition(generate=asked)))
    results = define_answer_flow(typed).run_sync(input_ids=["in"], items=items("ab"))
    assert ends(results) == {"a": "accepted", "b": "accepted"}
    assert [ids for ids, _, _ in asked.rounds] == [["a", "b"], ["a"]]
    assert [issue.code for issue in asked.rounds[1][1]["a"]] == ["GENERATE_FAILED"]


def test_only_what_passed_its_check_is_reviewed():
    reviewed = []

    def review(*, items, context):
        reviewed.extend(entry.item.id for entry in items)
        return {entry.item.id: PASSED for entry in items}

    said = {"a": PASSED, "b": failed(), "c": CheckResult("not-run")}
    run("abc", review=review, check=lambda *, item, **_: said[item.id], max_repairs=0)
    assert reviewed == ["a"]


def _review_raises(**_):
    raise ConnectionError("no line")


UNRESOLVED = {
    "unavailable": lambda **_: {"a": CheckResult("unavailable")},
    "not-run": lambda **_: {"a": {"status": "not-run", "issues": []}},
    "raised": _review_raises,
    "missing id": lambda **_: {},
    "unknown id": lambda **_: {"a": PASSED, "zz": PASSED},
    "no mapping": lambda **_: [PASSED],
    "no result": lambda **_: {"a": "passed"},
    "coroutine": lambda **_: {"a": _later()},
}


@pytest.mark.parametrize(("policy", "end"), [("optional", "accepted"), ("required", "blocked")])
@pytest.mark.parametrize("case", UNRESOLVED)
def test_an_unresolved_review_is_accepted_when_optional_and_blocks_when_required(case, policy, end):
    results = run(
        "a",
        review=UNRESOLVED[case],
        review_policy=policy,
        fallback=lambda **_: pytest.fail("it was asked"),
    )
    assert results[0].status == end
    assert results[0].reviews[0].status in ("unavailable", "not-run")
    assert (results[0].value is UNSET) == (end == "blocked")


@pytest.mark.parametrize(("case", "named"), [("unknown id", "'zz'"), ("missing id", "'a'")])
def test_a_wrong_id_in_a_review_is_named(case, named):
    results = run("a", review=UNRESOLVED[case])
    assert codes(results[0]) == ["WRONG_IDS"]
    assert named in results[0].issues[0].message


@pytest.mark.parametrize(
    "fallback",
    [
        lambda **_: Recovery(False),
        lambda **_: {"handled": False},
        lambda **_: Recovery(True),
        lambda **_: {"handled": "yes", "value": 1},
        lambda **_: "text",
        lambda **_: Recovery(True, _later()),
        _raises,
    ],
    ids=["not", "not by dict", "no value", "no bool", "no recovery", "coroutine", "raises"],
)
def test_a_fallback_that_does_not_handle_an_item_blocks_that_one_only(fallback):
    results = run(
        "ab",
        check=lambda **_: CheckResult("unavailable"),
        fallback=lambda *, item, issues, context: (
            fallback(item=item, issues=issues, context=context)
            if item.id == "a"
            else Recovery(True, None)
        ),
    )
    assert ends(results) == {"a": "blocked", "b": "fallback"}
    assert results[0].value is UNSET
    assert results[1].value is None


def test_a_replacement_is_an_override_that_is_not_checked_again():
    checked = []

    def check(*, item, value, context):
        checked.append(value)
        return failed()

    results = run(
        "a", check=check, max_repairs=0, fallback=lambda **_: {"handled": True, "value": 1}
    )
    assert len(checked) == 1
    assert (results[0].status, results[0].value) == ("fallback", 1)
    assert list(results.run.overrides["by"]) == ["fallback"]


def test_the_order_of_results_is_that_of_the_items():
    names = ["c", "a", "d", "b"]
    results = run(
        batch=[item(name, "ready" if name != "d" else "lost") for name in names],
        generate=lambda *, items, **_: dict(reversed(copied(items=items).items())),
        check=lambda *, item, **_: failed() if item.id == "a" else PASSED,
    )
    assert [each.item.id for each in results] == names


@pytest.mark.parametrize("said", [None, 1, "yes"])
def test_a_guard_that_says_no_bool_is_an_error_that_names_items(said):
    with pytest.raises(AnswerPortError, match="before generate:1 of 'a', 'b'"):
        run("ab", can_invoke=lambda context: said)


def test_a_guard_that_awaits_is_an_error():
    async def can_invoke(context):
        return True

    with pytest.raises(AnswerPortError, match="a coroutine"):
        run("a", can_invoke=can_invoke)


def test_a_guard_that_raises_lets_nothing_through():
    def can_invoke(context):
        raise OSError("no meter")

    results = run("a", can_invoke=can_invoke)
    assert (results[0].status, codes(results[0])) == ("blocked", ["GUARD_FAILED"])
    assert "no meter" in results[0].issues[0].message


def test_the_observer_sees_every_stage_and_what_has_ended_so_far():
    seen = []

    def observe(*, stage_id, results, context):
        seen.append((stage_id, [each.item.id for each in results]))

    run(
        "ab",
        review=lambda *, items, **_: {entry.item.id: PASSED for entry in items},
        check=lambda *, item, **_: failed() if item.id == "b" else PASSED,
        observe=observe,
    )
    assert seen == [
        ("generate:1", []),
        ("check:1", []),
        ("review:1", ["a"]),
        ("generate:2", ["a"]),
        ("check:2", ["a"]),
        ("fallback", ["a", "b"]),
        ("done", ["a", "b"]),
    ]


class Halt(BaseException):
    """As a test framework, or a signal handler, raises it."""


@pytest.mark.parametrize("awaits", [True, False])
@pytest.mark.parametrize("error", [Halt, lambda: BaseExceptionGroup("all", [Halt(), OSError()])])
def test_an_observer_that_raises_more_than_an_exception_is_recorded_and_ignored(error, awaits):
    def broken(**_):
        raise error()

    async def broken_later(**_):
        raise error()

    results = run("a", observe=broken_later if awaits else broken)
    assert ends(results) == {"a": "accepted"}
    assert results.run.status == "answered"
    links = link_rows(results.run, "observe")
    assert {closed(results.run, link)["status"] for link in links} == {"error"}


@pytest.mark.parametrize("awaits", [True, False])
@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (KeyboardInterrupt, KeyboardInterrupt),
        (SystemExit, SystemExit),
        (lambda: BaseExceptionGroup("all", [KeyboardInterrupt()]), BaseExceptionGroup),
    ],
)
def test_an_interrupt_in_an_observer_interrupts_the_flow(error, raised, awaits):
    def broken(**_):
        raise error()

    async def broken_later(**_):
        raise error()

    with pytest.raises(raised):
        run("a", observe=broken_later if awaits else broken)
    assert ek.last().status == "cancelled"
    assert ek.last().doctor() == []


@pytest.mark.parametrize("awaits", [True, False])
def test_an_observer_that_raises_is_recorded_and_ignored(awaits):
    def broken(**_):
        raise ArithmeticError("no clock")

    async def broken_later(**_):
        raise ArithmeticError("no clock")

    results = run("a", observe=broken_later if awaits else broken)
    assert ends(results) == {"a": "accepted"}
    links = link_rows(results.run, "observe")
    assert [link["name"] for link in links] == ["generate:1", "check:1", "done"]
    assert {closed(results.run, link)["status"] for link in links} == {"error"}


def test_an_empty_batch_gives_no_results():
    assert len(run(batch=[], generate=lambda **_: pytest.fail("it was asked"))) == 0


def test_ports_share_the_context_that_was_given():
    context = OperationContext(app={"tariff": 7})
    seen = []

    def generate(*, items, context, **_):
        seen.append(context)
        return copied(items=items)

    run("a", generate=generate, context=context)
    assert seen == [context]


def test_a_context_is_made_when_none_is_given():
    seen = []

    def check(*, context, **_):
        seen.append(context.signal.cancelled)
        return PASSED

    run("a", check=check)
    assert seen == [False]


def test_items_may_be_plain_dicts():
    plain = {"id": "a", "input_ids": ["in"], "source_status": "ready", "data": {"source": "x"}}
    results = flow_of().run_sync({"input_ids": ["in"], "items": [plain]})
    assert results[0].item == AnswerItem("a", ["in"], "ready", {"source": "x"})


def test_asynchronous_ports_are_awaited_in_the_loop_of_the_caller():
    loops = []

    async def generate(*, items, **_):
        loops.append(asyncio.get_running_loop())
        return copied(items=items)

    async def review(*, items, **_):
        loops.append(asyncio.get_running_loop())
        return {entry.item.id: failed() for entry in items}

    async def fallback(**_):
        loops.append(asyncio.get_running_loop())
        return Recovery(True, "later")

    async def main():
        loops.append(asyncio.get_running_loop())
        return await flow_of(
            generate=generate, review=review, fallback=fallback, max_repairs=0
        ).run(input_ids=["in"], items=items("a"))

    results = asyncio.run(main())
    assert results[0].value == "later"
    assert len(loops) == 4
    assert len(set(loops)) == 1
