"""Runs that end in every way, of real Agents and compositions, and the runs they leave behind."""

import asyncio

import explainkit as ek
from explainkit.flow import (
    Agent,
    Conditional,
    Loop,
    Parallel,
    Sequence,
    ask_person,
    when,
)
from explainkit.flow.models import ScriptedModel
from tests.flow.compositions.test_real_agents import ASK, REFUSING, refusing

KINDS = tuple(REFUSING)


def up(text):
    return text.upper()


def boom(text):
    raise ValueError(f"the ledger is closed: {text}")


def letter(child):
    """Three steps, of which the second one is to end otherwise."""
    return Sequence(up, child, up, name="letter")


def run_of(runner, given="Pay 80.", **options):
    """The run that a runner leaves behind, however it ends."""
    outcome = asyncio.run(runner.outcome(given, **options))
    run = ek.last()
    run.outcome = outcome
    return run


def refused(kind, **options):
    return run_of(letter(refusing(kind, "desk")), **options)


def several():
    """Four branches, of which three do not answer."""
    branches = {
        "a": refusing("policy-halt", "cashier"),
        "b": boom,
        "c": up,
        "d": Loop(up, for_at_most=2),
    }
    return letter(Parallel(branches))


def asking():
    return letter(Agent(ScriptedModel([ASK, "Done."]), tools=[ask_person()], name="desk"))


def choosing():
    return Conditional(
        when(lambda _: False, up, name="first"),
        when(lambda _: True, refusing("message-denied", "desk"), name="second"),
        when(lambda _: True, up, name="third"),
    )
