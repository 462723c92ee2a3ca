"""A machine without an answer is judged by its picks and its end; picks keep their places."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError, UnknownRecordError
from explainkit.flow import agent, answer, final, invoke, machine, state, to
from explainkit.flow.models import CallableModel, ToolCall
from tests.flow.driving.acting import events


def desk(picks, *, output=None):
    """An Agent of two steps; what it picks is read from its prompt."""
    return machine(
        "desk",
        events=events("note", "approve", "deny"),
        actors={
            "clerk": agent(
                model=CallableModel(picks, deterministic=True),
                instructions="Pay half. Be kind. Be brief.",
            )
        },
        initial="open",
        states={
            "open": state(
                invoke=invoke("clerk", input={"prompt": "Go"}),
                on={"approve": to("paid"), "deny": to("refused")},
                initial="fresh",
                states={"fresh": state(on={"note": to("noted")}), "noted": state()},
            ),
            "paid": final(output=output),
            "refused": final(output=output),
        },
    )


def reads(prompt, tools=()):
    text = str(prompt)
    if "moved" not in text:
        return ToolCall(id="", name="note", arguments={})
    return ToolCall(id="", name="approve" if "half" in text else "deny", arguments={})


def ran(chart):
    chart.run_sync()
    return ek.last()


def test_another_pick_is_another_way_although_neither_run_answers():
    run = ran(desk(reads))
    assert run.picks["event"].tolist() == ["note", "approve"]
    found = run.whatif(remove=("instructions", "half"))
    assert (found.word, found.flips[1]) == ("cause", 0)
    assert ("judge", "same picks and end") in found.told().facts
    assert "picked note, approve; ended in desk.paid" in repr(found)
    assert "picked note, deny; ended in desk.refused" in repr(found)
    assert run.whatif(remove=("instructions", "Be kind.")).word == "not shown"


def test_a_machine_that_answers_is_judged_by_its_answer():
    found = ran(desk(reads, output="over")).whatif(remove=("instructions", "half"))
    assert found.trial.judge.name == "same answer"
    assert found.word == "not shown"


def test_a_pick_is_judged_by_the_name_of_its_event_and_keeps_its_place_in_re_runs():
    run = ran(desk(reads))
    first, second = run.picks["slot"]
    by_name = run.whatif(replace={("instructions", "brief"): "short and clear"}, slot="pick:note")
    assert by_name.trial.slot == first
    assert by_name.word == "not shown"
    flipped = run.whatif(remove=("instructions", "half"), slot="pick:approve")
    assert flipped.trial.slot == second
    assert (flipped.word, flipped.after["event"]) == ("cause", "deny")
    assert run.whatif(remove=("instructions", "half"), slot=first).word == "not shown"


def test_a_change_that_shifts_the_records_does_not_lose_the_pick():
    run = ran(desk(reads))
    slot = run.picks["slot"][1]
    found = run.whatif(remove="prompt", slot=slot)
    numbers = {each.picks["slot"][1] for each in found.reruns}
    assert found.word in {"not shown", "not applied"}
    assert numbers


def test_a_pick_that_no_re_run_comes_to_convicts_nobody():
    def stops(prompt, tools=()):
        text = str(prompt)
        if "half" not in text:
            return ToolCall(id="", name="deny", arguments={})
        return reads(prompt)

    run = ran(desk(stops))
    found = run.whatif(remove=("instructions", "half"), slot="pick:approve")
    assert found.word == "inconclusive"
    assert "no answer that stands for the one in 'pick:" in found.reason


def test_a_name_that_nothing_was_picked_by_is_refused_with_those_there_are():
    run = ran(desk(reads))
    with pytest.raises(UnknownRecordError, match="It has picks of: 'note', 'approve'"):
        run.whatif(remove="prompt", slot="pick:nothing")


def test_an_answer_of_a_chart_is_not_held_off_and_says_so():
    chart = machine(
        "desk",
        events=events("approve"),
        actors={
            "clerk": agent(
                model=CallableModel(
                    lambda prompt, tools=(): ToolCall(id="", name="approve", arguments={}),
                    deterministic=True,
                ),
                instructions="Go.",
            )
        },
        initial="open",
        states={
            "open": state(
                invoke=invoke("clerk", input={"prompt": "Go"}),
                on={"approve": to("paid", do=answer(lambda args: "Paid."))},
            ),
            "paid": final(),
        },
    )
    run = ran(chart)
    (by,) = run.overrides["by"]
    with pytest.raises(InterventionError, match=r"is an answer\(\.\.\.\) of the chart"):
        run.whatif(hold=by)
