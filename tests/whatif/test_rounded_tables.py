"""Rounding in an array, a column or a table is no other answer, as it is none in a list."""

import numpy as np
import pandas as pd
import pytest

import explainkit as ek


def asked(make, kept, changed):
    """The what-if of a run that answers with one thing with its note and another without."""

    @ek.link(kind="tool", deterministic=True)
    def shares(text):
        return make(kept if "house rules" in text else changed)

    @ek.traced
    def desk(q):
        return shares(ek.context("note", "The house rules.") + q)

    desk("?")
    return ek.last().whatif(remove="note")


SHAPES = {
    "array": lambda x: np.array([x, 1.0]),
    "table of an array": lambda x: np.array([[x, 1.0], [2.0, np.nan]]),
    "series": lambda x: pd.Series([x, np.nan], name="fee"),
    "index": lambda x: pd.Index([x, 1.0]),
    "frame": lambda x: pd.DataFrame({"fee": [x, 2.0], "zone": ["A", "B"]}),
    "nested": lambda x: {"all": [np.array([x]), pd.Series([x])]},
    "list": lambda x: [x, 1.0],
}


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES.keys())
def test_rounding_is_no_other_answer(make):
    assert asked(make, 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1).word == "not shown"


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES.keys())
def test_another_number_is_another_answer(make):
    assert asked(make, 0.6, 0.61).word == "cause"


@pytest.mark.parametrize("make", [np.array, pd.Series], ids=["array", "series"])
def test_whole_numbers_count_to_the_last_digit(make):
    assert asked(lambda x: make([x]), 10**15, 10**15 + 1).word == "cause"


@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.array([1.0] * 5000 + [x]),
        lambda x: pd.Series([1.0] * 5000 + [x]),
        lambda x: pd.DataFrame({"fee": [1.0] * 5000 + [x]}),
    ],
    ids=["array", "series", "frame"],
)
def test_what_is_not_on_record_whole_is_inconclusive(make):
    found = asked(make, 0.6, 0.61)
    assert found.word == "inconclusive"
    assert "judge=" in str(found)


def test_labels_of_rows_that_are_not_on_record_convict_nobody():
    found = asked(lambda x: pd.Series([x], index=["a"]), 0.1 + 0.2 + 0.3, 0.6)
    assert found.word == "inconclusive"


def next_of(number):
    return np.nextafter(number, type(number)(9))


FEW_DIGITS = {
    "half": np.float16(0.3),
    "single": np.float32(0.3),
    "double": np.float64(0.3),
}


@pytest.mark.parametrize("number", FEW_DIGITS.values(), ids=FEW_DIGITS.keys())
def test_rounding_goes_by_the_digits_that_a_number_has(number):
    other = number * type(number)(1.01)
    for make in (lambda x: x, lambda x: np.array([x, x]), lambda x: pd.Series([x, x])):
        assert asked(make, number, next_of(number)).word == "not shown"
        assert asked(make, number, other).word == "cause"


def test_of_columns_the_finest_numbers_say_what_rounding_is():
    def frame(x):
        return pd.DataFrame({"fee": [x], "rate": np.array([0.5], np.float32)})

    assert asked(frame, 0.3, 0.3 + 1e-7).word == "cause"


def test_complex_numbers_are_rounded_too():
    assert asked(lambda x: complex(x, 1), 0.1 + 0.2, 0.3).word == "not shown"
    assert asked(lambda x: complex(x, 1), 0.4, 0.3).word == "cause"
