"""Strategies for values: what must round-trip exactly, and what must merely be survived."""

import datetime as dt
import uuid
from decimal import Decimal

from hypothesis import strategies as st

texts = st.text(st.characters(), max_size=30)  # lone surrogates included
zones = st.sampled_from([dt.UTC, dt.timezone(dt.timedelta(hours=5, minutes=30))])
plain_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    texts,
    st.sampled_from(["$tuple", "$x", "", "~1", "a/b", "[redacted:secret#1]"]),
)
scalars = st.one_of(
    plain_scalars,
    st.binary(max_size=30),
    st.dates(),
    st.datetimes(timezones=st.none() | zones).map(lambda moment: moment.replace(fold=0)),
    st.times(timezones=st.none() | zones).map(lambda moment: moment.replace(fold=0)),
    st.timedeltas(),
    st.decimals(allow_nan=False),
    st.just(Decimal("-0.00")),
    st.uuids(),
    st.complex_numbers(allow_nan=False),
)
hashables = st.recursive(
    scalars,
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)
exact_values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["$tuple", "a", "$", ""]) | texts, inner, max_size=4),
        st.dictionaries(hashables, inner, max_size=3),
        st.sets(hashables, max_size=3),
        st.frozensets(hashables, max_size=3),
    ),
    max_leaves=12,
)
json_values = st.recursive(
    plain_scalars.filter(lambda value: not isinstance(value, float) or value == value),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=15,
)


def same(left, right) -> bool:
    """Equal with equal types all the way down, so that 1, True and 1.0 differ."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        keys = list(left), list(right)
        return same(*keys) and all(
            same(a, b) for a, b in zip(left.values(), right.values(), strict=True)
        )
    if isinstance(left, (set, frozenset)):
        return left == right and sorted(map(described, left)) == sorted(map(described, right))
    if isinstance(left, float):
        return repr(left) == repr(right)
    if isinstance(left, (uuid.UUID, Decimal)):
        return str(left) == str(right)
    return left == right


def described(value) -> str:
    if isinstance(value, (tuple, frozenset)):
        return f"{type(value)}{sorted(map(described, value))}"
    return f"{type(value)}{value!r}"
