"""Measured changes in stories: each told once, as one change, by the words that it changed."""

import json

import pytest

import explainkit as ek
from explainkit.flow import Agent, piece, tool
from explainkit.flow.models import CallableModel, ToolCall
from explainkit.session import Run
from explainkit.store import Recording
from explainkit.testing.building import TraceBuilder
from tests.view.story.test_laws_of_stories import check_linked

PAGES = [
    {"id": "old", "text": "Open from 10:00 until 18:00, on Thursday until 21:00."},
    {"id": "shop", "text": "The shop sells postcards."},
    {"id": "tickets", "text": "A ticket costs 9 euros."},
]


def of_kind(run, kind):
    story = run.story()
    check_linked(story)
    return [each.text for each in story if each.kind == kind]


def desk():
    @ek.link(kind="retrieval", deterministic=True)
    def search(query, k=3):
        return PAGES[:k]

    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "Until 21:00." if "21:00" in prompt else "I do not know."

    @ek.traced("museum")
    def museum(question):
        style = ek.context("style", "Be brief.", kind="instruction")
        hits = "\n".join(each["text"] for each in search(question))
        return ek.answer(ask(ek.assemble("{s}\n{h}\n{q}", s=style, h=hits, q=question)))

    museum("How long are you open on Thursday?")
    return ek.last()


def test_an_item_is_named_with_its_id():
    run = desk()
    run.whatif(remove=("search", 0), span="21:00")
    (told,) = of_kind(run, "finding")
    assert told == (
        "Taking away item 1 of “search” (old) turned the "
        "answer in 1 of 1 re-run, against 0 of 2 re-runs without the change, and came out as "
        "“cause”."
    )


def test_several_removals_at_once_are_told_as_one_change():
    run = desk()
    run.whatif(remove=[("search", 1), ("search", 2)], span="21:00")
    run.whatif(remove=["style", ("search", 1)], span="21:00")
    run.whatif(remove=["style", ("search", 0), ("search", 1), ("search", 2)], span="21:00")
    (told,) = of_kind(run, "finding")
    assert told == (
        "Three changes were measured: taking away four pieces together (“style”, item 1 of "
        "“search” (old), item 2 of “search” (shop) and 1 more) came out as “cause”; taking away "
        "two items of “search” together (2 and 3) and taking away two pieces together (“style” "
        "and item 2 of “search” (shop)) came out as “not shown”."
    )


def test_words_that_were_replaced_are_told_by_words():
    run = desk()
    run.whatif(replace={("search", "21:00"): "22:00"}, span="21:00")
    assert of_kind(run, "finding")[0].startswith(
        "Replacing “21:00” by “22:00” in “text” of item 1 of “search” turned the answer in 1 of 1"
    )
    run.whatif(replace={("ask", "21"): "23"}, span="21:00")
    run.whatif(remove=("style", "brief"), span="21:00")
    run.whatif(edit={"search": {"k": 1}}, span="21:00")
    run.whatif(reorder={"search": [2, 0, 1]}, span="21:00")
    (told,) = of_kind(run, "finding")
    assert "replacing “21” by “23” in what “ask” gave" in told
    whole = "".join(each.text for each in run.story(full=True))
    assert "aking away “brief” from “style” turned" in whole
    assert "iving “search” another “k” turned" in whole
    assert "utting the items of “search” in the order 3, 1 and 2 turned" in whole


def test_a_number_that_was_replaced_is_told_without_quotes():
    @ek.link(kind="tool", deterministic=True)
    def rate(pair):
        return {"pair": pair, "rate": 0.089}

    @ek.traced("trip")
    def trip(pair):
        return ek.answer(f"It costs {120 * rate(pair)['rate']:.2f} SEK.")

    trip("EUR/SEK")
    run = ek.last()
    run.whatif(replace={("rate", "/rate"): 11.2}, span="10.68", times=5)
    assert of_kind(run, "finding")[0].startswith(
        "Replacing 0.089 by 11.2 in “rate” of “rate” turned the answer in 5 of 5 re-runs"
    )


def test_a_change_that_two_judges_put_otherwise_says_which():
    run = desk()
    run.whatif(swap={"ask": "Until 21:00!"}, span="21:00")
    run.whatif(swap={"ask": "Until 21:00!"}, judge=lambda answer: answer.endswith("."))
    (told,) = of_kind(run, "finding")
    assert told.startswith(
        "Two changes were measured: giving “Until 21:00!” as the result of “ask”"
    )
    assert "with the judge “still says '21:00'” came out as “not shown”" in told
    run = desk()
    run.whatif(remove="style", span="21:00")
    run.whatif(remove="style", span="Until")
    assert of_kind(run, "finding") == [
        "One change was measured: taking away “style” came out as “not shown”."
    ]


def test_causes_are_named_first_and_what_is_not_named_is_counted_by_its_outcome():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "Half." if "half" in prompt else "None."

    @ek.traced("claim")
    def claim():
        notes = [ek.context(f"note {n}", f"Line {n}.") for n in range(8)]
        notes.append(ek.context("rule", "We pay half."))
        return ek.answer(ask(" ".join(notes)))

    claim()
    run = ek.last()
    for name in (*(f"note {n}" for n in range(8)), "rule"):
        run.whatif(remove=name)
    (told,) = [each for each in run.story() if each.kind == "finding"]
    assert told.text == (
        "Nine changes were measured: taking away “rule” came out as “cause”; taking away “note 0”, "
        "taking away “note 1” and 6 more came out as “not shown”."
    )
    assert told.folded == 6
    assert len([each for each in run.story(full=True) if each.kind == "finding"]) == 9


def stuck():
    """A run of an Agent that finds no way on without its tool."""

    def price(city: str) -> dict:
        return {"city": city, "night": 120}

    def planner(prompt):
        texts = [str(each["content"]) for each in prompt if each["role"] == "tool"]
        said = [json.loads(text) for text in texts if text.startswith("{")]
        if said:
            return f"A night costs {said[0]['night']} EUR."
        return ToolCall(id="", name="price", arguments={"city": "Linz"})

    agent = Agent(
        CallableModel(planner, deterministic=True),
        "You plan trips.",
        tools=[tool(price)],
        context=[piece("manners", "Be brief.", kind="instruction")],
        name="planner",
    )

    @ek.traced("trip")
    def trip(question):
        return ek.answer(agent.run_sync(question))

    trip("What does a night cost?")
    return ek.last()


def test_of_a_run_that_raised_no_turned_answer_is_told():
    run = stuck()
    run.whatif(remove=["tool price", "manners"], span="120")
    (told,) = of_kind(run, "finding")
    assert told.startswith(
        "Taking away two pieces together (“tool price” and “manners”) came out as “inconclusive”: "
    )
    assert "turned the answer" not in told


def test_a_model_is_said_to_call_for_a_tool():
    told = " ".join(of_kind(stuck(), "link"))
    assert "and called for price(city: Linz)" in told
    assert "asked to call" not in told


@pytest.mark.parametrize("flips", [[1, 0], [0, 0]])
def test_a_change_that_was_not_applied_is_told_as_that_and_no_more(flips):
    built = TraceBuilder(name="not applied")
    built.append("run_started", run="r1", name="not applied")
    why = "'The pool costs 5 euros.' still reached the model by another way"
    built.append("answer", value=built.value("The pool costs 5 euros."))
    change = {"verb": "replace", "seq": 2, "name": "answer", "start": 15, "end": 16, "by": "'7'"}
    family = {"slot": "answer", "version": 1, "judge": "same answer"}
    built.append(
        "finding", word="not applied", interventions=[change], n=0, flips=flips, reason=why,
        detail={"family": family, "changed": "1", "unchanged": "", "key": "k", "not_applied": why},
    )  # fmt: skip
    trace = built.build("answered")
    run = Run.loaded(Recording.of_lines(trace.lines, notes=trace.notes))
    (told,) = of_kind(run, "finding")
    assert told == f"Replacing “5” by “7” in “answer” came out as “not applied”: “{why}”."


def test_a_change_that_really_was_not_applied_is_told_as_that():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "It costs 5 euros."

    @ek.traced("pool")
    def pool():
        first = ek.context("first", "It costs 5 euros.")
        second = ek.context("second", "It costs 5 euros.")
        return ek.answer(ask(f"{first} {second}"))

    pool()
    run = ek.last()
    found = run.whatif(remove="first")
    assert found.word == "not applied"
    (told,) = of_kind(run, "finding")
    assert told.startswith("Taking away “first” came out as “not applied”: ")
    assert "turned" not in told


def test_verdicts_without_a_reason_name_what_they_judge_in_one_sentence():
    run = desk()
    for link in run.recording.rows("link_opened"):
        run.verdict("passed", judge="Mia", link=link["seq"])
    (told,) = of_kind(run, "verdict")
    assert told.startswith("“Mia” judged three steps as passed: what the retrieval “search” gave")
    assert "the prompt that was put together (record" in told
    assert "what the model “ask” said (record" in told
    run.verdict("failed", judge="Mia", reason="closed at 17:00")
    assert of_kind(run, "verdict")[1] == (
        "“Mia” judged version 1 of the answer as failed: “closed at 17:00”."
    )


def test_the_steps_of_a_bisection_and_its_result_are_told_in_two_sentences():
    run = desk()
    run.bisect(lambda step: "21:00" not in step.output)
    (told,) = of_kind(run, "finding")
    assert told.startswith("The result of a bisection: “The first wrong link is retrieval search")


def test_parts_under_keys_that_are_no_texts_are_found():
    @ek.link(kind="tool", deterministic=True)
    def prices():
        return {2025: {"fare": 40}, "2026": {"fare": 50}}

    @ek.traced("fares")
    def fares():
        return ek.answer(f"It costs {prices()[2025]['fare']} euros.")

    fares()
    run = ek.last()
    run.whatif(replace={("prices", "/2025/fare"): 45}, span="40")
    assert of_kind(run, "finding")[0].startswith(
        "Replacing 40 by 45 in “fare” of “2025” of “prices” turned"
    )
