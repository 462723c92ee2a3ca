"""Stories of real runs: what happened, in order, true to the records, with repetition counted."""

import asyncio
import re

import pytest

import explainkit as ek
from explainkit.demos.claims_desk import NOTE, run_demo
from explainkit.errors import UnknownRecordError
from explainkit.flow import (
    Loop,
    ScriptedAgent,
    answer,
    define_event,
    final,
    invoke,
    machine,
    python,
    state,
    to,
)
from explainkit.session import Run
from explainkit.store import Recording
from tests.answering import flow_parts
from tests.session.ended_runs import KINDS, asking, choosing, refused, run_of, several
from tests.view.bigger import chat
from tests.view.story.test_laws_of_stories import MOST, check_linked


def texts(story, kind=None):
    return [each.text for each in story if kind in (None, each.kind)]


def only(story, kind):
    (found,) = texts(story, kind)
    return found


@pytest.fixture(scope="module")
def desk():
    return run_demo().run


def test_the_claims_desk_is_told_from_its_question_to_the_source_of_the_wrong_words(desk):
    story = desk.story()
    check_linked(story)
    assert 5 <= len(story) <= 15
    kinds = [each.kind for each in story]
    assert kinds[:8] == [
        "start", "context", "link", "left out", "link", "link", "answer", "override",
    ]  # fmt: skip
    assert kinds[8:10] == ["end", "verdict"]
    assert set(kinds[10:]) == {"origin"}
    assert "“My train was 40 minutes late. What do I get back?”" in only(story, "start")
    assert "“the customer wrote about a delay before”" in only(story, "context")
    assert "cut by rank" in only(story, "left out")
    assert "“names stay inside”" in only(story, "override")
    assert only(story, "verdict").startswith("“reviewer” judged version 2 of the answer as failed")


def test_the_source_of_the_words_is_quoted_with_its_place_and_its_grade_in_words(desk):
    told = next(
        each for each in desk.story() if "campaign-note" in each.text and each.kind == "origin"
    )
    start, end = map(int, re.search(r"characters (\d+) to (\d+)", told.text).groups())
    assert NOTE[start - 1 : end] == "we pay back half of the fare."
    assert f"“{NOTE[start - 1 : end]}”" in told.text
    assert "the same words in other case" in told.text  # the answer begins with "We"
    assert desk.recording.raw(told.seq[0])["name"] == "campaign-note"


def test_words_are_said_to_be_of_the_answer_only_when_they_stand_in_it(desk):
    quotes = [
        re.search("“([^”]*)” of the answer (?:stand|go|first|came)", text)
        for text in texts(desk.story(), "origin")
    ]
    words = [found[1] for found in quotes if found]
    assert words
    assert all(each.casefold() in desk.answer.casefold() for each in words)
    assert not any("Ines Harlow" in each for each in words)


def test_an_answer_that_nobody_judged_is_not_walked_back():
    with ek.trace("fine", question="How long?") as run:
        note = ek.context("note", "An hour at most.")
        ek.answer(note)
    assert texts(run.story(), "origin") == []
    run.verdict("passed", judge="reviewer")
    assert texts(run.story(), "origin") == []
    run.verdict("failed", judge="reader")
    assert "“note”" in texts(run.story(), "origin")[0]


def test_a_verdict_on_an_earlier_version_is_called_stale():
    with ek.trace("judged twice") as run:
        ek.answer("Half of the fare.")
        run.verdict("passed", judge="check")
        ek.override("Nothing.", by="desk", reason="the tariff says so")
    told = only(run.story(), "verdict")
    assert "stale, since version 2 took its place" in told


@pytest.mark.parametrize("kind", KINDS)
def test_a_verdict_that_ends_a_run_is_told_with_its_reason_and_who_carried_it(kind):
    run = refused(kind)
    story = run.story()
    check_linked(story)
    terminal = [each for each in story if each.kind == "verdict"][-1]
    assert f"the Agent “desk” ended there, on the verdict “{kind}”" in terminal.text.replace(
        "The Agent", "the Agent"
    )
    assert run.recording.raw(terminal.seq[-1])["terminal"] == kind
    assert f"on the verdict “{kind}”" in only(story, "end")
    assert "handed on by the sequence “letter”" in only(story, "end")
    assert f"run() raises {run.ended_by.raised} for it" in only(story, "end")


def test_branches_that_failed_side_by_side_are_all_told():
    end = only(run_of(several()).story(), "end")
    assert "three branches gave none" in end
    assert all(name in end for name in ("“cashier”", "“boom”", "“Loop”"))


def test_a_decision_tells_what_was_not_asked():
    told = only(run_of(choosing()).story(), "decision")
    assert "“first” gave no and “second” gave yes; it took “second”" in told
    assert told.endswith("“third” was not asked.")


def test_a_run_that_waits_tells_what_for():
    assert "waits for a person (question: Which order?)" in only(run_of(asking()).story(), "end")


def test_repetition_is_told_once_with_its_count_and_opens():
    run = run_of(Loop(lambda n: n + 1, for_at_most=400, name="count"), 0)
    story = run.story()
    check_linked(story)
    assert len(story) <= MOST
    (told,) = [each for each in story if "400 times" in each.text]
    assert told.folded == 400
    middle = told.seq[len(told.seq) // 2]
    (alone,) = story.of(middle)
    assert alone.folded == 0
    assert len(run.story(full=True)) > 400


def test_ten_thousand_links_are_told_in_a_few_sentences():
    run = Run.loaded(chat(2_000, tools=3))
    story = run.story()
    check_linked(story)
    assert sum(1 for _ in run.recording.rows("link_opened")) == 10_000
    assert len(story) <= MOST
    assert any("“search” was called 5,99" in text for text in texts(story))


def test_a_machine_is_told_by_its_picks_its_steps_and_what_was_read():
    chart = machine(
        "fix",
        events=[define_event("note"), define_event("finished")],
        actors={"coder": ScriptedAgent(["note", "finished"])},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"note": to(do=[answer(lambda args: "noted")]), "finished": to("done")},
            ),
            "done": final(),
        },
    )
    asyncio.run(chart.run())
    story = ek.last().story()
    check_linked(story)
    assert any("began, in “coding”" in text for text in texts(story, "link"))
    first, last = texts(story, "pick")
    assert "picked “note”; in the end it read “noted” (an answer in the chart)" in first
    assert last.endswith("with that its Turn was over.")


def test_a_batch_is_told_by_the_ends_of_its_items():
    results = flow_parts.run(
        batch=[flow_parts.item("a"), flow_parts.item("b"), flow_parts.item("c", "missing")]
    )
    story = results.run.story()
    check_linked(story)
    told = " ".join(texts(story))
    assert "began with three items: “a”, “b” and “c”" in told
    delivered = "(“Delays of train {0} from 120 minutes are paid back by half.”)".format
    told_ends = f"Two items were accepted: “a” {delivered('a')} and “b” {delivered('b')}."
    assert told_ends in texts(story, "decision")
    assert "The item “c” was blocked" in told


def test_a_record_that_stops_is_said_to_stop():
    lines = list(run_demo().run.recording.lines())
    story = Run.loaded(Recording.of_lines(lines[:8])).story()
    check_linked(story)
    assert only(story, "end").startswith("There the record stops, without an end")


def test_a_run_without_anything_has_a_beginning_and_an_end():
    with ek.trace("empty") as run:
        pass
    assert [each.kind for each in run.story()] == ["start", "end"]
    assert only(run.story(), "end").endswith("and gave no answer.")


def test_an_answer_that_nobody_gave_is_said_to_be_inferred():
    @ek.link(kind="model")
    def ask(prompt):
        return "An hour."

    with ek.trace("bare") as run:
        ask("How long?")
    assert "nobody said which output is the answer" in only(run.story(), "end")


def test_what_came_after_the_end_is_told_after_it(desk):
    run = run_demo().run
    run.note("Take the old note out.", by="Mia", about="campaign-note")
    story = run.story()
    kinds = [each.kind for each in story]
    assert kinds.index("end") < kinds.index("note")
    assert "“Mia” remarked about record" in only(story, "note")


def test_sources_outside_of_the_record_are_named():
    rate = 3

    @ek.traced("priced")
    def price(hours):
        return hours * rate

    price(2)
    missing = only(ek.last().story(), "missing")
    assert "“rate”" in missing
    assert "not on record" in missing


def test_a_record_opens_by_its_number_and_one_that_is_not_there_is_refused(desk):
    story = desk.story()
    assert [each.kind for each in story.of(24)] == ["verdict"]
    assert story.of(4) == ()  # a value, which is told by the record that names it
    with pytest.raises(UnknownRecordError):
        story.of(10_000)


def test_a_story_is_a_sequence_of_sentences_with_a_table_and_displays(desk):
    story = desk.story()
    assert len(list(story)) == len(story) == len(str(story).splitlines())
    assert story[0] == next(iter(story))
    assert story[-1:] == (story[-1],)
    frame = story.to_frame()
    assert list(frame.columns) == ["seq", "records", "kind", "text", "folded"]
    assert list(frame["text"]) == texts(story)
    assert repr(story).startswith("Story of delay-claim: 14 sentences")
    assert len(repr(story).splitlines()) <= 20
    assert "(records 3, 5)" in story._repr_html_()


@pytest.mark.parametrize("folder", ["who_and_when", "tau_bench"])
def test_runs_of_other_tools_have_stories(folder, shared_data):
    files = sorted((shared_data / "recorded" / folder).rglob("*.json"))
    for path in [*files[:4], *files[-4:]]:
        for _, run in zip(range(12), ek.load_all(path), strict=False):
            story = run.story()
            check_linked(story)
            assert len(story) <= MOST
            assert story[1].text.startswith("Another tool recorded it")
            assert any(each.kind == "origin" for each in story) == (
                run.recording.passing == "failing" and bool(str(run.answer).strip())
            )


def test_a_measured_change_is_told_with_what_was_changed_and_how_often_the_answer_turned():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "Half is paid." if "half" in prompt else "Nothing is paid."

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "We pay half. Be kind.", kind="memory")
        law = ek.context("law", "There is no rule.", kind="document")
        return ask(ek.assemble("{n} {law}", n=note, law=law))

    claim("40 minutes late?")
    run = ek.last()
    run.whatif(remove="note")
    assert only(run.story(), "finding") == (
        "Taking away “note” turned the answer in 1 of 1 re-run, against 0 of 2 re-runs without the "
        "change, and came out as “cause”."
    )
    run.whatif(replace={("law", "no"): "a"})
    run.whatif(swap={"ask": "Nothing."})
    assert only(run.story(), "finding") == (
        "Three changes were measured: taking away “note” and giving “Nothing.” as the result of "
        "“ask” came out as “cause”; replacing “no” by “a” in “law” came out as “not shown”."
    )


def test_a_change_has_the_word_that_it_has_now_and_is_told_once_with_its_part():
    @ek.link(kind="model")
    def ask(prompt):
        return "Half is paid." if "half" in prompt else "Nothing is paid."

    @ek.traced("claim")
    def claim(question):
        note = ek.context("note", "We pay half.", kind="memory")
        rows = ek.context("rows", [f"law {n}" for n in range(7)], kind="document")
        return ask(ek.assemble("{n} {rows}", n=note, rows=rows))

    claim("40 minutes late?")
    run = ek.last()
    run.whatif(remove="note", times=5)
    assert "came out as “cause”" in only(run.story(), "finding")
    for place in (*range(7), 0):
        run.whatif(remove=("rows", place), times=5)
    assert run.findings["word"][0] == "inconclusive"
    assert run.findings["reason"][0].startswith("cause when it was measured; ")
    told = only(run.story(), "finding")
    assert told.startswith("Eight changes were measured: taking away item 1 of “rows” (“law 0”)")
    assert told.endswith("; taking away “note” came out as “inconclusive”.")
    assert " beside all that was measured since, and as “cause” before" in str(run.story(full=True))
    check_linked(run.story())


def fees():
    return {"fee_eur": 45, "dog": "yes"}


def test_of_a_result_the_words_are_told_that_the_answer_holds_and_none_that_it_does_not_have():
    says = answer(lambda found: f"The fee is {found.event.output['fee_eur']} euros.")
    looking = invoke("fees", on_done=to("ready", do=says))
    chart = machine(
        "letter",
        events=[define_event("look"), define_event("send")],
        actors={"writer": ScriptedAgent(["look", "send"]), "fees": python(fees)},
        initial="writing",
        states={
            "writing": state(
                invoke=invoke("writer"),
                on={"send": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"look": to("looking")}),
                    "looking": state(invoke=looking),
                },
            ),
            "done": final(),
        },
    )
    chart.run_sync()
    run = ek.last()
    run.verdict("failed", judge="Ada", slot=run.picks["slot"][0])
    told = str(run.story(full=True))
    assert "“45” of what “writer” reads of its pick “look” goes back to “fee_eur” of what" in told
    assert "45 yes" not in told
