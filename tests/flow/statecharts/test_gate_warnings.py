"""What the author of a Gate is told when nobody could hear it, or when it hides an event."""

import warnings

import pytest

from explainkit.errors import ChartError, ChartWarning
from explainkit.flow import (
    agent,
    answer,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)

APPROVE = define_event("approve", audience="external")
LOOK = define_event("look_up")


async def nobody(turn):
    raise AssertionError("no Turn begins here")


def asking(**handlers):
    return machine(
        "m",
        events=[APPROVE],
        actors={"boss": gate(APPROVE)},
        initial="a",
        states={"a": state(invoke=invoke("boss"), on=handlers), "b": final()},
    )


def test_a_gate_that_takes_what_no_state_handles_is_told():
    with pytest.warns(ChartWarning, match='the Gate "boss" of "m.a" takes "approve", which no'):
        asking(approved=to("b"))


@pytest.mark.parametrize("handler", ["approve", "*", "approve.*"])
def test_a_gate_whose_event_some_state_handles_is_not(handler):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asking(**{handler: to("b")}).states == ("m", "m.a", "m.b")


def test_an_event_that_a_gate_hides_from_the_agent_is_told():
    with pytest.warns(ChartWarning, match='"look_up" is handled at "m.open.r", which invokes'):
        machine(
            "m",
            events=[APPROVE, LOOK],
            actors={"w": agent(nobody), "boss": gate(APPROVE)},
            initial="open",
            states={
                "open": state(
                    invoke=invoke("w"),
                    initial="r",
                    states={
                        "r": state(
                            invoke=invoke("boss"), on={"look_up": to("x"), "approve": to("x")}
                        ),
                        "x": state(),
                    },
                )
            },
        )


def test_a_text_alone_is_a_target():
    built = machine("m", initial="a", states={"a": state(on={"go": "b"}), "b": final()})
    assert built.to_dict()["states"]["a"]["on"] == {"go": {"target": "b"}}


def test_an_answer_that_is_no_function_is_refused_where_it_is_written():
    with pytest.raises(ChartError, match=r"answer\('Looked up.'\) needs a function"):
        answer("Looked up.")
