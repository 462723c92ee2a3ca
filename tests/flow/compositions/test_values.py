"""Values on their way: the object itself, whatever it is; and types that are checked, not made."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Annotated, Any, Literal

import numpy as np
import pandas as pd
import pydantic
import pytest
from annotated_types import Gt
from hypothesis import given
from typing_extensions import TypedDict

from explainkit.errors import HandOffError
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    step,
    to_message,
    when,
    workflow,
)
from explainkit.flow.outcomes import Answered
from explainkit.testing.strategies import values
from tests.flow.compositions.scripts import Boom, outcome, played


class Hostile:
    """Raises whatever is done with it; only its identity can be asked for."""

    def __getattribute__(self, name):
        raise Boom(name)

    def _raise(self, *_):
        raise Boom("touched")

    __eq__ = __bool__ = __len__ = __iter__ = __getitem__ = __repr__ = __str__ = __hash__ = _raise


class Proxy:
    """Says that it is what it stands for."""

    def __init__(self, target):
        object.__setattr__(self, "_target", target)

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "_target"), name)

    @property
    def __class__(self):
        return type(object.__getattribute__(self, "_target"))


def cyclic():
    found = {"items": []}
    found["items"].append(found)
    return found


def large_cyclic():
    """Large enough that its lists would be stored by themselves."""
    found = {"items": [], "text": "x" * 1000}
    found["items"].append(found)
    return found


STRANGE = {
    "huge": lambda: ["x" * 1000] * 5_000,
    "wide": lambda: list(range(20_000)),
    "cyclic": cyclic,
    "large cyclic": large_cyclic,
    "hostile": Hostile,
    "proxy": lambda: Proxy([1, 2]),
    "generator": lambda: (n for n in range(3)),
    "frame": lambda: pd.DataFrame({"a": [1, 2]}),
    "array": lambda: np.arange(5),
    "outcome": lambda: Answered(1),
    "none": lambda: None,
}


@pytest.mark.parametrize("kind", STRANGE)
def test_strange_values_pass_by_identity_through_every_composition(kind):
    value = STRANGE[kind]()
    seen = []

    def look(given):
        seen.append(given is value)
        return given

    whole = Sequence(
        lambda _: value,
        workflow(look, look),
        Conditional(when(lambda _: True, look)),
        Loop(look, until=lambda _: True),
        Parallel({"a": look, "b": look}, merge=lambda by: by["a"]),
        graph({"a": look, "b": look}, [("a", "b")]),
        lambda by: by["b"],
        look,
    )
    found, recording = played(whole)
    assert found.value is value
    assert seen == [True] * 9
    assert recording.status == "answered"


@given(values())
def test_any_recordable_value_passes_by_identity(value):
    assert outcome(Sequence(lambda given: given, lambda given: given), value).value is value
    assert outcome(Sequence(lambda _: value, lambda given: given)).value is value


@dataclasses.dataclass
class Order:
    number: int


class Fare(pydantic.BaseModel):
    amount: Decimal


class Row(TypedDict):
    a: int


def a_function(_):
    """Something callable."""


FITTING = [
    (int, 1),
    (str, "x"),
    (bytes, b"x"),
    (list[int], [1, 2]),
    (dict[str, tuple[int, ...]], {"a": (1, 2)}),
    (tuple[int, str], (1, "x")),
    (int | None, None),
    (Literal["a", "b"], "b"),
    (Order, Order(1)),
    (list[Order], [Order(1)]),
    (Fare, Fare(amount=Decimal(1))),
    (Row, {"a": 1}),
    (Decimal, Decimal("1.0")),
    (dt.date, dt.date(2026, 1, 1)),
    (Annotated[int, Gt(0)], 1),
    (Callable, a_function),
    (Iterator[int], iter([1])),
    (pd.DataFrame, pd.DataFrame({"a": [1]})),
    (np.ndarray, np.arange(2)),
    (Any, object()),
    (object, 1),
    (None, None),
]
UNFITTING = [
    (int, "1"),
    (int, True),
    (int, 1.0),
    (str, b"x"),
    (list[int], (1, 2)),
    (list[int], ["1"]),
    (tuple[int, str], [1, "x"]),
    (Literal["a"], "b"),
    (Order, {"number": 1}),
    (Fare, {"amount": 1}),
    (Row, {"a": "1"}),
    (Decimal, 1),
    (dt.date, "2026-01-01"),
    (Annotated[int, Gt(0)], 0),
    (pd.DataFrame, {"a": [1]}),
]


@pytest.mark.parametrize(("kind", "value"), FITTING, ids=range(len(FITTING)))
def test_a_value_that_fits_arrives_as_it_is(kind, value):
    whole = workflow(step(lambda _: value, gives=kind), step(lambda given: given, takes=kind))
    assert outcome(whole).value is value


@pytest.mark.parametrize(("kind", "value"), UNFITTING, ids=range(len(UNFITTING)))
def test_a_value_that_does_not_fit_is_not_made_to(kind, value):
    taking = workflow(lambda _: value, step(lambda _: 1, takes=kind))
    giving = workflow(step(lambda _: value, gives=kind))
    for whole, words in ((taking, "takes"), (giving, "says that it gives")):
        error = outcome(whole).error
        assert isinstance(error, HandOffError)
        assert words in str(error)
        assert len(str(error)) < 1000


def test_a_generator_that_is_checked_is_not_consumed():
    made = iter([1, 2])
    assert list(outcome(workflow(step(lambda _: made, gives=Iterator[int]))).value) == [1, 2]


def test_a_message_from_a_step_fits_a_step_that_takes_text():
    whole = workflow(lambda n: n, to_message(str), step(len, takes=str, gives=int))
    assert outcome(whole, 123) == Answered(3)
