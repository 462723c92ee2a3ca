"""Every text and number of a stored value has one address, and the address finds it."""

import datetime as dt
from decimal import Decimal

import orjson
import pytest
from hypothesis import given

from explainkit.errors import UnknownRecordError
from explainkit.safety.encoding import encode
from explainkit.safety.leaf_paths import leaves, resolve
from tests.safety.test_round_trip import Colour, Fare
from tests.safety.values import exact_values


def tree(value):
    return orjson.loads(encode(value).data)


@given(exact_values)
def test_every_leaf_resolves_to_itself_and_addresses_are_unique(value):
    tagged = tree(value)
    found = list(leaves(tagged))
    assert len({path for path, _ in found}) == len(found)
    for path, leaf in found:
        assert resolve(tagged, path) == leaf
        assert type(leaf) in {str, int, float}
        assert not isinstance(leaf, str) or leaf.encode().decode() == leaf


def test_tags_take_no_step():
    value = {
        "pair": (1, "x"),
        "a/b~c": [True, None, "y"],
        "big": 2**70,
        "date": dt.date(2025, 1, 2),
        "price": Decimal("12.50"),
        "bytes": b"abc",
        "nan": float("nan"),
        "colour": Colour.RED,
        "fare": Fare(1.5, ["z"]),
        "lone": "a\ud800b",
    }
    assert list(leaves(tree(value))) == [
        ("/pair/0", 1),
        ("/pair/1", "x"),
        ("/a~1b~0c/2", "y"),
        ("/big", 2**70),
        ("/date", "2025-01-02"),
        ("/price", "12.50"),
        ("/colour", "red"),
        ("/fare/amount", 1.5),
        ("/fare/lines/0", "z"),
        ("/lone", "a\ufffdb"),
    ]


def test_keys_that_json_lacks():
    assert list(leaves(tree({1: "a", (2, "k"): "b"}))) == [
        ("/0/0", 1),
        ("/0/1", "a"),
        ("/1/0/0", 2),
        ("/1/0/1", "k"),
        ("/1/1", "b"),
    ]
    assert list(leaves(tree({"$tuple": "a", "b": 1}))) == [("/$tuple", "a"), ("/b", 1)]


def test_the_whole_text_has_the_empty_address():
    assert list(leaves("half")) == [("", "half")]
    assert resolve("half", "") == "half"
    assert resolve({"a": [1]}, "/a") == [1]


def test_exceptions_and_objects_show_their_words():
    try:
        raise ValueError("no fare") from KeyError("tariff")
    except ValueError as error:
        found = dict(leaves(tree(error)))
    assert found == {"/message": "no fare", "/cause/message": "'tariff'"}
    assert list(leaves(tree(range(3)))) == [("/repr", "range(0, 3)")]


@pytest.mark.parametrize("path", ["/b", "/a/9", "/a/-1", "/a/x", "a", "/a/0/0", "/a/0/x/y"])
def test_an_address_of_nothing_is_an_error(path):
    with pytest.raises(UnknownRecordError):
        resolve({"a": ["x"]}, path)


def test_depth_does_not_matter():
    node: object = "x"
    for _ in range(20_000):
        node = {"$tuple": [node]}
    assert [leaf for _, leaf in leaves(node)] == ["x"]


@pytest.mark.parametrize(
    "node",
    [
        {"$tuple": 1},
        {"$dict": [1, ["a"], [1, 2]]},
        {"$enum": 3},
        {"$int": "x"},
        {"$text": "?"},
        {"$exception": []},
        {"$object": 1},
        {"$later": "x"},
        {"$dataclass": {"fields": 1.5}},
    ],
)
def test_damaged_tags_give_what_is_left(node):
    assert all(type(leaf) in {str, float} for _, leaf in leaves([node]))
