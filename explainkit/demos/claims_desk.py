"""A railway's claims desk that promises too much, because an old note is still in its memory.

Everything is made up. The model is the embedded reader, so the wrong answer is a true function of
the context: without the note the desk answers right.
"""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

from explainkit.flow.models import ReadingModel
from explainkit.session import Run, trace
from explainkit.session.backtracked import Backtrack
from explainkit.tracing import answer, assemble, context, left_out, link, override

NAME = "Ms Ines Harlow"
QUESTION = "My train was 40 minutes late. What do I get back?"
WORDS = "half of the fare"
TARIFF = """\
Tariff, section 7: delays.
A delay of 60 minutes or more: one quarter of the fare is paid back.
A delay of 120 minutes or more: 50 percent is paid back, to the card that paid.
For a delay below 60 minutes nothing is paid back."""
NOTE = (
    "Goodwill campaign of last winter: for a delay of 30 minutes or more "
    "we pay back half of the fare."
)
LEAFLETS = (
    "Seat reservations are refunded when the train did not run.",
    "Bicycles travel free on regional trains after nine in the morning.",
    "Lost property is kept for four weeks at the central station.",
)
TEMPLATE = """\
You answer for the claims desk of a railway. Answer in one sentence.
Passenger: {name}

{tariff}

{note}

{leaflets}

Q: {question}"""

_READER = ReadingModel()
_START = 1_767_261_600_000_000_000  # 2026-01-01 10:00 UTC; a fixed clock gives the same bytes


class Demo(NamedTuple):
    """What the demo shows: the run, already judged, and the walk from its wrong words."""

    run: Run
    back: Backtrack


@link(kind="retrieval")
def retrieve(question: str, keep: int) -> list[str]:
    """The leaflets that share most words with the question, the rest left out on the record."""
    wanted = set(question.lower().split())
    ranked = sorted(LEAFLETS, key=lambda text: -len(wanted & set(text.lower().split())))
    for rank, text in enumerate(ranked[keep:], start=keep + 1):
        left_out(
            f"leaflet {rank}", text, why=f"rank {rank}; the cut is at {keep}", how="cut by rank"
        )
    return ranked[:keep]


@link(kind="model", deterministic=True)
def ask(prompt: str) -> str:
    """The embedded reader answers from the prompt alone."""
    return f"Dear {NAME}, {_READER(prompt)}"


def claim(question: str) -> str:
    """Answer one claim: collect context, assemble the prompt, ask, redact the name."""
    tariff = context("tariff", TARIFF, kind="document", source="tariff.md", why="always on")
    note = context(
        "campaign-note",
        NOTE,
        kind="memory",
        source="memory/2025-12",
        why="the customer wrote about a delay before",
    )
    prompt = assemble(
        TEMPLATE,
        name=NAME,
        tariff=tariff,
        note=note,
        leaflets="\n".join(retrieve(question, 2)),
        question=question,
    )
    answer(ask(prompt))
    return override(without_name, by="redactor", reason="names stay inside")


def without_name(text: str) -> str:
    """The text with the passenger's name taken out."""
    return text.replace(NAME, "passenger")


def run_demo(to: str | Path | None = None) -> Demo:
    """Run the claims desk, judge its answer, and walk back from the wrong words.

    Args:
        to: Folder for the run's file; in memory when not given.

    Returns:
        The run and the backtrack of ``half of the fare``.

    Example:
        >>> demo = run_demo()
        >>> [context.name for context in demo.back.contexts]
        ['campaign-note']
    """
    with trace(
        "delay-claim", to=to, question=QUESTION, clock=_ticks(), run_id="demo-delay-claim"
    ) as run:
        claim(QUESTION)
    run.verdict("failed", judge="reviewer", reason="40 minutes is below the tariff's 60")
    return Demo(run, run.backtrack(span=WORDS))


def story(demo: Demo) -> str:
    """The demo as a few paragraphs of plain text for a terminal."""
    return f"{demo.back.text()}\n"


def _ticks() -> Callable[[], int]:
    """A clock that goes on by one millisecond at each look."""
    steps = count(_START, 1_000_000)
    return lambda: next(steps)
