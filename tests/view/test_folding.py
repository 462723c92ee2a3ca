"""Big runs are folded to what can be drawn, and nothing is lost or hidden by it."""

from itertools import pairwise

import pytest

import explainkit as ek
from explainkit.graph import Evidence
from explainkit.view.carried import edges_of
from explainkit.view.collecting import collect
from explainkit.view.explorer import Exploration
from explainkit.view.folding import ARROWS, BOXES, chart_of
from tests.view.bigger import chat
from tests.view.claims import claims_recording, recorded_walk


def drawn(recording, walk=None, **kwargs):
    found = collect(recording, walk, edges_of(Evidence(recording)))
    return found, chart_of(found, **kwargs)


def shown(chart):
    return sorted(seq for node in chart.nodes for seq in node.members or (node.seq,))


@pytest.mark.parametrize(
    ("turns", "boxes"), [(3, BOXES), (60, 40), (60, 5), (400, BOXES), (400, 20)]
)
def test_every_record_is_drawn_or_folded_exactly_once(turns, boxes):
    found, chart = drawn(chat(turns, tools=3), boxes=boxes)
    assert len(chart.nodes) <= boxes
    assert shown(chart) == sorted(found.nodes)
    assert len(chart.edges) <= ARROWS
    assert all(edge.source != edge.target for edge in chart.edges)


def test_what_is_folded_is_counted_in_words():
    found, chart = drawn(chat(300), boxes=50)
    folded = sum(len(node.members) for node in chart.nodes)
    assert any(f"{folded:,} records of {len(found.nodes):,} folded" in note for note in chart.notes)
    fold = next(node for node in chart.nodes if node.kind == "fold")
    assert fold.word
    assert fold.label


def test_a_small_run_is_not_folded_and_its_path_is_lit():
    recording, seqs = claims_recording()
    _, chart = drawn(recording, recorded_walk(seqs))
    assert chart.notes == ()
    lit = {node.label for node in chart.nodes if node.lit}
    assert {"campaign-note", "ask", "the run's answer", "by redactor"} <= lit
    assert "opening-hours" not in lit
    ways = {(edge.role, edge.grade) for edge in chart.edges if edge.lit}
    assert ("allowed", "declared") in ways
    assert all(
        chart.nodes[e.source].lit and chart.nodes[e.target].lit for e in chart.edges if e.lit
    )


def test_a_left_out_context_is_drawn_apart_and_placed_beside_what_came_next():
    recording, seqs = claims_recording()
    _, chart = drawn(recording, recorded_walk(seqs))
    index = chart.by_seq[seqs["rest"]]
    assert chart.nodes[index].absent
    assert chart.nodes[index].word == "left out · document"
    assert any(source == index for source, _ in chart.hints)


def test_the_course_of_a_run_leads_from_step_to_step():
    _, chart = drawn(chat(4))
    steps = [i for i, node in enumerate(chart.nodes) if node.label == "turn"]
    then = {(edge.source, edge.target) for edge in chart.edges if edge.role == "then"}
    ways = {(edge.source, edge.target) for edge in chart.edges}
    assert all(pair in ways for pair in pairwise(steps))
    assert then
    assert all(edge.grade == "order" for edge in chart.edges if edge.role == "then")


def test_a_link_that_never_closed_is_drawn():
    recording, _ = claims_recording()
    lines = [
        line for line in recording.lines() if b'"link_closed"' not in line and b'"end"' not in line
    ]
    from explainkit.store import Recording

    cut = Recording.of_lines(lines[:12])
    _, chart = drawn(cut)
    assert chart.nodes


def test_what_was_measured_is_counted_beside_the_graph_and_not_drawn_in_it():
    @ek.link(kind="model", deterministic=True)
    def ask(prompt):
        return "half" if "half" in prompt else "nothing"

    @ek.traced
    def desk(question):
        return ask(ek.context("note", "We pay half.") + question)

    desk("?")
    run = ek.last()
    before = Exploration(run.evidence).chart()
    run.whatif(remove="note")
    asked = Exploration(run.evidence)
    for chart in (asked.chart(), asked.chart(only="path")):
        assert "finding" not in [node["kind"] for node in chart["nodes"]]
        assert any("not drawn: 1 finding" in note for note in chart["notes"])
    assert asked.chart()["nodes"] == before["nodes"]
    assert "finding" in [row["kind"] for row in asked.rows()["rows"]]
