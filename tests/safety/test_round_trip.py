"""Canonical bytes hold a value exactly, or say what they do not hold."""

import collections
import datetime as dt
import enum
import json
import zoneinfo
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from explainkit.errors import DamagedValueError
from explainkit.safety.digests import digest
from explainkit.safety.encoding import Opaque, decode, encode, encode_text
from explainkit.safety.limits import Limits
from tests.safety.values import exact_values, same, texts


@given(exact_values)
def test_what_is_called_exact_decodes_to_an_equal_value_of_the_same_types(value):
    encoded = encode(value)
    assert encoded.fidelity == "exact"
    assert encoded.lost == ()
    assert same(decode(encoded.data), value)


@given(exact_values, exact_values)
def test_two_values_share_bytes_only_when_they_are_the_same(left, right):
    if encode(left).data == encode(right).data:
        assert same(left, right)


@given(texts)
def test_a_text_is_whole_and_plain(value):
    encoded = encode(value)
    assert (encoded.media, encoded.fidelity) == ("text/plain", "exact")
    assert encoded.data == encode_text(value)
    assert decode(encoded.data) == value


@given(exact_values)
def test_bytes_are_compact_utf8_json(value):
    data = encode(value).data
    assert orjson.dumps(orjson.loads(data)) == data


def test_a_dict_that_looks_like_a_tag_stays_a_dict():
    fake = {"$tuple": [1, 2]}
    assert encode(fake).data == b'{"$dict":[["$tuple",[1,2]]]}'
    assert decode(encode(fake).data) == fake
    assert encode((1, 2)).data == b'{"$tuple":[1,2]}'


def test_numbers_that_json_lacks():
    assert encode([float("nan"), float("inf"), -float("inf")]).data == (
        b'[{"$float":"nan"},{"$float":"inf"},{"$float":"-inf"}]'
    )
    assert encode(2**64).data == b'{"$int":"18446744073709551616"}'
    assert decode(encode(-(10**5000)).data) == -(10**5000)


def test_the_order_of_keys_is_kept_and_the_order_of_sets_is_canonical():
    assert encode({"b": 1, "a": 2}).data == b'{"b":1,"a":2}'
    letters = [chr(97 + index) for index in range(20)]
    assert encode(set(letters)).data == b'{"$set":' + encode(letters).data + b"}"


class Colour(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@dataclass
class Fare:
    amount: float
    lines: list = field(default_factory=list)


@dataclass(slots=True)
class Slotted:
    a: int
    b: str = "x"


class Trip(BaseModel):
    model_config = {"extra": "allow"}
    origin: str
    stops: tuple[str, ...] = ()


class Point(NamedTuple):
    x: int
    y: int


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        (Colour.RED, {"name": "RED", "value": "red"}),
        (Level.HIGH, {"name": "HIGH", "value": 3}),
        (Fare(1.5, ["a"]), {"amount": 1.5, "lines": ["a"]}),
        (Slotted(1), {"a": 1, "b": "x"}),
        (Trip(origin="A", stops=("B",), **{"$tuple": [1]}), None),
        (Point(1, 2), {"x": 1, "y": 2}),
    ],
)
def test_objects_keep_their_fields_and_come_back_as_a_stand_in(value, fields):
    encoded = encode(value)
    found = decode(encoded.data)
    assert encoded.fidelity == "partial"
    assert isinstance(found, Opaque)
    assert found.type == f"{__name__}.{type(value).__name__}"
    expected = fields or {"origin": "A", "stops": ("B",), "$tuple": [1]}
    assert found.fields == expected


@pytest.mark.parametrize(
    ("value", "content"),
    [
        (type("Name", (str,), {})("x"), "x"),
        (type("Size", (int,), {})(3), 3),
        (type("Share", (float,), {})(0.5), 0.5),
        (collections.OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (collections.deque([1, 2]), [1, 2]),
        (bytearray(b"x"), b"x"),
        (memoryview(b"x"), b"x"),
    ],
)
def test_a_type_of_its_own_loses_the_type_and_keeps_the_content(value, content):
    encoded = encode(value)
    assert encoded.fidelity == "partial"
    assert [(loss.what, loss.kept, loss.of) for loss in encoded.lost] == [("unencodable", 1, 1)]
    assert decode(encoded.data) == content


def test_an_ordered_dict_keeps_the_order_it_was_moved_to():
    value = collections.OrderedDict(a=1, b=2)
    value.move_to_end("a")
    assert encode(value).data == b'{"b":2,"a":1}'


def test_a_time_zone_loses_its_name_and_keeps_its_offset():
    moment = dt.datetime(2025, 7, 1, tzinfo=zoneinfo.ZoneInfo("UTC"))
    encoded = encode(moment)
    assert encoded.fidelity == "partial"
    assert decode(encoded.data) == moment


def test_an_exception_keeps_message_frames_and_cause():
    try:
        try:
            raise KeyError("tariff")
        except KeyError as error:
            raise ValueError("no fare") from error
    except ValueError as error:
        body = orjson.loads(encode(error).data)["$exception"]
    assert (body["type"], body["message"]) == ("ValueError", "no fare")
    assert body["cause"]["type"] == "KeyError"
    assert body["trace"] == [f"test_round_trip.py:{body['trace'][0].split(':')[1]}"]
    assert "/" not in json.dumps(body["trace"])


def test_what_is_too_deep_too_wide_or_too_long_is_cut_and_counted():
    limits = Limits(depth=3, width=4, binary=2)
    deep = encode([[[[["x"]]]]], limits=limits)
    assert b'"$cut":{"kind":"depth"' in deep.data
    wide = encode({"rows": list(range(9))}, limits=limits)
    assert [(loss.path, loss.kept, loss.of) for loss in wide.lost] == [("/rows", 4, 9)]
    assert decode(wide.data)["rows"].fields["value"] == [0, 1, 2, 3]
    many = encode(dict.fromkeys("abcdefg", 1), limits=limits)
    assert many.lost[0][2:4] == (4, 7)
    assert encode(b"abc", limits=limits).lost[0][2:4] == (2, 3)
    assert encode(set(range(9)), limits=limits).lost[0][2:4] == (0, 9)


def test_text_is_never_cut():
    text = "ab" * 3_000_000
    assert decode(encode({"text": text, "t": (text,)}).data)["text"] == text


def test_losses_beyond_the_limit_are_counted():
    encoded = encode([Fare(1.0)] * 50)
    assert len(encoded.lost) == Limits().losses + 1
    assert encoded.lost[-1].of == 50


def test_equal_content_has_equal_digests():
    assert digest(encode({"a": [1]}).data) == digest(encode({"a": [1]}).data)
    assert len(digest(b"")) == 40


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"$tuple":1}',
        b'{"$tuple":[],"b":1}',
        b'{"$pairs":[[1]]}',
        b'{"$pairs":[[[],1]]}',
        b'{"$set":[[]]}',
        b'{"$bytes":"?"}',
        b'{"$text":"/w=="}',
        b'{"$int":"x"}',
        b'{"$float":"1"}',
        b'{"$float":[]}',
        b'{"$date":"tomorrow"}',
        b'{"$decimal":"x"}',
        b'{"$complex":["1"]}',
        b'{"$timedelta":[1e99,0,0]}',
        b'{"$timedelta":[9999999999,0,0]}',
        b'{"$uuid":"x"}',
        b'{"$dict":[[1,2]]}',
    ],
)
def test_bytes_that_no_encoder_writes_are_damaged(data):
    with pytest.raises(DamagedValueError):
        decode(data)


def test_a_tag_of_a_later_version_is_kept():
    assert decode(b'[{"$later":1}]') == [Opaque("$later", {"value": 1})]


json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "x", "eA==", "nan"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "$tuple $set $pairs $dict $bytes $text $int $float $date $decimal $complex "
                "$timedelta $uuid $cut $object $enum a".split()
            ),
            inner,
            max_size=2,
        )
    ),
    max_leaves=12,
)


@given(json_like)
def test_hostile_json_decodes_or_is_damaged(tree):
    data = orjson.dumps(tree)
    try:
        found = decode(data)
    except DamagedValueError:
        return
    assert b'"$' in data or found == tree
