"""An error of a re-run is told as its user knows it: their line, their runner, whole words."""

import json
import re

import pytest

import explainkit as ek
from explainkit.flow import Agent, piece, tool
from explainkit.flow.models import CallableModel, ToolCall

NEEDED = "The rate has to be looked up, not guessed. "


def rate(pair: str) -> float:
    """Rate of a pair of currencies."""
    return 11.2


def planner(prompt):
    """Calls the tool until it has a rate."""
    told = [each["content"] for each in map(dict, prompt) if each["role"] == "tool"]
    if told and not str(told[-1]).startswith("Error"):
        return f"It costs {told[-1]} SEK."
    return ToolCall(id=f"call {len(told)}", name="rate", arguments={"pair": "EUR/SEK"})


def an_agent():
    model = CallableModel(planner, deterministic=True)
    pieces = [piece("note", NEEDED)]
    return Agent(model, tools=[tool(rate, deterministic=True)], context=pieces, name="planner")


def test_an_error_of_a_runner_is_placed_by_its_name_and_not_by_our_code():
    an_agent().run_sync("How much?")
    found = ek.last().whatif(remove="tool rate")
    assert found.word == "inconclusive"
    assert found.reason.startswith("the run with the change raised AgentStuckError: The model of ")
    assert "(in agent planner)" in found.reason
    assert ".py" not in repr(found)
    assert "explainkit." not in repr(found)


def test_an_error_below_the_users_code_is_told_at_their_last_line():
    @ek.traced("desk")
    def desk(question):
        return json.loads(ek.context("note", '{"rate": 2}'))["rate"]

    desk("q")
    found = ek.last().whatif(remove=("note", "{"))
    assert re.search(r"raised JSONDecodeError: .* \(test_errors_told\.py:\d+ desk\)", found.reason)
    assert found.told().after.text == "no answer (error: JSONDecodeError)"


@pytest.mark.parametrize("times", [None, 5])
def test_what_was_not_compared_has_no_rates(times):
    @ek.traced("desk")
    def desk(question):
        return {"a": 1}[ek.context("note", "a")]

    desk("q")
    run = ek.last()
    found = run.whatif(remove="note", times=times)
    assert (found.word, found.n, found.sizes[0]) == ("inconclusive", 0, 0)
    shown = repr(found) + found._repr_html_()
    assert "flips" not in shown
    assert "Wilson" not in shown
    row = run.findings.iloc[0]
    assert row[["low", "high", "p"]].isna().all()


def test_an_error_is_no_suspect_that_others_are_counted_with():
    @ek.link(kind="model")
    def ask(prompt):
        return "half" if "half" in prompt else "nothing"

    @ek.traced("desk")
    def desk(question):
        key = ek.context("key", "a")
        return ask({"a": ek.context("note", "We pay half.")}[key] + question)

    desk("q")
    run = ek.last()
    assert run.whatif(remove="key").word == "inconclusive"
    assert str(run.whatif(remove="note")) == "cause 5/5 vs 0/5, p = 0.008"


def test_words_of_an_error_are_cut_between_words():
    long = "The clearing house of the northern districts rejects the transfer " * 9

    @ek.traced("desk")
    def desk(question):
        if "pay" not in ek.context("note", "We pay."):
            raise ValueError(long)
        return "paid"

    desk("q")
    reason = ek.last().whatif(remove="note").reason
    first, rest = reason.split(" raised ValueError: ")[1].split(" … ", 1)
    last = rest.split(" … ")[1].split(" (test_")[0]
    words = set(long.split())
    assert first.split()[-1] in words
    assert last.split()[0] in words
