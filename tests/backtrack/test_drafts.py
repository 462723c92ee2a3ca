"""A draft that was refused or replaced supports nothing of the answer; it said words before."""

import asyncio

import pytest
from pydantic import BaseModel

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition,
    AnswerItem,
    CheckResult,
    Issue,
    ModelReviewer,
    Recovery,
    define_answer_flow,
)
from explainkit.flow import (
    ScriptedAgent,
    agent,
    answer,
    assign,
    define_event,
    final,
    invoke,
    machine,
    state,
    to,
)
from explainkit.flow.agents import Agent
from explainkit.flow.models import ScriptedModel, ToolCall

TARIFF = "A delay of 60 minutes or more: one quarter of the fare is paid back."
WRONG = "You get 80 euros soon."


def retried():
    """The code asks again after a check of its own; the refused reply stands in the messages."""

    @ek.link(kind="model")
    def ask(messages):
        return WRONG

    @ek.link(kind="check")
    def check(text, rounds):
        failed = {"status": "failed", "issues": [{"message": "80 euros is in no source"}]}
        return {"status": "passed", "issues": []} if rounds else failed

    with ek.trace("retried", question="What do I get back?") as run:
        tariff = ek.context("tariff", TARIFF, kind="document")
        messages = [{"role": "system", "content": tariff}]
        said = ask(messages)
        told = check(said, 0)["issues"][0]["message"]
        messages = [
            *messages,
            {"role": "assistant", "content": said},
            {"role": "user", "content": f"Refused: {told}"},
        ]
        ek.answer(ask(messages))
    return run


def flow_run(**ports):
    usual = {
        "max_items": 2,
        "max_repairs": 1,
        "can_invoke": lambda _: True,
        "generate": lambda *, items, repairs, **_: {
            each.id: f"Dear guest, {WRONG}" if repairs else WRONG for each in items
        },
        "check": lambda *, value, **_: (
            CheckResult("passed")
            if value.startswith("Dear")
            else CheckResult("failed", [Issue("RUDE", "say dear")])
        ),
        "fallback": lambda **_: Recovery(False),
    }
    flow = define_answer_flow(AnswerFlowDefinition(**usual | ports))
    return flow.run_sync(input_ids=["a"], items=[AnswerItem("a", ["a"], "ready", TARIFF)]).run


def reviewed():
    """A review by a model refuses the first round."""
    model = ScriptedModel(
        [
            '{"a": {"status": "failed", "issues": [{"message": "Say 80 euros politely."}]}}',
            '{"a": {"status": "passed"}}',
        ]
    )
    return flow_run(
        check=lambda **_: CheckResult("passed"),
        review=ModelReviewer(model, "Be polite."),
        review_policy="required",
    )


def judged():
    """A verdict refuses a draft in a slot of its own, and the final prompt shows it."""

    @ek.link(kind="model")
    def draft(prompt):
        return WRONG

    @ek.link(kind="model")
    def final(prompt):
        return f"{WRONG} As was said."

    with ek.trace("judged") as run:
        tariff = ek.context("tariff", TARIFF, kind="document")
        said = draft(ek.assemble("{t}", t=tariff))
        ek.answer(said, slot="draft")
        run.verdict("failed", judge="reviewer", slot="draft", reason="80 euros is nowhere")
        earlier = ek.context("earlier draft", said, kind="memory")
        ek.answer(final(ek.assemble("{t}\n{d}", t=tariff, d=earlier)))
    return run


def reverted():
    """A clerk replaces an answer, and a boss says it again."""

    @ek.link(kind="model")
    def ask(prompt):
        return WRONG

    with ek.trace("reverted") as run:
        ek.answer(ask(ek.assemble("{t}", t=ek.context("tariff", TARIFF, kind="document"))))
        ek.override("Please ask the desk.", by="clerk", reason="unsure")
        ek.override(f"{WRONG} After all.", by="boss", reason="sure")
    return run


def gated():
    """An Agent's own gate asks it to revise, and it says the refused value again."""
    model = ScriptedModel(["You get 80 EUR.", "You get 60 EUR and not 80 EUR."])
    Agent(model, "Pay 60 EUR.", evidence_gate="guard", name="desk").run_sync("What do I get?")
    return ek.last()


CASES = {
    "a retry": (retried, "answer", "output of ask #2", "output of ask #1", "check refused it"),
    "a repair": (
        flow_run, "item:a", "output of generate #2", "output of generate #1", "check refused it",
    ),
    "a review": (reviewed, "item:a", "output of generate #2", "output of generate #1", "review"),
    "a verdict": (judged, "answer", "output of final", "output of draft", "reviewer refused it"),
    "a revert": (reverted, "answer", "answer v3 by boss", "output of ask", "clerk replaced it"),
    "a gate": (
        gated, "answer", "output of desk model #2", "output of desk model #1",
        "evidence gate refused it",
    ),
}  # fmt: skip


@pytest.fixture(params=CASES)
def case(request):
    make, slot, last, draft, why = CASES[request.param]
    return make(), slot, last, draft, why


def test_words_of_a_draft_are_introduced_by_what_said_them_again(case):
    run, slot, last, draft, why = case
    back = run.backtrack(slot=slot, span="80")
    assert [place.label for place in back.introducers] == [last]
    labels = [place.label for place in back.carriers]
    (told,) = [each for each in labels if each.startswith(draft)]
    assert "a draft" in told
    assert why in told


@pytest.mark.parametrize("span", [None, "80"])
def test_a_draft_supports_nothing_and_is_the_last_of_the_sources(case, span):
    run, slot, last, draft, why = case
    back = run.backtrack(slot=slot, **({} if span is None else {"span": span}))
    for row in back.coverage:
        assert not any(place.label.startswith((draft, "output of check")) for place in row.places)
        if "80" in row.text and row.state != "nothing":
            assert any("80" in each for each in row.missing)
    drafts = [use for use in back.contexts if use.refused is not None]
    assert {use.name for use in drafts} >= {draft}
    assert list(back.contexts)[-len(drafts) :] == drafts
    assert all(use.name != draft for use in back.contexts if use.refused is None)
    assert any(use.name == last for use in back.contexts)
    assert any(why in (use.refused or "") for use in drafts)


def test_the_words_stand_in_no_upstream_text_where_they_were_said_again(case):
    run, slot, last, _, _ = case
    back = run.backtrack(slot=slot)
    told = [place for place in back.unsupported if "80" in place.text]
    assert {place.label for place in told} == {last}


def test_the_draft_is_suspected_of_no_more_than_saying_it_before(case):
    run, slot, last, draft, _ = case
    back = run.backtrack(slot=slot, span="80")
    rows = {row.actor: " ".join(each.word for each in row.reasons) for row in back.shortlist(9)}
    name = draft.removeprefix("output of ")
    assert "introduced" not in rows[name]
    assert "in a draft that did not stand" in rows[name] or "carried" in rows[name]
    first = back.shortlist(1)[0]
    assert last.endswith(first.actor) or first.actor == last


def test_every_display_names_the_draft_as_one(case):
    run, slot, _, _, why = case
    back = run.backtrack(slot=slot, span="80")
    headline = back.board().headline
    assert "A draft that did not stand had said words of it before" in headline
    assert why in headline
    assert "goes back to" not in headline
    assert f"draft      {next(u for u in back.contexts if u.refused).refused}" in back.text()


def test_a_story_tells_of_a_draft_as_one():
    run = retried()
    run.verdict("failed", judge="reader", reason="nobody gets 80 euros")
    told = [each.text for each in run.story() if each.kind == "origin"]
    assert any(
        text.startswith("A draft that did not stand had said words of the answer before")
        and "“ask #1” said (check refused it)" in text
        for text in told
    )
    assert not any("first appear" in text and "ask #1" in text for text in told)


def test_what_a_draft_took_from_a_source_still_goes_back_to_it():
    @ek.link(kind="model")
    def ask(prompt):
        return "One quarter of the fare is paid back."

    with ek.trace("sourced") as run:
        tariff = ek.context("tariff", TARIFF, kind="document")
        said = ask(ek.assemble("{t}", t=tariff))
        ek.answer(said, slot="draft")
        run.verdict("failed", judge="reviewer", slot="draft")
        ek.answer(ask(ek.assemble("Put this better: {d}", d=said)))
    back = run.backtrack()
    assert [use.name for use in back.contexts] == ["tariff"]
    assert [use.refused for use in back.contexts] == [None]
    assert [row.state for row in back.coverage] == ["supported"]


def test_words_of_a_replaced_version_that_were_kept_are_still_its_own():
    @ek.link(kind="model")
    def ask(prompt):
        return "Dear Mia, you get 80 euros soon."

    with ek.trace("kept") as run:
        ek.answer(ask(ek.assemble("{t}", t=ek.context("tariff", TARIFF))))
        ek.override("Dear guest, you get 80 euros soon.", by="redactor", reason="names")
    back = run.backtrack(span="80 euros")
    assert [place.label for place in back.introducers] == ["output of ask"]
    assert [use.refused for use in back.contexts] == [None]


def test_a_verdict_after_the_answer_refuses_no_draft():
    run = judged()
    run.verdict("failed", judge="later", link="final")
    back = run.backtrack(span="80")
    assert [place.label for place in back.introducers] == ["output of final"]


class Letter(BaseModel):
    text: str


def writing(writer):
    """A machine whose answer is the letter that was sent last, once the first one was published."""
    send, publish = (define_event(name, input=Letter) for name in ("send", "publish"))
    kept = assign(lambda args: {"letter": args.event.payload["text"]})
    return machine(
        "desk",
        events=[send, publish, define_event("finished")],
        actors={"writer": writer},
        context={"letter": ""},
        initial="writing",
        states={
            "writing": state(
                invoke=invoke("writer", input={"prompt": "Write a letter."}),
                on={"send": to(do=[kept, answer(lambda args: "sent")]), "finished": to("done")},
            ),
            "done": final(output=lambda args: args.context["letter"]),
        },
    )


def test_what_came_with_a_pick_that_was_refused_is_a_draft():
    said = {"text": "Dear guest, the fee is 80 euros for you."}
    model = ScriptedModel(
        [
            ToolCall(id="", name="publish", arguments=said),
            ToolCall(id="", name="send", arguments=said),
            ToolCall(id="", name="finished"),
        ]
    )
    asyncio.run(writing(agent(model=model, instructions="Be kind.")).run())
    back = ek.last().backtrack(span="80 euros")
    assert [place.label for place in back.introducers] == ["output of writer model #2"]
    told = {use.refused for use in back.contexts if use.refused}
    assert told == {"the machine refused it"}


def test_what_comes_with_a_pick_supports_nothing_by_itself():
    letter = {"text": "Dear guest, the fee is 80 euros for you."}
    asyncio.run(writing(ScriptedAgent([("send", letter), "finished"])).run())
    back = ek.last().backtrack()
    assert [row.state for row in back.coverage] == ["nothing"]
