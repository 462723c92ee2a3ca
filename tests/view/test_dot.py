"""DOT shows hostile text as text, and kinds and grades in words and shapes."""

import pytest

from explainkit.graph import Evidence
from explainkit.view.chart import Chart, ChartEdge, ChartNode
from explainkit.view.dot import dot_of, dot_of_chart
from explainkit.view.layout import dot_engine
from tests.view.claims import claims_recording, recorded_walk
from tests.view.hostile import ATTACKS, HUGE


def chart(text):
    nodes = (ChartNode(0, "question", text, text), ChartNode(1, "model", text, text, lit=True))
    return Chart(nodes, (ChartEdge(0, 1, "reads", "declared"),))


@pytest.mark.parametrize("attack", [*ATTACKS, "five megabytes"], ids=str)
def test_hostile_labels_stay_labels(attack):
    source = dot_of_chart(chart(ATTACKS.get(attack, HUGE)))
    assert len(source) < 3_000
    assert "label=<" not in source
    engine = dot_engine()
    if engine is None:
        pytest.skip("no Graphviz on this machine and no WebAssembly runtime")
    placed = engine.plain(source)
    assert [line.split(" ")[1] for line in placed.splitlines() if line.startswith("node")] == [
        "n0",
        "n1",
    ]
    assert sum(line.startswith("edge") for line in placed.splitlines()) == 1


def test_kinds_and_grades_are_said_in_words_and_shapes():
    source = dot_of_chart(chart("ask"))
    assert "shape=oval" in source
    assert "shape=hexagon" in source
    assert "reads (declared)" in source


def test_only_the_walked_part_and_what_judges_it_is_written():
    recording, seqs = claims_recording()
    source = dot_of(Evidence(recording), recorded_walk(seqs))
    for name in ("campaign-note", "ask", "by redactor", "verdict: failed"):
        assert name in source
    assert "opening-hours" not in source
