"""A machine in a workspace is run again from its record: no clone, no command, nothing removed."""

import pytest

import explainkit as ek
from explainkit.flow import (
    agent,
    answer,
    command,
    define_event,
    final,
    invoke,
    machine,
    state,
    to,
    workspace,
)
from tests.flow.workspaces.repositories import commit, repository

RUN_TESTS, FINISHED, GIVE_UP = (define_event(name) for name in ("run_tests", "finished", "give_up"))


def chart_of_tests():
    async def coder(turn):
        read = await turn.pick("run_tests")
        await turn.pick("finished" if read.value == "pass" else "give_up")

    def told(args):
        return "pass" if args.event.output.code == 0 else "fail"

    return machine(
        "testing",
        events=[RUN_TESTS, FINISHED, GIVE_UP],
        actors={"coder": agent(coder), "tests": command(["sh", "check.sh"])},
        context=lambda given: given,
        initial="busy",
        states={
            "busy": state(
                invoke=invoke("coder"),
                on={"finished": to("done"), "give_up": to("sorry")},
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("running")}),
                    "running": state(invoke=invoke("tests", on_done=to("ready", do=answer(told)))),
                },
            ),
            "done": final(output="mended"),
            "sorry": final(output="given up"),
        },
    )


@pytest.fixture
def repo(temporary, tmp_path):
    folder = repository(tmp_path / "app")
    commit(folder, "check.sh", f"echo ran >> {tmp_path / 'ran.txt'}\nexit 1\n")
    return folder


def test_the_outcome_of_a_command_in_a_workspace_is_swapped(repo, temporary, tmp_path):
    whole = workspace(
        chart_of_tests(), repos={"app": {"url": str(repo)}}, spec=lambda: {"branch": "fix"}
    )
    assert whole.run_sync({"ticket": 7}) == "given up"
    run = ek.last()
    ran = (tmp_path / "ran.txt").read_text()
    found = run.whatif(swap={"tests": {"outcome": "exited", "code": 0, "tail": ""}})
    assert (found.word, found.before, found.after) == ("cause", "given up", "mended")
    assert (tmp_path / "ran.txt").read_text() == ran == "ran\n"
    assert list(temporary.iterdir()) == []
    assert found.run.doctor() == []
