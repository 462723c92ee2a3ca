"""What has a form that goes to an Agent: strict JSON after a few adapters, nothing else."""

import dataclasses
import datetime as dt
import enum
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from explainkit.flow.picks.json_forms import NoJsonForm, json_form
from explainkit.testing.strategies import values


class Model(BaseModel):
    name: str
    size: float = 1.5


@dataclasses.dataclass
class Point:
    x: int
    y: object


class Colour(enum.Enum):
    RED = "red"


class Kind(str, enum.Enum):  # noqa: UP042 - its own text is another one
    A = "a"


class Level(enum.IntEnum):
    HIGH = 3


class Words(str):
    """A text whose class shows something else."""

    def __str__(self):
        return "something else"


class Odd(int):
    def __int__(self):
        raise RuntimeError("no")


class Broken(dict):
    def items(self):
        raise RuntimeError("no items")


def looped():
    value = []
    value.append(value)
    return value


def tied():
    value = {}
    value["self"] = {"value": value}
    return value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (None, None),
        (True, True),
        ((1, 2), [1, 2]),
        ({"a": [1.5, None]}, {"a": [1.5, None]}),
        (Model(name="x"), {"name": "x", "size": 1.5}),
        (Point(1, Model(name="y")), {"x": 1, "y": {"name": "y", "size": 1.5}}),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        ({Kind.A: Kind.A}, {"a": "a"}),
        (dt.date(2026, 3, 4), "2026-03-04"),
        (dt.datetime(2026, 3, 4, 5, 6, tzinfo=dt.UTC), "2026-03-04T05:06:00+00:00"),
        (dt.time(5, 6), "05:06:00"),
        (np.int64(7), 7),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("text"), "text"),
        (np.array(4), 4),
        (Words("as it is"), "as it is"),
        (Odd(3), 3),
    ],
)
def test_a_value_has_this_form(value, form):
    found = json_form(value)
    assert found == form
    assert type(found) is type(form)
    assert json.loads(json.dumps(found, allow_nan=False)) == form


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "nan"),
        ({"a": [math.inf]}, "/a/0"),
        (np.float64("nan"), "nan"),
        (Model(name="x", size=math.nan), "/size"),
        (b"bytes", "bytes"),
        ({1: "one"}, "key"),
        ({"a": {None: 1}}, "/a"),
        ({1, 2}, "set"),
        (np.array([1, 2]), "ndarray"),
        (1j, "complex"),
        (Point, "type"),
        (print, "builtin_function_or_method"),
        ("\ud800", "surrogate"),
        ({"\ud800": 1}, "surrogate"),
        (looped(), "deeper"),
        (tied(), "deeper"),
        (Point(1, Broken(a=1)), "cannot be read"),
    ],
)
def test_a_value_has_no_form_and_it_is_said_why(value, words):
    with pytest.raises(NoJsonForm, match=words):
        json_form(value)


@given(values())
def test_whatever_has_a_form_is_strict_json_and_has_itself_as_its_form(value):
    try:
        form = json_form(value)
    except NoJsonForm:
        return
    assert json.loads(json.dumps(form, allow_nan=False)) == form
    assert json_form(form) == form


@given(st.recursive(st.none() | st.text() | st.integers(), lambda x: st.lists(x) | st.tuples(x)))
def test_a_form_shares_nothing_that_can_change_with_its_value(value):
    form = json_form(value)
    if isinstance(value, list):
        assert form is not value
        assert form == json_form(value)
