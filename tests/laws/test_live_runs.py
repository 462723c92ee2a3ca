"""Whatever a program does, its record keeps the laws, live, saved and loaded."""

import tempfile
from pathlib import Path

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

import explainkit as ek
from explainkit.graph import Evidence
from explainkit.store import Recording
from tests.laws.programs import run_program, steps


@given(steps)
def test_every_record_of_a_run_keeps_the_laws(program):
    run = run_program(program)
    assert run.doctor() == []
    assert [record.seq for record in run.recording] == list(range(len(run.recording)))


@given(steps)
def test_a_loaded_run_is_the_live_run(program):
    run = run_program(program)
    with tempfile.TemporaryDirectory() as folder:
        first = run.save(Path(folder) / "a.ek.jsonl")
        again = ek.load(first)
        second = again.save(Path(folder) / "b.ek.jsonl")
        assert first.read_bytes() == second.read_bytes()
        live, loaded = run.backtrack(), again.backtrack()
        assert live.to_json() == loaded.to_json()
        assert live._repr_html_() == loaded._repr_html_()
        assert live.to_html() == loaded.to_html()
        for table in ("links", "contexts", "overrides", "verdicts"):
            assert getattr(run, table).equals(getattr(again, table))


@given(steps)
def test_a_file_holds_what_memory_holds(program):
    in_memory = run_program(program)
    with tempfile.TemporaryDirectory() as folder:
        in_file = run_program(program, to=folder)
        assert list(in_file.recording.lines()) == list(in_memory.recording.lines())


@given(steps, st.data())
def test_every_prefix_opens_and_its_graph_points_forward(program, data):
    lines = list(run_program(program).recording.lines())
    kept = data.draw(st.integers(1, len(lines)))
    recording = Recording.of_lines(lines[:kept])
    graph = Evidence(recording).networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert all(graph.nodes[a]["seq"] <= graph.nodes[b]["seq"] for a, b in graph.edges())


@given(steps)
def test_every_opened_link_closes_once(program):
    run = run_program(program)
    opened = [row["seq"] for row in run.recording.rows("link_opened")]
    closed = [row["link"] for row in run.recording.rows("link_closed")]
    assert sorted(opened) == sorted(closed)


@given(steps)
def test_segments_name_the_same_characters_on_both_sides(program):
    run = run_program(program)
    values = run.recording.values
    slots = {
        (row["seq"], each["slot"]): each["value"]
        for row in run.recording.rows("link_opened")
        for each in row["inputs"]
    }
    for row in run.recording.rows("link_closed"):
        for segment in row.get("segments", ()):
            origin = segment["origin"]
            if "start" not in origin:
                continue
            target = leaf(values.tagged(row["output"]), segment.get("path", ""))
            source = leaf(
                values.tagged(slots[origin["seq"], origin["slot"]]), origin.get("path", "")
            )
            assert (
                target[segment["start"] : segment["end"]] == source[origin["start"] : origin["end"]]
            )


def leaf(tagged, path):
    for key in path.split("/")[1:]:
        key = key.replace("~1", "/").replace("~0", "~")
        tagged = tagged[int(key)] if isinstance(tagged, list) else tagged[key]
    if isinstance(tagged, dict) and set(tagged) == {"$tuple"}:
        return tagged["$tuple"]
    return tagged
