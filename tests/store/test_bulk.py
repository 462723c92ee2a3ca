"""Many lines at once or one by one: the same records, the same damage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.store import Recording, scanning
from explainkit.testing.building import TraceBuilder
from explainkit.testing.strategies import traces

SLOTS = (
    "starts",
    "lengths",
    "codes",
    "values",
    "words",
    "lines",
    "head",
    "status",
    "anchor",
    "damage",
)


def index_of(content: bytes, *, many: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "MANY", many)
        index = Recording.of_lines([content])._main.index
    return {slot: getattr(index, slot) for slot in SLOTS}


def assert_same(content: bytes) -> None:
    assert index_of(content, many=0) == index_of(content, many=1 << 40)


@given(traces(), st.data())
def test_whole_and_damaged_files_are_indexed_alike(trace, data):
    content = bytearray(b"".join(trace.lines))
    assert_same(bytes(content))
    first = len(trace.lines[0])
    for _ in range(3):
        place = data.draw(st.integers(first, len(content) - 1))
        content[place] = data.draw(st.sampled_from(b'\n0"}a,'))
        assert_same(bytes(content))


def test_long_numbers_odd_styles_and_checks_between():
    built = TraceBuilder()
    built.append("run_started", at=-5, run="r1", name="demo")
    for number in range(1200):
        built.value(f"{number}")
        built.append("context", at=number * 7919, name="c", value=built.value(f"{number}"))
        if number % 100 == 50:
            built.check()
            built.append("of_tomorrow", at=1764500000000000000)
            built.append("value", at=10**19, digest="0" * 40, size=1, data="x")
    lines = list(built.build("answered").lines)
    assert_same(b"".join(lines))
    assert Recording.of_lines(lines).damage == ()
    lines[700] = lines[700].replace(b'"seq":', b'"seq": ')
    lines[900] = lines[900].replace(b'"seq":8', b'"seq":08')
    assert_same(b"".join(lines))
    assert len(Recording.of_lines(lines)) > 800


@pytest.mark.parametrize("at", [0, 7, 10**17, 10**18, 2**64 - 1, None, -3])
def test_every_width_of_a_time(at):
    built = TraceBuilder()
    built.append("run_started", at=at, run="r1", name="demo")
    for number in range(12):
        built.append("value", at=at, digest=f"{number:040x}", size=1, data=number)
    assert_same(b"".join(built.build("answered").lines))


def test_content_that_looks_like_lines_of_ours():
    built = TraceBuilder()
    built.append("run_started", run="r1", name="demo")
    for text in ('{"kind":"note","seq":2,"at":null}', '","seq":9,"at":1,"digest":"' + "a" * 40):
        built.value(text)
        built.append(text, x=text)
    assert_same(b"".join(built.build("answered").lines))


def test_a_file_with_nothing_but_a_header():
    assert_same(b'{"explainkit":1,"run":"r1","name":"n"}\n')
    assert_same(b'{"explainkit":1,"run":"r1","name":"n"}\n{"kind"')
    assert_same(b'{"explainkit":1,"run":"r1","name":"n"}\n\n\n')
