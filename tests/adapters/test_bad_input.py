"""Whatever a file holds: a typed error that says what was found, or a valid part and a report."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.adapters import detect, open_foreign
from explainkit.adapters.detection import shape
from explainkit.adapters.importing import import_run
from explainkit.errors import DamagedFileError, ReadError, UnknownFormatError, UnsafeFileError
from tests.adapters.imports import FIXTURES, check_laws, imported_data, links, rows

HELLO = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]


def written(folder, content):
    path = folder / "given.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "an empty list"),
        ({}, "an empty object"),
        ([1, 2], "a list of 2 items, the first a number"),
        ([None], "a list of 1 items, the first null"),
        ("text", "a text"),
        (None, "null"),
        ({"a": 1, "b": 2}, "an object with the keys a, b"),
        ([{"a": 1}], "a list of 1 items, the first an object with the keys a"),
        ({"messages": []}, "an object with the keys messages"),
        ({"messages": {"role": "user"}}, "an object with the keys messages"),
        ({"history": []}, "an object with the keys history"),
        ({"history": [1, 2]}, "an object with the keys history"),
        ([{"role": "user"}], "a list of 1 items, the first an object with the keys role"),
        ({"reward": 1}, "an object with the keys reward"),
        ({"traj": 7, "reward": 1}, "an object with the keys traj, reward"),
    ],
)
def test_a_foreign_shape_is_named(tmp_path, data, said):
    with pytest.raises(UnknownFormatError) as caught:
        open_foreign(written(tmp_path, data))
    assert said in str(caught.value)
    assert "chat lists" in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"  \n ", b"{", b"[1,", b"\xff\xfe\x00", b"no json", b"\x00"]
)
def test_what_is_no_json_is_damaged(tmp_path, content):
    with pytest.raises(DamagedFileError, match=r"given\.json"):
        open_foreign(written(tmp_path, content))


def test_a_cut_file_never_passes_as_whole(tmp_path):
    whole = (FIXTURES / "openai_tools.json").read_bytes()
    for end in range(0, len(whole) - 2, 7):
        with pytest.raises(ReadError):
            open_foreign(written(tmp_path, whole[:end]))


def test_cut_lines_keep_their_valid_prefix(tmp_path):
    lines = b"\n".join(json.dumps(message).encode() for message in [*HELLO, HELLO[0]])
    imp = open_foreign(written(tmp_path, lines[:-5])).read()
    assert [row["source_index"] for row in rows(imp.recording, "event", "link_opened")] == [0, 1]
    assert [skip.source_index for skip in imp.report.skipped] == [2]
    check_laws(imp.recording)


def test_a_broken_line_keeps_the_positions_of_the_others(tmp_path):
    lines = [json.dumps(message).encode() for message in HELLO]
    imp = open_foreign(written(tmp_path, b"\n".join([lines[0], b"{broken", lines[1]]))).read()
    assert [row["source_index"] for row in rows(imp.recording, "event", "link_opened")] == [0, 2]
    [skip] = imp.report.skipped
    assert skip.source_index == 1
    assert "line 2" in skip.reason


def test_lines_of_wrappers_are_many_runs(tmp_path):
    line = json.dumps({"messages": HELLO}).encode()
    other = json.dumps({"messages": [*HELLO, *HELLO]}).encode()
    found = open_foreign(written(tmp_path, b"\n".join([line, b"?", other])))
    assert found.count == 2
    assert [imp.report.records_read for imp in found] == [2, 4]


def test_only_a_system_message_is_a_run_without_an_answer():
    recording = imported_data([{"role": "system", "content": "Be kind."}]).recording
    assert [row["name"] for row in rows(recording, "context")] == ["system"]
    assert recording.effective() is None
    assert recording.status == "paused"


def test_items_that_are_no_messages_are_skipped_and_said():
    imp = imported_data([*HELLO, 7, {"odd": 1}, None, *HELLO])
    assert [skip.source_index for skip in imp.report.skipped] == [2, 3, 4]
    assert "skipped [3]: neither role nor known type (odd)" in str(imp.report)
    assert [row["source_index"] for row, _ in links(imp.recording)] == [1, 6]
    check_laws(imp.recording)


STRANGE = [
    7,
    True,
    1.5,
    float("nan"),
    {"a": [1]},
    {"parts": ["x", 1]},
    [],
    [None, 3, "s"],
    [[["x"]]],
    [{"type": 5}],
    [{"type": "text"}],
    [{"type": "text", "text": {"value": 3}}],
    [{"type": "tool_use"}],
    [{"type": "tool_result"}],
    [{"functionCall": {}}],
    [{"type": "image", "source": {"data": "AAAA"}}],
    "\ud800",
    {"$value": "x"},
    2**70,
]


@pytest.mark.parametrize("content", STRANGE, ids=lambda content: ascii(content)[:40])
@pytest.mark.parametrize(
    "role", ["system", "user", "assistant", "tool", "unheard-of", "", "\ud800"]
)
def test_content_of_any_type_is_kept(role, content):
    imp = imported_data([{"role": role, "content": content}, *HELLO])
    check_laws(imp.recording)
    assert imp.report.records_read == 3


def test_tool_calls_of_any_type_are_survived():
    for calls in (
        None,
        3,
        "x",
        {},
        [None],
        [{}],
        [{"function": 3}],
        [{"function": {}}],
        [{"function": {"name": None, "arguments": 7}}],
        [{"id": {"a": 1}, "name": 9}],
    ):
        imp = imported_data([{"role": "assistant", "content": "ok", "tool_calls": calls}, *HELLO])
        check_laws(imp.recording)


def test_depth_and_size(tmp_path):
    deep = b'{"messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises((UnsafeFileError, DamagedFileError)):
        open_foreign(written(tmp_path, deep))
    content = "x"
    for _ in range(100):
        content = [{"type": "thinking", "thinking": content}]
    imp = open_foreign(written(tmp_path, [{"role": "user", "content": content}, *HELLO])).read()
    assert imp.report.records_read == 3


def test_one_line_of_many_megabytes(tmp_path):
    text = "word " * 2_000_000
    path = written(tmp_path, [{"role": "user", "content": text}, HELLO[1]])
    recording = open_foreign(path).read().recording
    [event] = rows(recording, "event")
    assert recording.values.text(event["value"]) == text


def test_nan_and_duplicate_keys_are_noted(tmp_path):
    raw = b'{"temperature": NaN, "messages": [{"role": "user", "role": "user", "content": "hi"}]}'
    report = str(open_foreign(written(tmp_path, raw)).read().report)
    assert "NaN is read as a float" in report
    assert "duplicate keys" in report


def test_a_secret_is_redacted_and_counted():
    secret = "sk-proj-" + "Zq3" * 16
    imp = imported_data([{"role": "user", "content": f"my key is {secret}"}, HELLO[1]])
    assert secret.encode() not in b"".join(imp.recording.lines())
    assert imp.report.redacted == 1
    check_laws(imp.recording)


def test_names_are_redacted_and_cut_too():
    secret = "sk-proj-" + "Zq3" * 16
    data = [
        {"role": "assistant", "name": secret, "content": "a"},
        {"role": "r" * 5_000, "content": "b"},
        HELLO[1],
    ]
    recording = imported_data(data).recording
    assert secret.encode() not in b"".join(recording.lines())
    [event] = rows(recording, "event")
    assert (len(event["sender"]), event["sender"][-4:]) == (200, "r...")


def test_missing_content_is_counted():
    imp = imported_data([HELLO[0], {"role": "assistant", "content": None}])
    assert imp.report.content_missing == (1, 2)
    assert "content not recorded: 1 of 2 steps" in str(imp.report)
    [(_, closed)] = links(imp.recording)
    assert "output" not in closed


def test_shapes_in_words():
    assert shape({"k" * 90: 1, **dict.fromkeys("abcdefgh", 1)}).endswith("and 3 more")
    assert shape([[1]]) == "a list of 1 items, the first a list"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "role",
                    "content",
                    "parts",
                    "type",
                    "text",
                    "tool_calls",
                    "id",
                    "name",
                    "kwargs",
                    "lc",
                    "data",
                    "messages",
                    "input",
                    "output",
                    "choices",
                    "message",
                    "history",
                    "traj",
                    "reward",
                    "mistake_step",
                    "function",
                    "arguments",
                    "functionCall",
                    "functionResponse",
                    "response",
                    "system",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)
ROLES = st.sampled_from(["user", "assistant", "tool", "system", "model", "human", "x"])
MESSAGE = st.builds(
    lambda role, rest: {**rest, "role": role, "content": rest.get("content")},
    ROLES,
    st.dictionaries(
        st.sampled_from(
            [
                "content",
                "tool_calls",
                "name",
                "type",
                "id",
                "parts",
                "tool_call_id",
                "function_call",
                "usage",
                "status",
            ]
        ),
        JSON,
        max_size=5,
    ),
)


@given(
    JSON
    | st.lists(MESSAGE, max_size=5)
    | st.fixed_dictionaries(
        {"history": st.lists(MESSAGE, max_size=4)},
        optional={"mistake_step": JSON, "question": JSON},
    )
    | st.fixed_dictionaries(
        {"traj": st.lists(MESSAGE, max_size=4), "reward": JSON},
        optional={"task_id": JSON, "trial": JSON, "info": JSON},
    )
)
def test_any_json_is_refused_or_read_within_the_laws(data):
    reader = detect(data)
    if reader is None:
        assert shape(data)
        return
    for index in range(len(reader.ids)):
        check_laws(import_run(reader, index, file="any.json").recording)
