"""The claims desk traced with OpenTelemetry, to see what its spans show of the same wrong answer.

pip install opentelemetry-sdk     # beside explainkit; no server, no account
python benchmarks/beside/otel_claims_desk.py [--json]

The spans are kept in memory and printed as a tree, which the SDK itself has no function for;
`--json` prints them as the SDK's own JSON instead. Where the semantic conventions for generative
models have a name for something, it is used. The version that
docs/explanation/beside-other-tools.md speaks of is 1.45.2.
"""

import json
import sys

from explainkit.demos.claims_desk import LEAFLETS, NAME, NOTE, QUESTION, TARIFF, TEMPLATE, WORDS
from explainkit.flow.models import ReadingModel

try:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
except ImportError:
    print("Skipped: opentelemetry-sdk is not installed (pip install opentelemetry-sdk).")
    sys.exit(0)

READER = ReadingModel()
EXPORTER = InMemorySpanExporter()
PROVIDER = TracerProvider()
PROVIDER.add_span_processor(SimpleSpanProcessor(EXPORTER))
TRACER = PROVIDER.get_tracer("claims desk")


def message(role, text):
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def retrieve(question, keep):
    wanted = set(question.lower().split())
    ranked = sorted(LEAFLETS, key=lambda text: -len(wanted & set(text.lower().split())))
    with TRACER.start_as_current_span("retrieval leaflets") as span:
        span.set_attribute("gen_ai.operation.name", "retrieval")
        span.set_attribute("gen_ai.retrieval.query.text", question)
        span.set_attribute("gen_ai.retrieval.documents", json.dumps(ranked[:keep]))
        for rank, text in enumerate(ranked[keep:], start=keep + 1):
            span.add_event("left out", {"name": f"leaflet {rank}", "text": text, "why": "rank"})
    return ranked[:keep]


def piece(name, text, source, why):
    with TRACER.start_as_current_span(f"context {name}") as span:
        span.set_attributes({"context.source": source, "context.why": why, "context.text": text})
    return text


def ask(prompt):
    with TRACER.start_as_current_span("chat reader") as span:
        span.set_attribute("gen_ai.operation.name", "chat")
        span.set_attribute("gen_ai.request.model", "reader")
        span.set_attribute("gen_ai.input.messages", message("user", prompt))
        said = f"Dear {NAME}, {READER(prompt)}"
        span.set_attribute("gen_ai.output.messages", message("assistant", said))
    return said


def without_name(text):
    with TRACER.start_as_current_span("redact") as span:
        after = text.replace(NAME, "passenger")
        span.set_attributes({"redact.before": text, "redact.after": after})
        span.set_attribute("redact.reason", "names stay inside")
    return after


def claim(question):
    with TRACER.start_as_current_span("delay-claim") as span:
        span.set_attribute("question", question)
        prompt = TEMPLATE.format(
            name=NAME,
            tariff=piece("tariff", TARIFF, "tariff.md", "always on"),
            note=piece("campaign-note", NOTE, "memory/2025-12", "wrote about a delay before"),
            leaflets="\n".join(retrieve(question, 2)),
            question=question,
        )
        said = without_name(ask(prompt))
        span.set_attribute("answer", said)
        # The judgement has to be made before the span ends: afterwards it takes nothing more.
        if WORDS in said:
            span.add_event(
                "gen_ai.evaluation.result",
                {
                    "gen_ai.evaluation.name": "review",
                    "gen_ai.evaluation.score.label": "failed",
                    "gen_ai.evaluation.explanation": "40 minutes is below the tariff's 60",
                },
            )
    return said


def tree(spans, parent=None, depth=0):
    """The lines of a tree of spans, oldest first, each with its attributes and events."""
    for span in sorted(spans, key=lambda each: each.start_time):
        if (span.parent.span_id if span.parent else None) != parent:
            continue
        indent = "  " * depth
        yield f"{indent}{span.name}"
        for name, value in span.attributes.items():
            yield f"{indent}  . {name} = {value!r:.70}"
        for event in span.events:
            yield f"{indent}  ! {event.name} {dict(event.attributes)!r:.90}"
        yield from tree(spans, span.context.span_id, depth + 1)


def places(spans, words):
    """Every attribute that holds the words: a search, not a path."""
    for span in spans:
        for name, value in span.attributes.items():
            if words in str(value):
                yield f"{span.name} {name}"


def main(as_json):
    claim(QUESTION)
    spans = EXPORTER.get_finished_spans()
    lines = [span.to_json(indent=None) for span in spans]
    if as_json:
        print("\n".join(lines))
        return
    print("\n".join(tree(spans)))
    print("words are in", list(places(spans, WORDS)))
    print("record      ", sum(len(line.encode()) + 1 for line in lines), "bytes of span.to_json()")


if __name__ == "__main__":
    main("--json" in sys.argv[1:])
