"""Commands: what a program does is an outcome, and nothing of it outlives a stop."""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from explainkit.errors import ChartError
from explainkit.flow.actors.commands import command
from explainkit.flow.actors.outcomes import Exited, NotRun, TimedOut
from explainkit.flow.clocks import ManualClock
from tests.flow.actors.stages import done, gone, is_running, stage, written

pytestmark = pytest.mark.skipif(os.name != "posix", reason="commands need POSIX process groups")

# Writes its own number and that of a child, then neither ends by itself.
FAMILY = 'sleep 1000 & printf "%s %s\\n" $$ $! > pids; wait'
# The same, deaf to every polite request.
DEAF = f"trap '' TERM; {FAMILY}"
# Only the child is deaf; the process itself ends at once.
DEAF_CHILD = """sh -c "trap '' TERM; echo $$ \\$\\$ > pids; exec sleep 1000" & wait"""


def open_files():
    return len(list(Path("/dev/fd").iterdir()))


def python_program(code):
    return [sys.executable, "-c", code]


def test_the_code_and_both_outputs_in_order_are_told():
    ran = done(command(["sh", "-c", "echo out; echo err >&2; echo more; exit 3"]))
    assert ran == Exited(3, "out\nerr\nmore\n")


def test_a_program_that_a_signal_ends_has_a_negative_code():
    assert done(command(["sh", "-c", "kill -KILL $$"])) == Exited(-signal.SIGKILL, "")


def test_there_is_no_shell():
    assert done(command(["echo", "$HOME;", "*", "`id`"])) == Exited(0, "$HOME; * `id`\n")


def test_arguments_come_from_the_input_when_argv_is_a_function():
    ran = done(command(lambda given: ["echo", *given["words"]]), {"words": ["a b", "c"]})
    assert ran == Exited(0, "a b c\n")


def test_it_works_in_the_folder_of_the_run(tmp_path):
    (tmp_path / "below").mkdir()
    pwd = ["pwd", "-P"]
    assert done(command(pwd), folder=tmp_path).tail == f"{tmp_path.resolve()}\n"
    assert done(command(pwd, cwd="below"), folder=tmp_path).tail.endswith("/below\n")
    assert done(command(pwd, cwd=tmp_path)).tail == f"{tmp_path.resolve()}\n"
    assert done(command(pwd)).tail == f"{os.path.realpath('.')}\n"


def test_variables_are_set_beside_those_that_are_there(monkeypatch):
    monkeypatch.setenv("KEPT", "kept")
    ran = done(command(["sh", "-c", 'echo "$KEPT $ADDED"'], env={"ADDED": "added"}))
    assert ran.tail == "kept added\n"


@pytest.mark.parametrize("size", [0, 7, 3_000_000])
def test_a_program_reads_what_it_is_given_however_much(size):
    count = "import sys; print(len(sys.stdin.buffer.read()))"
    assert done(command(python_program(count), stdin="é" * size)).tail == f"{2 * size}\n"


def test_a_program_finds_nothing_to_read_and_no_terminal():
    code = (
        "import os, sys; print(repr(sys.stdin.read()), os.getsid(0) == os.getpid(), flush=True)\n"
        "os.open('/dev/tty', os.O_RDWR)"
    )
    ran = done(command(python_program(code)))
    assert ran.code == 1
    assert ran.tail.startswith("'' True\n")
    assert "OSError" in ran.tail


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["no-such-program-here"], "was not found"),
        (["/"], "may not be run"),
        (["echo", "a\0b"], "NUL"),
        (["echo", "\ud800"], "broken text"),
        (["echo", "x" * 20_000_000], "could not be started"),
        ([""], "''"),
    ],
)
def test_what_cannot_be_started_is_an_outcome_that_says_why(argv, said):
    ran = done(command(argv))
    assert isinstance(ran, NotRun)
    assert said in ran.reason
    assert len(ran.reason) < 500


def test_a_file_that_is_no_program_is_an_outcome(tmp_path):
    (tmp_path / "plain").write_text("plain")
    (tmp_path / "plain").chmod(0o644)
    assert "may not be run" in done(command([tmp_path / "plain"])).reason
    (tmp_path / "plain").chmod(0o755)
    assert "could not be started" in done(command([tmp_path / "plain"])).reason


def test_a_script_whose_interpreter_is_missing_is_an_outcome(tmp_path):
    (tmp_path / "script").write_text("#!/no/such/interpreter\n")
    (tmp_path / "script").chmod(0o755)
    assert "its first line" in done(command([tmp_path / "script"])).reason


@pytest.mark.parametrize("cwd", ["missing", "file", "nul\0"])
def test_a_folder_that_is_none_is_an_outcome(tmp_path, cwd):
    (tmp_path / "file").touch()
    assert "There is no folder" in done(command(["true"], cwd=cwd), folder=tmp_path).reason


@pytest.mark.parametrize("given", [None, "echo hi", b"echo", [], ["echo", 7], {"echo": 1}])
def test_what_a_function_gives_that_is_no_argv_is_not_run(given):
    ran = done(command(lambda _: given))
    assert isinstance(ran, NotRun)
    with pytest.raises(ChartError):
        command(given)


def test_a_function_that_raises_is_a_fault_of_the_code():
    with pytest.raises(KeyError):
        done(command(lambda given: [given["missing"]]), {})


@pytest.mark.parametrize(
    "wrong",
    [
        {"env": {"A": 1}},
        {"env": [("A", "1")]},
        {"timeout": 0},
        {"timeout": "1"},
        {"timeout": float("nan")},
        {"timeout": True},
        {"tail": 0},
        {"tail": 1.5},
        {"stdin": 7},
    ],
)
def test_an_argument_of_the_wrong_type_is_refused_when_it_is_written(wrong):
    with pytest.raises(ChartError, match=f"{next(iter(wrong))} is a"):
        command(["true"], **wrong)


def test_a_process_that_ignores_its_children_is_told_so():
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert "SIGCHLD" in done(command(["false"])).reason
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_an_outcome_comes_back_from_the_record():
    effect = command(["true"])
    for outcome in (Exited(1, "x"), TimedOut("x"), NotRun("because")):
        assert effect.restored(effect.stored(outcome)) == outcome
    assert effect.stored(Exited(1, "x")) == {"outcome": "exited", "code": 1, "tail": "x"}
    assert [Exited(1, "").outcome, TimedOut("").outcome] == ["exited", "timed-out"]
    for broken in ({}, {"outcome": "exited", "code": "1", "tail": ""}, "exited", None):
        with pytest.raises(ValueError, match="no outcome"):
            effect.restored(broken)


def test_memory_does_not_grow_with_the_output():
    import tracemalloc

    flood = "import sys\nfor _ in range(200): sys.stdout.buffer.write(b'x' * 999_999 + b'\\n')"
    tracemalloc.start()
    try:
        ran = done(command(python_program(flood), tail=10))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert ran == Exited(0, "[… 199,999,990 bytes left out …]\nxxxxxxxxx\n")
    assert peak < 5_000_000


@pytest.mark.parametrize("script", [FAMILY, DEAF, DEAF_CHILD])
def test_a_timeout_by_the_clock_of_the_run_ends_the_whole_group(tmp_path, script):
    async def run():
        clock = ManualClock()
        effect = command(["sh", "-c", f"echo begun; {script}"], timeout=60)
        running = asyncio.ensure_future(effect.work(stage(clock=clock, folder=tmp_path)))
        pids = [int(pid) for pid in (await written(tmp_path / "pids")).split()]
        await clock.advance(59)
        assert not running.done()
        assert all(map(is_running, pids))
        await clock.advance(1)
        assert await running == TimedOut("begun\n")
        await gone(*pids)

    asyncio.run(run())


def test_what_is_written_while_it_ends_is_kept(tmp_path):
    async def run():
        clock = ManualClock()
        script = "trap 'echo ended politely; exit' TERM; echo > pids; while :; do sleep 0.01; done"
        effect = command(["sh", "-c", script], timeout=1)
        running = asyncio.ensure_future(effect.work(stage(clock=clock, folder=tmp_path)))
        await written(tmp_path / "pids")
        await clock.advance(1)
        return await running

    assert asyncio.run(run()).tail.endswith("ended politely\n")


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("script", [FAMILY, DEAF, DEAF_CHILD])
def test_a_cancellation_leaves_nothing_running(tmp_path, script, times):
    async def run():
        effect = command(["sh", "-c", script])
        running = asyncio.ensure_future(effect.work(stage(folder=tmp_path)))
        pids = [int(pid) for pid in (await written(tmp_path / "pids")).split()]
        for _ in range(times):
            running.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await running
        await gone(*pids)
        assert not any(map(is_running, pids))

    asyncio.run(run())


def test_a_cancellation_before_the_first_step_starts_nothing(tmp_path):
    async def run():
        effect = command(["sh", "-c", "echo > begun"])
        running = asyncio.ensure_future(effect.work(stage(folder=tmp_path)))
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(run())
    assert list(tmp_path.iterdir()) == []


def test_a_clock_that_fails_is_no_timeout_and_leaves_nothing_running(tmp_path):
    class Broken(ManualClock):
        async def sleep(self, seconds):
            await written(tmp_path / "pids")
            raise LookupError("no time")

    with pytest.raises(LookupError, match="no time"):
        done(command(["sh", "-c", FAMILY], timeout=1), clock=Broken(), folder=tmp_path)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    asyncio.run(gone(*pids))
    assert not any(map(is_running, pids))


def test_a_coroutine_that_is_thrown_away_takes_its_processes_with_it(tmp_path):
    async def run():
        work = command(["sh", "-c", FAMILY]).work(stage(folder=tmp_path))
        work.send(None)
        pids = [int(pid) for pid in (await written(tmp_path / "pids")).split()]
        work.close()
        await gone(*pids)
        return pids

    assert not any(map(is_running, asyncio.run(run())))


def test_a_daemon_that_keeps_the_pipe_does_not_keep_the_command(tmp_path):
    daemon = (
        "import os, time\nprint('parent', flush=True)\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    open('pids', 'w').write(f'{os.getpid()}\\n')\n"
        "    time.sleep(1000)\n"
    )
    ran = done(command(python_program(daemon)), folder=tmp_path)
    assert ran == Exited(0, "parent\n")

    async def pid_of_daemon():
        return int(await written(tmp_path / "pids"))

    pid = asyncio.run(pid_of_daemon())
    assert is_running(pid)  # it left the group on purpose, and the command ended by itself
    os.kill(pid, signal.SIGKILL)


def test_many_commands_run_at_once_and_leave_no_file_open():
    async def run():
        effect = command(lambda given: ["sh", "-c", f"echo {given}; exit {given}"])
        return await asyncio.gather(*(effect.work(stage(number)) for number in range(24)))

    before = open_files()
    ran = asyncio.run(run())
    assert ran == [Exited(number, f"{number}\n") for number in range(24)]
    assert open_files() == before


def test_it_works_in_a_thread_that_is_not_the_main_one():
    ran = []
    thread = threading.Thread(target=lambda: ran.append(done(command(["echo", "hi"], timeout=60))))
    thread.start()
    thread.join()
    assert ran == [Exited(0, "hi\n")]
