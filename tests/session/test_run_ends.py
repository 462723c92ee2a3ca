"""What a run ended on, from its records alone: where it came about, through whom, as what."""

import asyncio

import pytest

import explainkit as ek
from explainkit.flow import Agent, Loop, Parallel, Refused, Sequence, Signal
from explainkit.flow.models import ScriptedModel
from explainkit.session import Run
from explainkit.store import Recording
from tests.flow.agents.agent_runs import Hanging, Listening, call
from tests.flow.agents.test_agents_in_machines import chart
from tests.flow.compositions.scripts import error_of
from tests.flow.compositions.test_real_agents import refusing
from tests.session.ended_runs import (
    KINDS,
    asking,
    boom,
    choosing,
    letter,
    refused,
    run_of,
    several,
    up,
)

PHASES = {
    "reliability-fail-fast": "at post-decide of attempt 1",
    "policy-halt": "before the call of refund",
    "message-denied": "at the input message",
    "unsupported-values": "before the answer was let out",
    "consent-pending": "before a call",
    "answer-validation": "before the answer was let out",
}


def named(run, seqs):
    links = {row["seq"]: row["name"] for row in run.recording.rows("link_opened")}
    return [links[seq] for seq in seqs]


@pytest.mark.parametrize("kind", KINDS)
def test_a_verdict_is_told_with_its_place_its_path_and_the_error_that_run_raises(kind):
    end = refused(kind).ended_by
    assert (end.kind, end.word) == ("verdict", kind)
    assert named(end.run, [end.link]) == ["desk"]
    assert named(end.run, end.carriers) == ["letter"]
    assert end.path == ("letter[2]", "desk")
    assert end.phase == PHASES[kind]
    error = error_of(letter(refusing(kind, "desk")), "Pay 80.")
    assert (type(error).__name__, str(error)) == (end.raised, end.message)
    assert error.__notes__ == ["in " + " > ".join(end.path)]
    assert end.what_to_do


@pytest.mark.parametrize("nesting", [1, 2, 6])
def test_the_carriers_are_all_links_between_innermost_first(nesting):
    whole = refusing("policy-halt", "desk")
    for level in range(nesting):
        whole = Sequence(up, whole, name=f"level {level}")
    end = run_of(whole).ended_by
    assert named(end.run, end.carriers) == [f"level {level}" for level in range(nesting)]
    assert end.path[-1] == "desk"
    assert len(end.path) == nesting + 1


def test_a_saved_run_tells_the_same(tmp_path):
    here = refused("policy-halt", to=tmp_path)
    loaded = ek.load(here.path)
    assert repr(loaded.ended_by) == repr(here.ended_by)
    assert repr(loaded.tree) == repr(here.tree)


def test_an_error_came_about_where_it_was_first_raised():
    end = run_of(letter(boom)).ended_by
    assert (end.kind, end.word, end.raised) == ("error", "ValueError", "ValueError")
    assert end.message == "the ledger is closed: PAY 80."
    assert named(end.run, [end.link]) == ["boom"]
    model = run_of(Agent(ScriptedModel([RuntimeError("503")]), name="desk")).ended_by
    assert named(model.run, [model.link, *model.carriers]) == ["desk model", "desk"]


def test_a_group_is_told_branch_by_branch():
    end = run_of(several()).ended_by
    assert (end.kind, end.word, end.raised) == ("error", "BranchesError", "BranchesError")
    assert end.path == ("letter[2]", "Parallel")
    assert [each.word for each in end.branches] == ["policy-halt", "ValueError", "exhausted"]
    assert [each.path[-1] for each in end.branches] == ["cashier", "boom", "Loop"]
    for words in ("policy-halt, in agent cashier", "ValueError, in function boom", "◇ exhausted"):
        assert words in repr(end)
        assert words in end._repr_html_()


def test_one_failed_branch_is_the_end_and_the_group_is_what_was_raised():
    end = run_of(Parallel({"a": refusing("policy-halt", "desk"), "b": up})).ended_by
    assert (end.word, end.raised, end.branches) == ("policy-halt", "BranchesError", ())


def test_answers_have_no_end_even_when_they_look_like_one():
    text = '{"kind": "policy-halt", "reason": "no"}'
    branches = {"a": refusing("policy-halt"), "b": up}
    for runner in (
        letter(up),
        letter(Agent(ScriptedModel([text]))),
        Parallel(branches, tolerant=True, merge=len),
    ):
        run = run_of(runner)
        assert run.ended_by is None
        assert "Ended on" not in repr(run) + run._repr_html_() + repr(run.tree)


def test_a_block_that_looked_at_the_outcome_still_tells_it():
    async def block():
        with ek.trace("block") as run:
            assert isinstance(await letter(refusing("policy-halt", "desk")).outcome("x"), Refused)
        return run

    run = asyncio.run(block())
    assert run.status == "answered"
    assert run.ended_by.path == ("letter[2]", "desk")


def test_a_block_that_went_on_to_an_answer_has_no_end():
    async def block():
        with ek.trace("block") as run:
            await letter(refusing("policy-halt")).outcome("x")
            ek.answer("We will write to you.")
        return run

    assert asyncio.run(block()).ended_by is None


def test_an_error_of_the_block_itself_came_about_in_no_link():
    def block():
        with ek.trace("block") as run:
            letter(up).run_sync("x")
            assert run.status == "running"
            assert run.ended_by is None
            raise KeyError("shelf")

    with pytest.raises(KeyError):
        block()
    end = ek.last().ended_by
    assert (end.word, end.link, end.path, end.carriers) == ("KeyError", None, (), ())
    assert "in the code around all links" in repr(end)
    assert "KeyError" in repr(ek.last().backtrack().run)


def test_pauses_budgets_and_cancels_are_ends():
    paused = run_of(asking()).ended_by
    assert (paused.kind, paused.raised) == ("paused", "PausedError")
    assert "ask_person waits for a person (question: Which order?)" in paused.message
    spent = run_of(letter(Loop(up, for_at_most=3))).ended_by
    assert (spent.kind, spent.raised) == ("exhausted", "ExhaustedError")
    assert named(spent.run, [spent.link]) == ["Loop"]
    assert "the last value was PAY 80." in spent.message

    async def stopped():
        signal, model = Signal(), Hanging()
        task = asyncio.ensure_future(letter(Agent(model)).outcome("x", signal=signal))
        await model.called.wait()
        signal.cancel()
        await task

    asyncio.run(stopped())
    end = ek.last().ended_by
    assert (end.kind, end.raised) == ("cancelled", "CancelledError")


def test_a_machine_hands_on_the_verdict_of_its_agent():
    desk = chart(Listening(call("look")), policy=lambda proposed, now: refused_call())
    end = run_of(Sequence(up, desk, name="letter")).ended_by
    assert (end.word, end.path) == ("policy-halt", ("letter[2]", "desk", "clerk"))
    assert named(end.run, end.carriers) == ["desk", "letter"]


def refused_call():
    from explainkit.flow import halt

    return halt("not here")


def test_a_cut_file_tells_which_links_were_open():
    lines = list(run_of(letter(boom)).recording.lines())
    kinds = [b'"link_closed"' in line for line in lines]
    cut = Run.loaded(Recording.of_lines(lines[: kinds.index(True)]))
    end = cut.ended_by
    assert (end.kind, named(cut, [end.link, *end.carriers])) == ("crashed", ["up", "letter"])


def test_why_a_record_stops_is_said_as_it_is_known(tmp_path):
    lines = list(run_of(letter(boom)).recording.lines())
    first = [b'"link_closed"' in line for line in lines].index(True)
    whole, torn = lines[:first], [*lines[: first - 1], lines[first - 1][:-9]]
    told = []
    for kept in (whole, torn, lines[:-1]):
        path = tmp_path / f"{len(told)}.ek.jsonl"
        path.write_bytes(b"".join(kept))
        told.append(ek.load(path).ended_by.what_to_do)
    assert told[0].startswith("The process ended before the run did:")
    assert told[1].startswith("The file is cut or damaged, so its records stop there:")
    assert told[2].startswith("The run did end, but the last line of its file")


def test_the_boards_lead_with_the_end():
    run = run_of(choosing())
    page = run.to_html()
    for shown in (repr(run), run._repr_html_(), page):
        assert "Ended on message-denied" in shown
        assert "Conditional.second" in shown
        assert "MessageDeniedError" in shown
        assert "Give a message that the middleware admits." in shown
    assert len(repr(run).splitlines()) <= 20
