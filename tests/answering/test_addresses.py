"""Issue texts tell no memory address, so two runs of one program record the same."""

import re

import pytest

import explainkit as ek
from explainkit.answering import (
    AnswerChecker,
    CheckResult,
    Issue,
    MajorityReviewer,
    OperationContext,
    Recovery,
    define_answer_check_catalog,
    json_schema,
    split,
)
from explainkit.errors import AnswerBatchError, AnswerFlowError
from tests.answering.flow_parts import PASSED, failed, run

ADDRESS = re.compile(r"0x[0-9a-f]{4,}")


class Thing:
    """Its repr holds its address, as most do."""


def of_thing(**_):
    return failed("BAD", f"{Thing()!r} is bad")


def always(context):
    return True


PORTS = {
    "generate gives no mapping": {"generate": lambda **_: Thing()},
    "generate raises": {"generate": lambda **_: (_ for _ in ()).throw(ValueError(Thing()))},
    "generate names things": {"generate": lambda **_: {Thing(): 1}},
    "check gives no result": {"check": lambda **_: Thing()},
    "check raises": {"check": lambda **_: (_ for _ in ()).throw(ValueError(Thing()))},
    "check says it": {"check": of_thing},
    "review gives no mapping": {"review": lambda **_: Thing()},
    "review gives no result": {"review": lambda **_: {"a": Thing()}},
    "review names things": {"review": lambda **_: {"a": PASSED, Thing(): PASSED}},
    "review says it": {"review": lambda **_: {"a": of_thing()}},
    "votes": {"review": MajorityReviewer([lambda **_: {"a": of_thing()}], can_invoke=always)},
    "votes of things": {"review": MajorityReviewer([lambda **_: Thing()], can_invoke=always)},
    "split": {"generate": split(lambda **_: Thing(), size=1, at_once=1, can_invoke=always)},
    "fallback": {"check": of_thing, "fallback": lambda **_: Thing()},
    "fallback of a thing": {"check": of_thing, "fallback": lambda **_: {"handled": Thing()}},
    "guard": {"can_invoke": lambda context: (_ for _ in ()).throw(ValueError(Thing()))},
}


@pytest.mark.parametrize("ports", PORTS.values(), ids=PORTS)
def test_no_address_is_told_or_recorded(ports, tmp_path):
    results = run("a", **ports)
    told = [str(results["a"].issues), results["a"].reason, results.ladders.text()]
    told += [str(each) for each in (*results["a"].checks, *results["a"].reviews)]
    results.run.save(tmp_path / "run.ek.jsonl")
    told.append((tmp_path / "run.ek.jsonl").read_text())
    assert [found for each in told for found in ADDRESS.findall(each)] == []


def test_an_address_that_is_no_matter_of_a_repr_stays():
    results = run("a", check=lambda **_: failed("JUMP", "it jumps to 0x7f21a4e0 at 0x7f21a4e0."))
    assert results["a"].issues[0].message == "it jumps to 0x7f21a4e0 at 0x7f21a4e0."


def test_a_catalog_and_a_schema_tell_none():
    checks = define_answer_check_catalog(
        [json_schema({"type": "string"}), AnswerChecker("own", lambda value, context: of_thing())]
    )
    with ek.trace("checked"):
        found = checks.check(check_ids=checks.ids, value=Thing())
    assert len(found.issues) == 2
    assert not ADDRESS.search(str(found))
    assert not ADDRESS.search(
        str(json_schema({"type": "string"}).check(Thing(), OperationContext()))
    )


def test_an_issue_without_one_is_the_same_object_again():
    said = CheckResult("failed", (Issue("A", "no at 0x1234"),))
    assert run("a", check=lambda **_: said)["a"].checks[0].issues[0] is said.issues[0]


def test_refusals_tell_none():
    with pytest.raises(AnswerBatchError) as caught:
        run(batch=[Thing()])
    assert not ADDRESS.search(str(caught.value))
    with pytest.raises(AnswerFlowError) as refused:
        run("a", generate=Thing())
    assert not ADDRESS.search(str(refused.value))


def test_a_replacement_may_be_anything():
    results = run("a", check=of_thing, fallback=lambda **_: Recovery(True, Thing()))
    assert results["a"].status == "fallback"
