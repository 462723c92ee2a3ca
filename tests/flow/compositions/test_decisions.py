"""Decision records: what each predicate said, and which values it read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.flow.compositions import Conditional, Loop, when
from explainkit.flow.compositions.read_views import viewed
from explainkit.flow.outcomes import Answered
from tests.flow.compositions.scripts import answers, decisions, outcome, played, reads

ORDER = {"order": {"amount": 120, "lines": [1, 2], "a/b~": "x"}, "who": "Ann", "empty": {}}


def read_by(predicate, value=None):
    value = ORDER if value is None else value
    _, recording = played(Conditional(when(predicate, answers(1)), default=answers(2)), value)
    return reads(recording)[0]


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (lambda o: o["order"]["amount"] > 100, ["/order/amount"]),
        (lambda o: o["order"]["a/b~"] == "x", ["/order/a~1b~0"]),
        (lambda o: o["order"]["lines"][0] == 1, ["/order/lines"]),
        (lambda o: o.get("who") and o.get("nobody"), ["/who", ""]),
        (lambda o: "who" in o, ["/who"]),
        (lambda o: "nobody" in o, [""]),
        (lambda o: o["order"] is not None, ["/order"]),
        (lambda o: o["order"]["amount"] and o["order"], ["/order/amount", "/order"]),
        (lambda o: o["order"] == ORDER["order"], ["/order"]),
        (lambda o: bool(o["empty"]), ["/empty"]),
        (lambda o: dict(o), ["", "/who", "/order", "/empty"]),
        (lambda o: {**o["order"]}, ["/order", "/order/amount", "/order/lines", "/order/a~1b~0"]),
        (lambda o: o | {"x": 1}, [""]),
        (lambda o: {"x": 1} | o, [""]),
        (lambda o: o.copy(), [""]),
        (lambda o: [key for key, _ in o.items()], [""]),
        (lambda o: True, []),
    ],
)
def test_the_record_names_the_places_that_were_read(predicate, expected):
    assert [pointer for pointer, _ in read_by(predicate)] == expected


def test_what_every_predicate_that_was_asked_read_is_named_once():
    whole = Conditional(
        when(lambda o: "empty" not in o, answers(1)),
        when(lambda o: o["who"] == "Ann" and o["order"]["amount"] > 0, answers(2)),
        when(lambda o: o["empty"], answers(3)),
    )
    _, recording = played(whole, ORDER)
    assert reads(recording) == [[("/empty", {}), ("/who", "Ann"), ("/order/amount", 120)]]


def test_what_was_read_is_found_at_its_place():
    assert read_by(lambda o: o["order"]["a/b~"]) == [("/order/a~1b~0", "x")]


@pytest.mark.parametrize("value", [7, "text", [1], (1,), None])
def test_of_anything_but_a_mapping_all_counts_as_read(value):
    assert read_by(lambda _: True, value if value is not None else 0)[0][0] == ""


def test_a_predicate_decides_as_it_would_without_the_view():
    def asks(o):
        match o:
            case {"who": "Ann", "order": {"amount": amount}}:
                return isinstance(o, dict) and isinstance(o["order"], dict) and amount == 120
        return False

    assert outcome(Conditional(when(asks, answers("yes"))), ORDER) == Answered("yes")


def test_a_predicate_cannot_change_what_the_branch_is_given():
    def writes(o):
        o["who"] = "Bob"

    found = outcome(Conditional(when(writes, answers(1))), ORDER)
    assert isinstance(found.error, TypeError)
    assert ORDER["who"] == "Ann"


def test_the_branch_is_given_the_value_itself_and_no_view():
    seen = []
    outcome(Conditional(when(lambda o: o["who"], seen.append)), ORDER)
    assert seen[0] is ORDER


def test_an_async_predicate_is_awaited():
    async def asks(o):
        return o["who"] == "Bob"

    whole = Conditional(when(asks, answers(1)), default=answers(2))
    found, recording = played(whole, ORDER)
    assert found == Answered(2)
    assert reads(recording) == [[("/who", "Ann")]]


def test_a_result_whose_truth_cannot_be_told_is_an_error_of_the_predicate():
    class Unsure:
        def __bool__(self):
            raise ValueError("unsure")

    found, recording = played(Conditional(when(lambda _: Unsure(), answers(1), name="u")), 1)
    assert str(found.error) == "unsure"
    assert decisions(recording) == [(("u",), ({"raised": "ValueError"},), None)]


def test_until_is_on_the_record_with_what_it_read_of_the_answer():
    def body(d):
        return {"n": d["n"] + 1, "text": "x" * 50}

    _, recording = played(Loop(body, until=lambda d: d["n"] == 2), {"n": 0})
    assert [chosen for _, _, chosen in decisions(recording)] == ["go on", "stop"]
    assert reads(recording) == [[("/n", 1)], [("/n", 2)]]
    names = {row["seq"]: row for row in recording.rows("link_closed")}
    places = [place for row in recording.rows("decision") for place in row["reads"]]
    assert all(place["seq"] in names and place["slot"] == "output" for place in places)


keys = st.text(max_size=3)
plain = st.recursive(
    st.integers() | st.text(max_size=3) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
)


@given(st.dictionaries(keys, plain, min_size=1, max_size=3), st.data())
def test_every_place_that_is_read_is_there_and_holds_what_was_read(value, data):
    view, notes = viewed(value)
    expected, here = value, view
    while isinstance(expected, dict) and expected:
        key = data.draw(st.sampled_from(sorted(expected)))
        expected, here = expected[key], here[key]
    assert (here == expected) is True
    [pointer] = notes.pointers()
    found = value
    for token in pointer.split("/")[1:]:
        found = found[token.replace("~1", "/").replace("~0", "~")]
    assert found == expected
