"""Encoding survives every object, asks it for nothing but its repr, and does not keep it."""

import gc
import math
import sys
import threading
import weakref
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.safety.encoding import decode, encode
from explainkit.safety.redaction import Redactor, capture
from tests.safety.values import exact_values


class RaisingRepr:
    def __repr__(self):
        raise ValueError("no")


class ExitingRepr:
    def __repr__(self):
        raise SystemExit


class NumericRepr:
    def __repr__(self):
        return 3


class RecursiveRepr:
    def __repr__(self):
        return repr(self)


class HugeRepr:
    def __repr__(self):
        return "x" * 5_000_000


class SurrogateRepr:
    def __repr__(self):
        return "\ud800<b>"


class Liar:
    @property
    def __class__(self):
        raise RuntimeError("asked for its class")

    def __getattribute__(self, name):
        raise RuntimeError(f"asked for {name}")

    def __eq__(self, other):
        raise RuntimeError("compared")

    __hash__ = None


class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError(f"asked for {name}")

    def __hash__(cls):
        raise RuntimeError("hashed")

    def __eq__(cls, other):
        raise RuntimeError("compared")


def unspeakable():
    return Meta("Unspeakable", (), {})()


class RaisingDict(dict):
    def items(self):
        raise RuntimeError("asked for items")

    def __iter__(self):
        raise RuntimeError("iterated")

    __len__ = __getitem__ = keys = values = __iter__


class RaisingList(list):
    def __iter__(self):
        raise RuntimeError("iterated")

    __len__ = __getitem__ = __iter__


class RaisingMessage(Exception):
    def __str__(self):
        raise RuntimeError("asked for its message")


@dataclass
class Lazy:
    shown: int

    @property
    def costly(self):
        raise RuntimeError("asked for a property")


EVIL = [
    RaisingRepr,
    ExitingRepr,
    NumericRepr,
    RecursiveRepr,
    HugeRepr,
    SurrogateRepr,
    Liar,
    unspeakable,
    lambda: type(unspeakable()),
    lambda: RaisingDict(a=1),
    lambda: RaisingList([1]),
    RaisingMessage,
    lambda: Lazy(1),
    lambda: Lazy.__new__(Lazy),
    lambda: type("", (), {"__module__": 3})(),
    lambda: type("A" * 10_000, (), {}),
    lambda: SimpleNamespace(a=1),
    lambda: (x for x in [1]),
    lambda: iter([1]),
    lambda: Path(__file__).open(encoding="utf-8"),  # noqa: SIM115 - an open file is the case
    lambda: threading.Lock(),
    lambda: sys,
    lambda: print,
    lambda: Ellipsis,
    lambda: range(3),
    lambda: {}.keys(),
]


@pytest.mark.parametrize("make", EVIL)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_no_object_makes_encoding_raise(make):
    for wrap in (lambda x: x, lambda x: [x], lambda x: {"a": (x,)}, lambda x: {"k": {"b": x}}):
        encoded = encode(wrap(make()))
        assert encoded.fidelity in {"partial", "opaque"}
        assert encoded.lost
        assert len(encoded.data) < 30_000
        assert b'"type":"?"' not in encoded.data
        decode(encoded.data)


# Hypothesis itself asks for the class of what it makes, which three of them refuse.
evil = st.sampled_from([*EVIL[:6], *EVIL[9:17]]).map(lambda make: make())


@given(st.recursive(evil | exact_values, lambda inner: st.lists(inner, max_size=3), max_leaves=6))
def test_evil_objects_anywhere_are_survived(value):
    captured = capture(value, Redactor())
    assert orjson.loads(captured.data) is not None or value is None
    decode(captured.data)


def test_the_repr_of_an_object_is_bounded_and_counted():
    body = orjson.loads(encode(HugeRepr()).data)["$object"]
    assert (len(body["repr"]), body["of"]) == (2_000, 5_000_000)


def test_reprs_do_not_depend_on_addresses():
    assert encode(object()).data == encode(object()).data
    assert b"0x" not in encode(lambda: 1).data


def test_the_persons_interrupt_passes():
    class Interrupted:
        def __repr__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode(Interrupted())


def test_iterators_are_not_consumed():
    rows = iter([1, 2, 3])
    lines = (line for line in ["a"])
    assert encode([rows, lines, map(str, [1])]).fidelity == "partial"
    assert list(rows) == [1, 2, 3]
    assert list(lines) == ["a"]


async def _coroutine():
    return 1


def test_coroutines_are_not_run():
    waiting = _coroutine()
    assert encode(waiting).fidelity == "opaque"
    waiting.close()


def test_cycles_point_to_where_they_close():
    items: list = [1]
    items.append({"again": items})
    encoded = encode({"items": items})
    assert encoded.data == b'{"items":[1,{"again":{"$cycle":"/items"}}]}'
    assert encoded.lost[0][:2] == ("cut", "/items/1/again")


def test_what_is_shared_is_no_cycle():
    shared = ["x"]
    encoded = encode({"a": shared, "b": shared, "t": (shared, shared)})
    assert encoded.fidelity == "exact"


def test_objects_in_objects_are_no_cycles():
    nested: object = 1
    for _ in range(20):
        nested = Lazy(nested)
    encoded = encode(nested)
    assert b"$cycle" not in encoded.data
    assert encoded.data.count(b"$dataclass") == 20


def test_shared_values_that_double_at_every_level_end():
    value: list = ["x"]
    for _ in range(60):
        value = [value, value]
    encoded = encode(value)
    assert encoded.fidelity == "partial"
    assert any(loss.what == "cut" for loss in encoded.lost)


def test_a_wide_tuple_that_is_shared_widely_ends():
    row = tuple(range(20_000))
    encoded = encode((row,) * 20_000)
    assert encoded.lost[-1].what == "truncated"
    assert any(loss.what == "cut" for loss in encoded.lost)


@pytest.mark.parametrize("depth", [150, 5_000])
def test_depth_is_cut_not_fatal(depth):
    value: object = "x"
    for index in range(depth):
        value = [value] if index % 2 else {"a": value}
    encoded = encode(value)
    assert encoded.fidelity == "partial"
    decode(encoded.data)


def test_encoding_near_the_end_of_the_stack_does_not_raise():
    def dive(left):
        return dive(left - 1) if left else encode({"a": (1, [2])})

    results = set()
    for depth in range(sys.getrecursionlimit() - 120, sys.getrecursionlimit(), 3):
        try:
            results.add(dive(depth).fidelity)
        except RecursionError:
            break  # the test itself ran out of stack
    assert "exact" in results


def test_nothing_is_changed_or_kept():
    class Thing:
        pass

    thing = Thing()
    value = {"thing": thing, "list": [1, (2,)]}
    capture(value, Redactor())
    assert value == {"thing": thing, "list": [1, (2,)]}
    watch = weakref.ref(thing)
    del thing, value
    gc.collect()
    assert watch() is None


def test_a_container_changed_by_another_thread_is_survived():
    value = {str(index): [index] for index in range(1_000)}
    stop = threading.Event()

    def churn():
        count = 0
        while not stop.is_set():
            count += 1
            value[f"new{count % 500}"] = [count]
            value.pop(f"new{(count + 250) % 500}", None)

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        results = [encode(value).data for _ in range(100)]
    finally:
        stop.set()
        thread.join()
    assert all(orjson.loads(data) for data in results)


def test_nan_keys_and_mixed_keys():
    encoded = encode({math.nan: 1, 1: "a", (2, 3): "b", None: "c"})
    assert encoded.fidelity == "exact"
    assert list(decode(encoded.data).values()) == [1, "a", "b", "c"]
