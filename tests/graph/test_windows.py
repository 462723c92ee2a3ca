"""A part of a text takes over the part and nothing of what stands around it."""

import pytest

from explainkit.graph import Evidence
from explainkit.store import Recording
from explainkit.testing.building import TraceBuilder

WHOLE = "The clearing fee falls due on Friday. Stamps are sold at the desk of the harbour."
FEE, STAMPS = (0, 36), (38, 80)


@pytest.mark.parametrize("head", ["", "> "])
@pytest.mark.parametrize(("low", "high"), [FEE, STAMPS, (4, 61)])
def test_a_part_of_a_text_that_no_place_holds_has_edges_for_the_part_alone(head, low, high):
    trace = TraceBuilder()
    trace.append("run_started", run="r1", name="demo")
    trace.append("context", name="rules", type="fact", value=trace.value(WHOLE.upper()))
    cut = {"digest": trace.value(WHOLE), "start": low, "end": high}
    part = trace.value(head + WHOLE[low:high], parts=[head, cut] if head else [cut])
    opened = trace.append(
        "link_opened", name="read", type="model", inputs=[{"slot": "text", "value": part}]
    )
    trace.append("link_closed", link=opened, status="answered", output=part)
    evidence = Evidence(Recording.of_lines(trace.build("answered").lines))
    into = evidence.edges.edges_into(evidence.places.find(opened, "text"))
    ranges = [edge.evidence[1:3] + edge.evidence[4:] for edge in into if edge.grade == "value"]
    assert ranges == [(low, high, len(head), len(head) + high - low)]
