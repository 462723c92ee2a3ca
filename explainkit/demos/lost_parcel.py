"""A parcel service that names the wrong day, because a fresh calendar was taken for a copy.

Everything is made up. The run is what somebody sends after an incident: several steps, tools with
tables, pages that were left out, an override, a verdict. The model is the embedded reader.
"""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

from explainkit.flow.models import ReadingModel
from explainkit.session import Run, trace, traced
from explainkit.tracing import answer, assemble, context, left_out, link, override

QUESTION = "On which day will parcel 4711 be delivered?"
WORDS = "14 March"
SCANS = (
    {"parcel": 4711, "at": "2026-03-09", "place": "Linz", "event": "accepted"},
    {"parcel": 4711, "at": "2026-03-11", "place": "Graz", "event": "sorted"},
    {"parcel": 4171, "at": "2026-03-10", "place": "Wien", "event": "lost"},
)
CALENDARS = {
    "calendar/2025": "Calendar of rounds. A parcel sorted in Graz will be delivered on 14 March.",
    "calendar/2026": "Calendar of rounds. A parcel sorted in Graz will be delivered on 17 March.",
}
PAGES = (
    "What nobody takes in is kept for a week.",
    "Letters are not tracked.",
    "Complaints are answered by mail.",
)
TEMPLATE = """\
You answer for a parcel service. Answer in one sentence from what stands here.

Rules: {rules}

Scans:
{scans}

{calendar}

{pages}

Q: {question}"""

_READER = ReadingModel()
_START = 1_773_307_200_000_000_000  # 2026-03-12 09:20 UTC; a fixed clock gives the same bytes


@link(kind="tool")
def scans_of(parcel: int) -> list[dict[str, object]]:
    """Where a parcel was scanned."""
    return [scan for scan in SCANS if scan["parcel"] == parcel]


@link(kind="retrieval")
def calendars(place: str, *, fresh_first: bool) -> list[str]:
    """Calendars of a place; two with the same title are taken for copies, and the first is kept."""
    order = sorted(CALENDARS, reverse=fresh_first)
    kept: dict[str, str] = {}
    for name in order:
        title = CALENDARS[name].partition(".")[0]
        if title in kept:
            left_out(
                name,
                CALENDARS[name],
                kind="document",
                source=name,
                how="deduplicated",
                why=f"same title as {kept[title]}: {title}",
            )
        else:
            kept[title] = name
    return [CALENDARS[name] for name in kept.values() if place in CALENDARS[name]]


@link(kind="retrieval")
def pages_for(question: str, keep: int) -> list[str]:
    """Help pages that share most words with a question, the rest left out on the record."""
    wanted = set(question.lower().split())
    ranked = sorted(PAGES, key=lambda text: -len(wanted & set(text.lower().split())))
    for rank, text in enumerate(ranked[keep:], start=keep + 1):
        left_out(f"page {rank}", text, how="cut by rank", why=f"rank {rank}; the cut is at {keep}")
    return ranked[:keep]


@link(kind="model", deterministic=True)
def ask(prompt: str) -> str:
    """The embedded reader answers from the prompt alone."""
    return _READER(prompt)


def reply(question: str, *, parcel: int, fresh_first: bool) -> str:
    """Answer one customer: look the parcel up, collect context, ask, sign."""
    rules = context(
        "rules",
        "Say the day. Never promise an hour.",
        kind="instruction",
        source="rules.md",
        why="always on",
    )
    scans = scans_of(parcel)
    place = str(scans[-1]["place"])
    prompt = assemble(
        TEMPLATE,
        rules=rules,
        scans="\n".join(json.dumps(scan) for scan in scans),
        calendar="\n".join(calendars(place, fresh_first=fresh_first)),
        pages="\n".join(pages_for(question, 1)),
        question=question,
    )
    answer(ask(prompt))
    return override(signed, by="signature", reason="every letter is signed")


def signed(text: str) -> str:
    """A text with the service's name under it."""
    return f"{text} Your parcel service"


def incident(to: str | Path | None = None, *, fresh_first: bool = False) -> Run:
    """Run it once and judge it.

    Args:
        to: Folder for the run's file; in memory when not given.
        fresh_first: Which calendar is met first; with the fresh one the answer is right.

    Example:
        >>> incident().answer
        'A parcel sorted in Graz will be delivered on 14 March. Your parcel service'
    """
    name = "parcel-4711-mended" if fresh_first else "parcel-4711"
    with trace(name, to=to, question=QUESTION, clock=_ticks(), run_id=name) as run:
        reply(QUESTION, parcel=4711, fresh_first=fresh_first)
    right = "17 March" in run.answer
    run.verdict(
        "passed" if right else "failed",
        judge="customer service",
        reason="it came on 17 March" if right else "it came on 17 March, not on the 14th",
    )
    return run


def answered(question: str, parcel: int) -> str:
    """Answer one customer with the calendar that is met first."""
    return reply(question, parcel=parcel, fresh_first=False)


answer_customer: Callable[[str, int], str] = traced("parcel")(answered)
"""The same as a run of its own, to be made again with changes."""


def _ticks() -> Callable[[], int]:
    """A clock that goes on by one millisecond at each look."""
    steps = count(_START, 1_000_000)
    return lambda: next(steps)
