"""The claims desk recorded by hand, record by record, so that views see every kind of evidence."""

from dataclasses import replace

from explainkit.backtrack.results import Walk
from explainkit.store import MemorySink, Recording
from explainkit.tracing.recorder import Recorder
from tests.view.samples import (
    ANSWER,
    NOTE,
    PROMPT,
    QUESTION,
    SAID,
    TARIFF,
    claims_prompt,
    claims_suspects,
    claims_walk,
)

NAMES = {
    0: "start", 2: "tariff", 3: "note", 4: "hours", 5: "rest", 6: "join", 8: "ask", 9: "said",
    10: "answer", 11: "override", 13: "verdict",
}  # fmt: skip
"""The numbers that the hand-made walk uses, by the name of the record they stand for."""


def claims_recording() -> tuple[Recording, dict[str, int]]:
    """The recorded run, and the record number of each named record."""
    sink = MemorySink(run="run-1", name="delay-claim")
    recorder = Recorder(sink, run="run-1", clock=None)
    put, value = recorder.append, recorder.value
    seqs: dict[str, int] = {}
    seqs["start"] = put("run_started", run="run-1", name="delay-claim", question=value(QUESTION))
    seqs["find"] = put(
        "link_opened",
        name="retrieve",
        type="retrieval",
        inputs=[{"slot": "question", "value": value(QUESTION)}],
    )
    put("link_closed", link=seqs["find"], status="answered", output=value("line 4: 40 min late"))
    for name, title, kind, text, source, why in (
        ("tariff", "tariff", "document", TARIFF, "tariff.md", "always on"),
        (
            "note",
            "campaign-note",
            "memory",
            NOTE,
            "memory/2025-12",
            "customer wrote about a delay before",
        ),
        ("hours", "opening-hours", "document", "Open 9 to 5.", "hours.md", "always on"),
    ):
        seqs[name] = put(
            "context", name=title, type=kind, value=value(text), source=source, why=why
        )
    seqs["rest"] = put(
        "context",
        name="tariff-2026-note",
        type="document",
        value=value("No refund under 60."),
        admitted=False,
        how="cut by rank",
        why="4th of 3",
    )
    slots = (("tariff", TARIFF), ("note", NOTE), ("q", QUESTION))
    inputs = [{"slot": slot, "value": value(text)} for slot, text in slots]
    for item, name in zip(inputs, ("tariff", "note", "start"), strict=True):
        item["from"] = [{"seq": seqs[name], "slot": "question" if name == "start" else "value"}]
    prompt = value(PROMPT)
    seqs["join"] = put("link_opened", name="assemble", type="assemble", inputs=inputs)
    segments = [
        {
            "start": PROMPT.index(text),
            "end": PROMPT.index(text) + len(text),
            "origin": {"seq": seqs["join"], "slot": slot, "start": 0, "end": len(text)},
        }
        for slot, text in slots
    ]
    seqs["joined"] = put(
        "link_closed", link=seqs["join"], status="answered", output=prompt, segments=segments
    )
    seqs["ask"] = put(
        "link_opened",
        name="ask",
        type="model",
        inputs=[
            {"slot": "prompt", "value": prompt, "from": [{"seq": seqs["joined"], "slot": "output"}]}
        ],
    )
    said = value(SAID)
    seqs["said"] = put("link_closed", link=seqs["ask"], status="answered", output=said)
    seqs["answer"] = put("answer", value=said)
    seqs["override"] = put(
        "override",
        from_version=1,
        value=value(ANSWER),
        by="redactor",
        reason="names stay inside",
        site="desk.py:41 claim",
    )
    seqs["verdict"] = put(
        "verdict",
        slot="answer",
        version=2,
        status="failed",
        judge="reviewer",
        reason="40 minutes is below the tariff's 60",
    )
    recorder.close("answered")
    return Recording.of_lines(sink.lines()), seqs


def recorded_walk(seqs: dict[str, int]) -> Walk:
    """The hand-made walk with the record numbers of the recording."""
    to = {number: seqs[name] for number, name in NAMES.items()}
    walk = claims_walk()
    moved = lambda place: replace(place, seq=to[place.seq])  # noqa: E731
    return replace(
        walk,
        answer_seq=to[11],
        hops=tuple(
            replace(hop, target=moved(hop.target), source=moved(hop.source)) for hop in walk.hops
        ),
        contexts=tuple(
            replace(use, seq=to[use.seq], places=tuple(moved(place) for place in use.places))
            for use in walk.contexts
        ),
        unsupported=tuple(moved(place) for place in walk.unsupported),
        ignored=tuple(replace(use, seq=to[use.seq]) for use in walk.ignored),
        left_out=tuple(replace(item, seq=to[item.seq]) for item in walk.left_out),
    )


def recorded_prompt(seqs: dict[str, int]):
    """The hand-made prompt with the record numbers of the recording."""
    prompt = claims_prompt()
    to = {number: seqs[name] for number, name in NAMES.items()}
    segments = tuple(
        replace(segment, origin=replace(segment.origin, seq=to[segment.origin.seq]))
        if segment.origin
        else segment
        for segment in prompt.segments
    )
    return replace(prompt, link=seqs["ask"], segments=segments)


def recorded_suspects(seqs: dict[str, int]):
    """The hand-made shortlist with the record numbers of the recording."""
    return tuple(
        replace(suspect, seq=seqs[name])
        for suspect, name in zip(claims_suspects(), ("note", "tariff"), strict=True)
    )
