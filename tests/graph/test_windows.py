"""A part of a text takes over the part and nothing of what stands around it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.graph import Evidence
from explainkit.graph.pairing import paired
from explainkit.store import Recording
from explainkit.testing.building import TraceBuilder
from tests.graph.test_laws import assert_edges_are_sound

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


FEES = "The fee for parcel HX-4471 is 1,234.50 crowns, due on 12 March 2024 within 40 minutes."
SPELT = (
    FEES,
    FEES.upper(),
    FEES.replace("1,234.50", "1234.5").replace("12 March 2024", "2024-03-12"),
    FEES.replace("40 minutes", "00040 min"),
    "0" * 14 + "1",
    "00",
    "000",
    "0, 00 and 1,000.00",
)


@st.composite
def spelt_otherwise(draw):
    """Runs of few texts, cut into parts of parts, that spell the same quantities otherwise."""
    trace, texts = TraceBuilder(), {}
    trace.append("run_started", run="r1", name="demo")

    def text():
        pieces, whole = [], ""
        for _ in range(draw(st.integers(0, 3)) if texts else 0):
            key = draw(st.sampled_from(list(texts)))
            start, end = sorted(draw(st.integers(0, len(texts[key]))) for _ in range(2))
            start = draw(st.sampled_from((0, start)))
            literal = draw(st.sampled_from(("", "0", "00", " ", "user: ")))
            pieces += [{"digest": key, "start": start, "end": end}, literal]
            whole += texts[key][start:end] + literal
        whole = whole or draw(st.sampled_from(SPELT))
        key = trace.value(whole, parts=pieces) if pieces and whole not in SPELT else None
        key = trace.value(whole) if key is None else key
        texts.setdefault(key, whole)
        return key

    for _ in range(draw(st.integers(2, 6))):
        for _ in range(draw(st.integers(0, 2))):
            text()
        if draw(st.booleans()):
            trace.append("context", name="c", type="fact", value=text())
            continue
        kind = draw(st.sampled_from(("model", "tool")))
        given_ = [{"slot": slot, "value": text()} for slot in draw(st.sampled_from(("a", "ab")))]
        link = trace.append("link_opened", name="m", type=kind, inputs=given_)
        trace.append("link_closed", link=link, status="answered", output=text())
    return trace.build("answered")


@given(trace=spelt_otherwise())
def test_parts_of_quantities_that_are_spelt_otherwise_keep_their_words(trace):
    assert_edges_are_sound(trace)


@pytest.mark.parametrize(
    ("low", "high", "by_source", "expected"),
    [
        (0, 16, False, (0, 16, 0, 14)),
        (0, 8, False, (0, 3, 0, 3)),  # half of a number that is spelt otherwise is left out
        (6, 15, False, (13, 15, 11, 13)),
        (1, 10, True, (1, 12, 1, 10)),
        (5, 9, True, None),
    ],
)
def test_a_part_of_a_pair_is_cut_at_whole_tokens(low, high, by_source, expected):
    pair = paired("fee 1,234.50 due", "FEE 1234.5 due")
    assert pair.part(low, high, by_source=by_source) == expected
