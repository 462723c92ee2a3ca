"""What a watched run shows: read as it is written, each record once, from memory, file or load."""

import io
import threading
import time

import pytest

import explainkit as ek
from explainkit.session.following_records import RecordFollower
from explainkit.view.watching_lines import Watched, WatchedLink, lines_of

SECONDS = 30


@ek.link(kind="tool")
def step(x):
    return x


@ek.link(kind="tool")
def fails():
    raise ValueError("no")


def following(run):
    return RecordFollower(run, run._source)


@pytest.mark.parametrize("to", [None, "runs"])
def test_each_record_is_read_once_as_it_comes(to, tmp_path):
    folder = None if to is None else tmp_path / to
    with ek.trace("read", to=folder, question="Why?") as run:
        follower = following(run)
        assert follower.read()
        before = follower.now()
        assert (before.name, before.status, before.done) == ("read", "running", 0)
        assert not follower.read()
        step("one")
        with pytest.raises(ValueError, match="no"):
            fails()
        ek.answer("first")
        assert follower.read()
        between = follower.now()
        assert (between.done, between.open, between.other) == (1, 0, 1)
        assert between.answer == "first"
        assert between.last == (
            WatchedLink("tool", "step", "answered"),
            WatchedLink("tool", "fails", "error"),
        )
        assert not follower.is_over
        ek.override("second", by="reviewer", reason="better")
    assert follower.read()
    after = follower.now()
    assert (after.status, after.answer, after.records) == ("answered", "second", len(run.recording))
    assert follower.is_over
    assert not follower.read()


def test_an_open_link_is_seen_while_it_runs():
    with ek.trace("open") as run:
        follower = following(run)
        held, seen = threading.Event(), threading.Event()

        @ek.link(kind="model")
        def waits():
            held.set()
            return seen.wait(SECONDS)

        thread = threading.Thread(target=run.bind(waits))
        thread.start()
        assert held.wait(SECONDS)
        run.recording  # noqa: B018 - what waits in the buffer is written
        follower.read()
        assert follower.now().last == (WatchedLink("model", "waits", "open"),)
        assert follower.now().open == 1
        seen.set()
        thread.join()
        follower.read()
        assert follower.now().open == 0


def test_a_run_that_is_over_or_loaded_is_shown_once(tmp_path):
    with ek.trace("kept", to=tmp_path) as run:
        step(1)
        ek.answer("yes")
    shown = []
    for each in (run, ek.load(run.path)):
        watch = each.watch(stream=io.StringIO())
        assert watch.wait(SECONDS)
        shown.append(watch.text().splitlines())
    assert shown[0] == shown[1]
    assert shown[0][1:] == ["  tool step: answered", "Answer: yes"]


def test_a_crashed_file_is_not_waited_for(tmp_path):
    with ek.trace("crashed", to=tmp_path) as run:
        step(1)
    lines = run.path.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "cut.ek.jsonl"
    cut.write_bytes(b"".join(lines[:4]))
    watch = ek.load(cut).watch(stream=io.StringIO())
    assert watch.wait(SECONDS)
    assert "is over, crashed" in watch.text()


def test_the_watch_of_a_run_says_how_that_is(tmp_path):
    with ek.trace("told", to=tmp_path) as run:
        during = repr(run.watch(stream=io.StringIO()))
        ek.answer("yes")
    after = [repr(each.watch(stream=io.StringIO())) for each in (run, ek.load(run.path))]
    assert during == "<watch of told is running>"
    assert after == ["<watch of told is over, answered>"] * 2


def test_lines_are_written_only_when_something_changed():
    written = io.StringIO()
    with ek.trace("quiet") as run:
        watch = run.watch(stream=written)
        step(1)
        ek.answer("done")
        time.sleep(0.5)  # two looks and more, at which nothing is new
    assert watch.wait(SECONDS)
    lines = written.getvalue().splitlines()
    assert len(lines) == len({line.partition(": ")[2] for line in lines}) <= 3
    assert lines[-1].endswith("Answer: done")


def test_it_can_be_stopped_before_the_run_ends():
    with ek.trace("stopped") as run:
        watch = run.watch(stream=io.StringIO())
        watch.stop()
        assert watch.over
        step(1)
        assert "0 links done" in watch.text()
    assert run.status == "answered"


def test_a_stream_that_fails_ends_the_watch_and_not_the_run():
    class Broken(io.StringIO):
        def write(self, text):
            raise OSError("the pipe is gone")

    with ek.trace("unharmed") as run:
        watch = run.watch(stream=Broken())
        assert watch.wait(SECONDS)
        ek.answer("whole")
    assert "the pipe is gone" in str(watch.problem)
    assert (run.status, run.answer) == ("answered", "whole")


def test_a_stream_may_stop_the_watch_that_writes_to_it():
    class Stopping(io.StringIO):
        watch = None

        def write(self, text):
            if self.watch is not None:
                self.watch.stop()
            return super().write(text)

    stream = Stopping()
    with ek.trace("stopped by its stream") as run:
        stream.watch = run.watch(stream=stream)
        step(1)
        assert stream.watch.wait(SECONDS)
        assert stream.watch.problem is None
        ek.answer("whole")
    assert run.answer == "whole"


def test_the_next_run_is_waited_for_and_an_earlier_one_is_not_shown():
    with ek.trace("earlier"):
        pass
    watch = ek.watch(stream=io.StringIO())
    assert watch.text() == "Waits for the next run to open"
    with ek.trace("later"):
        ek.answer("this one")
    assert watch.wait(SECONDS)
    assert watch.text().splitlines()[-1] == "Answer: this one"
    with ek.trace("open now"):
        watch = ek.watch(stream=io.StringIO())
        assert watch.text().startswith("open now is running")
    assert watch.wait(SECONDS)


def test_nested_runs_and_hostile_names_are_told_in_harmless_lines():
    with ek.trace("outer\x1b[31m\n") as run:
        follower = following(run)
        ek.link(lambda x: x, name="a\u202eb\nc")(1)
        with ek.trace("inner"):
            step(1)
        follower.read()
        lines = lines_of(follower.now())
    assert lines[0].startswith("outer␛[31m is running")
    assert lines[1:] == ["  function a⇄b c: answered", "  run inner: answered"]


def test_the_clock_of_the_run_is_not_asked():
    ticks = iter(range(0, 10**12, 10**9))
    with ek.trace("ticks", clock=lambda: next(ticks)) as run:
        step(1)
        follower = following(run)
        for _ in range(5):
            follower.read()
            follower.now()
        assert next(ticks) < 20 * 10**9
    assert lines_of(Watched("long", seconds=3725))[0].startswith("long is running, 62:05")


class Sink(io.StringIO):
    """A stream that does something with each text, from the thread that draws."""

    act = None

    def write(self, text):
        if self.act is not None:
            self.act()
        return super().write(text)


def test_a_watch_is_stopped_by_what_it_writes_to():
    told = Sink()
    with ek.trace("stopped"):
        watch = ek.watch(stream=told)
        told.act = watch.stop
        step("one")
        assert watch.wait(SECONDS)
    assert watch.problem is None


@pytest.mark.parametrize("fault", [SystemExit("bye"), GeneratorExit("bye")])
def test_a_stream_that_would_end_the_thread_ends_the_watch_and_is_kept_as_its_problem(fault):
    told = Sink()

    def leave():
        raise fault

    with ek.trace("left"):
        watch = ek.watch(stream=told)
        told.act = leave
        step("one")
        assert watch.wait(SECONDS)
        watch.stop()
    assert watch.problem is fault
    assert watch.over
