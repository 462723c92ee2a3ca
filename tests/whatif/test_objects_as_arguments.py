"""Arguments that cannot be compared, or are compared item by item, as tables and arrays are."""

import numpy as np
import pandas as pd
import pytest

import explainkit as ek


class Unequal:
    """What raises when anybody compares it."""

    __hash__ = None

    def __eq__(self, other):
        raise ValueError("this has no equal")

    def __str__(self):
        return "50 minutes"


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "late" if "50" in prompt and "note" in prompt else "early"


@pytest.mark.parametrize(
    "argument",
    [pd.DataFrame({"delay": [50]}), pd.Series([50, 60]), np.array([50, 60]), Unequal()],
    ids=["frame", "series", "array", "object"],
)
def test_a_run_that_was_given_a_table_can_be_made_again(argument):
    @ek.traced
    def desk(table, question):
        return ask(f"{table} {ek.context('n', 'a note')} {question}")

    assert desk(argument, "?") == "late"
    run = ek.last()
    assert run.whatif(remove="n").word == "cause"
    assert run.smallest_cause().items == ("n",)
