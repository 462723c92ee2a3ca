"""A judge is given an answer that is an object by its fields, and a table as the table."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from pydantic import BaseModel

import explainkit as ek
from explainkit.errors import InterventionError
from explainkit.flow import Agent
from explainkit.flow.models import CallableModel
from tests.whatif.programs import recorded


@dataclass
class Line:
    nights: int


@dataclass
class Stay:
    text: str
    amount: float
    lines: list

    def total(self):
        return self.amount


class Bill(BaseModel):
    text: str
    amount: float


class Zone(Enum):
    NEAR = 10.0
    FAR = 20.0


class Pair(NamedTuple):
    text: str
    amount: float


class Plain:
    def __init__(self, amount):
        self.amount = amount

    def __repr__(self):
        return f"<plain {self.amount}>"


def answering(make):
    """A run that answers with what is made of 20 with its note, and of 10 without it."""

    @ek.link(kind="model", deterministic=True)
    def amount(note):
        return 20.0 if note else 10.0

    @ek.traced("stay")
    def program(question):
        return make(amount(ek.context("note", "It is in zone B.")))

    return recorded(program, "q")


ANSWERS = [
    (lambda x: Stay("ok", x, [Line(3)]), lambda a: a.amount > 15 and a["text"] == "ok"),
    (lambda x: Stay("ok", 1, [Line(int(x))]), lambda a: a.lines[0].nights > 15),
    (lambda x: Bill(text="ok", amount=x), lambda a: a.amount > 15 and "text" in a),
    (lambda x: Pair("ok", x), lambda a: a.amount > 15),
    (Zone, lambda a: a.name == "FAR"),
    (lambda x: {"stays": [Bill(text="ok", amount=x)]}, lambda a: a["stays"][0].amount > 15),
    (lambda x: {"x": np.float64(x)}, lambda a: a["x"] > 15),
    (lambda x: pd.DataFrame({"night": [1, 2], "fee": [x, 2.0]}), lambda a: a["fee"].sum() > 15),
    (lambda x: pd.Series([x, 1.0], name="fee"), lambda a: a.max() > 15),
    (lambda x: np.array([[x, 1.0], [2.0, 3.0]]), lambda a: a[0, 0] > 15),
    (lambda x: {"table": pd.DataFrame({"fee": [x]})}, lambda a: a["table"].fee[0] > 15),
    (Plain, lambda a: "20" in a),
]


@pytest.mark.parametrize(("make", "judge"), ANSWERS)
def test_the_judge_sees_what_was_recorded(make, judge):
    run = answering(make)
    assert run.whatif(remove="note", judge=judge).word == "cause"


@pytest.mark.parametrize("make", [make for make, _ in ANSWERS if make is not Zone])
def test_words_of_an_object_are_judged_in_the_text_that_a_walk_shows(make):
    run = answering(make)
    assert run.whatif(remove="note", span="20.0").word == "cause"
    assert run.whatif(replace={"note": "It is in zone C."}, span="20.0").word == "not shown"


def test_what_the_judge_gives_may_be_a_part_of_the_object():
    run = answering(lambda x: Stay("ok", x, [Line(3)]))
    assert run.whatif(remove="note", judge=lambda a: a.lines).word == "not shown"
    assert run.whatif(remove="note", judge=lambda a: a).word == "cause"


def test_before_and_after_are_readable():
    def told(make):
        found = repr(answering(make).whatif(remove="note")).splitlines()
        return [line[10:] for line in found if line.startswith(("before", "after"))]

    assert told(lambda x: Stay("ok", x, [Line(3)])) == [
        f"Stay(text='ok', amount={x}, lines=[Line(nights=3)])" for x in (20.0, 10.0)
    ]
    assert told(lambda x: Bill(text="ok", amount=x))[1] == "Bill(text='ok', amount=10.0)"
    assert (
        told(lambda x: pd.DataFrame({"fee": [x, 2.0]}))[0] == "DataFrame of 2 x 1: fee=[20.0, 2.0]"
    )
    assert told(lambda x: np.array([x] * 90))[1].startswith("array of 90: [10.0, 10.0,")
    assert told(lambda x: {"a": [Zone(x)]})[0].startswith("{'a': [Zone(")


def test_what_is_no_field_is_said_with_the_fields():
    run = answering(lambda x: Stay("ok", x, []))
    told = r"the recorded Stay has no field 'total', and methods are not recorded. Its fields are: "
    with pytest.raises(InterventionError, match=told + "text, amount, lines"):
        run.whatif(remove="note", judge=lambda a: a.total() > 15)
    with pytest.raises(InterventionError, match=r"KeyError: the recorded Stay has no field 0"):
        run.whatif(remove="note", judge=lambda a: a[0])


@pytest.mark.parametrize(
    "make",
    [
        lambda x: pd.DataFrame({"fee": [x] * 400}),
        lambda x: np.array([x] * 400),
        lambda x: pd.Series([x] * 400),
    ],
)
def test_a_table_that_is_on_record_in_part_is_judged_by_its_digest_alone(make):
    run = answering(make)
    with pytest.raises(InterventionError, match=r"on record in part only.*Let the run answer with"):
        run.whatif(remove="note", judge=lambda a: len(a))
    assert run.whatif(remove="note").word == "cause"


def test_an_object_that_is_known_by_its_words_says_so():
    run = answering(Plain)
    with pytest.raises(InterventionError, match=r"only '<plain 20.0>' is on record.*a dataclass"):
        run.whatif(remove="note", judge=lambda a: a.amount > 15)


def test_a_judge_that_gives_a_column_is_told_to_give_a_bool():
    run = answering(lambda x: pd.DataFrame({"fee": [x, 2.0]}))
    with pytest.raises(InterventionError, match=r"gives a Series.*Let it give a bool"):
        run.whatif(remove="note", judge=lambda a: a["fee"] > 15)


def test_the_answer_of_a_validated_agent_is_judged_by_its_fields():
    def reply(messages):
        far = any("zone B" in str(each["content"]) for each in messages)
        return '{"text": "ok", "amount": %s}' % (20.0 if far else 10.0)

    @ek.traced("stay")
    def stay(question):
        note = ek.context("note", "It is in zone B.")
        agent = Agent(CallableModel(reply, deterministic=True), note, validator=Bill)
        return agent.run_sync(question)

    run = recorded(stay, "How much?")
    assert run.whatif(remove="note", judge=lambda a: a.amount > 15).word == "cause"
