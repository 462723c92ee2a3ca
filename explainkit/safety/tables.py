"""Tags of numpy and pandas objects, found through ``sys.modules`` so that neither is imported."""

import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from explainkit.safety.described import ancestry, repr_of, type_name
from explainkit.safety.surrogates import without_surrogates
from explainkit.safety.walking import Child, Grown, Walk


def table_handler(kind: type) -> Callable[[Walk, Any], Any] | None:
    """Return the function that encodes a numpy or pandas type, else ``None``."""
    mro = ancestry(kind)
    for library, name, handler in _HANDLERS:
        module = sys.modules.get(library)
        if module is not None and getattr(module, name, None) in mro:
            return handler
    return None


def _scalar(walk: Walk, value: Any) -> Any:
    item = value.item()
    if type(item) is type(value):
        return walk.described(value)
    walk.retyped(value)
    body: dict[str, Any] = {"dtype": str(value.dtype), "value": None}
    return Grown({"$scalar": body}, [Child(item, body, "value", None)], 2)


def _array(walk: Walk, value: Any) -> Grown:
    flat = sys.modules["numpy"].ndarray.view(value, sys.modules["numpy"].ndarray)
    sample = flat.flat[: walk.limits.sample].tolist()
    body = {
        "dtype": str(value.dtype)[:200],
        "shape": list(flat.shape),
        "sha256": _array_hash(walk, flat),
        "sample": None,
    }
    _sampled(walk, value, len(sample), int(flat.size))
    return Grown({"$array": body}, [Child(sample, body, "sample", None)], 2)


def _array_hash(walk: Walk, flat: Any) -> str | None:
    # The bytes of an object array are addresses.
    if flat.dtype.hasobject or flat.nbytes > walk.limits.hashed:
        return None
    return sha256(flat.tobytes()).hexdigest()


def _frame(walk: Walk, value: Any) -> Grown:
    rows, columns = (int(size) for size in value.shape)
    head = value.iloc[: walk.limits.rows, : walk.limits.columns]
    body = {
        "shape": [rows, columns],
        "columns": [_name(label) for label in head.columns.tolist()],
        "dtypes": [str(dtype)[:200] for dtype in head.dtypes.tolist()],
        "sha256": _table_hash(walk, value, rows * columns),
        "rows": None,
    }
    _sampled(walk, value, head.shape[0] * head.shape[1], rows * columns)
    sample = [list(row) for row in head.itertuples(index=False, name=None)]
    return Grown({"$frame": body}, [Child(sample, body, "rows", None)], 2)


def _series(walk: Walk, value: Any) -> Grown:
    size = len(value)
    body = {
        "type": type_name(type(value)),
        "name": _name(value.name),
        "dtype": str(value.dtype)[:200],
        "size": size,
        "sha256": _table_hash(walk, value, size),
        "sample": None,
    }
    sample = value[: walk.limits.sample].tolist()
    _sampled(walk, value, len(sample), size)
    return Grown({"$series": body}, [Child(sample, body, "sample", None)], 2)


def _table_hash(walk: Walk, value: Any, cells: int) -> str | None:
    if cells * 8 > walk.limits.hashed:
        return None
    hashed = sys.modules["pandas"].util.hash_pandas_object
    try:
        return sha256(hashed(value, index=True).to_numpy().tobytes()).hexdigest()
    except KeyboardInterrupt:
        raise
    except BaseException:  # a cell is asked for its repr, and may raise anything at all
        return None


def _sampled(walk: Walk, value: Any, kept: int, of: int) -> None:
    if kept < of:
        walk.lose("truncated", kept, of, f"items of {type_name(type(value))}")
    else:
        walk.retyped(value)


def _name(label: Any) -> str:
    if type(label) is str:
        return without_surrogates(label)
    return without_surrogates(repr_of(label, limit=200).text)


_HANDLERS: tuple[tuple[str, str, Callable[[Walk, Any], Any]], ...] = (
    ("numpy", "generic", _scalar),
    ("numpy", "ndarray", _array),
    ("pandas", "DataFrame", _frame),
    ("pandas", "Series", _series),
    ("pandas", "Index", _series),
)
