"""A bisection of a recorded run names its first wrong link in few questions, and records them."""

import asyncio
import contextlib
from math import ceil, log2

import numpy as np
import pytest

import explainkit as ek
from explainkit.errors import UnknownRecordError
from explainkit.flow.checks import CheckResult


@ek.link
def step(state):
    number = state["number"] + 1
    wrong = state["wrong"] or number == state["fault"]
    text = f"step {number} of the long chain is {'bad' if wrong else 'good'}"
    return {**state, "number": number, "wrong": wrong, "text": text}


def chain(length, fault):
    with ek.trace("chain") as run:
        state = {"number": 0, "wrong": False, "fault": fault, "text": "the beginning of it all"}
        for _ in range(length):
            state = step(state)
        ek.answer(state)
    return run


def is_right(asked):
    return not asked.value["wrong"]


@pytest.mark.parametrize("length", [10, 60, 300])
@pytest.mark.parametrize("where", [0.0, 0.3, 1.0])
def test_a_chain_takes_log2_questions_and_the_one_about_the_answer(length, where):
    fault = 1 + round(where * (length - 1))
    run = chain(length, fault)
    bisection = run.bisect(is_right)
    assert bisection.step.value["number"] == fault
    assert len(bisection.found.answers) <= ceil(log2(length)) + 1
    assert bisection.found.answers[0] == (bisection.links[-1], "wrong")


@pytest.mark.slow
def test_a_chain_of_a_thousand_links_takes_eleven_questions():
    bisection = chain(1000, 377).bisect(is_right)
    assert bisection.step.value["number"] == 377
    assert len(bisection.found.answers) <= 11


def test_the_fault_is_found_inside_of_a_link_and_not_beside_it():
    @ek.link
    def inner(number):
        return 999 if number == 7 else number + 1

    @ek.link
    def outer(number):
        return inner(inner(number))

    with ek.trace("nested") as run:
        number = 1
        for _ in range(6):
            number = outer(number)
        ek.answer(number)
    bisection = run.bisect(lambda asked: asked.value < 999)
    assert (bisection.step.name, bisection.step.inputs) == ("inner", {"number": "7"})


def test_a_wrong_input_of_an_outer_link_is_found_before_it():
    """What runs first inside of a link was made from what the link was given."""

    @ek.link
    def read(text):
        return 3

    @ek.link
    def inner(number):
        return number * 10

    @ek.link
    def outer(number):
        return inner(number) + 1

    with ek.trace("given") as run:
        ek.answer(outer(read("It is 4.")))
    assert run.bisect(lambda asked: False).step.name == "read"


@ek.link(kind="model")
def chat(messages):
    return f"Reply {len(messages)}: it is {'late' if len(messages) > 17 else 'early'} in the day."


def conversation(turns):
    with ek.trace("chat") as run:
        history = ["Hello there, my dear model."]
        for _ in range(turns):
            history = [*history, chat(history)]
        ek.answer(history[-1])
    return run


def test_a_conversation_takes_log2_questions_when_the_rest_is_presumed():
    run = conversation(40)
    bisection = run.bisect(lambda asked: "early" in asked.output, presume=True)
    assert bisection.step.output.startswith("Reply 18:")
    assert len(bisection.found.answers) <= ceil(log2(40)) + 1
    assert bisection.found.presumed
    assert "presumed right, not asked about: model chat" in str(bisection)
    assert " more" in str(bisection)


def test_otherwise_all_of_what_was_handed_on_is_asked_about():
    run = conversation(20)
    bisection = run.bisect(lambda asked: "early" in asked.output)
    assert bisection.step.output.startswith("Reply 18:")
    assert not bisection.found.presumed
    assert {link for link, _ in bisection.found.answers} >= set(bisection.found.inputs)


def test_a_person_says_that_it_is_enough_once_a_suspect_stands():
    bisection = conversation(20).bisect()
    with pytest.raises(ValueError, match="no suspect stands yet"):
        bisection.enough()
    while bisection.question.suspect is None:
        bisection.answer("early" in bisection.question.output)
    assert "suspect   model chat" in repr(bisection)
    assert ".enough()" in repr(bisection)
    answers = bisection.question.number - 1
    bisection.enough()
    assert bisection.step.output.startswith("Reply 18:")
    assert len(bisection.found.answers) == answers
    assert bisection.found.presumed
    with pytest.raises(ValueError, match="nothing to presume"):
        bisection.enough()


def test_a_person_answers_one_by_one_and_sees_what_was_given_and_gave():
    bisection = chain(10, 4).bisect()
    first = bisection.question
    assert (first.number, first.type, first.name) == (1, "function", "step")
    assert set(first.inputs) == {"state"}
    assert f"(record {first.seq})" in repr(bisection)
    assert first.output in repr(bisection).replace("…", "")
    while (asked := bisection.question) is not None:
        _ = bisection.right() if is_right(asked) else bisection.wrong()
    assert bisection.step.value["number"] == 4
    assert "The first wrong link is function step" in repr(bisection)
    assert "The first wrong link is function step" in bisection._repr_html_()
    told = f"the first wrong link is {bisection.step.title}, after "
    assert str(bisection.found).startswith(told)
    with pytest.raises(ValueError, match="is over"):
        bisection.right()


def test_don_t_know_costs_one_more_question():
    bisection = chain(16, 5).bisect().wrong()
    bisection.dont_know()
    while (asked := bisection.question) is not None:
        bisection.answer(is_right(asked))
    assert bisection.step.value["number"] == 5
    assert len(bisection.found.answers) <= 6


def test_an_answer_is_taken_back_and_asked_again():
    run = chain(16, 5)
    bisection = run.bisect()
    with pytest.raises(ValueError, match="Nothing was answered yet"):
        bisection.back()
    bisection.wrong()
    first = bisection.question
    bisection.answer(is_right(first))
    second = bisection.question
    bisection.answer(not is_right(second)).back()
    assert bisection.question == second
    while (asked := bisection.question) is not None:
        bisection.answer(is_right(asked))
    assert bisection.step.value["number"] == 5
    assert len(bisection.found.answers) == 5
    statuses = [row["status"] for row in run.recording.rows("verdict")]
    assert statuses.count("not-run") == 1
    assert run.bisect(known=True).found.link == bisection.found.link


def test_the_last_answer_is_taken_back_after_the_end():
    run = chain(16, 5)
    bisection = run.bisect(lambda asked: False)
    wrong = bisection.step
    bisection.back()
    assert bisection.found is None
    while (asked := bisection.question) is not None:
        bisection.answer(is_right(asked) or asked.value["number"] < 3)
    assert bisection.step != wrong


def test_when_nothing_is_known_all_links_are_left():
    bisection = chain(4, 2).bisect(lambda asked: None)
    assert bisection.step is None
    assert len(bisection.found.candidates) == 4
    assert "The first wrong link is one of function step" in str(bisection)
    assert "the first wrong link is one of function step" in str(bisection.found)


def test_two_answers_about_the_same_call_that_differ_find_nothing():
    @ek.link
    def read(place):
        return "the same long words again"

    @ek.link
    def both(one, two):
        return f"{one} and {two}, joined in one"

    with ek.trace("same call") as run:
        ek.answer(both(both(read("a"), read("b")), read("a")))
    links = [row["seq"] for row in run.recording.rows("link_opened", "link_closed")]
    first, second = links[0], links[-4]
    said = {first: False, second: True}
    bisection = run.bisect(lambda asked: said.get(asked.seq))
    if bisection.found.contradiction is None:  # one of the two was asked, and went for both
        assert len([link for link, _ in bisection.found.answers if link in said]) == 1
    else:
        assert "was first said" in str(bisection)


def test_a_verdict_of_before_that_contradicts_is_told_with_both_links():
    @ek.link
    def read(place):
        return "the same long words again"

    with ek.trace("known") as run:
        one = read("a")
        two = read("a")
        ek.answer(f"{one}, {two}: both of them")
    first, second = (row["seq"] for row in run.recording.rows("link_opened"))
    run.verdict("passed", judge="bisection", link=first)
    run.verdict("failed", judge="bisection", link=second)
    bisection = run.bisect(known=True).wrong()
    assert bisection.step is None
    told = f"function read (record {second}) made the same call as function read (record {first})"
    assert told in str(bisection)
    assert next(run.recording.rows("finding"))["word"] == "inconclusive"


def test_each_answer_is_a_verdict_on_its_link_and_the_end_a_finding():
    run = chain(10, 4)
    bisection = run.bisect(is_right, judge="Ada")
    verdicts = [row for row in run.recording.rows("verdict") if row["judge"] == "Ada"]
    words = {"right": "passed", "wrong": "failed"}
    told = [(row["link"], row["status"]) for row in verdicts]
    assert told == [(link, words[said]) for link, said in bisection.found.answers]
    (finding,) = run.recording.rows("finding")
    assert finding["word"] == "first wrong"
    assert finding["detail"]["link"] == bisection.found.link
    assert finding["reason"] == str(bisection)
    assert f"The result of a bisection: “{str(bisection)[:1].upper()}" in str(run.story())
    assert run.doctor() == []


def test_a_bisection_goes_on_after_the_run_was_saved_and_loaded(tmp_path):
    run = chain(30, 11)
    bisection = run.bisect()
    for _ in range(3):
        bisection.answer(is_right(bisection.question))
    path = run.save(tmp_path / "run.ek.jsonl")
    loaded = ek.load(path)
    going_on = loaded.bisect(known=True)
    assert len(going_on.known) == 3
    asked = 0
    while going_on.found is None:
        going_on.answer(is_right(going_on.question))
        asked += 1
    assert going_on.step.value["number"] == 11
    assert asked <= 3
    again = ek.load(path)
    assert len(list(again.recording.rows("finding"))) == 1
    assert again.doctor() == []
    assert again.bisect(known=True).found.link == going_on.found.link


def test_without_known_an_oracle_is_asked_anew():
    run = chain(10, 4)
    run.bisect(lambda asked: False)
    assert run.bisect(is_right).step.value["number"] == 4


class IsGood:
    id = "is-good"

    def check(self, value, context):
        del context
        return CheckResult("failed" if value["wrong"] else "passed")


def test_a_checker_of_values_answers_and_is_named_in_the_verdicts():
    run = chain(10, 4)
    assert run.bisect(IsGood()).step.value["number"] == 4
    assert {row["judge"] for row in run.recording.rows("verdict")} == {"is-good"}


def test_a_checker_that_breaks_does_not_know():
    class Broken:
        id = "broken"

        def check(self, value, context):
            raise OSError("away")

    assert len(chain(3, 2).bisect(Broken()).found.candidates) == 3


def test_an_oracle_that_is_awaited():
    async def oracle(asked):
        await asyncio.sleep(0)
        return is_right(asked)

    run = chain(10, 4)
    assert asyncio.run(run.bisect_async(oracle)).step.value["number"] == 4


@pytest.mark.parametrize("said", ["perhaps", 3.5, [], {}])
def test_what_is_no_answer_is_refused_and_the_question_stands(said):
    bisection = chain(4, 2).bisect()
    asked = bisection.question
    with pytest.raises(ValueError, match="is no answer"):
        bisection.answer(said)
    assert bisection.question == asked


def test_an_oracle_that_raises_leaves_its_verdicts():
    run = chain(10, 4)

    def oracle(asked):
        if asked.number == 3:
            raise KeyboardInterrupt
        return is_right(asked)

    with pytest.raises(KeyboardInterrupt):
        run.bisect(oracle)
    assert len(run.bisect(known=True).known) == 2


@pytest.mark.parametrize("oracle", [3, "right", object()])
def test_what_is_no_oracle_is_refused(oracle):
    with pytest.raises(TypeError, match="An oracle is a function"):
        chain(3, 2).bisect(oracle)


def test_a_run_without_links_cannot_be_bisected():
    with ek.trace("empty") as run:
        pass
    with pytest.raises(UnknownRecordError, match="no link that ended"):
        run.bisect()


def test_a_link_that_raised_is_shown_with_its_error():
    @ek.link
    def fail(state):
        raise ValueError("the long division went wrong")

    with pytest.raises(ValueError, match="long division"), ek.trace("failing") as run:
        fail(step({"number": 0, "wrong": False, "fault": 9, "text": "the beginning"}))
    bisection = run.bisect(lambda asked: not asked.error)
    assert (bisection.step.name, bisection.step.error) == ("fail", True)
    assert "raised" in repr(bisection)
    assert "long division" in repr(bisection)


def test_a_version_before_an_override_is_asked_about_and_judged():
    with ek.trace("overridden") as run:
        state = step({"number": 0, "wrong": False, "fault": 9, "text": "the beginning"})
        ek.answer(f"Half of it. {state['text']}")
        ek.override(lambda text: text.replace("Half", "None"), by="editor", reason="shorter")
    bisection = run.bisect(lambda asked: "None" not in asked.output)
    assert (bisection.step.type, bisection.step.name) == ("override", "editor")
    assert bisection.step.version == 2
    judged = [row for row in run.recording.rows("verdict") if row.get("version") is not None]
    assert [(row["slot"], row["version"]) for row in judged] == [("answer", 2), ("answer", 1)]
    assert "version 2 of the answer, by editor" in str(bisection)


def test_what_is_shown_is_escaped_and_short():
    @ek.link
    def hostile(text):
        return "<script>alert(1)</script>\x1b[31m\u202e" + text * 400

    with ek.trace("hostile") as run:
        ek.answer(hostile(hostile("<b>and more of it</b>")))
    bisection = run.bisect()
    html = bisection._repr_html_()
    assert "<script>" not in html
    assert "\u202e" not in html
    assert "\x1b" not in repr(bisection)
    assert all(len(line) < 240 for line in repr(bisection).splitlines())
    assert len(html) < 20_000


@pytest.mark.parametrize(
    ("folder", "pattern"),
    [("who_and_when/algorithm_generated", "*.json"), ("tau_bench", "*airline*.json")],
)
def test_imported_runs_are_bisected_as_recorded_ones(shared_data, folder, pattern):
    path = min((shared_data / "recorded" / folder).glob(pattern))
    run = next(iter(ek.load_all(path)))
    links = run.bisect().links
    fault = links[len(links) // 3]
    bisection = run.bisect(lambda asked: asked.seq < fault, presume=True)
    assert bisection.found.link == fault
    assert len(bisection.found.answers) <= ceil(log2(len(links))) + 1
    assert run.bisect(lambda asked: asked.seq < fault).found.link == fault


def test_where_nothing_is_wrong_no_link_is_named():
    run = chain(6, 99)
    bisection = run.bisect(is_right)
    assert (bisection.step, bisection.found.link, bisection.found.nothing) == (None, None, True)
    assert str(bisection).startswith("No step was found to be wrong: what the run gave is right")
    assert len(bisection.found.answers) == 1
    (finding,) = run.recording.rows("finding")
    assert finding["word"] == "nothing wrong"
    assert "first wrong" not in str(run.story())
    assert run.doctor() == []


def test_a_run_of_one_link_is_asked_about_before_that_link_is_named():
    run = chain(1, 1)
    bisection = run.bisect()
    assert bisection.found is None
    assert bisection.question.opening
    assert "Question 1, if anything is wrong" in str(bisection)
    assert bisection.wrong().step.name == "step"
    assert len(bisection.found.answers) == 1


def test_an_answer_that_passed_is_not_bisected():
    run = chain(6, 4)
    run.verdict("passed", judge="Ada")
    bisection = run.bisect()
    assert bisection.found.nothing
    assert str(bisection).startswith("No step was asked about: “Ada” let the answer pass.")
    assert str(bisection.found) == "nothing was asked: the answer is known to be right"
    run.verdict("failed", judge="Ben")
    assert run.bisect(is_right).step.value["number"] == 4


def test_an_answer_that_a_judge_let_pass_is_bisected_all_the_same():
    run = chain(6, 4)
    run.verdict("passed", judge="check")
    assert run.bisect().found.nothing
    bisection = run.bisect(wrong=True)
    assert not bisection.question.opening
    while (asked := bisection.question) is not None:
        bisection.answer(is_right(asked))
    assert bisection.step.value["number"] == 4
    on_answer = [row for row in run.recording.rows("verdict") if row.get("slot") == "answer"]
    assert [(row["judge"], row["status"]) for row in on_answer] == [
        ("check", "passed"), ("bisection", "failed")]  # fmt: skip
    assert run.bisect(is_right, wrong=True).step.value["number"] == 4
    on_answer = [row for row in run.recording.rows("verdict") if row.get("slot") == "answer"]
    assert len(on_answer) == 2  # it is not said twice
    assert run.bisect(known=True).step.value["number"] == 4  # nothing is asked twice
    assert run.bisect().question.opening  # who called it wrong is asked again, and not told no


def test_where_nothing_is_wrong_the_finding_speaks_no_python():
    run = chain(6, 99)
    assert "run.bisect(wrong=True) goes on" in str(run.bisect(is_right))
    (finding,) = run.recording.rows("finding")
    assert finding["reason"] == (
        "No step was found to be wrong: what the run gave is right, after 1 question."
    )


def test_a_failed_verdict_on_the_answer_is_the_first_answer():
    run = chain(60, 17)
    run.verdict("failed", judge="Ada", reason="it is bad")
    bisection = run.bisect(is_right)
    assert bisection.step.value["number"] == 17
    assert len(bisection.found.answers) <= 6
    assert bisection.links[-1] not in dict(bisection.found.answers)


def test_a_verdict_on_an_earlier_version_says_nothing_of_the_answer():
    with ek.trace("corrected") as run:
        ek.answer(step({"number": 0, "wrong": False, "fault": 9, "text": "the beginning"}))
        ek.override(lambda state: {**state, "text": "none"}, by="editor", reason="shorter")
    run.verdict("failed", judge="Ada", version=1)
    assert run.bisect().question.opening


def test_a_bisection_that_was_begun_is_not_taken_for_a_verdict_of_another_judge():
    run = chain(6, 99)
    run.bisect(is_right)
    assert run.bisect().question.opening
    assert run.bisect(known=True).found.nothing


def test_a_verdict_on_a_step_is_not_shown_as_one_on_the_answer():
    run = chain(4, 2)
    run.bisect(is_right)
    told = repr(run)
    assert "Verdict  none on the answer" in told
    assert "Verdict  on steps: bisection let 1 step pass and called 2 wrong" in told
    (judged,) = run.backtrack().board().judged_steps
    assert judged.verdicts[0].words.startswith(
        "on a step, not on the answer: failed, says bisection (link step ("
    )


def test_a_link_is_not_named_twice():
    with ek.trace("named") as run:
        note = ek.context("note", "We close at 22:00 today.")
        ek.answer(ek.assemble("{note} Ask.", note=note))
    asked = run.bisect().question
    assert asked.title == f"assemble (record {asked.seq})"


def test_who_gives_an_oracle_is_not_silenced_by_another_judge():
    run = chain(6, 4)
    run.verdict("passed", judge="check")
    assert run.bisect(is_right).step.value["number"] == 4
    assert run.bisect(IsGood()).step.value["number"] == 4


def test_the_advice_about_another_slot_names_it():
    with ek.trace("items") as run:
        ek.answer(step({"number": 0, "wrong": False, "fault": 9, "text": "x"}), slot="item:pram")
    run.verdict("passed", judge="check", slot="item:pram")
    told = str(run.bisect(slot="item:pram"))
    assert "“check” let the answer pass" in told
    assert "run.bisect(slot='item:pram', wrong=True) goes on" in told
    assert run.bisect(slot="item:pram", wrong=True).step.name == "step"
    run.verdict("failed", judge="Ben", slot="item:pram")
    assert run.bisect(slot="item:pram").step.name == "step"
    with pytest.raises(UnknownRecordError, match=r"slot 'nope'.*'item:pram'"):
        run.bisect(is_right, slot="nope")


def test_a_run_that_raised_outside_of_its_links_is_not_said_to_be_right():
    with contextlib.suppress(ValueError), ek.trace("breaks") as run:
        step({"number": 0, "wrong": False, "fault": 9, "text": "x"})
        raise ValueError("boom")
    bisection = run.bisect(is_right)
    assert (bisection.step, bisection.found.nothing) == (None, False)
    told = str(bisection)
    assert told.startswith("No step is named, after 1 question: what was asked about is right")
    assert "raised ValueError: boom (test_bisections.py:" in told
    (finding,) = run.recording.rows("finding")
    assert finding["word"] == "inconclusive"
    wrong = run.bisect(lambda asked: False)
    assert wrong.step.name == "step"


def test_a_bool_of_an_array_is_an_answer():
    run = chain(10, 4)
    assert run.bisect(lambda asked: np.bool_(is_right(asked))).step.value["number"] == 4


def test_an_oracle_that_must_be_awaited_is_told_where_it_belongs():
    async def oracle(asked):
        return is_right(asked)

    run = chain(10, 4)
    with pytest.raises(TypeError, match=r"await run\.bisect_async"):
        run.bisect(oracle)
    for each in (is_right, IsGood()):
        assert asyncio.run(run.bisect_async(each)).step.value["number"] == 4
