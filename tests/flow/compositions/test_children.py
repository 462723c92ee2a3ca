"""What can be a child: runners of ours, functions, and runners that are not ours."""

import asyncio

import pytest

import explainkit as ek
from explainkit.errors import PolicyHaltError, ResumeError
from explainkit.flow import define_event, fail, final, gate, invoke, machine, state, to
from explainkit.flow.compositions import (
    Conditional,
    Loop,
    Parallel,
    Sequence,
    graph,
    when,
    workflow,
)
from explainkit.flow.outcomes import Answered, Failed, Paused, Refused
from explainkit.flow.runners import Runner
from tests.flow.compositions.scripts import (
    HALT,
    Boom,
    Scripted,
    answers,
    checked,
    echoes,
    outcome,
    path,
    played,
    refuses,
    statuses,
    through_json,
)


class Foreign:
    """A runner that is not ours: it hands back its whole state, and reads its own outcome."""

    def __init__(self, *states):
        self.states = list(states)
        self.resumed = []

    def run(self, given, *, resume=None):
        self.resumed.append(resume)
        return self.states.pop(0) if self.states else {"answer": given}

    def outcome_of(self, output):
        if "waits" in output:
            return Paused(output["waits"])
        return Refused(output["verdict"]) if "verdict" in output else Answered(output["answer"])


class AsyncForeign:
    """Called, and awaited."""

    async def __call__(self, given):
        await asyncio.sleep(0)
        return [given]


def test_a_runner_that_is_not_ours_reads_its_own_outcome():
    assert outcome(Sequence(Foreign(), AsyncForeign()), 1) == Answered([1])
    found, recording = played(Sequence(Foreign({"verdict": HALT}), AsyncForeign()))
    assert found == Refused(HALT)
    assert statuses(recording) == [("Sequence", "verdict"), ("Foreign", "verdict")]
    [row] = recording.rows("verdict")
    assert (row["judge"], row["terminal"]) == ("Foreign", "policy-halt")


@pytest.mark.parametrize(
    "answer", [HALT, {"kind": "policy-halt"}, Refused(HALT), Failed(Boom("x")), Paused({})]
)
def test_an_answer_that_looks_like_a_refusal_stays_an_answer(answer):
    wholes = (
        Sequence(lambda _: answer),
        workflow(lambda _: answer),
        Conditional(when(lambda _: True, lambda _: answer)),
        Loop(lambda _: answer, until=lambda _: True),
        Sequence(Parallel({"a": lambda _: answer}), lambda by: by["a"]),
        Sequence(graph({"a": lambda _: answer}), lambda by: by["a"]),
        Parallel({"a": lambda _: answer}, tolerant=True, merge=lambda by: by["a"].value),
    )
    for whole in wholes:
        found, recording = played(whole)
        assert found == Answered(answer)
        assert recording.status == "answered"
        assert list(recording.rows("verdict")) == []


def test_a_runner_that_is_not_ours_can_wait_and_gets_its_checkpoint_back_as_it_was():
    child = Foreign({"waits": {"page": (3, "é")}}, {"answer": "done"})
    found = outcome(Sequence(child))
    assert outcome(Sequence(child), resume=through_json(found.checkpoint)) == Answered("done")
    assert child.resumed == [None, {"page": (3, "é")}]


def test_a_foreign_checkpoint_that_cannot_be_kept_is_told():
    error = outcome(Sequence(Foreign({"waits": object()}))).error
    assert isinstance(error, ResumeError)
    assert "the checkpoint of Foreign cannot be kept whole (object, opaque)" in str(error)


def test_a_checkpoint_of_ours_that_is_no_json_is_told():
    error = outcome(Sequence(Scripted(Paused({1, 2})))).error
    assert isinstance(error, ResumeError)
    assert "Sequence[1]: Agent waits, but its checkpoint is no plain JSON" in str(error)


def test_a_foreign_runner_that_takes_no_resume_is_told():
    class Once(Foreign):
        def run(self, given):
            return {"waits": {"page": 3}}

    found = outcome(Sequence(Once()))
    error = outcome(Sequence(Once()), resume=found.checkpoint).error
    assert isinstance(error, ResumeError)
    assert "takes no resume=" in str(error)


def test_a_verdict_error_that_a_function_raises_is_its_error():
    async def asks(_):
        return await refuses().run()

    found = outcome(Sequence(asks))
    assert isinstance(found.error, PolicyHaltError)
    assert path(found.error) == "Sequence[1] > Agent"


def test_a_runner_of_ours_that_records_nothing_still_has_a_place_in_the_path():
    class Silent(Runner):
        def __init__(self, end):
            self.end = end

        async def outcome(self, given=None):
            return self.end

    for end in (Refused(HALT), Failed(Boom("no"))):
        whole = Parallel({"b": Sequence(Silent(end))})
        [error] = outcome(whole).error.exceptions
        assert path(error) == "Parallel.b > Sequence[1] > Silent"


def desk():
    """A machine that waits for a person."""
    yes = define_event("yes")
    return machine(
        "desk",
        events=[yes],
        actors={"person": gate(yes)},
        initial="asked",
        states={
            "asked": state(invoke=invoke("person"), on={"yes": to("agreed")}),
            "agreed": final(),
        },
        output=lambda _: "agreed",
    )


def test_machines_are_children_and_their_pause_is_that_of_the_whole():
    given = {"fare": 30}
    whole = Sequence(echoes(), Parallel({"m": desk(), "other": answers((1,))}))
    found, recording = played(whole, given)
    assert isinstance(found, Paused)
    assert statuses(recording)[:4] == [
        ("Sequence", "paused"),
        ("Agent", "answered"),
        ("Parallel", "paused"),
        ("desk", "paused"),
    ]
    again, recording = played(whole, resume=through_json(found.checkpoint))
    assert isinstance(again, Paused), "nobody answered the Gate"
    assert [name for name, _ in statuses(recording)] == ["Sequence", "Parallel", "desk", "person"]


def test_a_machine_that_answers_or_fails_does_so_for_the_whole():
    answering = machine("m", initial="end", states={"end": final()}, output=lambda _: 41)
    assert outcome(Sequence(answering, lambda n: n + 1)) == Answered(42)
    failing = machine(
        "m",
        actors={"bad": fail()},
        initial="bad",
        states={"bad": state(invoke=invoke("bad", input={"reason": "no such order"}))},
    )
    error = outcome(Sequence(failing, echoes())).error
    assert path(error) == "Sequence[1] > m"


def test_compositions_stand_inside_of_a_run_that_is_open():
    with ek.trace("outer") as run:
        assert asyncio.run(Sequence(answers(1)).run()) == 1
        ek.answer("told")
    recording = checked(run.recording)
    assert run.answer == "told"
    assert statuses(recording) == [("Sequence", "answered"), ("Agent", "answered")]


def test_a_value_that_was_handed_on_says_where_it_came_from():
    def doubled(n):
        return n * 2

    whole = Sequence(doubled, doubled, Parallel({"a": doubled, "b": doubled}, merge=lambda by: by))
    found, recording = played(whole, 12345)
    assert found == Answered({"a": 98760, "b": 98760})
    names = {row["seq"]: row["name"] for row in recording.rows("link_opened")}
    closing = {row["seq"]: names[row["link"]] for row in recording.rows("link_closed")}
    came = [
        (row["name"], [(names | closing)[place["seq"]] for place in given.get("from", ())])
        for row in recording.rows("link_opened")
        for given in row["inputs"]
    ]
    *_, merging = recording.rows("link_opened")
    parts = [
        (part["path"], closing[part["origin"]["seq"]]) for part in merging["inputs"][0]["segments"]
    ]
    assert came == [
        ("Sequence", []),
        ("doubled", ["Sequence"]),
        ("doubled", ["doubled"]),
        ("Parallel", ["doubled"]),
        ("doubled", ["Parallel"]),
        ("doubled", ["Parallel"]),
        ("<lambda>", []),
    ]
    assert parts == [("/a", "doubled"), ("/b", "doubled")]
