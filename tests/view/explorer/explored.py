"""Runs to explore: every kind that a person may open, recorded by what they would use."""

import asyncio
from collections.abc import Callable

import explainkit as ek
from explainkit.answering import CheckResult
from explainkit.demos.claims_desk import run_demo
from explainkit.flow import Parallel, Sequence, machine, state, to
from explainkit.session import Run
from tests.answering.flow_parts import PASSED, failed, flow_of, items
from tests.view.bigger import chat
from tests.view.hostile import ATTACKS, HUGE

BIDI = "\u202e\u05e9\u05dc\u05d5\u05dd\u202c \u0645\u0631\u062d\u0628\u0627 \u0628\u0643"
EMOJI = "\U0001f469\u200d\U0001f467\u200d\U0001f466 e\u0301 \U0001f44d\U0001f3fd \U0001f600"


def claims() -> Run:
    return run_demo().run


def door() -> Run:
    chart = machine(
        "door",
        initial="shut",
        states={
            "shut": state(on={"push": to("open")}),
            "open": state(on={"pull": to("shut")}, initial="wide", states={"wide": state()}),
        },
    )

    async def push():
        running = chart.begin()
        for name in ("push", "pull", "push"):
            running.send(name)
        running.cancel()
        await running.outcome()

    asyncio.run(push())
    return ek.last()


def composed() -> Run:
    def upper(text):
        return text.upper()

    def count(text):
        return len(text)

    runner = Sequence(str.strip, Parallel({"loud": upper, "long": count}), name="desk")
    asyncio.run(runner.outcome("  half of the fare "))
    return ek.last()


def refused() -> Run:
    def closed(text):
        raise ValueError(f"the ledger is closed: {text}")

    asyncio.run(Sequence(str.strip, closed, name="letter").outcome(" Pay 80. "))
    return ek.last()


def answering() -> Run:
    def generate(*, items, repairs, **_):
        return {each.id: "An hour." if repairs else "" for each in items}

    def check(*, value, **_):
        return CheckResult("passed", value=value.upper()) if value else failed("EMPTY", "no text")

    flow = flow_of(
        generate=generate,
        check=check,
        review=lambda *, items, **_: {each.item.id: PASSED for each in items},
    )
    return flow.run_sync(input_ids=["in"], items=items("ab")).run


def nothing() -> Run:
    with ek.trace("nothing", question="Is anybody there?") as run:
        pass
    return run


def one_box() -> Run:
    with ek.trace("one box") as run:
        ek.answer("Only this.")
    return run


def no_context() -> Run:
    with ek.trace("no context", question="What is 2 + 2?") as run:

        @ek.link(kind="model")
        def ask(prompt):
            return "It is 4, by all accounts."

        ek.answer(ask("What is 2 + 2?"))
    return run


def hostile() -> Run:
    with ek.trace("hostile " + ATTACKS["script"], question=ATTACKS["svg"]) as run:
        notes = [
            ek.context(
                f"{name} {text}", f"{text} half of the fare", source=text[:80], why=text[:80]
            )
            for name, text in ATTACKS.items()
            if text and len(text) < 10_000
        ]

        @ek.link(kind="model")
        def ask(prompt):
            return prompt

        ek.answer(ask("\n".join(notes)))
        ek.override(lambda text: text + ATTACKS["handler"], by=ATTACKS["style"], reason="x")
    run.verdict("failed", judge=ATTACKS["mutation"], reason=ATTACKS["mathjax"])
    return run


def foreign() -> Run:
    with ek.trace("rtl " + BIDI, question=BIDI) as run:
        note = ek.context("note " + EMOJI, f"{BIDI} {EMOJI} half of the fare for all.")
        ek.answer(f"{EMOJI} {note} {BIDI}")
    return run


def huge() -> Run:
    with ek.trace("huge", question="How much?") as run:
        note = ek.context("note", HUGE)

        @ek.link(kind="model")
        def ask(prompt):
            return prompt[:200_000]

        ek.answer(ask(note))
    return run


def chatting(turns: int) -> Callable[[], Run]:
    return lambda: Run.loaded(chat(turns))


RUNS: dict[str, Callable[[], Run]] = {
    "claims": claims,
    "machine": door,
    "composition": composed,
    "refused": refused,
    "answering": answering,
    "nothing": nothing,
    "one_box": one_box,
    "no_context": no_context,
    "hostile": hostile,
    "foreign": foreign,
    "huge": huge,
    "links_100": chatting(33),
    "links_1000": chatting(333),
    "links_10000": chatting(3_333),
}
