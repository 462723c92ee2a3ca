"""Arrays and frames are kept by schema, digest and sample, and are never imported for it."""

import subprocess
import sys

import numpy as np
import orjson
import pandas as pd
import pytest

from explainkit.safety.encoding import decode, encode
from explainkit.safety.leaf_paths import leaves
from explainkit.safety.limits import Limits
from explainkit.safety.redaction import Redactor, capture


def body(value, tag):
    return orjson.loads(encode(value).data)[tag]


def test_an_array_keeps_dtype_shape_digest_and_sample():
    found = body(np.arange(6, dtype="int32").reshape(2, 3), "$array")
    assert (found["dtype"], found["shape"], found["sample"]) == (
        "int32",
        [2, 3],
        [0, 1, 2, 3, 4, 5],
    )
    other = body(np.arange(6, dtype="int32").reshape(2, 3) + 1, "$array")
    assert found["sha256"] != other["sha256"]


@pytest.mark.parametrize(
    "array",
    [
        np.array([], dtype=float),
        np.array(3.5),
        np.array([1 + 2j, np.nan]),
        np.array(["2020-01-01", "NaT"], dtype="datetime64[s]"),
        np.array([object(), {"a": 1}], dtype=object),
        np.array([(1, "a")], dtype=[("x", "i4"), ("y", "U3")]),
        np.ma.masked_array([1, 2], mask=[0, 1]),
        np.arange(10)[::-2],
        np.longdouble(3),
        np.void(b"ab"),
        np.datetime64("2020-01-01"),
    ],
)
def test_odd_arrays_are_encoded(array):
    encoded = encode({"a": array})
    assert encoded.fidelity == "partial"
    decode(encoded.data)


def test_large_arrays_are_sampled_and_not_hashed_beyond_the_limit():
    encoded = encode(np.zeros(10_000), limits=Limits(sample=5, hashed=1_000))
    found = orjson.loads(encoded.data)["$array"]
    assert (found["sha256"], found["sample"]) == (None, [0.0] * 5)
    assert encoded.lost[0][2:4] == (5, 10_000)


def test_numpy_numbers_keep_dtype_and_value():
    assert body(np.float64(1.5), "$scalar") == {"dtype": "float64", "value": 1.5}
    assert body(np.int64(3), "$scalar") == {"dtype": "int64", "value": 3}
    assert body(np.bool_(True), "$scalar") == {"dtype": "bool", "value": True}


def test_a_frame_keeps_schema_digest_and_rows():
    frame = pd.DataFrame({"minutes": [40, 60], "fare": ["none", "half"]})
    found = body(frame, "$frame")
    assert (found["shape"], found["columns"]) == ([2, 2], ["minutes", "fare"])
    assert found["rows"] == [[40, "none"], [60, "half"]]
    assert found["sha256"] == body(frame.copy(), "$frame")["sha256"]
    assert ("/1/1", "half") in list(leaves({"$frame": found}))


def test_wide_and_long_frames_are_sampled_and_counted():
    frame = pd.DataFrame(np.zeros((1_000, 100)))
    encoded = encode(frame)
    found = orjson.loads(encoded.data)["$frame"]
    assert (len(found["rows"]), len(found["rows"][0])) == (20, 64)
    assert encoded.lost[0][2:4] == (20 * 64, 100_000)


@pytest.mark.parametrize(
    "value",
    [
        pd.DataFrame(),
        pd.DataFrame({("a", 1): [[]], ("b", 2): [{}]}),
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.Series(["x", None], name="n"),
        pd.Series(pd.Categorical(["a", "b"])),
        pd.Index(["a"]),
        pd.MultiIndex.from_tuples([(1, "a")]),
        pd.DatetimeIndex(["2020-01-01"]),
        pd.Timestamp("2020-01-01T00:00:00.000000001"),
        pd.Timedelta(1, "ns"),
        pd.NaT,
        pd.NA,
    ],
)
def test_odd_tables_are_encoded(value):
    encoded = encode([value])
    assert encoded.fidelity == "partial"
    decode(encoded.data)


def test_a_column_called_like_a_secret_is_redacted():
    frame = pd.DataFrame({"user": ["ann"], "password": ["hunter2"]})
    captured = capture(frame, Redactor())
    assert captured.fidelity == "redacted"
    assert b"hunter2" not in captured.data
    assert b"ann" in captured.data


def test_neither_library_is_imported():
    code = (
        "import sys; from explainkit.safety.encoding import encode; encode([object(), (1,)]);"
        "assert not {'numpy', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
