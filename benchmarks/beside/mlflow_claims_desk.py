"""The claims desk traced with MLflow, to see what its trace shows of the same wrong answer.

pip install mlflow     # beside explainkit; nothing else, no account
MLFLOW_DISABLE_TELEMETRY=true python benchmarks/beside/mlflow_claims_desk.py [TRACKING_URI]

Without a URI the traces go to an SQLite file in a temporary folder. With the URI of a server
(`mlflow server --port 5000`, then http://127.0.0.1:5000) they can be looked at in its pages, and a
notebook shows them below the cell. The version that docs/explanation/beside-other-tools.md speaks
of is 3.17.2.
"""

import sys
import tempfile

from explainkit.demos.claims_desk import LEAFLETS, NAME, NOTE, QUESTION, TARIFF, TEMPLATE, WORDS
from explainkit.flow.models import ReadingModel

try:
    import mlflow
    from mlflow.entities import AssessmentSource, Document, SpanType
except ImportError:
    print("Skipped: mlflow is not installed (pip install mlflow).")
    sys.exit(0)

READER = ReadingModel()
NOTE_WHY = "the customer wrote about a delay before"


def retrieve(question, keep):
    wanted = set(question.lower().split())
    ranked = sorted(LEAFLETS, key=lambda text: -len(wanted & set(text.lower().split())))
    with mlflow.start_span("retrieve", span_type=SpanType.RETRIEVER) as span:
        span.set_inputs({"question": question, "keep": keep})
        span.set_attribute("left_out", ranked[keep:])  # a name of our own
        span.set_attribute("left_out.why", f"only {keep} are kept")
        span.set_outputs([Document(page_content=text) for text in ranked[:keep]])
    return ranked[:keep]


@mlflow.trace
def assemble(**pieces):
    return TEMPLATE.format(**pieces)


@mlflow.trace(span_type=SpanType.LLM)
def ask(prompt):
    return f"Dear {NAME}, {READER(prompt)}"


@mlflow.trace(
    span_type=SpanType.GUARDRAIL, attributes={"by": "redactor", "reason": "names stay inside"}
)
def without_name(text):
    return text.replace(NAME, "passenger")


@mlflow.trace(name="delay-claim", span_type=SpanType.CHAIN)
def claim(question):
    with mlflow.start_span("tariff", span_type=SpanType.RETRIEVER) as span:
        span.set_inputs({"source": "tariff.md", "why": "always on"})
        span.set_outputs([Document(page_content=TARIFF, metadata={"doc_uri": "tariff.md"})])
    with mlflow.start_span("campaign-note", span_type=SpanType.MEMORY) as span:
        span.set_inputs({"source": "memory/2025-12", "why": NOTE_WHY})
        span.set_outputs(NOTE)
    prompt = assemble(
        name=NAME,
        tariff=TARIFF,
        note=NOTE,
        leaflets="\n".join(retrieve(question, 2)),
        question=question,
    )
    return without_name(ask(prompt))


def traced_claim():
    """Run the desk once and judge it; returns the trace as MLflow stored it."""
    said = claim(QUESTION)
    trace_id = mlflow.get_last_active_trace_id()
    mlflow.flush_trace_async_logging()  # a trace is written in the background
    wrong = WORDS in said
    mlflow.log_feedback(
        trace_id=trace_id,
        name="review",
        value=not wrong,
        rationale="40 minutes is below the tariff's 60" if wrong else "as the tariff says",
        source=AssessmentSource(source_type="HUMAN", source_id="reviewer"),
    )
    return mlflow.get_trace(trace_id)


def places(trace, words):
    """Every span whose inputs or outputs hold the words: a search, not a path."""
    for span in trace.data.spans:
        for side, value in (("inputs", span.inputs), ("outputs", span.outputs)):
            if words in str(value):
                yield f"{span.name} {side}"


def main(uri):
    mlflow.set_tracking_uri(uri)
    mlflow.set_experiment("claims desk")
    trace = traced_claim()
    print("mlflow", mlflow.__version__)
    for span in trace.data.spans:
        print(f"  {span.name:14} {span.span_type:10} -> {str(span.outputs)[:60]!r}")
    print("answer      ", trace.data.response)
    print("feedback    ", [(each.value, each.rationale) for each in trace.info.assessments])
    print("words are in", list(places(trace, WORDS)))
    print("record      ", len(trace.to_json().encode()), "bytes of trace.to_json()")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(sys.argv[1] if len(sys.argv) > 1 else f"sqlite:///{folder}/mlflow.db")
