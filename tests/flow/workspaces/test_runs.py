"""A machine in a workspace: a real repository, real commands, and nothing left behind."""

import asyncio
import json
import shutil

import pytest

import explainkit as ek
from explainkit.errors import ChartError, FaultError, ResumeError, WorkspaceError
from explainkit.flow import (
    Answered,
    Cancelled,
    Failed,
    ManualClock,
    Paused,
    agent,
    answer,
    command,
    define_event,
    fail,
    final,
    gate,
    invoke,
    machine,
    state,
    to,
    workspace,
)
from explainkit.flow.clocks import settled
from explainkit.store.integrity import doctor
from tests.flow.workspaces.repositories import commit, repository

RUN_TESTS = define_event("run_tests", "Run the test suite.")
WRITE = define_event("write", "Write a number into n.txt.", input=dict[str, int])
FINISHED = define_event("finished", "Say that the tests pass.")
APPROVE = define_event("approve", "Let it go on.", audience="external")
ASK = define_event("ask", "Ask a person.")


def say(args):
    told = args.event.output
    return "The tests pass." if told.code == 0 else f"The tests fail:\n{told.tail}"


def fixing(coder, **states):
    """The workflow of a coder that runs the tests of a repository until they pass."""
    return machine(
        "fix-tests",
        events=[RUN_TESTS, WRITE, FINISHED, ASK, APPROVE],
        actors={
            "coder": agent(coder),
            "tests": command(["sh", "check.sh"]),
            "writer": command(lambda given: ["sh", "-c", f"echo {given['n']} > n.txt"]),
            "person": gate(APPROVE),
            "fail": fail(),
        },
        context=lambda given: given,
        on={"workspace.lost": to(".lost"), "agent.fault": to(".failed")},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder", input=lambda args: args.context),
                on={"finished": to("done")},
                initial="ready",
                states={
                    "ready": state(
                        on={
                            "run_tests": to("testing"),
                            "write": to("writing"),
                            "ask": to("asking"),
                        }
                    ),
                    "asking": state(invoke=invoke("person"), on={"approve": to("ready")}),
                    "writing": state(
                        invoke=invoke(
                            "writer", input=lambda args: args.event.payload, on_done=to("ready")
                        )
                    ),
                    "testing": state(invoke=invoke("tests", on_done=to("ready", do=answer(say)))),
                },
            ),
            "done": final(output=lambda args: args.context["workspace"]["branch"]),
            "failed": state(invoke=invoke("fail", input={"reason": "the Turn could not go on"})),
            "lost": state(invoke=invoke("fail", input={"reason": "the workspace is gone"})),
        },
    )


@pytest.fixture
def repo(temporary, tmp_path):
    folder = repository(tmp_path / "app")
    commit(folder, "check.sh", "cat n.txt && test $(cat n.txt) = 3\n")
    commit(folder, "n.txt", "1\n")
    return folder


async def nobody(turn):
    raise AssertionError("no Turn begins here")


def placed(body, repo):
    return workspace(body, repos={"app": {"url": str(repo)}}, spec=lambda: {"branch": "fix"})


async def until(happened):
    """Let the loop run until git, which nothing here can await, has done its part."""
    while not happened():  # noqa: ASYNC110
        await asyncio.sleep(0)


def left_in(temporary):
    return sorted(path.name for path in temporary.iterdir())


def test_the_agent_mends_the_repository_and_reads_what_its_tests_said(repo, temporary):
    reads = []

    async def coder(turn):
        for number in (None, 2, 3):
            if number is not None:
                reads.append(await turn.pick("write", {"n": number}))
            reads.append(await turn.pick("run_tests"))
        await turn.pick("finished")

    outcome = placed(fixing(coder), repo).run_sync({"ticket": 7})

    assert outcome == "fix"
    assert [read.value for read in reads if read.event == "run_tests"] == [
        "The tests fail:\n1\n",
        "The tests fail:\n2\n",
        "The tests pass.",
    ]
    assert (repo / "n.txt").read_text() == "1\n", "the repository itself is left as it was"
    assert left_in(temporary) == []
    run = ek.last()
    assert not doctor(run.recording)
    kinds = [(row["type"], row["name"]) for row in run.recording.rows("link_opened")]
    assert kinds[0] == ("effect", "provision workspace")
    assert kinds[-1] == ("effect", "tear workspace down")
    assert run.answer == "fix"


def test_the_machine_knows_its_workspace_beside_its_input(repo):
    given = []

    async def coder(turn):
        given.append(turn.input)
        await turn.pick("finished")

    placed(fixing(coder), repo).run_sync({"ticket": 7})

    assert given[0]["ticket"] == 7
    assert given[0]["workspace"]["branch"] == "fix"
    assert list(given[0]["workspace"]["repos"]) == ["app"]


def test_a_workspace_that_disappears_is_told_to_the_machine(repo, temporary):
    async def coder(turn):
        await turn.pick("ask")

    async def main():
        clock = ManualClock()
        running = placed(fixing(coder), repo).begin(clock=clock)
        await until(lambda: running.gates)
        shutil.rmtree(next(temporary.iterdir()))
        while running.body.status == "active":
            await clock.advance(1)
        return await running.outcome()

    outcome = asyncio.run(main())

    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, FaultError)
    assert str(outcome.error) == "the workspace is gone"
    assert [row["arrival"] for row in ek.last().recording.rows("event")][-1] == "outside"


def test_a_branch_that_cannot_be_made_fails_the_run_and_leaves_nothing(repo, temporary):
    whole = workspace(
        fixing(nobody), repos={"app": {"url": str(repo)}}, spec=lambda: {"branch": ".."}
    )

    outcome = asyncio.run(whole.outcome())

    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, WorkspaceError)
    assert left_in(temporary) == []
    assert ek.last().status == "error"
    assert not doctor(ek.last().recording)


def test_cancelling_removes_the_workspace_and_closes_the_record(repo, temporary):
    async def coder(turn):
        await turn.pick("ask")

    async def main():
        running = placed(fixing(coder), repo).begin()
        await until(lambda: running.gates)
        running.cancel()
        return await running.outcome()

    assert asyncio.run(main()) == Cancelled()
    assert left_in(temporary) == []
    assert ek.last().status == "cancelled"
    assert not doctor(ek.last().recording)


def test_a_cancelled_task_removes_the_workspace_too(repo, temporary):
    async def coder(turn):
        await turn.pick("ask")

    async def main():
        waiting = asyncio.create_task(placed(fixing(coder), repo).begin().outcome())
        await until(lambda: any(temporary.glob("*/app/n.txt")))
        await settled()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(main())
    assert left_in(temporary) == []


def test_a_machine_that_waits_for_a_person_keeps_its_workspace_and_goes_on_in_it(repo, temporary):
    reads = []

    async def coder(turn):
        await turn.pick("write", {"n": 3})
        reads.append(await turn.pick("ask"))
        reads.append(await turn.pick("run_tests"))
        await turn.pick("finished")

    whole = placed(fixing(coder), repo)
    paused = asyncio.run(whole.outcome({"ticket": 7}))
    assert isinstance(paused, Paused)
    assert len(left_in(temporary)) == 1
    checkpoint = json.loads(json.dumps(paused.checkpoint))

    async def main():
        running = whole.begin(resume=checkpoint)
        await until(lambda: running.gates)
        running.gates["person"].send("approve")
        return await running.outcome()

    assert asyncio.run(main()) == Answered("fix")
    assert [read.value for read in reads[-2:]] == [{"type": "approve"}, "The tests pass."]
    assert left_in(temporary) == []


def test_a_checkpoint_of_something_else_is_refused(repo):
    outcome = asyncio.run(placed(fixing(nobody), repo).outcome(resume={"form": "x"}))
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.error, ResumeError)


@pytest.mark.parametrize(
    ("body", "spec", "told"),
    [
        ("no machine", dict, "the body is a machine"),
        (machine("m", initial="a", states={"a": final()}), {"branch": "x"}, "spec is a function"),
    ],
)
def test_what_cannot_be_a_workspace_is_refused_when_it_is_written(body, spec, told):
    with pytest.raises(ChartError, match=told):
        workspace(body, repos={"app": {"url": "x"}}, spec=spec)
