"""A chat of another tool that ends on a message has no checkpoint, and is not said to have one."""

import json

import pytest

import explainkit as ek


@pytest.fixture
def chat(tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(
        json.dumps(
            [
                {"role": "system", "content": "We close at 22:00."},
                {"role": "user", "content": "How late?"},
            ]
        ),
        encoding="utf-8",
    )
    return ek.load(path)


def test_it_is_told_as_a_message_that_nobody_answered(chat):
    for told in (repr(chat), str(chat.ended_by), chat._repr_html_()):
        assert "Ends on a message that nobody answered" in told
        assert "checkpoint" not in told
        assert "all links" not in told
    assert "there the record ends, on a message that nobody answered" in str(chat.story()).lower()
