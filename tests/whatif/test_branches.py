"""Branches, nodes and steps of compositions are named as the composition names them."""

import pytest

import explainkit as ek
from explainkit.errors import InterventionError, UnknownRecordError
from explainkit.flow import agent, define_event, final, invoke, machine, state, to
from explainkit.flow.agents import Agent
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    router,
    when,
)
from explainkit.flow.models import ReadingModel
from tests.whatif.programs import executed

FACTS = "Half of the fare is paid back."


def facts():
    return Agent(ReadingModel(), FACTS, name="reader")


def joined(parts):
    return " ".join(str(parts[name]) for name in sorted(parts))


def polite(given):
    return f"Dear guest, {given}"


def ran(runner, given="What is paid back?"):
    runner.run_sync(given)
    return ek.last()


@pytest.fixture(scope="module")
def run():
    branches = {"facts": facts(), "tone": lambda _: "Kindly.", "close": lambda _: "Bye."}
    return ran(Parallel(branches, merge=joined))


@pytest.mark.parametrize(
    ("named", "after"),
    [
        ("facts", "Bye. Nothing. Kindly."),
        ("Parallel.facts", "Bye. Nothing. Kindly."),
        ("reader", "Bye. Nothing. Kindly."),
        ("tone", f"Bye. {FACTS} Nothing."),
        ("close", f"Nothing. {FACTS} Kindly."),
    ],
)
def test_the_result_of_a_branch_is_another_one(run, named, after):
    found = run.whatif(swap={named: "Nothing."})
    assert (found.word, found.before, found.after) == ("cause", f"Bye. {FACTS} Kindly.", after)


def test_what_an_agent_of_a_branch_gives_is_changed_in_part_and_it_does_not_run(run):
    found = run.whatif(replace={("facts", "Half"): "All"})
    assert (found.word, found.after) == ("cause", f"Bye. {FACTS.replace('Half', 'All')} Kindly.")
    assert "reader model" not in executed(found)
    assert run.whatif(remove=("facts", "of the fare")).word == "cause"


def test_names_that_are_of_nothing_list_those_of_branches(run):
    with pytest.raises(UnknownRecordError, match=r"no link 'nope'.*'facts', 'tone', 'close', 'Par"):
        run.whatif(swap={"nope": "Nothing."})


def test_a_name_of_a_branch_and_of_another_link_is_refused_with_both():
    def tone(given):
        return f"{given}!"

    run = ran(Parallel({"tone": Sequence(tone, polite), "facts": facts()}, merge=joined))
    with pytest.raises(
        InterventionError, match=r"of a function \(record \d+\) and of a branch, which runs 'Seq"
    ):
        run.whatif(swap={"tone": "Nothing."})
    assert run.whatif(swap={"Parallel.tone": "Nothing."}).after == f"{FACTS} Nothing."


def test_nodes_of_a_graph_are_named():
    run = ran(graph({"a": facts(), "b": polite}, [("a", "b")]))
    found = run.whatif(swap={"a": "Nothing."})
    assert (found.word, found.after) == ("cause", {"a": "Nothing.", "b": "Dear guest, Nothing."})
    assert run.whatif(swap={"graph.b": "Nothing."}).word == "cause"


def test_the_branch_that_was_taken_is_named():
    run = ran(Conditional(when(lambda _: True, facts(), name="known"), default=polite))
    assert run.whatif(swap={"known": "Nothing."}).after == "Nothing."
    with pytest.raises(UnknownRecordError, match=r"no link 'default'"):
        run.whatif(swap={"default": "Nothing."})
    run = ran(router(lambda _: "read", {"read": facts(), "greet": polite}))
    assert run.whatif(swap={"read": "Nothing."}).after == "Nothing."


def test_steps_are_named_by_their_numbers():
    run = ran(Sequence(facts(), polite))
    assert run.whatif(swap={"Sequence[1]": "Nothing."}).after == "Dear guest, Nothing."
    assert run.whatif(swap={"Sequence[2]": "Nothing."}).after == "Nothing."
    with pytest.raises(UnknownRecordError):
        run.whatif(swap={"Sequence[3]": "Nothing."})


def test_rounds_of_a_loop_that_runs_an_agent_are_told_apart():
    run = ran(Loop(facts(), until=lambda _: False, for_at_most=2, on_exhausted=polite))
    seqs = [row["seq"] for row in run.recording.rows("link_opened") if row["name"] == "reader"]
    with pytest.raises(InterventionError, match=r"is the name of 2. Give one of their numbers"):
        run.whatif(swap={"reader": "Nothing."})
    assert run.whatif(swap={seqs[1]: "Nothing."}).after == "Dear guest, Nothing."
    found = run.whatif(swap={seqs[0]: "Nothing."})
    assert found.run.recording.status == "answered"
    assert executed(found).count("reader model") == 1


async def works(turn):
    await turn.pick("go")


def test_a_machine_has_no_result_to_put_in():
    chart = machine(
        "chart",
        events=[define_event("go")],
        actors={"coder": agent(works)},
        initial="busy",
        states={
            "busy": state(invoke=invoke("coder"), on={"go": to("done")}),
            "done": final(output=lambda *_: "out"),
        },
    )
    run = ran(Sequence(chart, polite))
    for named in ("chart", "Sequence[1]"):
        with pytest.raises(InterventionError, match=r"'chart' is a machine, .*of: 'coder', 'g"):
            run.whatif(swap={named: "Nothing."})


def test_the_whole_run_has_no_result_to_put_in():
    run = ran(Sequence(facts(), polite))
    with pytest.raises(InterventionError, match=r"is the run itself.*made of: 'reader', "):
        run.whatif(swap={"Sequence": "Nothing."})


def test_a_runner_in_a_traced_function_is_given_another_answer():
    @ek.traced("around")
    def program(question):
        return f"So: {facts().run_sync(question)}"

    program("What is paid back?")
    found = ek.last().whatif(swap={"reader": "Nothing."})
    assert (found.word, found.after) == ("cause", "So: Nothing.")
