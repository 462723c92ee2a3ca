"""A change that names nothing, everything, or cannot be made is refused before anything runs."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError
from tests.whatif.programs import HALF, ROWS, ask, claim, recorded

CALLS = []


@ek.link
def counted(text):
    CALLS.append(text)
    return text


@ek.traced("counted")
def program(question):
    rules = ek.context("rules", counted(f"{HALF} {HALF}"))
    ek.left_out("page 9", "We pay all.", why="rank 9", how="cut by rank")
    rows = ek.context("rows", [dict(row) for row in ROWS])
    size = ek.context("size", 5)
    counted("again")
    return ask(ek.assemble("{rules} {rows} {size}", rules=rules, rows=rows, size=size))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "Nothing is to be changed.*remove="),
        ({"remove": []}, "Nothing is to be changed"),
        ({"remove": "tariff"}, "no context, event or link 'tariff'.*'rules'"),
        ({"remove": 999}, "no context, event or link 999"),
        (
            {"remove": "half of the fare"},
            r"'rules' holds these words: name them as \('rules', 'half of the fare'\)",
        ),
        (
            {"edit": {"question": "And?"}},
            r"give the run another question: edit={'counted': {'question': ...}}",
        ),
        ({"swap": {"rules": "x"}}, r"'rules' is a context: replace={'rules': ...} gives another"),
        ({"reorder": ["rules", "rows"]}, "rules, rows is the order in which they stand"),
        ({"reorder": {"rows": [0, 1, 2]}}, "is the order in which they stand already"),
        ({"remove": 2.5}, "2.5 names nothing of a run"),
        ({"reorder": {"rules": 5}}, r"reorder={'rules': 5} names no order. Give positions"),
        ({"remove": "rules", "executor": 5}, "takes a concurrent.futures.Executor; got 5"),
        ({"remove": True}, "True names nothing of a run"),
        ({"remove": ("rules", "a", "b", "c")}, "names no part"),
        ({"remove": ("rules", "")}, "names nothing: give some words"),
        ({"remove": ("rules", "campaign")}, "'rules' does not hold the words 'campaign'"),
        ({"remove": ("rules", "half of the fare")}, r"2 times, at \(27, 43\).*longer words"),
        ({"remove": ("rules", (5, 5))}, r"\(5, 5\) is no stretch of 'rules'"),
        ({"remove": ("rules", (0, 10_000))}, "no stretch.*characters"),
        ({"remove": ("rows", (0, 2))}, r"\(start, end\) names a stretch of a text"),
        ({"remove": ("rules", 7)}, "has 2 sentences, numbered from 0; there is no 7"),
        ({"remove": ("rows", 3)}, "has 3 items"),
        ({"remove": ("size", 0)}, "is a int: it has no numbered parts"),
        ({"remove": "size"}, "5 cannot be missing: it is of type int"),
        ({"remove": "page 9"}, "was left out.*Use restore="),
        ({"restore": "rules"}, "'rules' was not left out of the run. Left out: 'page 9'"),
        ({"restore": "tariff"}, "'tariff' was not left out"),
        ({"replace": ["rules"]}, "replace= takes a mapping"),
        ({"edit": {"ask": "x"}}, "edit= takes new arguments by name.*was given: prompt"),
        ({"edit": {"ask": {"question": "x"}}}, "ask was not given 'question'"),
        ({"edit": {"rules": {"a": 1}}}, "no link 'rules'"),
        ({"swap": {"counted": 1}}, "swap= changes one link; 'counted' is the name of 2"),
        ({"hold": "nobody"}, "No override by 'nobody'.*none"),
        ({"reorder": "rules"}, "reorder= takes names of contexts"),
        ({"reorder": ["rules"]}, "reorder= takes names of contexts"),
        ({"reorder": ["rules", "tariff"]}, "no context 'tariff'"),
        ({"reorder": {"rows": [0, 1]}}, "does not name each of the 3 positions once"),
        ({"reorder": {"rules": [1, 0]}}, "reorder= needs a list"),
        ({"remove": ["rules", ("rules", (0, 5))]}, "Two changes collide"),
        ({"remove": "rules", "replace": {"rules": "x"}}, "Two changes collide"),
        ({"remove": ("rows", 0), "replace": {("rows", "inner city"): "x"}}, "Two changes collide"),
        ({"edit": {"ask": {"prompt": "a"}}, "swap": {"ask": "b"}}, "Two changes collide"),
    ],
)
def test_it_is_refused_and_nothing_runs(changes, message):
    run = recorded(program, "q")
    CALLS.clear()
    with pytest.raises(ek.ExplainkitError, match=message) as refused:
        run.whatif(**changes)
    assert isinstance(refused.value, InterventionError | ek.UnknownRecordError)
    assert not CALLS
    assert not list(run.recording.rows("finding"))


def test_taking_every_context_away_is_refused():
    run = recorded(claim, "q")
    with pytest.raises(InterventionError, match=r"takes away all 2 contexts.*Leave at least one"):
        run.whatif(remove=["rules", "note"])


@pytest.mark.parametrize("budget", [-1, True, "all", {"euros": 3}, {"calls": None}])
def test_a_budget_that_is_none_is_refused(budget):
    with pytest.raises(InterventionError, match=r"budget="):
        recorded(claim, "q").whatif(remove="note", budget=budget)


@pytest.mark.parametrize("times", [0, -1, 2.5, True, "all"])
def test_a_number_of_repeats_that_is_none_is_refused(times):
    with pytest.raises(InterventionError, match=r"times=.*Give 1 or more"):
        recorded(claim, "q").whatif(remove="note", times=times)


def test_an_answer_that_is_not_there_is_refused():
    with pytest.raises(ek.UnknownRecordError, match=r"no answer in the slot 'item:9'.*'answer'"):
        recorded(claim, "q").whatif(remove="note", slot="item:9")


@pytest.mark.parametrize("judge", [3, "half"])
def test_a_judge_that_is_no_function_is_refused(judge):
    with pytest.raises(InterventionError, match=r"judge= takes a function of the answer"):
        recorded(claim, "q").whatif(remove="note", judge=judge)


def test_words_that_the_answer_does_not_say_are_refused():
    with pytest.raises(ek.SpanNotFoundError):
        recorded(claim, "q").whatif(remove="note", span="a free ticket")


def test_a_wrong_keyword_is_refused_in_the_name_that_users_know():
    run = recorded(claim, "q")
    with pytest.raises(TypeError, match=r"^Run\.whatif\(\) got an unexpected keyword .*'delete'"):
        run.whatif(delete="rules")
