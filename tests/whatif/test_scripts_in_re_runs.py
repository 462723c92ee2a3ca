"""A re-run leaves the script of a ScriptedModel as it is, and concludes nothing from it."""

import explainkit as ek
from explainkit.flow.agents import Agent, piece, tool
from explainkit.flow.models import ScriptedModel, ToolCall
from tests.whatif.programs import HALF

SCRIPT = [
    ToolCall(id="a", name="fare", arguments={}),
    "It is 12.",
    ToolCall(id="b", name="fare", arguments={}),
    "It is still 12.",
    "Never asked for.",
]


def fare() -> int:
    """The fare."""
    return 12


def desk(model):
    return Agent(model, "Answer.", context=[piece("tariff", HALF)], tools=[tool(fare)], name="desk")


def test_re_runs_do_not_use_the_script_up():
    model = ScriptedModel(SCRIPT)
    agent = desk(model)
    agent.run_sync("How much?")
    first = ek.last()
    agent.run_sync("And now?")
    second = ek.last()
    assert model.remaining == 1
    for run, said in ((first, "It is 12."), (second, "It is still 12.")):
        found = run.whatif(remove="tariff", times=6)
        assert {each.answer for each in found.reruns} == {said}
    assert model.remaining == 1
    agent.run_sync("And at last?")
    assert ek.last().answer == "Never asked for."


def test_replies_whose_recorded_result_is_used_are_passed_over():
    agent = desk(ScriptedModel(SCRIPT))
    agent.run_sync("How much?")
    found = ek.last().whatif(swap={"fare": 13})
    assert found.run.answer == "It is 12."
    assert found.word == "inconclusive"
    assert "'desk model' is a script" in found.reason


def test_a_flip_that_code_makes_counts_beside_a_script():
    agent = Agent(ScriptedModel(["Half."]), "Answer.", name="desk")

    @ek.traced("code decides")
    def program(question):
        note = ek.context("note", "say it twice")
        said = agent.run_sync(question)
        return said * 2 if "twice" in note else said

    program("q")
    found = ek.last().whatif(remove="note")
    assert (found.word, found.after) == ("cause", "Half.")
