"""The panels of an explorer run the run again: beside the cells, one at a time, and stoppable."""

import asyncio
import threading

import pytest

import explainkit as ek
from explainkit.session.explorer import Explorer

NOTE = "For 30 minutes we pay back half."


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half is paid back." if "pay back half" in prompt else "Nothing is paid back."


@ek.traced("claim")
def claim(question):
    law = ek.context("law", {"minutes": 60, "rule": "Below that nothing is paid."}, kind="document")
    note = ek.context("note", NOTE, kind="memory")
    ek.left_out("page", "Letters are not tracked.", why="no room")
    ek.answer(ask(ek.assemble("{law} {note} {q}", law=law, note=note, q=question)))
    ek.override(lambda text: f"Dear passenger: {text}", by="greeter")


@pytest.fixture
def run():
    claim("40 minutes late?")
    return ek.last()


@pytest.fixture
def explorer(run):
    made = Explorer(run.backtrack())
    yield made
    made.close()
    assert made._reruns.wait(20)


def seq_of(run, name):
    return next(r["seq"] for r in run.recording.rows("context") if r["name"] == name)


def measured(explorer, *changes, **at):
    """Ask as the panel does, and wait; what the panel shows then."""
    explorer._exchange.ask("try", changes=list(changes), **at)
    assert explorer._reruns.wait(30)
    return explorer._exchange.tried


def test_a_piece_that_is_ticked_off_is_judged_with_its_numbers(run, explorer):
    tried = measured(explorer, {"verb": "remove", "seq": seq_of(run, "note")})
    assert (tried["state"], tried["words"]) == ("done", "cause 1/1 vs 0/2, deterministic")
    (stamp,) = explorer._exchange.found["stamps"]
    assert stamp["targets"] == [seq_of(run, "note")]
    assert (stamp["n"], stamp["flips"]) == ([1, 2], [1, 0])
    assert ["each time", "executed: ask; reused: nothing"] in stamp["facts"]
    assert explorer.whatif.word == "cause"
    assert explorer.whatif.seq == tried["seq"] == stamp["seq"]


@pytest.mark.parametrize(
    ("change", "said", "word"),
    [
        ({"verb": "replace", "name": "note", "path": "", "text": NOTE.replace("half", "none")},
         "“half” becomes “none” in note", "cause"),
        ({"verb": "replace", "name": "law", "path": "/minutes", "text": "30"},
         "“60” becomes “30” in minutes of law", "not shown"),
        ({"verb": "restore", "name": "page"}, "with page put back", "not shown"),
        ({"verb": "remove", "name": "law"}, None, None),
    ],
)  # fmt: skip
def test_texts_numbers_and_what_was_left_out_are_changed(run, explorer, change, said, word):
    tried = measured(explorer, {"seq": seq_of(run, change.pop("name")), **change})
    if said is None:  # a mapping cannot be missing: the engine says what to do
        assert tried["state"] == "refused"
        assert "Press Edit, and write what shall stand there." in tried["words"]
        assert explorer.whatif is None
        return
    assert tried["said"] == [said]
    assert explorer.whatif.word == word
    assert explorer._exchange.found["stamps"][0]["word"] == word


def test_an_override_is_held_off(run, explorer):
    seq = next(row["seq"] for row in run.recording.rows("override"))
    tried = measured(explorer, {"verb": "hold", "seq": seq})
    assert tried["said"] == ["without the override by greeter"]
    assert explorer.whatif.after == "Half is paid back."


def test_the_selected_words_are_the_judge(run, explorer):
    words = (16, 34)
    assert run.answer[slice(*words)] == "Half is paid back."
    measured(explorer, {"verb": "remove", "seq": seq_of(run, "note")}, start=words[0], end=words[1])
    assert explorer.whatif.trial.judge.name == "still says 'Half is paid back.'"


def test_re_runs_judge_the_answer_in_effect_and_say_so(run, explorer):
    with pytest.raises(ValueError, match="Version 1 is shown, and re-runs judge version 2"):
        measured(explorer, {"verb": "remove", "seq": seq_of(run, "note")}, version=1)
    assert explorer._exchange.tried == {}


def test_the_smallest_set_is_searched_and_every_set_is_stamped(run, explorer):
    explorer._exchange.ask("smallest")
    assert explorer._reruns.wait(30)
    tried = explorer._exchange.tried
    assert tried["words"] == "note: removing it flips the answer."
    assert explorer.whatif.interventions == ("remove note",)
    assert explorer._exchange.found["stamps"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([], "Nothing is changed yet"),
        ([{"verb": "remove", "seq": 4000}], "Record 4000 is nothing"),
        ([{"verb": "remove"}], "names no record"),
        ([{"verb": "vanish", "seq": "law"}], "no change 'vanish'"),
        ([{"verb": "replace", "seq": "law", "path": "/none", "text": "x"}], "nothing at '/none'"),
        ([{"verb": "replace", "seq": "law", "path": "/minutes", "text": "many"}], "is no number"),
        ([{"verb": "replace", "seq": "note", "path": "", "text": NOTE}], "the recorded one"),
        ("all", "list of dict"),
    ],
)
def test_a_change_that_means_nothing_is_refused_in_words(run, explorer, changes, words):
    for each in changes if isinstance(changes, list) else ():
        if isinstance(each.get("seq"), str):
            each["seq"] = seq_of(run, each["seq"])
    reply = explorer._exchange.reply({"id": 1, "ask": "try", "changes": changes})
    assert not reply["ok"]
    assert words in reply["error"]
    assert explorer._exchange.tried == {}


def test_findings_of_earlier_calls_are_there_when_it_is_opened(run):
    run.whatif(remove="note")
    explorer = Explorer(run.backtrack())
    (stamp,) = explorer._exchange.found["stamps"]
    assert stamp["line"] == "cause 1/1 vs 0/2, deterministic"
    assert stamp["said"] == ["without note"]
    assert ["ran", "3 re-runs, 3 calls; 0 recorded results used instead of a call"] in stamp[
        "facts"
    ]
    with pytest.raises(ValueError, match="only its finding was recorded"):
        explorer._exchange.ask("beside", seq=stamp["seq"])


def test_a_re_run_stands_beside_its_run(run, explorer):
    tried = measured(explorer, {"verb": "remove", "seq": seq_of(run, "note")})
    sides = explorer._exchange.ask("beside", seq=tried["seq"])
    assert [each["seq"] for each in sides["contexts"]] == [seq_of(run, "note")]
    assert sides["parted"]["name"] == "assemble"
    assert ["Nothing", "added", 0] in sides["answers"][0]["sides"][1]


class Slow:
    """A run whose re-runs stand still until they are let go, one by one."""

    def __init__(self):
        self.entered, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.held = False

        @ek.link(kind="model")
        def slow(prompt):
            if self.held:
                self.entered.release()
                assert self.go.acquire(timeout=20)
            return prompt.upper()

        @ek.traced("slow")
        def made(question):
            return slow(ek.assemble("{n} {q}", n=ek.context("note", NOTE), q=question))

        made("late?")
        self.held = True
        self.run = ek.last()

    def entered_once(self):
        assert self.entered.acquire(timeout=20)


@pytest.fixture
def slow():
    made = Slow()
    yield made
    made.go.release(100)


def begun(explorer, run):
    explorer._exchange.ask("try", changes=[{"verb": "remove", "seq": seq_of(run, "note")}])


def test_one_thing_is_measured_at_a_time(slow):
    explorer = Explorer(slow.run.backtrack())
    begun(explorer, slow.run)
    slow.entered_once()
    with pytest.raises(ValueError, match="measured already"):
        begun(explorer, slow.run)
    with pytest.raises(ValueError, match="measured already"):
        explorer._exchange.ask("smallest")
    explorer.close()
    slow.go.release(100)
    assert explorer._reruns.wait(20)


def test_stop_ends_it_after_the_present_re_run_and_keeps_what_was_done(slow):
    explorer = Explorer(slow.run.backtrack())
    told = []
    explorer._exchange.watch(lambda name, value: name == "tried" and told.append(value))
    begun(explorer, slow.run)
    slow.entered_once()
    slow.go.release()
    slow.entered_once()
    said = explorer._exchange.ask("stop")["words"]
    assert said == "It stops after the present re-run; what is done is kept."
    assert told[-1]["stopping"] is True
    assert "1 re-run done; flips so far 1 of 1 with the change" in told[-1]["words"]
    slow.go.release()
    assert explorer._reruns.wait(20)
    assert told[-1]["state"] == "stopped"
    assert told[-1]["words"].startswith("Stopped after 2 re-runs; what was done is kept. ")
    assert explorer.whatif.word == "inconclusive"
    assert explorer._exchange.found["stamps"][0]["word"] == "inconclusive"
    assert explorer._exchange.ask("stop")["words"] == "Nothing is measured now."


def test_closing_the_explorer_stops_what_is_measured(slow):
    explorer = Explorer(slow.run.backtrack())
    begun(explorer, slow.run)
    slow.entered_once()
    explorer.close()
    slow.go.release(100)
    assert explorer._reruns.wait(20)
    assert explorer._exchange.tried["state"] == "stopped"
    assert len(explorer.whatif.reruns) == 1


def awaited_run(loops):
    @ek.link(kind="model", deterministic=True)
    async def think(prompt):
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return "Half." if "half" in prompt else "Nothing."

    @ek.traced("awaited")
    async def made(question):
        return await think(ek.assemble("{n} {q}", n=ek.context("note", NOTE), q=question))

    return made


def test_what_is_awaited_is_awaited_on_the_loop_of_the_cells():
    async def cell():
        loops = []
        await awaited_run(loops)("late?")
        run = ek.last()
        explorer = Explorer(run.backtrack())
        begun(explorer, run)
        assert await asyncio.to_thread(explorer._reruns.wait, 20)
        assert explorer.whatif.word == "cause"
        assert set(loops) == {asyncio.get_running_loop()}

    asyncio.run(cell())


def test_stop_ends_what_waits_for_a_loop_that_a_cell_holds():
    async def cell():
        loops = []
        await awaited_run(loops)("late?")
        run = ek.last()
        explorer = Explorer(run.backtrack())
        waits = threading.Event()
        explorer._exchange.watch(
            lambda name, tried: name == "tried" and "Waits until" in tried["words"] and waits.set()
        )
        begun(explorer, run)
        assert waits.wait(20)  # this very function holds the loop, as a long cell does
        explorer._exchange.ask("stop")
        assert explorer._reruns.wait(20)
        assert explorer._exchange.tried["state"] == "refused"
        assert "Stopped before the first re-run" in explorer._exchange.tried["words"]
        assert len(loops) == 1

    asyncio.run(cell())


def test_what_is_awaited_runs_without_a_loop_too():
    loops = []
    asyncio.run(awaited_run(loops)("late?"))
    run = ek.last()
    explorer = Explorer(run.backtrack())
    begun(explorer, run)
    assert explorer._reruns.wait(20)
    assert explorer.whatif.word == "cause"


def test_a_run_that_cannot_be_run_again_says_what_to_write():
    with ek.trace("block") as run:
        ek.answer(f"{ek.context('note', NOTE)} {len(NOTE)}")
    explorer = Explorer(run.backtrack())
    refusal = explorer._exchange.ask("offered")["refusal"]
    assert "@ek.traced('block')" in refusal
    assert "run.explore(call=...)" in refusal
    begun(explorer, run)
    assert explorer._reruns.wait(20)
    assert explorer._exchange.tried["state"] == "refused"


def test_a_function_that_is_given_makes_the_run_again():
    def made():
        ek.answer(f"{ek.context('note', NOTE)} {len(NOTE)}")

    with ek.trace("block") as run:
        made()
    explorer = Explorer(run.backtrack(), call=made)
    assert explorer._exchange.ask("offered")["refusal"] is None
    begun(explorer, run)
    assert explorer._reruns.wait(20)
    assert explorer.whatif.word == "cause"


def test_the_first_wrong_step_is_asked_for_and_lit(run, explorer):
    ask_panel = explorer._exchange.ask
    assert ask_panel("bisect")["state"] == "none"
    told = ask_panel("bisect", say="begin")
    while told["state"] == "asking":
        right = told["step"]["title"].startswith("Is what assemble")
        told = ask_panel("bisect", say="right" if right else "wrong")
    assert told["step"]["seq"] == explorer.bisection.step.seq
    assert told["words"].startswith("The first wrong link is model ask")
    reopened = Explorer(run.backtrack())
    assert reopened._exchange.found["steps"][0]["link"] == told["step"]["seq"]
    with pytest.raises(ValueError, match="no answer 'maybe'"):
        ask_panel("bisect", say="maybe")


def refusal_of(run):
    made = Explorer(run.backtrack())
    try:
        return made._exchange.ask("offered")["refusal"]
    finally:
        made.close()


def test_of_a_recording_whose_program_is_elsewhere_that_is_said_first(tmp_path):
    with ek.trace("block", question="When?") as run:
        ek.answer(ek.context("note", "At seven."))
    told = refusal_of(ek.load(run.save(tmp_path / "block.ek.jsonl")))
    assert told.splitlines()[0] == "This is a recording whose program is not here."
    assert "a block of code" in told

    claim("40 minutes late?")
    path = ek.last().save(tmp_path / "claim.ek.jsonl")
    assert refusal_of(ek.load(path)) is None  # its program is here
    line = path.read_text("utf-8").replace("test_panel_reruns:claim", "elsewhere:claim")
    (tmp_path / "moved.ek.jsonl").write_text(line, "utf-8")
    told = refusal_of(ek.load(tmp_path / "moved.ek.jsonl"))
    assert told.splitlines()[0] == "This is a recording whose program is not here."
    assert "elsewhere:claim" in told
    assert "open run.explore(call=...) with a function that makes the run again" in told


def test_of_an_imported_recording_it_is_said_that_the_program_is_somebody_elses(tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(
        '[{"role": "user", "content": "Late?"}, {"role": "assistant", "content": "Yes, an hour."}]'
    )
    told = refusal_of(ek.load(path))
    assert told.startswith("This is a recording of somebody else's program")
    assert "the program is not here" in told
