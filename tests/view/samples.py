"""The claims desk as a hand-made walk, and ways to bend it, for views that must show any walk."""

from dataclasses import replace

from explainkit.backtrack.results import (
    ContextUse,
    Exposure,
    Hop,
    LeftOut,
    OverrideStep,
    Place,
    Prompt,
    PromptSegment,
    Reason,
    SentenceCoverage,
    Suspect,
    VerdictLine,
    Walk,
)

QUESTION = "My train was 40 minutes late. What do I get back?"
NOTE = (
    "Goodwill campaign, December: for a delay of 30 minutes or more the customer gets back "
    "half of the fare, no questions asked."
)
TARIFF = (
    "Tariff 2026, delays.\n60 to 119 minutes: a quarter of the fare.\n"
    "120 minutes or more: half of the fare."
)
SAID = "Dear Ms Keller, for a delay of 40 minutes you get back half of the fare."
ANSWER = "Dear the passenger, for a delay of 40 minutes you get back half of the fare."
WORDS = "half of the fare"


def place(seq: int, slot: str, text: str, label: str, words: str = WORDS) -> Place:
    at = text.rindex(words)  # in the prompt the first are the tariff's, the last the note's
    return Place(seq, slot, "", at, at + len(words), words, label)


def claims_walk() -> Walk:
    answer = place(11, "value", ANSWER, "answer, version 2")
    first = place(10, "value", SAID, "answer, version 1")
    said = place(9, "output", SAID, "output of ask")
    read = place(8, "prompt", PROMPT, "prompt of ask")
    put = place(6, "output", PROMPT, "assembled prompt")
    note = place(3, "value", NOTE, "context campaign-note")
    hops = (
        Hop("overridden", "value", answer, first, 0, "by redactor: names stay inside"),
        Hop("said", "value", first, said, 1, None),
        Hop("read", "value", said, read, 2, None),
        Hop("landed", "declared", read, put, 3, None),
        Hop("allowed", "declared", put, note, 4, "customer wrote about a delay before"),
        Hop(
            "born",
            "declared",
            note,
            Place(3, "source", "", 0, 14, "memory/2025-12", "source"),
            5,
            "memory",
        ),
    )
    use = ContextUse(
        seq=3,
        name="campaign-note",
        type="memory",
        grade="value",
        asked=False,
        places=(note,),
        born="memory/2025-12",
        allowed="customer wrote about a delay before",
        landed=("slot note of the assembled prompt",),
        read=("ask",),
        said=("answer, version 1",),
        overridden=("redactor",),
    )
    tariff = replace(
        use,
        seq=2,
        name="tariff",
        type="document",
        born="tariff.md",
        allowed="always on",
        places=(place(2, "value", TARIFF, "context tariff"),),
    )
    return Walk(
        run="run-1",
        question=QUESTION,
        answer=ANSWER,
        version=2,
        inferred=False,
        answer_seq=11,
        span=(answer.start, answer.end),
        grade="value",
        hops=hops,
        contexts=(use, tariff),
        introducers=(note,),
        carriers=(put, read, said, first, answer),
        dominators=(10, 9, 8),
        coverage=(SentenceCoverage(0, len(ANSWER), ANSWER, "supported", (note,), ("40 minutes",)),),
        unsupported=(Place(11, "value", "", 0, 18, ANSWER[:18], "answer, version 2"),),
        ignored=(replace(use, seq=4, name="opening-hours", type="document", places=()),),
        left_out=(
            LeftOut(5, "tariff-2026-note", "cut by rank", "4th of 3", "No refund under 60."),
        ),
        lost=(),
        overrides=(
            OverrideStep(
                11,
                "answer",
                1,
                "redactor",
                "names stay inside",
                "desk.py:41 claim",
                "applied",
                SAID,
                ANSWER,
                touches_span=False,
            ),
        ),
        verdicts=(
            VerdictLine(
                13,
                "answer version 2",
                "failed",
                "reviewer",
                "40 minutes is below the tariff's 60",
                (),
                stale=False,
            ),
        ),
        untracked=("global NAME read by claim",),
        exposures=(Exposure(4, "opening-hours", 0.12),),
        caps=(),
    )


PROMPT = f"{TARIFF}\n\n{NOTE}\n\nQ: {QUESTION}"


def claims_prompt() -> Prompt:
    segments: list[PromptSegment] = []
    at = 0
    parts = (
        (TARIFF, 2, "tariff", "declared"),
        ("\n\n", None, "template", "declared"),
        (NOTE, 3, "campaign-note", "declared"),
        ("\n\nQ: ", None, "template", "declared"),
        (QUESTION, 0, "question", "value"),
    )
    for text, seq, name, grade in parts:
        origin = (
            None
            if seq is None
            else Place(
                seq, "question" if seq == 0 else "value", "", 0, len(text), text, f"context {name}"
            )
        )
        segments.append(PromptSegment(at, at + len(text), text, origin, name, grade))
        at += len(text)
    return Prompt(8, "ask", PROMPT, tuple(segments))


def claims_suspects() -> tuple[Suspect, ...]:
    note = place(3, "value", NOTE, "context campaign-note")
    return (
        Suspect(
            1,
            1,
            3,
            None,
            "campaign-note",
            (
                Reason("introduces the words, and the answer carries them", (note,)),
                Reason("born outside this run: memory/2025-12"),
            ),
        ),
        Suspect(2, 1, 2, None, "tariff", (Reason("holds the same words", ()),)),
    )
