"""A story of an answer flow tells rounds and reviews with what they judged, in order, once each."""

import json

from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    ModelReviewer,
    Recovery,
    define_answer_flow,
)
from explainkit.flow.models import ScriptedModel
from tests.view.story.test_laws_of_stories import check_linked


def reviewed():
    """Two items, of which a review by a model refuses one once."""
    failed = {"status": "failed", "issues": [{"message": "Which currency?"}]}
    passed = {"status": "passed"}
    said = [{"a": failed, "b": passed}, {"a": passed}]
    model = ScriptedModel([json.dumps(each) for each in said])
    flow = define_answer_flow(
        AnswerFlowDefinition(
            max_items=4,
            max_repairs=1,
            can_invoke=lambda _: True,
            check=lambda **_: CheckResult("passed"),
            generate=lambda *, items, repairs, **_: {
                each.id: "It is 80 EUR." if repairs else "80" for each in items
            },
            fallback=lambda **_: Recovery(False),
            review=ModelReviewer(model, "A price has a currency."),
            review_policy="required",
        )
    )
    items = [AnswerItem(name, ["q"], "ready", "80 EUR") for name in "ab"]
    return flow.run_sync(input_ids=["q"], items=items).run


def place(texts, words):
    (found,) = [at for at, text in enumerate(texts) if words in text]
    return found


def test_each_verdict_stands_after_its_version_and_before_what_replaced_it():
    story = reviewed().story()
    check_linked(story)
    texts = [each.text for each in story]
    order = [
        place(texts, "Values were drafted for two items"),
        place(texts, "“check” judged two items as passed"),
        place(texts, "“review” judged version 1 of the item “a” as failed"),
        place(texts, "The item “b” was accepted"),
        place(texts, "“repair” replaced the item “a” by “It is 80 EUR.”"),
        place(texts, "“check” judged version 2 of the item “a” as passed"),
        place(texts, "“review” judged version 2 of the item “a” as passed"),
        place(texts, "The item “a” was accepted"),
    ]
    assert order == sorted(order)


def test_what_a_reviewer_said_is_told_as_its_verdicts_and_can_be_opened():
    run = reviewed()
    short, full = run.story(), run.story(full=True)
    assert "was given two messages" not in str(short)
    assert str(full).count("The model “reviewer” was given") == 2
    opened = {row["seq"] for row in run.recording.rows("link_opened") if row["type"] == "model"}
    for seq in opened:
        assert any("reviewer" in each.text for each in short.of(seq))
    counted = {seq for each in short if each.folded for seq in each.seq}
    assert opened <= counted
