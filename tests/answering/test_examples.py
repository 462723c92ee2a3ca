"""The five uses of the kit, each with its result: answer, repair, cover, read and check."""

import asyncio

import pytest

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Issue,
    MajorityReviewer,
    ModelReviewer,
    OperationContext,
    PersonReviewer,
    Recovery,
    define_answer_check_catalog,
    define_answer_flow,
    define_answer_reader_catalog,
    define_answer_task_catalog,
    define_output_catalog,
    names_and_numbers_from,
    non_empty,
    split,
    validate_answer_batch,
)
from explainkit.errors import AnswerBatchError
from explainkit.flow.models import ScriptedModel

SOURCE = "A plain object is a node when it has the methods of one."


def spare(context):
    return True


def explaining(source=SOURCE):
    return [AnswerItem("explain", ["question-1"], "ready", {"source": source})]


# --- one question that has a source ------------------------------------------------------------


def test_one_question_with_a_source_is_answered_from_it():
    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=4,
            max_repairs=0,
            review_policy="off",
            can_invoke=spare,
            generate=lambda *, items, **_: {item.id: item.data["source"] for item in items},
            check=lambda *, value, **_: {"status": "passed" if value.strip() else "failed"},
            fallback=lambda **_: Recovery(handled=False),
        )
    )
    (result,) = asyncio.run(flow.run(input_ids=["question-1"], items=explaining()))
    assert (result.status, result.value) == ("accepted", SOURCE)
    assert (result.rounds, [each.status for each in result.checks]) == (1, ["passed"])
    assert ek.last().doctor() == []


# --- the same with a review and one repair -----------------------------------------------------


def test_an_empty_draft_is_repaired_once_and_then_reviewed():
    asked = []

    async def generate(*, items, repairs, previous, context):
        asked.append({item.id: [each.code for each in repairs.get(item.id, ())] for item in items})
        return {item.id: item.data["source"] if item.id in repairs else "" for item in items}

    def check(*, item, value, context):
        if value.strip():
            return CheckResult("passed")
        return CheckResult("failed", [Issue("EMPTY", "an answer is needed")])

    async def review(*, items, context):
        return {
            entry.item.id: CheckResult(
                "passed" if entry.value == entry.item.data["source"] else "failed"
            )
            for entry in items
        }

    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=4,
            max_repairs=1,
            review_policy="required",
            can_invoke=spare,
            generate=generate,
            check=check,
            review=review,
            fallback=lambda **_: Recovery(handled=True, value="Nothing is known of that yet."),
        )
    )
    (result,) = asyncio.run(flow.run(input_ids=["question-1"], items=explaining()))
    assert (result.status, result.value, result.rounds) == ("accepted", SOURCE, 2)
    assert [each.status for each in result.checks] == ["failed", "passed"]
    assert asked == [{"explain": []}, {"explain": ["EMPTY"]}]


# --- many questions, none forgotten ------------------------------------------------------------


def covering():
    return [
        AnswerItem("define", ["q1"], "ready", {"source": "What a node is."}),
        AnswerItem("run", ["q2"], "unavailable", {"source": ""}),
    ]


def test_every_question_has_its_item_also_the_one_without_a_source():
    validate_answer_batch(["q1", "q2"], covering(), 4)
    with pytest.raises(AnswerBatchError, match="q3"):
        validate_answer_batch(["q1", "q2", "q3"], covering(), 4)


# --- a task that reads its source --------------------------------------------------------------


class Question:
    """Takes a text and nothing else."""

    def parse(self, value):
        if not isinstance(value, str):
            raise TypeError("a question is needed")
        return value


def manual(question, context):
    return {"question": question, "source": "Nodes may be plain objects."}


def explain_tasks(read, checks, check_ids):
    return define_answer_task_catalog(
        [
            {
                "id": "explain",
                "description": "Explains an interface by the manual.",
                "reader_id": "manual",
                "output_id": "reply",
                "goal_ids": ["explain"],
                "check_ids": check_ids,
                "metadata": {},
                "input_schema": Question(),
            }
        ],
        readers=define_answer_reader_catalog([{"id": "manual", "read": read}]),
        checks=checks,
        outputs=define_output_catalog(
            [{"id": "reply", "kind": "text", "fields": [{"id": "text", "owner": "generated"}]}]
        ),
    )


def test_a_task_reads_its_source():
    tasks = explain_tasks(manual, define_answer_check_catalog([]), [])
    assert tasks.read(task_id="explain", input="How is a node defined?") == {
        "question": "How is a node defined?",
        "source": "Nodes may be plain objects.",
    }


# --- the same task with a check ----------------------------------------------------------------


def trimmed(value, context):
    said = value.strip()
    issues = [] if said else [{"code": "EMPTY", "message": "the answer is empty"}]
    return {"status": "passed" if said else "failed", "value": said, "issues": issues}


def test_a_task_names_the_checks_of_its_answer():
    async def read(question, context):
        return manual(question, context)

    checks = define_answer_check_catalog([{"id": "nonempty", "check": trimmed}])
    tasks = explain_tasks(read, checks, ["nonempty"])
    context = OperationContext(app={})
    evidence = asyncio.run(
        tasks.read_async(task_id="explain", input="How is a node defined?", context=context)
    )
    assert evidence["source"] == "Nodes may be plain objects."
    asked = tasks.require("explain").check_ids
    found = checks.check(check_ids=asked, value="  A plain object will do. ", context=context)
    assert found == CheckResult("passed", value="A plain object will do.")
    empty = checks.check(check_ids=asked, value="   ", context=context)
    assert empty == CheckResult("failed", (Issue("EMPTY", "the answer is empty"),))


# --- everything together -----------------------------------------------------------------------

FARES = {"rome": 54, "milan": 31, "turin": 22}


def fare_flow(review, *, generate=None, **settings):
    """Answers what a ride costs; the first draft for Milan is wrong."""
    asked = []

    def draft(*, items, repairs, previous, context):
        asked.append([item.id for item in items])
        return {
            item.id: f"It costs {13 if item.id == 'milan' and not repairs else item.data} EUR."
            for item in items
        }

    def check(*, item, value, context):
        checks = define_answer_check_catalog(
            [non_empty(), names_and_numbers_from([f"A ride costs {item.data} EUR."])]
        )
        return checks.check(check_ids=checks.ids, value=value, context=context)

    flow = define_answer_flow(
        AnswerFlowDefinition(
            **{"max_items": 9, "max_repairs": 1, "review_policy": "required", "can_invoke": spare}
            | settings,
            generate=(generate or (lambda port: port))(draft),
            check=check,
            review=review,
            fallback=lambda **_: Recovery(handled=False),
        )
    )
    items = [AnswerItem(city, [city], "ready", fare) for city, fare in FARES.items()]
    return flow, items, asked


def replies(*verdicts):
    return ScriptedModel(
        '{"rome": {"status": "%s"}, "turin": {"status": "passed"}}' % each  # noqa: UP031
        if each
        else '{"milan": {"status": "passed"}}'
        for each in verdicts
    )


def test_checks_from_evidence_repair_only_what_failed_and_a_model_reviews():
    review = ModelReviewer(replies("passed", None), "An answer names the fare.")
    flow, items, asked = fare_flow(review)
    results = asyncio.run(flow.run(input_ids=list(FARES), items=items))
    assert [(each.item.id, each.status, each.value) for each in results] == [
        ("rome", "accepted", "It costs 54 EUR."),
        ("milan", "accepted", "It costs 31 EUR."),
        ("turin", "accepted", "It costs 22 EUR."),
    ]
    assert asked == [["rome", "milan", "turin"], ["milan"]]
    run = ek.last()
    kinds = [row["type"] for row in run.recording.rows("link_opened")]
    assert kinds.count("model") == 2
    # Two named checks for each of three drafts and one repair, below the flow's own.
    names = [row["name"] for row in run.recording.rows("link_opened") if row["type"] == "check"]
    assert (names.count("non-empty"), names.count("names-and-numbers")) == (4, 4)
    assert run.doctor() == []
    run.graph()


def test_an_unreadable_review_blocks_where_one_is_required():
    review = ModelReviewer(ScriptedModel(["Fine by me.", "Fine by me."]), "Names the fare.")
    flow, items, _ = fare_flow(review)
    results = asyncio.run(flow.run(input_ids=list(FARES), items=items))
    assert [each.status for each in results] == ["blocked"] * 3
    assert results[0].reviews[0].issues[0].code == "UNREADABLE_REVIEW"


def test_a_split_generation_in_a_flow_answers_in_order_with_a_budget_of_calls():
    calls = []

    def guard(context):
        return len(calls) < 2

    def counted(port):
        def generate(**given):
            calls.append(given["items"])
            return port(**given)

        return split(
            generate, size=1, at_once=1, can_invoke=guard, progress=lambda done, total: None
        )

    flow, items, _ = fare_flow(
        None, generate=counted, review_policy="off", max_repairs=0, can_invoke=guard
    )
    results = asyncio.run(flow.run(input_ids=list(FARES), items=items))
    assert [(each.item.id, each.status) for each in results] == [
        ("rome", "accepted"),
        ("milan", "blocked"),
        ("turin", "blocked"),
    ]
    assert len(calls) == 2
    assert ek.last().doctor() == []


def test_a_person_and_a_model_review_in_a_flow():
    async def main():
        person = PersonReviewer()
        model = ModelReviewer(
            ScriptedModel(['{"rome": {"status": "passed"}, "turin": {"status": "passed"}}']),
            "An answer names the fare.",
        )
        review = MajorityReviewer([person, model], can_invoke=spare)
        flow, items, _ = fare_flow(review, max_repairs=0)
        task = asyncio.ensure_future(flow.run(input_ids=list(FARES), items=items))
        (await person.gate("turin")).send("fail", {"reason": "It is 23 EUR now."})
        (await person.gate("rome")).send("pass")
        return await task

    results = asyncio.run(main())
    assert [each.status for each in results] == ["accepted", "blocked", "blocked"]
    assert results[2].reviews[0].issues[0].code == "NO_MAJORITY"
    assert ek.last().doctor() == []


def test_cancelling_a_flow_closes_the_gates_of_its_person():
    async def main():
        person, context = PersonReviewer(), OperationContext()
        flow, items, _ = fare_flow(person)
        task = asyncio.ensure_future(flow.run(input_ids=list(FARES), items=items, context=context))
        gate = await person.gate()
        context.signal.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return gate.over, person.gates

    assert asyncio.run(main()) == (True, ())
    assert ek.last().doctor() == []
