"""Laws that hold for every valid trace, as drawn by the shared strategies."""

from hypothesis import given
from hypothesis import strategies as st

from explainkit.safety.encoding import decode
from explainkit.store import Recording, doctor, notes_path, save
from explainkit.testing.strategies import traces


def opened(trace) -> Recording:
    return Recording.of_lines(trace.lines, notes=trace.notes)


@given(traces())
def test_every_valid_trace_is_found_sound(trace):
    recording = opened(trace)
    assert recording.damage == ()
    assert doctor(recording) == []
    assert recording.status == trace.status
    assert recording.open_links == trace.open_links
    assert [recording.raw(seq) for seq in range(len(recording))] == trace.records
    assert [record.kind for record in recording] == [row["kind"] for row in trace.records]
    assert (recording.run, recording.name) == (trace.run, trace.name)


@given(traces())
def test_values_come_back_as_the_bytes_that_were_recorded(trace):
    values = opened(trace).values
    assert list(values.digests) == list(trace.contents)
    for digest in reversed(trace.contents):
        assert values.data(digest) == trace.contents[digest]
        assert values.size(digest) == len(trace.contents[digest])
        assert digest in values
    fresh = opened(trace).values
    for digest, data in trace.contents.items():
        value = decode(data)
        assert fresh.text(digest) == (value if isinstance(value, str) else None)


@given(trace=traces())
def test_save_load_save_is_byte_identical(trace, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    first = save(opened(trace), folder / "a.ek.jsonl")
    loaded = Recording.read(first)
    second = save(loaded, folder / "b.ek.jsonl")
    assert first.read_bytes() == second.read_bytes() == b"".join(trace.lines)
    assert notes_path(first).exists() == bool(trace.notes)
    if trace.notes:
        assert notes_path(second).read_bytes() == b"".join(trace.notes)
    assert [loaded.raw_line(seq) for seq in range(len(loaded))] == [
        opened(trace).raw_line(seq) for seq in range(len(loaded))
    ]


@given(traces(notes=False), st.data())
def test_every_prefix_opens_with_references_that_point_backwards(trace, data):
    whole = b"".join(trace.lines)
    header = len(trace.lines[0])
    cut = data.draw(st.integers(header, len(whole)))
    recording = Recording.of_lines([whole[:cut]])
    torn = not whole[:cut].endswith(b"\n")
    assert [item.lost for item in recording.damage] == ([1] if torn else [])
    found = [recording.raw(seq) for seq in range(len(recording))]
    assert found == trace.records[: len(found)]
    assert whole[:cut].startswith(b"".join(trace.lines[: len(found)]))
    laws = [problem.law for problem in doctor(recording) if problem.law != "integrity"]
    assert laws == []


@given(traces(notes=False, crashed=False), st.data())
def test_edits_deletions_insertions_and_reorderings_are_found(trace, data):
    lines = list(trace.lines)
    at = data.draw(st.integers(0, len(lines) - 2))
    change = data.draw(st.sampled_from(["edit", "delete", "repeat", "insert", "swap"]))
    if change == "edit":
        place = data.draw(st.integers(0, len(lines[at]) - 2))
        other = data.draw(st.sampled_from(b"xyz0"))
        edited = bytearray(lines[at])
        edited[place] = other
        lines[at] = bytes(edited)
    elif change == "delete":
        del lines[at]
    elif change == "repeat":
        lines.insert(at, lines[at])
    elif change == "insert":
        seq = data.draw(st.integers(0, len(lines)))
        lines.insert(at + 1, b'{"kind":"note","seq":%d,"at":null,"text":"planted"}\n' % seq)
    else:
        lines[at], lines[-2] = lines[-2], lines[at]
    if lines == list(trace.lines):
        return
    try:
        recording = Recording.of_lines(lines)
    except ValueError:
        assert at == 0 or lines[0] != trace.lines[0]
        return
    assert recording.damage
    assert recording.head is None
    assert any(problem.law == "integrity" for problem in doctor(recording))
