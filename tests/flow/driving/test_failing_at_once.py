"""A machine whose first state is a failure ends at once, with the reason that its author gave."""

import asyncio

import explainkit as ek
from explainkit.errors import FaultError
from explainkit.flow import Failed, always, fail, invoke, machine, state, to


def failing(**states):
    return machine("f", actors={"fail": fail()}, initial="a", states=states)


def gone(reason):
    return state(invoke=invoke("fail", input={"reason": reason}))


def test_the_first_state_fails_with_its_reason():
    outcome = asyncio.run(failing(a=gone("no disk")).outcome())
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, FaultError)
    assert str(outcome.error) == "no disk"
    assert ek.last().status == "error"


def test_a_failure_that_an_eventless_transition_leads_to_at_once_is_one_too():
    outcome = asyncio.run(failing(a=state(always(to("b"))), b=gone("no network")).outcome())
    assert str(outcome.error) == "no network"
    assert failing(a=state(always(to("b"))), b=gone("no network")).replay(ek.last()).equal
