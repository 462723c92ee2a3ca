"""A test of a run turns green where the data of a tool, a step, a port or a method was mended."""

import importlib
import json
import sys

import pytest

import explainkit as ek
from explainkit.testing import RecordedFault

TRIP = '''
import re

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition, AnswerItem, Recovery, define_answer_flow, names_and_numbers_from,
)
from explainkit.flow import Agent, Sequence
from explainkit.flow.models import CallableModel, ToolCall

RATES = {"SEK": 0.089}
PRICES = "The pool costs 7 euros."
OLD = "The pool costs 5 euros."
CALLED = []
checker = names_and_numbers_from([PRICES, OLD])


class Client:
    def ask(self):
        return 0.5


CLIENT = Client()


class Desk:
    def __init__(self):
        self.rates = RATES

    def own_rate(self, currency: str) -> float:
        """Rate of a currency."""
        return self.rates[currency]


def exchange_rate(currency: str) -> float:
    """Rate of a currency."""
    return RATES[currency]


def live_rate(currency: str) -> float:
    """Rate of a currency, from a service."""
    return CLIENT.ask()


def planner(messages):
    results = [each["content"] for each in messages if each["role"] == "tool"]
    asked = re.search(r"\\w+_rate", messages[-1]["content"])
    if not results:
        return ToolCall(id="1", name=asked[0], arguments={"currency": "SEK"})
    return f"It costs {120 * float(results[-1]):.2f} SEK."


def agent():
    return Agent(
        CallableModel(planner, deterministic=True),
        tools=[exchange_rate, live_rate, Desk().own_rate],
        name="planner",
    )


@ek.traced("trip")
def trip(question):
    return agent().run_sync(question)


@ek.link(kind="tool")
def around(question):
    CALLED.append(question)
    return Sequence(lambda q: f"{q}: {RATES['SEK']}", str.strip, name="steps").run_sync(question)


@ek.traced("stepped")
def stepped(question):
    return around(question)


def generate(*, items, repairs, previous, context):
    return {each.id: each.data for each in items}


@ek.traced("flow")
def flow(question):
    asked = define_answer_flow(AnswerFlowDefinition(
        max_items=2, max_repairs=0, can_invoke=lambda context: True, generate=generate,
        check=lambda *, item, value, context: checker.check(value, context),
        fallback=lambda **_: Recovery(True, "Please ask at the desk.")), name="pool")
    found = asked.run_sync(input_ids=["q"], items=[AnswerItem("pool", ["q"], "ready", OLD)])
    return found[0].value
'''


@pytest.fixture
def trip(tmp_path, monkeypatch):
    """A module of a user whose data is wrong."""
    (tmp_path / "trip_desk.py").write_text(TRIP, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("trip_desk")
    sys.modules.pop("trip_desk", None)


def fault_of(tmp_path, **settings):
    return RecordedFault.beside(ek.last().to_pytest(tmp_path / "test_it.py", **settings))


@pytest.mark.parametrize("tool", ["exchange_rate", "own_rate"])
def test_the_data_of_a_tool_of_an_agent(trip, tmp_path, tool):
    assert trip.trip(f"Ask {tool}.") == "It costs 10.68 SEK."
    fault = fault_of(tmp_path, span="10.68")
    assert fault.is_back(fault.run_again())
    trip.RATES["SEK"] = 11.2
    end = fault.run_again()
    assert (fault.is_back(end), end.value) == (False, "It costs 1344.00 SEK.")


def test_a_live_object_of_a_tool_is_not_used_and_is_named(trip, tmp_path):
    trip.trip("Ask live_rate.")
    fault = fault_of(tmp_path, span="60.00")
    trip.Client.ask = None  # a call of it would raise
    told = fault.words(fault.run_again())
    assert (
        "recorded results were used of what reads from outside: live_rate (global CLIENT)" in told
    )


def test_the_code_of_a_model_function(trip, tmp_path, monkeypatch):
    trip.trip("Ask exchange_rate.")
    fault = fault_of(tmp_path, span="10.68")
    monkeypatch.setattr(trip, "planner", lambda messages: "I cannot say.")
    assert fault.run_again().value == "I cannot say."


def test_the_data_of_a_step_and_the_link_that_it_lies_in(trip, tmp_path):
    trip.stepped("SEK")
    fault = fault_of(tmp_path, span="0.089")
    assert fault.is_back(fault.run_again())
    trip.RATES["SEK"] = 11.2
    assert fault.run_again().value == "SEK: 11.2"


def test_the_evidence_of_the_check_of_an_answer_flow(trip, tmp_path):
    assert trip.flow("How much?") == "The pool costs 5 euros."
    fault = fault_of(tmp_path, span="5 euros")
    assert fault.is_back(fault.run_again())
    trip.checker = trip.names_and_numbers_from([trip.PRICES])
    assert fault.run_again().value == "Please ask at the desk."


def test_a_file_that_names_no_reads_is_still_read(trip, tmp_path):
    """Tests that were written before tools said what they read turn green as well."""
    trip.trip("Ask exchange_rate.")
    data = ek.last().to_pytest(tmp_path / "test_it.py", span="10.68").with_suffix(".json")
    told = json.loads(data.read_text("utf-8"))
    rows = [json.loads(line) for line in told["records"]]
    assert any(row.pop("untracked", None) for row in rows)
    told["records"] = [json.dumps(row) for row in rows]
    fault = RecordedFault(told)
    assert fault.is_back(fault.run_again())
    trip.RATES["SEK"] = 11.2
    assert not fault.is_back(fault.run_again())
