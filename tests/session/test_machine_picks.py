"""The table of picks: what was picked, what replied, what was read, and what holds an open one."""

import asyncio
import sys

import pytest

import explainkit as ek
from explainkit.flow import (
    NO_ANSWER,
    Paused,
    ScriptedAgent,
    agent,
    answer,
    command,
    define_event,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
)
from explainkit.flow.models import ScriptedModel, ToolCall
from explainkit.flow.picks.advancing import holders
from explainkit.session import Run
from explainkit.store import Recording
from explainkit.view import frames
from tests.flow.driving.acting import Desk, Puppet, acts, events
from tests.flow.driving.test_case_table import chart_t

COUNTED = """
import pathlib, sys
place = pathlib.Path(sys.argv[1])
count = int(place.read_text()) + 1 if place.exists() else 1
place.write_text(str(count))
print('run', count)
sys.exit(count < 2)
"""


def say(args):
    output = args.event.output
    return "The tests pass." if output.code == 0 else f"The tests fail:\n{output.tail}"


def fixing(coder, tests):
    """The workflow of fixing tests, with a real command and an answer in words."""
    return machine(
        "t",
        events=events("run_tests", "finished"),
        actors={"coder": coder, "tests": tests},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("testing")}),
                    "testing": state(invoke=invoke("tests", on_done=to("ready", do=answer(say)))),
                },
            ),
            "done": final(),
        },
    )


def rows(run):
    return [row for _, row in run.picks.astype(object).iterrows()]


def shown(run, column):
    return [None if value != value else value for value in run.picks[column]]  # NaN is missing


def set_answers(*values, at_the_start=()):
    """Picks once over a chart whose done route sets answers one after the other."""
    coder, desk = Puppet(), Desk()
    do = [answer(lambda _, value=value: value) for value in values]

    async def play(running):
        await coder.picks("run_tests")
        await desk.gives("tests", 7)
        return running.record

    entries = [answer(lambda _, value=value: value) for value in at_the_start]
    return acts(chart_t(coder, desk, do=do, entries=entries), play)[0]


def test_each_pick_says_what_replied_what_was_read_and_where_it_comes_from(tmp_path):
    tests = command([sys.executable, "-c", COUNTED, str(tmp_path / "count")])
    chart = fixing(ScriptedAgent(["run_tests", "run_tests", "finished"]), tests)
    chart.run_sync(to=tmp_path)
    for run in (ek.last(), ek.load(ek.last().path)):
        assert list(run.picks["event"]) == ["run_tests", "run_tests", "finished"]
        assert shown(run, "chain") == ["tests: exited 1", "tests: exited 0", None]
        assert [text.strip() for text in run.picks["read"][:2]] == [
            "The tests fail:\nrun 1",
            "The tests pass.",
        ]
        assert list(run.picks["source"]) == ["answer", "answer", "receipt"]
        assert list(run.picks["status"]) == ["answered"] * 3
        assert list(run.picks["turn_complete"]) == [False, False, True]
        assert set(run.picks["agent"]) == {"coder"}
        assert set(run.picks["machine"]) == {"t"}


@pytest.mark.parametrize(
    ("values", "read", "source", "overrides"),
    [
        ((), "7", "reply", None),
        (("A",), "A", "answer", "applied"),
        (("A", "B"), "B", "answer", "superseded, applied"),
        (("A", NO_ANSWER), "7", "reply", "superseded, cleared"),
        ((None,), "null", "answer", "applied"),
    ],
)
def test_what_became_of_every_answer_is_told(values, read, source, overrides):
    [row] = rows(set_answers(*values))
    assert (row["read"], row["source"], row["overrides"]) == (read, source, overrides)
    assert row["chain"] == "tests: 7"


def test_an_unheard_answer_belongs_to_no_pick():
    run = set_answers(at_the_start=["ready"])
    assert list(run.overrides["outcome"]) == ["unheard", "applied"]
    assert list(run.picks["overrides"]) == ["applied"]


def test_an_open_pick_names_what_holds_it_while_the_run_goes_on_and_in_every_cut_of_its_file():
    coder, desk = Puppet(), Desk()

    async def play(running):
        seen = []
        await coder.picks("run_tests")
        seen.append(rows(running.record))
        lines = list(running.record.recording.lines())
        await desk.gives("tests", 7)
        seen.append(rows(running.record))
        return seen, lines

    ((held, answered), lines), _ = acts(chart_t(coder, desk), play)
    assert [(row["status"], row["held_by"]) for row in held] == [("open", "tests")]
    assert [(row["status"], row["held_by"]) for row in answered] == [("answered", None)]
    crashed = Run.loaded(Recording.of_lines(lines))
    assert crashed.status == "crashed"
    assert [(row["status"], row["held_by"]) for row in rows(crashed)] == [("open", "tests")]
    assert crashed.picks["moved"].isna().all()


def test_holders_are_those_of_the_engine_over_nested_agents_gates_and_effects():
    coder, reviewer, desk = Puppet(), Puppet(), Desk()
    approve = define_event("approve", audience="external")
    chart = machine(
        "reviewed",
        events=[*events("review", "look"), approve],
        actors={
            "coder": coder,
            "reviewer": reviewer,
            "stop": gate(approve),
            "lint": desk.effect("lint"),
        },
        initial="coding",
        states={
            "coding": state(
                invoke=[invoke("coder"), invoke("stop", holds=False)],
                initial="ready",
                states={
                    "ready": state(on={"review": to("reviewing")}),
                    "reviewing": state(
                        invoke=[invoke("reviewer"), invoke("stop", id="own", holds=False)],
                        initial="idle",
                        states={
                            "idle": state(on={"look": to("looking")}),
                            "looking": state(invoke=invoke("lint", on_done=to("idle"))),
                        },
                        on={"approve": to("ready")},
                    ),
                },
            )
        },
    )

    async def play(running):
        told = []

        def compare():
            standing = running.standing
            engine = [[actor.src for actor in holders(standing, pick)] for pick in standing.picks]
            table = running.record.picks
            shown = [each.split(", ") for each in table["held_by"][table["status"] == "open"]]
            assert shown == engine
            told.append(engine)

        await coder.picks("review")
        compare()
        await reviewer.picks("look")
        compare()
        await desk.gives("lint", 1)
        compare()
        running.send("approve")
        compare()
        return told

    told, running = acts(chart, play)
    assert told == [[["reviewer"]], [["reviewer", "lint"], ["lint"]], [["reviewer"]], []]
    assert list(running.record.picks["status"]) == ["answered", "answered"]


def asking():
    approve = define_event("approve", audience="external")
    return machine(
        "asking",
        events=[*events("ask"), approve],
        actors={"coder": ScriptedAgent(["ask"]), "person": gate(approve)},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"ask": to("asking")}),
                    "asking": state(invoke=invoke("person"), on={"approve": to("ready")}),
                },
            )
        },
    )


def test_a_paused_run_says_that_its_pick_waits_for_a_gate(tmp_path):
    assert isinstance(asyncio.run(asking().outcome(to=tmp_path)), Paused)
    run = ek.load(ek.last().path)
    assert run.status == "paused"
    [row] = rows(run)
    assert (row["event"], row["status"], row["held_by"]) == ("ask", "open", "person")
    assert "still open, held by person" in repr(run)


def test_columns_hold_without_any_pick():
    with ek.trace("nothing") as run:
        ek.answer(1)
    for made in (run.picks, set_answers().picks):
        assert list(made.columns) == list(frames.PICKS)
        assert {name: str(kind) for name, kind in made.dtypes.items()} == frames.PICKS
    assert len(run.picks) == 0


def test_the_text_of_a_run_lists_its_last_picks_and_counts_the_others():
    coder, desk = Puppet(), Desk()

    async def play(running):
        for number in range(9):
            await coder.picks("run_tests")
            await desk.gives("tests", number)
        return running.record

    run = acts(chart_t(coder, desk), play)[0]
    text = repr(run)
    assert "5 earlier picks" in text
    assert "coder picked run_tests: “8” (tests: 8; the last reply)" in text
    assert len(text.splitlines()) <= 20
    html = run._repr_html_()
    assert "3 earlier picks" in html
    assert "What the Agents picked and read" in html


def test_words_that_the_agent_read_lead_back_to_the_output_of_the_command(tmp_path):
    failed = "import sys; print('1 failed'); sys.exit(1)"
    coder = ScriptedAgent(["run_tests", "finished"])
    chart = fixing(coder, command([sys.executable, "-c", failed]))
    chart.run_sync(to=tmp_path)
    run = ek.last()
    slot = coder.reads[0].slot
    back = run.backtrack(slot=slot, span="1 failed")
    [hop] = back.hops
    assert (hop.verb, hop.grade, hop.source.path, hop.source.text) == (
        "said",
        "declared",
        "/tail",
        "1 failed",
    )
    assert "output.tail of tests" in repr(back)
    made = run.backtrack(slot=slot, span="The tests")
    assert "was made from output of tests" in repr(made)
    whole = run.backtrack(slot=slot)
    parts = {use.name: use.places[0].text.strip() for use in whole.contexts}
    assert sorted(parts.values()) == ["1 failed", "The tests fail:"]


def test_the_prompt_of_a_model_shows_the_answer_and_the_output_that_it_was_made_from(tmp_path):
    failed = "import sys; print('FAILED test_fare: expected 25, got 10'); sys.exit(1)"
    replies = [ToolCall(id="", name="run_tests"), ToolCall(id="", name="finished")]
    coder = agent(model=ScriptedModel(replies), instructions="You are a careful engineer.")
    fixing(coder, command([sys.executable, "-c", failed])).run_sync(to=tmp_path)
    prompt = ek.last().prompt()
    origins = {segment.text.strip(): segment.name for segment in prompt.segments}
    assert origins["You are a careful engineer."] == "instructions"
    assert origins["FAILED test_fare: expected 25, got 10"].startswith("output of tests")
    assert origins["The tests fail:"].endswith("by answer say")


def test_an_answer_that_an_agent_was_gone_for_is_unread():
    coder, desk = Puppet(), Desk()
    chart = machine(
        "leaving",
        events=events("look"),
        actors={"coder": coder, "lint": desk.effect("lint")},
        on={"agent.fault": to(".over")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                initial="ready",
                states={
                    "ready": state(on={"look": to("looking", do=answer(lambda _: "wait"))}),
                    "looking": state(invoke=invoke("lint", on_done=to("ready"))),
                },
            ),
            "over": final(),
        },
    )

    async def play(running):
        await coder.picks("look")
        await coder.raises(RuntimeError("gone"))
        return running.record

    run = acts(chart, play)[0]
    [row] = rows(run)
    assert (row["status"], row["overrides"], row["source"]) == ("answered", "unread", "receipt")
    assert row["turn_complete"] is True
    assert "unread" in repr(run)
