"""A run that was killed goes on from its file, or is refused with what stands in the way."""

import asyncio
import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import explainkit as ek
from explainkit.errors import ResumeError
from explainkit.flow import agent, assign, define_event, final, invoke, machine, state, to
from explainkit.flow.outcomes import Answered
from explainkit.store.integrity import doctor
from explainkit.store.reader import Recording
from tests.flow.actors.stages import written
from tests.flow.driving.acting import events, last, over, rows
from tests.flow.driving.crashing import ANSWER, chart

ROOT = Path(__file__).resolve().parents[3]


def started(folder):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.flow.driving.crashing", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The file of a run whose process was killed while its tests ran."""
    folder = tmp_path_factory.mktemp("killed")
    process = started(folder)
    asyncio.run(written(folder / "starts"))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    [file] = folder.glob("*.jsonl")
    (folder / "go").write_text("green\n")  # lets the orphaned tests end
    return file


def resumed(folder, file, **changes):
    async def main():
        running = chart(folder, **changes).begin(resume=file, to=folder / "again")
        return await over(running), running.record.recording

    return asyncio.run(main())


def test_a_killed_run_goes_on_from_its_file_to_the_same_answer(killed, tmp_path):
    (tmp_path / "go").write_text("green\n")
    old = Recording.read(killed)
    assert list(old.rows("run_ended")) == []
    outcome, recording = resumed(tmp_path, killed)
    assert outcome == Answered(ANSWER)
    assert (tmp_path / "starts").read_text() == "started\n"  # the effect in flight ran again
    [begun] = recording.rows("run_started")
    assert begun["resumes"] == old.run
    assert doctor(recording) == []
    assert chart(tmp_path).replay(recording).equal


def test_what_stood_before_is_in_the_new_run_with_its_old_times(killed, tmp_path):
    (tmp_path / "go").write_text("green\n")
    _, recording = resumed(tmp_path, killed)
    old = Recording.read(killed)

    def machine_rows(which):
        return rows(which, "event", "name", "at", "arrival")

    before = machine_rows(old)
    assert len(before) == 2
    assert machine_rows(recording)[:2] == before


def test_a_new_process_can_resume_it_and_a_resumed_run_can_be_resumed(killed, tmp_path):
    (tmp_path / "go").write_text("green\n")
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from tests.flow.driving.crashing import chart\n"
        "print(asyncio.run(chart(Path(sys.argv[1])).run(resume=sys.argv[2], to=sys.argv[1])))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), str(killed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == ANSWER
    [file] = tmp_path.glob("*.jsonl")
    outcome, _ = resumed(tmp_path, file)
    assert outcome == Answered(ANSWER)
    assert (tmp_path / "starts").read_text() == "started\n"  # nothing was in flight any more


def test_with_another_answer_the_replay_names_the_first_difference(killed, tmp_path):
    (tmp_path / "go").write_text("green\n")
    _, whole = resumed(tmp_path, killed)
    replay = chart(tmp_path, words="changed words").replay(whole)
    assert not replay.equal
    assert '"override"' in str(replay.difference)
    changed = whole.raw(replay.difference.seq)
    assert changed["kind"] == "override"
    assert whole.values.object(changed["value"]) == "the tests said green"


def test_with_another_guard_the_replay_names_the_first_difference_and_resume_refuses(tmp_path):
    def with_guard(holds):
        return chart(tmp_path, guard=lambda _: holds)

    async def main():
        (tmp_path / "go").write_text("green\n")
        running = with_guard(True).begin()
        await over(running)
        return running.record.recording

    recording = asyncio.run(main())
    replay = with_guard(False).replay(recording)
    assert recording.raw(replay.difference.seq)["kind"] == "transition"

    async def resumes():
        with_guard(False).begin(resume=recording)

    with pytest.raises(ResumeError, match="record 4 of the machine differs"):
        asyncio.run(resumes())


def test_a_drifted_chart_is_refused_with_what_differs_and_the_file_stays_readable(killed, tmp_path):
    with pytest.raises(ResumeError, match="another chart") as caught:
        resumed(tmp_path, killed, extra={"run_tests": to("done")})
    assert "run_tests" in str(caught.value)
    assert ek.load(killed).recording.run == Recording.read(killed).run
    assert not (tmp_path / "again").exists() or not list((tmp_path / "again").iterdir())


def test_a_torn_last_line_is_no_obstacle(killed, tmp_path):
    (tmp_path / "go").write_text("green\n")
    torn = tmp_path / killed.name
    torn.write_bytes(killed.read_bytes() + b'{"kind":"event","seq":99,"na')
    outcome, _ = resumed(tmp_path, torn)
    assert outcome == Answered(ANSWER)


def test_a_file_that_holds_no_machine_is_refused(tmp_path):
    with ek.trace("plain", to=tmp_path):
        ek.answer(1)
    [file] = tmp_path.glob("*.jsonl")
    with pytest.raises(ResumeError, match="holds no machine"):
        resumed(tmp_path, file)
    with pytest.raises(ResumeError, match="nothing that holds a run"):
        resumed(tmp_path, 7)


def quick():
    """A machine whose actors end at once, and whose Agent does the same whenever it runs again."""
    count = {"tests": 0}
    step = assign({"n": lambda args: args.context["n"] + 1})

    async def tests(given):
        count["tests"] += 1
        return {"given": given, "tail": "x" * given}

    async def works(turn):
        for _ in range(3):
            read = await turn.pick("run_tests")
            with contextlib.suppress(ValueError):
                await turn.pick("nothing")
        await turn.pick("finished", {"text": read.value["tail"]})

    made = machine(
        "quick",
        events=[*events("run_tests"), define_event("finished", input=dict[str, str])],
        actors={"coder": agent(works), "tests": tests},
        context={"n": 0, "said": None},
        initial="coding",
        states={
            "coding": state(
                invoke=invoke("coder"),
                on={
                    "finished": to(
                        "done", do=assign({"said": lambda args: args.event.payload["text"]})
                    )
                },
                initial="ready",
                states={
                    "ready": state(on={"run_tests": to("testing", do=step)}),
                    "testing": state(
                        invoke=invoke(
                            "tests", input=lambda args: args.context["n"], on_done=to("ready")
                        )
                    ),
                },
            ),
            "done": final(output=lambda args: args.context["said"]),
        },
    )
    return made, count


def test_cut_after_every_line_a_run_goes_on_to_the_same_end(tmp_path):
    whole, _ = quick()
    asyncio.run(whole.run(to=tmp_path))
    [file] = tmp_path.glob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    ran, refused = set(), 0
    for length in range(1, len(lines) + 1):
        cut = tmp_path / "cut" / file.name
        cut.parent.mkdir(exist_ok=True)
        cut.write_bytes(b"".join(lines[:length]))
        made, count = quick()

        async def main(made=made, cut=cut):
            return await made.outcome(resume=cut)

        if b'"type":"machine"' not in cut.read_bytes():
            with pytest.raises(ResumeError, match="holds no machine"):
                asyncio.run(main())
            refused += 1
            continue
        assert asyncio.run(main()) == Answered("xxx"), length
        ran.add(count["tests"])
        again = last()
        assert doctor(again) == [], length
        assert made.replay(again).equal, length
        assert len(rows(again, "event", "seq")) == 4 + 3  # picks, and refusals
    assert ran == {0, 1, 2, 3}
    assert 0 < refused < 20


@pytest.mark.slow
def test_cut_after_every_byte_a_run_goes_on_to_the_same_end(tmp_path):
    whole, _ = quick()
    asyncio.run(whole.run(to=tmp_path))
    [file] = tmp_path.glob("*.jsonl")
    data = file.read_bytes()
    cut = tmp_path / "cut" / file.name
    cut.parent.mkdir()
    for length in range(0, len(data) + 1, 7):
        cut.write_bytes(data[:length])
        made, _ = quick()

        async def main(made=made):
            return await made.outcome(resume=cut)

        try:
            assert asyncio.run(main()) == Answered("xxx"), length
        except (ResumeError, ek.ReadError):
            assert b'"type":"machine"' not in data[:length].rpartition(b"\n")[0]
