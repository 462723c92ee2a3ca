"""Who decides whether an answer flipped: one judge, chosen by stated rules, never by likeness."""

import re
from dataclasses import dataclass

import pytest

import explainkit as ek
from explainkit.errors import InterventionError
from explainkit.flow import Agent, halt
from explainkit.flow.models import ScriptedModel, ToolCall
from tests.whatif.programs import HALF, ask, claim, recorded


def answering(before, after, name="says"):
    """A run whose answer is `before` with its note and `after` without it."""

    @ek.link(kind="model", deterministic=True)
    def says(note):
        return before if note else after

    @ek.traced(name)
    def program(question):
        return says(ek.context("note", "There is a note."))

    return recorded(program, "q")


@dataclass
class Refund:
    amount: float
    reason: str


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("approved", "not approved", "cause"),
        ("approved", "approved", "not shown"),
        ("It is approved.", "it is  approved", "cause"),  # without a span the whole text counts
        (0.3, 0.1 + 0.2, "not shown"),
        (1, 1.0, "not shown"),
        (1, True, "cause"),
        (30, 31, "cause"),
        (float("nan"), float("nan"), "not shown"),
        ({"fare": 0.3, "zone": "a"}, {"zone": "a", "fare": 0.1 + 0.2}, "not shown"),
        ({"fare": 3, "zone": "a"}, {"fare": 3, "zone": "b"}, "cause"),
        ({"fare": 3}, {"fare": 3, "zone": "b"}, "cause"),
        ([1, 2], [2, 1], "cause"),
        ([1, [2.0]], [1, [2]], "not shown"),
        (None, "", "cause"),
        (Refund(3.0, "late"), Refund(3, "late"), "not shown"),
        (Refund(3.0, "late"), Refund(4.0, "late"), "cause"),
        (12345678901234, 12345678901235, "cause"),  # an account has no tolerance
        ({"account": 4111111111111111}, {"account": 4111111111111112}, "cause"),
        (10**30, 10**30 + 1, "cause"),
        (12345678901234, 12345678901235.0, "cause"),
        (1e15, 1e15 * (1 + 1e-12), "not shown"),
        (range(3), range(3), "not shown"),
        (range(3), range(4), "cause"),
    ],
)
def test_without_more_the_answers_are_compared_by_type(before, after, word):
    found = answering(before, after).whatif(remove="note")
    assert (found.word, found.trial.judge.name) == (word, "same answer")


def test_whole_numbers_beyond_all_fractions_are_compared_and_shown():
    for after in (10**5000 + 1, 0.5, "many"):
        found = answering(10**5000, after).whatif(remove="note")
        assert found.word == "cause"
        assert "cause 1/1 vs 0/2" in repr(found)


@pytest.mark.parametrize(
    ("before", "span", "after", "word"),
    [
        ("Your claim is approved.", "approved", "Your claim is not approved.", "cause"),
        ("Your claim is approved.", "approved", "Sorry. It was APPROVED, by the way.", "not shown"),
        ("Your claim is not approved.", "approved", "Your claim is approved.", "cause"),
        ("Your claim is not approved.", "not approved", "It is not  approved.", "not shown"),
        ("You get 1,000 euros.", "1,000 euros", "So: 1000.00 euros for you.", "not shown"),
        ("You get 1,000 euros.", "1,000 euros", "So: 1,001 euros for you.", "cause"),
        ("You get 5 km.", "5 km", "You get 5 kg.", "cause"),
        ("Half is paid.", "Half", "Halfway there.", "cause"),
    ],
)
def test_selected_words_decide_with_negation_and_numbers_minded(before, span, after, word):
    found = answering(before, after).whatif(remove="note", span=span)
    assert (found.word, found.trial.judge.name) == (word, f"still says {span!r}")


def test_a_function_decides_by_what_it_says_of_both_answers():
    run = recorded(claim, "q")
    found = run.whatif(remove="rules", judge=lambda answer: "paid back" in answer)
    assert found.word == "not shown"
    assert run.whatif(remove="rules", judge=len).word == "cause"


def test_a_checker_that_failed_decides():
    def checked(question):
        rules = ek.context("rules", HALF)
        reply = ask(ek.assemble("{r} {q}", r=rules, q=question))
        ek.answer(reply)
        bad = "Half" in reply
        ek.last().verdict("failed" if bad else "passed", judge="policy")
        return reply

    run = recorded(ek.traced("checked")(checked), "q")
    assert run.whatif(remove="rules", span="Half").trial.judge.name == "still says 'Half'"
    found = run.whatif(remove="rules")
    assert found.trial.judge.name == "checker policy"


class Plain:
    def __init__(self, value):
        self.value = value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


@dataclass
class Held:
    value: object
    words: str = "same"


def nested(value):
    for _ in range(300):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Plain, "what a Plain in it holds is not on record"),
        (Slotted, "what a Slotted in it holds is not on record"),
        (lambda value: Held(Plain(value)), "what a Plain in it holds is not on record"),
        (lambda value: [{"a": Plain(value)}], "what a Plain in it holds is not on record"),
        (lambda value: lambda: value, "what a function in it holds is not on record"),
        (nested, "too large or too deep"),
        (lambda value: {"password": f"aaa{value}"}, "a part of it is redacted"),
    ],
)
def test_answers_that_are_not_on_record_whole_are_not_called_the_same(make, said):
    found = answering(make(1), make(2)).whatif(remove="note")
    assert (found.word, found.trial.judge.name) == ("inconclusive", "same answer")
    assert said in found.reason
    assert "Give judge= or span=" in found.reason


def test_what_can_be_read_of_an_answer_decides_although_a_part_is_not_on_record():
    run = answering(Held(Plain(1), "yes"), Held(Plain(1), "no"))
    assert str(run.whatif(remove="note")) == "cause 1/1 vs 0/2, deterministic"


def test_a_judge_may_say_what_counts_of_an_answer_with_a_secret():
    run = answering({"password": "aaa1", "fare": 1}, {"password": "aaa2", "fare": 1})
    assert run.whatif(remove="note", judge=lambda answer: answer["fare"]).word == "not shown"


def test_a_judge_that_gives_something_that_equals_nothing_is_told_what_to_give():
    run = recorded(claim, "q")
    with pytest.raises(InterventionError, match=r"gives a re\.Match.*judge=lambda answer: bool"):
        run.whatif(remove="rules", judge=lambda answer: re.search("Half", answer))


def test_a_judge_that_has_to_be_awaited_is_refused():
    async def judge(answer):
        return "Half" in answer

    with pytest.raises(InterventionError, match=r"the judge has to be awaited"):
        recorded(claim, "q").whatif(remove="rules", judge=judge)


def test_a_judge_that_raises_on_the_recorded_answer_is_refused():
    with pytest.raises(
        InterventionError, match=r"Of the recorded answer, the judge raised ZeroDiv"
    ):
        recorded(claim, "q").whatif(remove="note", judge=lambda answer: 1 / 0)


def test_a_judge_that_raises_later_makes_no_cause():
    def judge(answer):
        if "Nothing" in answer:
            raise ValueError("what now?")
        return True

    found = recorded(claim, "q").whatif(remove="rules", judge=judge)
    assert str(found) == "inconclusive: the judge raised ValueError: what now?"


def test_a_judge_that_contradicts_itself_makes_no_cause():
    turn = iter(range(1000))
    with pytest.raises(InterventionError, match=r"contradicts itself"):
        recorded(claim, "q").whatif(remove="rules", judge=lambda answer: next(turn))

    said = {"Half is paid back.": [1] * 99}

    def wavers(answer):
        return said.setdefault(answer, [1, 2, 1, 2]).pop()

    found = recorded(claim, "q").whatif(remove="rules", judge=wavers)
    assert found.word == "inconclusive"
    assert "contradicts itself" in found.reason


def test_a_judge_under_which_the_unchanged_run_flips_is_named_unfit():
    turn = iter(range(1000))

    @ek.link(kind="model")
    def counts(prompt):
        return f"Reply {next(turn)}"

    @ek.traced("never the same")
    def program(question):
        return counts(ek.context("note", HALF))

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "the judge is unfit: the unchanged run flips 5 in 5" in found.reason
    assert 'span="the words in question"' in found.reason


def program_over(read, *, note="a note"):
    """A run of which `read` makes an answer of a note."""

    @ek.link(kind="model", deterministic=True)
    def reads(text):
        return read(text)

    @ek.traced("over")
    def program(question):
        return reads(ek.context("note", note))

    return program


def test_an_error_that_the_change_brings_is_no_other_answer():
    run = recorded(program_over(lambda text: {"a note": "It is."}[text]), "q")
    found = run.whatif(remove="note")
    assert (found.word, found.flips, found.run.status) == ("inconclusive", (0, 0), "error")
    assert found.reason.startswith("the run with the change raised KeyError: ''")
    assert "(test_judging.py:" in found.reason
    assert run.findings["reason"].tolist() == [found.reason]


@pytest.mark.parametrize("span", [None, "paid back"])
def test_an_error_in_code_that_asks_no_model_convicts_nobody(span):
    @ek.link(kind="retrieval")
    def search(question):
        return [{"text": "It is."}]

    @ek.traced("desk")
    def desk(question):
        return ask(search(question)[0]["text"])

    run = recorded(desk, "q")
    found = run.whatif(swap={"search": []}, span=span)
    assert found.word == "inconclusive"
    assert found.reason.startswith("the run with the change raised IndexError: ")


def test_one_error_among_many_re_runs_is_enough_to_say_nothing():
    calls = []

    def read(text):
        calls.append(text)
        if len(calls) == 4:
            raise TimeoutError("the line is busy")
        return "It is." if text else "It is not."

    found = recorded(program_over(read), "q").whatif(remove="note")
    assert found.word == "inconclusive"
    assert "TimeoutError: the line is busy" in found.reason


def test_an_error_of_another_kind_than_the_recorded_one_is_no_other_end():
    def read(text):
        raise LookupError(text) if text else TypeError("nothing to read")

    with pytest.raises(LookupError):
        program_over(read)("q")
    found = ek.last().whatif(remove="note")
    assert found.word == "inconclusive"
    assert "TypeError: nothing to read" in found.reason


def test_a_verdict_that_ends_the_run_is_another_end():
    def pay(euros: int) -> str:
        """Pay money back."""
        return f"{euros} euros paid back"

    asks = ToolCall(id="", name="pay", arguments={"euros": 80})

    @ek.traced("refuses")
    def program(question):
        note = ek.context("note", "a note")
        model = ScriptedModel(["Nothing."] if note else [asks])
        policy = lambda call, situation: halt("refunds are paid by people")  # noqa: E731
        return Agent(model, tools=[pay], policy=policy, name="desk").run_sync(f"{question} {note}")

    found = recorded(program, "q").whatif(remove="note")
    assert (found.before, found.word) == ("Nothing.", "cause")
    assert found.run.ended_by.raised == "PolicyHaltError"


def test_a_run_that_raised_flips_when_it_answers():
    @ek.traced("raises")
    def program(question):
        if ek.context("note", "a note"):
            raise LookupError("a note")
        return ask(question)

    with pytest.raises(LookupError):
        program("q")
    found = ek.last().whatif(remove="note")
    assert (found.word, found.after) == ("cause", "Nothing is paid back.")


def test_an_unchanged_run_that_cannot_be_repeated_is_said_so():
    class Client:
        is_open = True

        def send(self, text):
            if not self.is_open:
                raise ConnectionError("the client is closed")
            return ask(text)

    @ek.traced("live client")
    def program(question, client):
        return client.send(ek.context("note", HALF))

    client = Client()
    run = recorded(program, "q", client)
    client.is_open = False
    found = run.whatif(remove="note")
    assert found.word == "inconclusive"
    assert "cannot be made again" in found.reason
    assert "the client is closed" in found.reason
    assert "call=" in found.reason


def test_words_of_an_answer_that_is_no_text_are_looked_for_as_a_walk_shows_it():
    fields = {"fare": 0.5, "n": 30, "t": "thirty"}
    for words in ("30", "0.5", "thirty"):
        run = answering(fields, {"fare": 1, "n": 31, "t": "none"})
        assert run.whatif(remove="note", span=words).word == "cause"
        run = answering(fields, {**fields, "more": "of it"})
        assert run.whatif(remove="note", span=words).word == "not shown"


def test_the_place_of_an_error_is_the_innermost_line_of_one_s_own_code():
    @ek.link(kind="model", deterministic=True)
    def third_word(text):
        return text.split()[2]  # raises here

    @ek.link
    def asks(text):
        return third_word(text)

    @ek.traced("places")
    def program(question):
        return asks(ek.context("note", "one two three"))

    found = recorded(program, "q").whatif(remove=("note", "three"))
    line = third_word.__wrapped__.__code__.co_firstlineno + 2
    assert f"(test_judging.py:{line} third_word)" in found.reason


def test_an_error_of_one_s_own_with_a_name_of_ours_is_an_error():
    class MyInterventionError(Exception):
        pass

    def read(text):
        if not text:
            raise MyInterventionError("mine")
        return "It is."

    found = recorded(program_over(read), "q").whatif(remove="note")
    assert found.reason.startswith("the run with the change raised ")
    assert "MyInterventionError: mine" in found.reason


def test_a_re_run_without_an_answer_has_none_after():
    found = recorded(program_over(lambda text: {"a note": "It is."}[text]), "q").whatif(
        remove="note"
    )
    assert (found.before, found.after) == ("It is.", None)
