"""Names from records never lead out of a folder and never share a file."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explainkit.errors import UnsafePathError
from explainkit.safety.paths import inside, safe_name

names = st.text(st.characters(), max_size=100) | st.lists(
    st.sampled_from(
        ["..", "/", "\\", "a", "A", ".", "-", " ", "CON", "nul", ".txt", "\0", "é", "e"]
    ),
    max_size=6,
).map("".join)


@given(names)
@example("")
@example("aux.txt")
@example("a" * 300)
@example("\ud800")
def test_a_safe_name_is_one_plain_file_name(name):
    safe = safe_name(name)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,79}", safe)
    assert ".." not in safe
    assert not safe.endswith((".", "-", " "))
    assert not re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", safe)


@given(names, names)
@example("a b", "a-b")
@example("a b", safe_name("a b"))
@example("é", "e")
def test_different_names_never_share_a_file(left, right):
    if left != right:
        assert safe_name(left) != safe_name(right)


def test_plain_names_stay_as_they_are():
    assert safe_name("delay-claim_2.v1") == "delay-claim_2.v1"
    assert safe_name("Delay claim!").startswith("Delay-claim-")


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "../x",
        "a/../../x",
        "/etc/passwd",
        "",
        ".",
        "a//b",
        "a/",
        "a\\b",
        "a\0b",
        "C:x",
        "c:/x",
    ],
)
def test_names_that_lead_out_are_refused(tmp_path, name):
    with pytest.raises(UnsafePathError, match="plain name"):
        inside(tmp_path, name)


def test_names_inside_are_joined(tmp_path):
    assert inside(tmp_path, "a/b.json") == tmp_path / "a" / "b.json"


def test_links_are_not_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("link", "link/x", "dangling"):
        with pytest.raises(UnsafePathError, match="symbolic link"):
            inside(tmp_path, name)
