"""Gates tell what they accept as plain data, and refuse what nobody outside could send."""

import json
from collections.abc import Callable

import pytest
from pydantic import BaseModel

from explainkit.errors import ChartError
from explainkit.flow.actors.failing import fail
from explainkit.flow.actors.gates import gate
from explainkit.flow.statecharts.actor_kinds import kind_of
from explainkit.flow.statecharts.event_definitions import define_event


class Verdict(BaseModel):
    score: int
    why: str = ""


APPROVE = define_event("approve", "It may be merged.", audience="external")
JUDGE = define_event("judge", input=Verdict)


def test_a_gate_tells_what_it_accepts_as_plain_json():
    told = gate(APPROVE, JUDGE, meta={"question": "Merge it?"}).describe()
    assert json.loads(json.dumps(told)) == told
    assert told["meta"] == {"question": "Merge it?"}
    assert [each["name"] for each in told["accepts"]] == ["approve", "judge"]
    assert told["accepts"][0]["description"] == "It may be merged."
    assert told["accepts"][1]["schema"]["required"] == ["score"]


def test_what_is_told_and_what_was_given_are_nobody_elses_to_change():
    meta = {"options": ["a"]}
    asked = gate(APPROVE, meta=meta)
    meta["options"].append("b")
    asked.describe()["meta"]["options"].append("c")
    assert asked.describe()["meta"] == {"options": ["a"]}


def test_kinds_are_told():
    assert [kind_of(gate(APPROVE)), kind_of(fail())] == ["gate", "fail"]


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ((), "nobody could answer"),
        ((APPROVE, JUDGE, APPROVE), '"approve" is given twice'),
        ((define_event("finished", audience="agent"),), '"finished" is for Agents only'),
        (("approve",), "'approve' is no event definition"),
        ((define_event("call", input=Callable[[int], int]),), '"call" has no JSON schema'),
    ],
)
def test_events_that_nobody_could_send_are_refused(events, said):
    with pytest.raises(ChartError, match=said):
        gate(*events)


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    "meta",
    ["title", 7, [], {1: "x"}, {"x": {1}}, {"x": float("nan")}, {"x": (1,)}, {"x": deep()}],
    ids=["text", "number", "list", "key", "set", "nan", "tuple", "deep"],
)
def test_meta_that_is_no_plain_json_is_refused(meta):
    with pytest.raises(ChartError, match="no plain JSON data"):
        gate(APPROVE, meta=meta)
