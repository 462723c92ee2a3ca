"""Whether two answers are one: by type, numbers within a tolerance, fields and items one by one."""

import cmath
import math
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from functools import partial
from typing import Any, Final

from explainkit.safety.decoding import Opaque
from explainkit.whatif.judging.recorded_forms import RecordedObject, is_table
from explainkit.whatif.judging.recorded_tables import is_same_table

TOLERANCE: Final = 1e-9
"""Relative difference of two numbers that are the same answer (ours)."""
_COARSE: Final = {"float32": 1e-6, "complex64": 1e-6, "float16": 2e-3}
"""That of numbers with fewer digits: some units in their last place (ours)."""


def is_same(a: Any, b: Any, *, tolerance: float = TOLERANCE) -> bool:
    """Equality by type: numbers within a tolerance, fields and items one by one.

    Whole numbers have none: they may be accounts, orders or nanoseconds. Of numbers of numpy it
    goes by the digits that they have.

    Args:
        a: An answer.
        b: Another one.
        tolerance: Relative difference of two numbers that are the same.

    Example:
        >>> is_same({"fare": 0.1 + 0.2}, {"fare": 0.3}), is_same("approved", "not approved")
        (True, False)
    """
    same = partial(is_same, tolerance=tolerance)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float | complex) and isinstance(b, int | float | complex):
        return _is_same_number(a, b, tolerance)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return _is_same_object(a, b)
    if isinstance(a, RecordedObject) and isinstance(b, RecordedObject):
        return a.recorded_kind == b.recorded_kind and same(vars(a), vars(b))
    if type(a) is type(b) and is_dataclass(a):
        return same(vars(a), vars(b)) if hasattr(a, "__dict__") else bool(a == b)
    try:
        return type(a) is type(b) and bool(a == b)
    except Exception:  # noqa: BLE001 - values of a user may compare in any way
        return False


def _is_same_object(a: Opaque, b: Opaque) -> bool:
    same = partial(is_same, tolerance=_tolerance_of(a))
    if is_table(a):
        return is_same_table(a, b, same)
    return (a.type, a.repr) == (b.type, b.repr) and same(a.fields, b.fields)


def _tolerance_of(value: Opaque) -> float:
    """That of the numbers in it; of columns the finest."""
    told = value.fields.get("dtypes", [value.fields.get("dtype")])
    kinds = [str(each) for each in told] if isinstance(told, Iterable) else []
    found = [_COARSE.get(k, TOLERANCE) for k in kinds if k.startswith(("float", "complex"))]
    return min(found, default=TOLERANCE)


def _is_same_number(a: Any, b: Any, tolerance: float) -> bool:
    if a == b or (a != a and b != b):
        return True
    if isinstance(a, complex) or isinstance(b, complex):
        return cmath.isclose(a, b, rel_tol=tolerance)
    whole = [isinstance(each, int) for each in (a, b)]
    if all(whole) or (any(whole) and all(_is_whole(each) for each in (a, b))):
        return False
    try:
        return math.isclose(a, b, rel_tol=tolerance)
    except OverflowError:
        return False  # a whole number beyond all fractions


def _is_whole(number: float) -> bool:
    return isinstance(number, int) or number.is_integer()
