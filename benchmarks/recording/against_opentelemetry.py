"""Cost of recording one link beside the OpenTelemetry SDK with a file exporter, in one run.

Run: python benchmarks/recording/against_opentelemetry.py [links]

Each round measures every variant once, in turn, so that a drift of the machine meets all of them;
printed are medians over rounds and the ratio to OpenTelemetry of the same round. What runs in 100
tasks or under an enclosing link is compared with spans that do the same.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

import explainkit as ek

ROUNDS = 7
SENTENCE = "The quick brown fox jumps over the lazy dog and sleeps. "
SIZE = 1024


def text(number: int) -> str:
    """About 1 KB of ordinary text, different for each number."""
    return (f"{number:08d} " + SENTENCE * 20)[:SIZE]


def plain(prompt: str, answer: list[str]) -> str:
    """What a link does in this benchmark: hand out a prepared text."""
    return answer[0]


@ek.link(kind="model")
def recorded(prompt: str, answer: list[str]) -> str:
    """The same as a link, with a small second argument."""
    return answer[0]


class Texts:
    """Prepared inputs and outputs, made outside the timed loop."""

    def __init__(self, links: int, *, new_in: bool, new_out: bool, offset: int) -> None:
        """Prepare ``links`` pairs; what is not new is one text for all."""
        self.inputs = [text(offset + n) if new_in else text(0) for n in range(links)]
        self.outputs = [[text(-offset - n) if new_out else text(1)] for n in range(links)]


def seconds_of_loop(step: Callable[[str, list[str]], object], texts: Texts) -> float:
    """Seconds per link of a bare loop over ``step``."""
    pairs = list(zip(texts.inputs, texts.outputs, strict=True))
    begin = time.perf_counter()
    for one, other in pairs:
        step(one, other)
    return (time.perf_counter() - begin) / len(pairs)


@ek.link(kind="model")
def ask(prompt: str) -> str:
    """A link with one text in and one text out."""
    return _OUT[0]


_OUT: list[str] = [""]


def explainkit_file(folder: Path, texts: Texts) -> float:
    """One run in a file: redacted, digested, hash-chained, kill-safe."""
    with ek.trace("bench", to=folder):
        begin = time.perf_counter()
        for one, other in zip(texts.inputs, texts.outputs, strict=True):
            _OUT[0] = other[0]
            ask(one)
        return (time.perf_counter() - begin) / len(texts.inputs)


@ek.link
def outer(prompt: str) -> str:
    """A link around another one."""
    return ask(prompt)


def explainkit_nested(folder: Path, texts: Texts) -> float:
    """Links in pairs, one inside the other; seconds per link."""
    with ek.trace("bench", to=folder):
        begin = time.perf_counter()
        for one, other in zip(texts.inputs, texts.outputs, strict=True):
            _OUT[0] = other[0]
            outer(one)
        return (time.perf_counter() - begin) / len(texts.inputs) / 2


def explainkit_tasks(folder: Path, texts: Texts) -> float:
    """The same in 100 concurrent tasks, each with an enclosing link."""

    answers = dict(zip(texts.inputs, texts.outputs, strict=True))

    @ek.link
    async def step(prompt: str) -> str:
        await asyncio.sleep(0)
        return answers[prompt][0]

    @ek.link
    async def branch(pairs: int, offset: int) -> None:
        for n in range(offset, offset + pairs):
            await step(texts.inputs[n])

    async def main() -> float:
        async with ek.trace("bench", to=folder):
            each = len(texts.inputs) // 100
            begin = time.perf_counter()
            await asyncio.gather(*(branch(each, n * each) for n in range(100)))
            return (time.perf_counter() - begin) / (each * 100)

    return asyncio.run(main())


@contextmanager
def tracing(folder: Path) -> Iterator[otel.Tracer]:
    """A tracer of the OpenTelemetry SDK that exports to a file as JSON lines."""
    provider = TracerProvider()
    with (folder / "spans.jsonl").open("w") as out:
        exporter = ConsoleSpanExporter(out=out, formatter=lambda s: s.to_json(indent=None) + "\n")
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        yield otel.get_tracer("bench", tracer_provider=provider)
        provider.shutdown()


def describe(span: otel.Span, one: str, other: str) -> None:
    """Six attributes, as of a call of a model."""
    span.set_attribute("gen_ai.operation.name", "chat")
    span.set_attribute("gen_ai.system", "embedded")
    span.set_attribute("gen_ai.request.model", "reader")
    span.set_attribute("gen_ai.request.temperature", 0.0)
    span.set_attribute("input.value", one)
    span.set_attribute("output.value", other)


def opentelemetry_file(folder: Path, texts: Texts) -> float:
    """One span per link."""
    with tracing(folder) as tracer:
        begin = time.perf_counter()
        for one, other in zip(texts.inputs, texts.outputs, strict=True):
            with tracer.start_as_current_span("ask") as span:
                describe(span, one, other[0])
        return (time.perf_counter() - begin) / len(texts.inputs)


def opentelemetry_nested(folder: Path, texts: Texts) -> float:
    """Spans in pairs, one inside the other; seconds per span."""
    with tracing(folder) as tracer:
        begin = time.perf_counter()
        for one, other in zip(texts.inputs, texts.outputs, strict=True):
            with tracer.start_as_current_span("outer") as around:
                with tracer.start_as_current_span("ask") as span:
                    describe(span, one, other[0])
                describe(around, one, other[0])
        return (time.perf_counter() - begin) / len(texts.inputs) / 2


def opentelemetry_tasks(folder: Path, texts: Texts) -> float:
    """One span per link in 100 concurrent tasks, each with an enclosing span."""

    async def branch(tracer: otel.Tracer, pairs: int, offset: int) -> None:
        with tracer.start_as_current_span("branch"):
            for n in range(offset, offset + pairs):
                with tracer.start_as_current_span("step") as span:
                    await asyncio.sleep(0)
                    describe(span, texts.inputs[n], texts.outputs[n][0])

    async def main() -> float:
        with tracing(folder) as tracer:
            each = len(texts.inputs) // 100
            begin = time.perf_counter()
            await asyncio.gather(*(branch(tracer, each, n * each) for n in range(100)))
            return (time.perf_counter() - begin) / (each * 100)

    return asyncio.run(main())


def disabled(texts: Texts) -> float:
    """What a decorated function costs beside the bare one while no run is open."""
    return seconds_of_loop(recorded, texts) - seconds_of_loop(plain, texts)


PEERS = {
    "": opentelemetry_file,
    ", nested": opentelemetry_nested,
    ", 100 tasks": opentelemetry_tasks,
}
OURS = {"": explainkit_file, ", nested": explainkit_nested, ", 100 tasks": explainkit_tasks}
NEWS = {"both new": (True, True), "input seen": (False, True), "both seen": (False, False)}


def main(links: int = 20_000) -> None:
    """Measure all variants and print microseconds per link and ratios."""
    taken: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {}
    off: list[float] = []
    for round_number in range(ROUNDS):
        offset = 1 + round_number * links
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            few = Texts(links // 10, new_in=True, new_out=True, offset=offset)
            peers = {shape: measure(folder, few) for shape, measure in PEERS.items()}
            for shape, peer in peers.items():
                taken.setdefault(f"OpenTelemetry SDK, file{shape}", []).append(peer)
            for kind, (new_in, new_out) in NEWS.items():
                texts = Texts(links, new_in=new_in, new_out=new_out, offset=offset)
                for shape, measure in OURS.items():
                    if shape and kind != "both new":
                        continue
                    one = measure(folder, texts)
                    taken.setdefault(f"explainkit, {kind}{shape}", []).append(one)
                    ratios.setdefault(f"explainkit, {kind}{shape}", []).append(peers[shape] / one)
        off.append(disabled(Texts(links * 5, new_in=False, new_out=False, offset=offset)))
    print(f"{links} links of 1 KB in and 1 KB out, {ROUNDS} rounds, medians")
    for label, values in taken.items():
        ratio = f"  1/{statistics.median(ratios[label]):.1f}" if label in ratios else ""
        print(f"{label:36s}{statistics.median(values) * 1e6:8.2f} us per link{ratio}")
    print(f"{'explainkit, no run open (added)':36s}{statistics.median(off) * 1e6:8.2f} us per call")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
