"""What is on record as an object is refused before anything runs, and never shown as our own."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import explainkit as ek
from explainkit.errors import ExplainkitError, InterventionError
from explainkit.safety.decoding import decode
from explainkit.safety.encoding import encode

CALLS: list[str] = []


@dataclass
class Fare:
    """A price."""

    amount: int = 1


class Client:
    """Something live."""


@ek.link(kind="retrieval", deterministic=True)
def table(question):
    CALLS.append("table")
    return pd.DataFrame({"a": [1, 2, 3]})


@ek.link(kind="retrieval", deterministic=True)
def rows(question):
    return [{"fare": Fare(), "text": "half"}, Client(), "a third"]


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return prompt


@ek.traced("desk")
def desk(question):
    found, more = table(question), rows(question)
    note = ek.context("note", "half")
    ek.context("fare", Fare())
    ek.context("numbers", np.arange(3))
    ek.context("client", Client())
    ek.left_out("page 9", Client(), why="rank 9")
    return ask(f"{found['a'].tolist()} {more[0]['text']} {note}")


@pytest.fixture
def run():
    desk("q")
    CALLS.clear()
    return ek.last()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"reorder": {"table": [2, 1, 0]}}, "type DataFrame, which is no list .*swap={'table'"),
        ({"remove": "table"}, "type DataFrame, which cannot be missing.*swap={'table'"),
        ({"remove": "numbers"}, "type array, which cannot be missing.*replace={'numbers'"),
        ({"remove": "client"}, "type Client, which cannot be missing"),
        ({"reorder": {"fare": [1, 0]}}, "type Fare, which is no list"),
        ({"remove": ("table", 1)}, "type DataFrame on record, of which no part .*swap={'table'"),
        ({"restore": "page 9"}, "was not recorded whole"),
        ({"remove": ("rows", 2)}, r"holds objects .*\(Client, Fare\).*swap={'rows'"),
        ({"reorder": {"rows": [1, 0, 2]}}, r"holds objects .*swap={'rows'"),
    ],
)
def test_an_object_is_refused_before_anything_runs(run, change, says):
    with pytest.raises(InterventionError, match=says):
        run.whatif(**change)
    assert not CALLS


def test_an_item_beside_numbers_of_numpy_is_taken_away():
    @ek.link(kind="retrieval", deterministic=True)
    def scored(question):
        return [{"score": np.float64(0.25 * at), "text": f"text {at}"} for at in range(3)]

    @ek.traced("ranked")
    def ranked(question):
        best = max(scored(question), key=lambda each: each["score"])
        return ask(f"{best['text']} {round(best['score'] * 2, 2)}")

    ranked("q")
    found = ek.last().whatif(remove=("scored", 2))
    assert (found.word, found.after) == ("cause", "text 1 0.5")


TARGETS = [
    *("table", "rows", "note", "fare", "numbers", "client", "ask", "page 9", "desk"),
    *(("rows", 0), ("rows", 1), ("rows", "/0/fare"), ("rows", "/1"), ("table", 0), ("note", 0)),
    *(("rows", 0, "half"), ("rows", "half"), ("fare", "amount"), ("client", (0, 1))),
]
VERBS = [
    *({"remove": each} for each in TARGETS),
    *({"replace": {each: Client()}} for each in TARGETS),
    *({"reorder": {each: [1, 0]}} for each in TARGETS),
    *({"reorder": {each: [2, 1, 0]}} for each in TARGETS),
    *({"restore": each} for each in TARGETS),
    *({"restore": {each: "rows"}} for each in TARGETS),
    *({"swap": {each: Client()}} for each in TARGETS),
    *({"edit": {each: {"question": Client()}}} for each in TARGETS),
    *({"hold": each} for each in TARGETS),
]


def test_no_text_for_a_person_speaks_of_our_stand_ins(run):
    refused = 0
    for change in VERBS:
        try:
            found = run.whatif(**change)
        except (ExplainkitError, LookupError, TypeError, ValueError) as error:
            told, refused = str(error), refused + 1
        else:
            told = f"{found!r} {found} {found._repr_html_()} {found.interventions}"
        assert "Opaque" not in told, change
    assert 60 < refused < len(VERBS)
    assert "Opaque" not in run.findings.to_string()
    assert "Opaque" not in str(run.story())


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (pd.DataFrame({"a": [1]}), "<DataFrame>"),
        (pd.Series([1]), "<Series>"),
        (np.arange(3), "<array>"),
        (Fare(), "<Fare>"),
        (object(), "<object object>"),
        (KeyError("x"), "<KeyError>"),
        (list(range(200_000)), "<list>"),
    ],
)
def test_a_stand_in_is_shown_as_what_it_stands_for(value, told):
    assert repr(decode(encode(value).data)) == told
