"""Batches and definitions that are none: one error that says everything that is wrong."""

import pytest

from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    OperationContext,
    define_answer_flow,
    validate_answer_batch,
)
from explainkit.errors import AnswerBatchError, AnswerFlowError, CompositionError
from explainkit.flow import Failed, Sequence
from tests.answering.flow_parts import awaited, copied, definition, ends, flow_of, item, items


def test_a_batch_that_covers_its_inputs_is_valid():
    several = AnswerItem("both", ["q1", "q2"], "ready", None)
    batch = [several, AnswerItem("again", ["q2"], "lost", None)]
    assert validate_answer_batch(["q1", "q2"], batch, 2) is None


def test_one_error_lists_every_problem_of_a_batch():
    batch = [
        AnswerItem("a", ["q1", "nowhere"], "ready", None),
        AnswerItem("a", ["q1"], "ready", None),
        AnswerItem("", ["q1"], "ready", None),
    ]
    with pytest.raises(AnswerBatchError) as caught:
        validate_answer_batch(["q1", "q2", "q1"], batch, 2)
    assert caught.value.problems == (
        "there are 3 items, and at most 2 are allowed",
        "the input id 'q1' is there 2 times",
        "the item id 'a' is there 2 times",
        "the item 'a' names the unknown input 'nowhere'",
        "the item id '' is no text that can be written, or an empty one",
        "the input 'q2' has no item",
    )
    assert all(problem in str(caught.value) for problem in caught.value.problems)


def test_a_batch_with_very_many_problems_counts_them_in_its_message():
    with pytest.raises(AnswerBatchError, match="and 80 more problems") as caught:
        validate_answer_batch([f"q{n}" for n in range(100)], [], 4)
    assert len(caught.value.problems) == 100
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    ("input_ids", "given", "told"),
    [
        ("q1", [], "input_ids is 'q1'"),
        (["q1"], {"a": 1}, "items is {'a': 1}"),
        ([7], [], "the input id 7"),
        ([], [3], "item number 1 is 3"),
        (
            [],
            [{"id": "a"}],
            "the item 'a' is no AnswerItem: input_ids: Field required; source_status: ",
        ),
        ([], [{"id": "a", "input_ids": "in", "source_status": "ready", "data": 1}], "input_ids"),
        ([], [AnswerItem("\ud800", [], "ready", None)], "no text that can be written"),
    ],
)
def test_what_is_no_batch_is_told(input_ids, given, told):
    with pytest.raises(AnswerBatchError, match="cannot be answered") as caught:
        validate_answer_batch(input_ids, given, 4)
    assert told in str(caught.value)


@pytest.mark.parametrize("most", [0, -1, True, "4", None])
def test_a_bad_limit_of_a_batch_is_told(most):
    with pytest.raises(AnswerBatchError, match="max_items"):
        validate_answer_batch([], [], most)


@pytest.mark.parametrize(
    "given",
    [None, "text", {}, {"items": []}, {"input_ids": [], "items": [], "more": 1}, {1: 2}],
)
def test_a_flow_that_is_given_no_batch_fails_on_the_record(given):
    outcome = awaited(flow_of().outcome(given))
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, AnswerBatchError)
    assert outcome.error.trace.path == ("AnswerFlow",)


def test_a_batch_is_given_in_one_way():
    with pytest.raises(AnswerBatchError, match="one mapping"):
        flow_of().run_sync({"input_ids": [], "items": []}, items=[])


def test_too_many_items_are_refused_before_anything_is_asked():
    asked = []
    flow = flow_of(max_items=2, generate=lambda **_: asked.append(1))
    with pytest.raises(AnswerBatchError, match="at most 2"):
        flow.run_sync(input_ids=["in"], items=items("abc"))
    assert asked == []


def test_a_context_of_another_type_is_refused():
    with pytest.raises(TypeError, match="OperationContext"):
        flow_of().run_sync(input_ids=["in"], items=items("a"), context={"app": 1})


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"max_items": 0}, "max_items=0"),
        ({"max_items": True}, "max_items=True"),
        ({"max_repairs": -1}, "max_repairs=-1"),
        ({"max_repairs": 1.5}, "max_repairs=1.5"),
        ({"review_policy": "always"}, "review_policy='always'"),
        ({"review_policy": "required"}, "there is no review"),
        ({"can_invoke": True}, "can_invoke=True"),
        ({"check": None}, "check=None"),
        ({"check": Sequence(len)}, "check="),
        ({"generate": 3}, "generate=3"),
        ({"review": "yes"}, "review='yes'"),
        ({"observe": 1}, "observe=1"),
        ({"fallback": None}, "fallback=None"),
    ],
)
def test_a_definition_that_is_none_names_its_field(wrong, told):
    with pytest.raises(AnswerFlowError, match=r"[Gg]ive") as caught:
        definition(**wrong)
    assert told in str(caught.value)


def test_a_field_that_there_is_not_is_refused():
    with pytest.raises(TypeError, match="max_retries"):
        definition(max_retries=3)


def test_only_a_definition_makes_a_flow():
    with pytest.raises(AnswerFlowError, match="AnswerFlowDefinition"):
        define_answer_flow({"max_items": 1})


def test_a_foreign_runner_that_takes_no_input_is_refused_when_the_flow_is_built():
    class Odd:
        def run(self):
            return {}

    with pytest.raises(CompositionError, match=r"AnswerFlow\(generate=...\)"):
        flow_of(generate=Odd())


def test_a_flow_has_a_name():
    assert repr(define_answer_flow(definition(), name="claims")).startswith("claims(")
    with pytest.raises(CompositionError):
        define_answer_flow(definition(), name=" ")


TYPED = {
    "max_items": 9,
    "max_repairs": 0,
    "can_invoke": lambda context: True,
    "generate": copied,
    "check": lambda **_: {"status": "passed"},
    "fallback": lambda **_: {"handled": True, "value": "instead"},
}


def test_types_of_a_definition_are_looked_at_where_values_come_in():
    flow = define_answer_flow(AnswerFlowDefinition[dict, str, int](**TYPED))
    results = flow.run_sync(input_ids=["in"], items=items("a"), context=OperationContext(app=3))
    assert ends(results) == {"a": "accepted"}


def test_data_of_another_type_is_refused_by_item():
    flow = define_answer_flow(AnswerFlowDefinition[list, str, None](**TYPED))
    with pytest.raises(AnswerBatchError, match="the data of 'a'"):
        flow.run_sync(input_ids=["in"], items=[item("a")])


def test_an_app_of_another_type_is_refused():
    flow = define_answer_flow(AnswerFlowDefinition[dict, str, int](**TYPED))
    with pytest.raises(AnswerBatchError, match=r"context\.app"):
        flow.run_sync(input_ids=["in"], items=[item("a")])


def test_a_value_of_another_type_is_none():
    ports = TYPED | {"generate": lambda *, items, **_: {"a": 7, "b": "text"}}
    flow = define_answer_flow(AnswerFlowDefinition[dict, str, None](**ports))
    results = flow.run_sync(input_ids=["in"], items=items("ab"))
    assert ends(results) == {"a": "fallback", "b": "accepted"}
    assert [issue.code for issue in results[0].issues] == ["GENERATE_FAILED"]
