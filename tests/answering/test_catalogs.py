"""Catalogs: references that hold, one result of several checks, errors that name the culprit."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

import explainkit as ek
from explainkit.answering import (
    UNSET,
    AnswerChecker,
    AnswerTask,
    CheckResult,
    Issue,
    OperationContext,
    define_answer_check_catalog,
    define_answer_reader_catalog,
    define_answer_task_catalog,
    define_output_catalog,
)
from explainkit.errors import (
    AnswerFlowError,
    AnswerPortError,
    PayloadError,
    UnknownRecordError,
)

PASSED = CheckResult("passed")
FAILED = CheckResult("failed", [Issue("RUDE", "it is rude")])
UNAVAILABLE = CheckResult("unavailable", [Issue("AWAY", "nobody is there")])
NOT_RUN = CheckResult("not-run", [Issue("LATER", "not today")])


def catalog(**results):
    return define_answer_check_catalog(
        [{"id": id_, "check": lambda value, context, r=r: r} for id_, r in results.items()]
    )


def checked(*results, value="text"):
    named = {f"c{n}": result for n, result in enumerate(results)}
    return catalog(**named).check(check_ids=list(named), value=value)


@pytest.mark.parametrize(
    ("results", "status", "codes"),
    [
        ([], "not-run", []),
        ([PASSED, PASSED], "passed", []),
        ([PASSED, NOT_RUN], "not-run", ["LATER"]),
        ([NOT_RUN, UNAVAILABLE, PASSED], "unavailable", ["LATER", "AWAY"]),
        ([UNAVAILABLE, NOT_RUN, FAILED], "failed", ["AWAY", "LATER", "RUDE"]),
        ([FAILED, FAILED], "failed", ["RUDE", "RUDE"]),
    ],
)
def test_results_come_to_the_strongest(results, status, codes):
    result = checked(*results)
    assert (result.status, [each.code for each in result.issues]) == (status, codes)


def test_every_check_is_asked_also_after_one_failed():
    seen = []
    checks = define_answer_check_catalog(
        [
            AnswerChecker("a", lambda value, context: seen.append("a") or FAILED),
            AnswerChecker("b", lambda value, context: seen.append("b") or PASSED),
        ]
    )
    assert checks.check(check_ids=["b", "a"], value=1).status == "failed"
    assert seen == ["b", "a"]


def test_later_checks_see_what_a_passed_one_yields():
    seen = []
    checks = define_answer_check_catalog(
        [
            AnswerChecker(
                "trim", lambda value, context: CheckResult("passed", value=value.strip())
            ),
            AnswerChecker("bad", lambda value, context: CheckResult("failed", value="worse")),
            AnswerChecker("look", lambda value, context: seen.append(value) or PASSED),
        ]
    )
    assert checks.check(check_ids=["trim", "look"], value=" x ") == CheckResult("passed", value="x")
    assert checks.check(check_ids=["trim", "bad", "look"], value=" x ").value is UNSET
    assert seen == ["x", "x"]


def test_the_last_value_that_was_yielded_stands():
    first, second = (CheckResult("passed", value=each) for each in ("a", "b"))
    assert checked(first, second, PASSED) == CheckResult("passed", value="b")


def test_none_is_a_value_that_a_check_can_yield():
    assert checked(CheckResult("passed", value=None)).value is None


@pytest.mark.parametrize(
    ("said", "code"), [(ValueError("no"), "RAISED"), (True, "NO_RESULT"), ("async", "AWAITS")]
)
def test_a_check_that_breaks_could_not_judge(said, code):
    async def later():
        return PASSED

    def check(value, context):
        if isinstance(said, Exception):
            raise said
        return later() if said == "async" else said

    result = define_answer_check_catalog([{"id": "odd", "check": check}]).check(
        check_ids=["odd"], value=1
    )
    assert (result.status, result.issues[0].code) == ("unavailable", code)


def test_a_context_is_made_when_none_is_given_and_handed_on_otherwise():
    seen = []
    checks = define_answer_check_catalog(
        [AnswerChecker("look", lambda value, context: seen.append(context) or PASSED)]
    )
    mine = OperationContext(app={"user": 7})
    checks.check(check_ids=["look"], value=1)
    checks.check(check_ids=["look"], value=1, context=mine)
    assert not seen[0].signal.cancelled
    assert seen[1] is mine


def test_unknown_ids_are_named_and_nothing_is_asked():
    seen = []
    checks = define_answer_check_catalog(
        [AnswerChecker("look", lambda value, context: seen.append(value) or PASSED)]
    )
    with pytest.raises(UnknownRecordError, match=r"'polite', 'short': no check.*Known are: 'look'"):
        checks.check(check_ids=["look", "polite", "short"], value=1)
    assert seen == []
    with pytest.raises(UnknownRecordError, match=r"\['look'\]: no check has this id"):
        checks.check(check_ids=[["look"]], value=1)


@pytest.mark.parametrize("ids", ["look", None, 7, {"look": 1}])
def test_ids_that_are_no_list_are_refused_in_words(ids):
    checks = define_answer_check_catalog([AnswerChecker("look", lambda value, context: PASSED)])
    with pytest.raises(TypeError, match=r"^check_ids=.*: give a list of ids, such as \['short'\]"):
        checks.check(check_ids=ids, value=1)


def test_ids_given_twice_are_refused():
    reader = {"id": "x", "read": lambda asked, context: 1}
    for define, each in [
        (define_answer_check_catalog, {"id": "x", "check": lambda value, context: PASSED}),
        (define_answer_reader_catalog, reader),
        (define_output_catalog, {"id": "x", "kind": "text", "fields": []}),
    ]:
        with pytest.raises(AnswerFlowError, match=r"'x': given more than once as the id of a"):
            define([each, each])
    with pytest.raises(AnswerFlowError, match="'x': given more than once as the id of a task"):
        tasks(task(id="x"), task(id="x"))


@pytest.mark.parametrize(
    ("define", "given", "message"),
    [
        (define_answer_check_catalog, [{"id": "x"}], "no check: check"),
        (define_answer_check_catalog, [{"id": "x", "check": 7}], "check"),
        (define_answer_check_catalog, [{"id": "", "check": print}], "id"),
        (define_answer_check_catalog, [{"id": "x", "check": print, "n": 1}], "has no 'n'"),
        (define_answer_check_catalog, [7], "is no check"),
        (define_answer_check_catalog, {"id": "x", "check": print}, "no list of checks"),
        (define_answer_reader_catalog, [{"id": "x", "read": None}], "read"),
        (define_output_catalog, [{"id": "x", "kind": "text"}], "fields"),
        (
            define_output_catalog,
            [{"id": "x", "kind": "text", "fields": [{"id": "a", "owner": "me", "n": 1}]}],
            "fields.0.n",
        ),
        (
            define_output_catalog,
            [{"id": "x", "kind": "text", "fields": [{"id": "a", "owner": "me"}] * 2}],
            "Output \"x\": 'a' is the id of more than one field",
        ),
    ],
)
def test_what_is_no_entry_is_refused(define, given, message):
    with pytest.raises(AnswerFlowError) as caught:
        define(given)
    assert message in str(caught.value)


def test_any_object_with_the_fields_is_an_entry():
    check = SimpleNamespace(id="mine", check=lambda value, context: PASSED)
    checks = define_answer_check_catalog([check])
    assert checks.check(check_ids=["mine"], value=1).status == "passed"
    assert ("mine" in checks, "yours" in checks, len(checks), checks.ids) == (
        True,
        False,
        1,
        ("mine",),
    )


def test_each_check_is_a_link_of_the_run_that_is_open():
    with ek.trace("checking") as run:
        checked(PASSED, FAILED, value="draft")
    opened = list(run.recording.rows("link_opened"))
    assert [(row["type"], row["name"]) for row in opened] == [("check", "c0"), ("check", "c1")]
    closed = [
        run.recording.values.object(row["output"]) for row in run.recording.rows("link_closed")
    ]
    assert closed == [
        {"status": "passed", "issues": []},
        {"status": "failed", "issues": [{"code": "RUDE", "message": "it is rude"}]},
    ]
    assert run.doctor() == []


READERS = define_answer_reader_catalog(
    [{"id": "manual", "read": lambda asked, context: (asked, context.app)}]
)
CHECKS = catalog(polite=PASSED)
OUTPUTS = define_output_catalog(
    [{"id": "reply", "kind": "text", "fields": [{"id": "text", "owner": "generated"}]}]
)


def task(**changed):
    plain = {
        "id": "explain",
        "description": "Explains a word.",
        "reader_id": "manual",
        "output_id": "reply",
        "goal_ids": ["explain"],
        "check_ids": ["polite"],
        "metadata": {"owner": "desk"},
        "input_schema": str,
    }
    return {key: value for key, value in (plain | changed).items() if value is not UNSET}


def tasks(*each, readers=READERS):
    return define_answer_task_catalog(each, readers=readers, checks=CHECKS, outputs=OUTPUTS)


def test_every_reference_that_leads_nowhere_is_named_with_task_and_field():
    with pytest.raises(AnswerFlowError) as caught:
        tasks(
            task(id="a", reader_id="book", check_ids=["polite", "short"]),
            task(id="b", output_id="mail"),
        )
    message = str(caught.value)
    for said in (
        "Task \"a\", reader_id: there is no 'book'",
        "Task \"a\", check_ids: there is no 'short'",
        "Task \"b\", output_id: there is no 'mail'. Known are: 'reply'",
    ):
        assert said in message
    assert "'polite'" not in message.replace("Known are: 'polite'", "")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"goal_ids": "explain"}, "goal_ids"),
        ({"reader_id": UNSET}, "reader_id"),
        ({"input_schema": UNSET}, "input_schema"),
        ({"input_schema": None}, 'Task "explain": None is no schema'),
        ({"input_schema": "int"}, "'int' is no schema"),
        ({"input_schema": 7}, "7 is no schema"),
        ({"input_schema": {"type": "nonsense"}}, "no valid JSON Schema"),
        ({"input_schema": {"parse": int, "strict": True}}, "'strict' beside parse"),
        ({"input_schema": {"parse": int, "json_schema": 7}}, "7 is no JSON Schema"),
        (
            {"input_schema": {"items": {"$ref": "#/x"}}},
            "'#/x' leads to no schema",
        ),
        ({"reader": "manual"}, "has no 'reader'"),
    ],
)
def test_what_is_no_task_is_refused(changed, message):
    with pytest.raises(AnswerFlowError) as caught:
        tasks(task(**changed))
    assert message in str(caught.value)


def test_catalogs_are_given_as_catalogs():
    with pytest.raises(AnswerFlowError, match=r"readers=.* is no catalog"):
        tasks(task(), readers=[])


def test_a_task_keeps_what_it_was_defined_with():
    found = tasks(AnswerTask(**task())).require("explain")
    assert (found.check_ids, found.goal_ids, found.metadata) == (
        ("polite",),
        ("explain",),
        {"owner": "desk"},
    )
    with pytest.raises(UnknownRecordError, match="'other': no task"):
        tasks(task()).require("other")


class Question(BaseModel):
    word: str
    depth: int = 1


class Upper:
    def parse(self, value):
        if not isinstance(value, str):
            raise TypeError("a text is needed")
        return value.upper()


@pytest.mark.parametrize(
    ("schema", "given", "parsed"),
    [
        (str, "fare", "fare"),
        (int, "7", 7),
        (list[int], ["7"], [7]),
        (Any, None, None),
        (Question, {"word": "fare"}, Question(word="fare", depth=1)),
        ({"type": "string", "minLength": 2}, "fare", "fare"),
        ({}, {"any": "thing"}, {"any": "thing"}),
        (Upper(), "fare", "FARE"),
        ({"parse": str.upper}, "fare", "FARE"),
        ({"parse": str.upper, "json_schema": {"type": "string"}}, "fare", "FARE"),
    ],
)
def test_a_reader_is_given_the_parsed_input(schema, given, parsed):
    found = tasks(task(input_schema=schema))
    context = OperationContext(app="desk")
    assert found.read(task_id="explain", input=given, context=context) == (parsed, "desk")


@pytest.mark.parametrize(
    ("schema", "given", "why"),
    [
        (int, "many", "valid integer"),
        (Question, {"depth": 2}, "word: Field required"),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, {"a": 7}, "at /a"),
        (Upper(), 7, "TypeError: a text is needed"),
        ({"parse": str.upper, "json_schema": {"type": "string"}}, 7, "not of type 'string'"),
    ],
)
def test_an_input_that_does_not_fit_never_reaches_the_reader(schema, given, why):
    seen = []
    readers = define_answer_reader_catalog(
        [{"id": "manual", "read": lambda asked, context: seen.append(asked)}]
    )
    found = tasks(task(input_schema=schema), readers=readers)
    with pytest.raises(PayloadError) as caught:
        found.read(task_id="explain", input=given)
    assert str(caught.value).startswith('Task "explain": the input does not fit: ')
    assert why in str(caught.value)
    with pytest.raises(PayloadError):
        asyncio.run(found.read_async(task_id="explain", input=given))
    assert seen == []


def test_an_async_reader_is_refused_by_read_and_taken_by_read_async():
    called = []

    async def read(asked, context):
        called.append(asked)
        return f"about {asked}"

    readers = define_answer_reader_catalog([{"id": "manual", "read": read}])
    found = tasks(task(), readers=readers)
    with pytest.raises(AnswerPortError, match=r'"explain".*"manual" is async.*read_async'):
        found.read(task_id="explain", input="fare")
    assert called == []
    assert asyncio.run(found.read_async(task_id="explain", input="fare")) == "about fare"


def test_a_reader_that_gives_something_to_await_is_refused_too():
    async def later():
        return 1

    waiting = later()
    readers = define_answer_reader_catalog(
        [{"id": "manual", "read": lambda asked, context: waiting}]
    )
    with pytest.raises(AnswerPortError):
        tasks(task(), readers=readers).read(task_id="explain", input="fare")
    assert waiting.cr_frame is None


def test_read_async_takes_a_reader_that_does_not_await():
    found = asyncio.run(tasks(task()).read_async(task_id="explain", input="fare"))
    assert found == ("fare", None)


def test_what_a_reader_raises_goes_on_as_it_is():
    def read(asked, context):
        raise KeyError("no such page")

    readers = define_answer_reader_catalog([{"id": "manual", "read": read}])
    with pytest.raises(KeyError):
        tasks(task(), readers=readers).read(task_id="explain", input="fare")
