"""A failing run becomes a test that fails on the recorded fault and passes once it is mended."""

import asyncio
import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import explainkit as ek
from explainkit.errors import ReadError, RerunError, UnknownRecordError, WriteError
from explainkit.flow import Sequence
from explainkit.testing import RecordedFault

DESK = """
import explainkit as ek

NOTE = "For 30 minutes we pay back half of the fare."
SENT = []


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    SENT.append(prompt)
    return "Half of the fare is paid back." if "half" in prompt else "Nothing is paid back."


@ek.link(kind="effect")
def mail(text):
    SENT.append(text)


@ek.traced("claim")
def claim(question):
    note = ek.context("note", NOTE, kind="memory")
    return ask(ek.assemble("{note} {q}", note=note, q=question))


@ek.traced("later")
async def later(question):
    return claim.__wrapped__(question)


@ek.traced("told")
def told(question):
    answer = claim.__wrapped__(question)
    mail(answer)
    return answer
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A module of a user that can be imported, and edited."""
    (tmp_path / "refund_desk.py").write_text(DESK, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("refund_desk")
    sys.modules.pop("refund_desk", None)


def failing(desk, name="claim"):
    made = getattr(desk, name)("40 minutes late?")
    if inspect.isawaitable(made):
        asyncio.run(_awaited(made))
    run = ek.last()
    run.verdict("failed", judge="reviewer", reason="40 is below 60")
    return run


async def _awaited(made):
    return await made


def run_pytest(path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)


READS = """
import explainkit as ek

LEAFLETS = {"hours": "Open until 22:00."}
CALLS = []


class Line:
    def fetch(self):
        return "Open until 22:00."


LINE = Line()


@ek.link(kind="retrieval")
def search(question):
    CALLS.append("search")
    return look(question)


@ek.link(kind="tool")
def look(question):
    return LEAFLETS["hours"]


@ek.link(kind="tool")
def phone(question):
    return LINE.fetch()


@ek.link(kind="model")
def ask(prompt):
    CALLS.append("ask")
    return prompt


@ek.traced("hours")
def hours(question):
    return ask(search(question))


@ek.traced("called")
def called(question):
    return ask(phone(question))
"""


@pytest.fixture
def leaflets(tmp_path, monkeypatch):
    (tmp_path / "leaflets.py").write_text(READS, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("leaflets")
    sys.modules.pop("leaflets", None)


def test_mending_the_data_that_a_link_reads_turns_the_test_green(leaflets, tmp_path):
    leaflets.hours("How late?")
    test = ek.last().to_pytest(tmp_path / "test_hours.py", span="22:00")
    assert run_pytest(test).returncode == 1
    source = tmp_path / "leaflets.py"
    source.write_text(READS.replace('"hours": "Open until 22:00."', '"hours": "18:00."'), "utf-8")
    assert run_pytest(test).returncode == 0


def test_only_links_that_read_data_are_made_anew_and_a_live_object_is_not_used(leaflets, tmp_path):
    leaflets.hours("How late?")
    fault = RecordedFault.beside(ek.last().to_pytest(tmp_path / "test_hours.py"))
    leaflets.CALLS.clear()
    assert fault.is_back(fault.run_again())
    assert leaflets.CALLS == ["search"]  # it holds the link that reads; the model is not asked
    leaflets.called("How late?")
    fault = RecordedFault.beside(ek.last().to_pytest(tmp_path / "test_called.py"))
    leaflets.Line.fetch = None  # a call of it would raise
    end = fault.run_again()
    assert "recorded results were used of what reads from outside: phone (global LINE)" in (
        fault.words(end)
    )


def test_the_test_fails_on_the_fault_and_passes_on_the_fix(desk, tmp_path):
    test = failing(desk).to_pytest(tmp_path / "test_refund.py", span="Half of the fare")
    failed = run_pytest(test)
    assert failed.returncode == 1
    assert "wrong as recorded (40 is below 60)" in failed.stdout
    source = tmp_path / "refund_desk.py"
    source.write_text(DESK.replace("we pay back half of the fare", "nothing is paid"), "utf-8")
    assert run_pytest(test).returncode == 0


def test_recorded_text_is_in_the_json_file_alone(desk, tmp_path):
    test = failing(desk).to_pytest(tmp_path / "test_refund.py", span="Half of the fare")
    code, data = test.read_text("utf-8"), test.with_suffix(".json").read_text("utf-8")
    assert "def test_refund_answers_right():" in code
    # The function is named in code, where a person sees what is imported and called.
    assert "assert_mended(refund_desk.claim)" in code
    assert not {"fare", "half", "reviewer", "late"} & set(code.split())
    assert "half of the fare" in data
    assert json.loads(data)["reason"] == "40 is below 60"


def test_what_is_the_same_is_not_called_again(desk, tmp_path):
    path = failing(desk).to_pytest(tmp_path / "test_refund.py")
    desk.SENT.clear()
    fault = RecordedFault.beside(path)
    again = fault.run_again()
    assert fault.is_back(again)
    assert desk.SENT == []


def test_a_right_answer_may_be_given(desk, tmp_path):
    path = failing(desk).to_pytest(tmp_path / "test_refund.py", expect="Nothing is paid back.")
    fault = RecordedFault.beside(path)
    assert fault.is_back(fault.run_again())
    desk.NOTE = ""
    assert not fault.is_back(fault.run_again())


def test_an_async_function_is_awaited(desk, tmp_path):
    path = failing(desk, "later").to_pytest(tmp_path / "test_refund.py")
    fault = RecordedFault.beside(path)
    assert fault.run_again().value == "Half of the fare is paid back."


def test_an_effect_is_never_made_again(desk, tmp_path):
    path = failing(desk, "told").to_pytest(tmp_path / "test_refund.py")
    fault = RecordedFault.beside(path)
    assert fault.is_back(fault.run_again())  # with the same inputs it was made already
    desk.NOTE = ""
    desk.SENT.clear()
    with pytest.raises(RerunError, match="effect 'mail' would have to run again"):
        fault.run_again()
    assert "Nothing is paid back." not in desk.SENT


def test_a_run_that_gives_no_answer_is_not_taken_for_mended(desk, tmp_path, monkeypatch):
    path = failing(desk).to_pytest(tmp_path / "test_refund.py")
    monkeypatch.delattr(desk, "NOTE")
    with pytest.raises(RerunError, match="no answer"):
        RecordedFault.beside(path).run_again()


def test_a_function_that_is_gone_is_said(desk, tmp_path, monkeypatch):
    path = failing(desk).to_pytest(tmp_path / "test_refund.py")
    monkeypatch.delattr(desk, "claim")
    fault = RecordedFault.beside(path)
    with pytest.raises(RerunError, match="renamed"):
        fault.run_again()
    assert fault.run_again(call=lambda question: question).value == "40 minutes late?"


def test_what_cannot_become_a_test_is_refused_with_what_to_do(desk, tmp_path):
    @ek.traced("inner")
    def inner(question):
        return question

    inner("Hi?")
    with pytest.raises(RerunError, match=r"stands in another function\. Put it into a module"):
        ek.last().to_pytest(tmp_path / "test_inner.py")
    with ek.trace("block") as block:
        ek.answer("yes")
    with pytest.raises(RerunError, match="it was a block"):
        block.to_pytest(tmp_path / "test_block.py")
    run = failing(desk)
    with pytest.raises(WriteError, match=r"ends in \.py"):
        run.to_pytest(tmp_path / "refund.txt")
    run.to_pytest(tmp_path / "test_refund.py")
    with pytest.raises(WriteError, match="is there"):
        run.to_pytest(tmp_path / "test_refund.py")
    run.to_pytest(tmp_path / "test_refund.py", overwrite=True)


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    with pytest.raises(ReadError, match=r"test_none\.json beside the test"):
        RecordedFault.beside(tmp_path / "test_none.py")
    path = Path(tmp_path / "test_old.json")
    path.write_text('{"format": 0}', "utf-8")
    with pytest.raises(ReadError, match="format 0"):
        RecordedFault.beside(path)


def test_a_name_that_pytest_does_not_collect_is_refused(desk, tmp_path):
    run = failing(desk)
    with pytest.raises(WriteError, match=r"does not collect 'refund\.py'.*such as test_refund\.py"):
        run.to_pytest(tmp_path / "refund.py")
    assert run.to_pytest(tmp_path / "refund_test.py").exists()


def test_a_chat_of_another_tool_cannot_become_a_test_and_is_told_why(tmp_path):
    chat = tmp_path / "chat.json"
    turns = [{"role": "user", "content": "How late?"}, {"role": "assistant", "content": "Half."}]
    chat.write_text(json.dumps({"messages": turns}), "utf-8")
    with pytest.raises(RerunError, match=r"another tool recorded it.*run\.whatif\(model="):
        ek.load(chat).to_pytest(tmp_path / "test_chat.py")


def told_of(run, tmp_path, named):
    """The file of a run, as somebody wrote it who names another function in it."""
    run.save(tmp_path / "run.ek.jsonl")
    text = (tmp_path / "run.ek.jsonl").read_text("utf-8")
    started = next(run.recording.rows("run_started"))
    text = text.replace(started["callable"], named)
    text = text.replace(f'"code":"{started["code"]}"', '"code":null', 1)
    (tmp_path / "hostile.ek.jsonl").write_text(text, "utf-8")
    return ek.load(tmp_path / "hostile.ek.jsonl")


def test_a_file_cannot_name_what_a_test_calls_unless_it_is_traced(desk, tmp_path, monkeypatch):
    called = []
    monkeypatch.setattr(desk, "wipe", lambda question: called.append(question), raising=False)
    hostile = told_of(failing(desk), tmp_path, "refund_desk:wipe")
    with pytest.raises(RerunError, match=r"'refund_desk:wipe' is not decorated with @ek.traced"):
        hostile.to_pytest(tmp_path / "test_refund.py")
    assert not (tmp_path / "test_refund.py").exists()
    test = failing(desk).to_pytest(tmp_path / "test_refund.py")
    data = test.with_suffix(".json")
    data.write_text(data.read_text("utf-8").replace("refund_desk:claim", "refund_desk:wipe"))
    with pytest.raises(RerunError, match=r"'refund_desk:wipe' is not decorated with @ek.traced"):
        RecordedFault.beside(test).run_again()
    assert called == []


def test_a_record_imports_nothing(desk, tmp_path):
    (tmp_path / "opens_a_browser.py").write_text("raise SystemExit('it was imported')", "utf-8")
    hostile = told_of(failing(desk), tmp_path, "opens_a_browser:go")
    with pytest.raises(RerunError, match=r"by a record.*import opens_a_browser"):
        hostile.to_pytest(tmp_path / "test_refund.py")
    with pytest.raises(RerunError, match=r"by a record.*import opens_a_browser.*call="):
        hostile.whatif(remove="note")
    test = failing(desk).to_pytest(tmp_path / "test_refund.py")
    data = test.with_suffix(".json")
    data.write_text(data.read_text("utf-8").replace("refund_desk:claim", "opens_a_browser:go"))
    with pytest.raises(RerunError, match=r"by a record.*import opens_a_browser"):
        RecordedFault.beside(test).run_again()


SHAPES = """
import explainkit as ek

FARE = {"fare": 0.5, "n": 30, "t": "thirty"}
PLAIN = []


@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half." if "half" in prompt else "None."


@ek.traced("var")
def var(*args, **kw):
    return ask(" ".join(args) + kw.get("x", ""))


@ek.traced("first")
def first(q, /):
    return ask(q)


@ek.traced("fields")
def fields(q):
    return FARE


@ek.traced("nothing")
def nothing(q):
    return FARE.get(q)


@ek.traced("live")
def live(q, client):
    return ask(q)


class Desk:
    @ek.traced("desk")
    def claim(self, q):
        return ask(q)
"""


@pytest.fixture
def shapes(tmp_path, monkeypatch):
    (tmp_path / "shapes_desk.py").write_text(SHAPES, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("shapes_desk")
    sys.modules.pop("shapes_desk", None)


def test_a_function_is_called_again_as_it_was_called(shapes, tmp_path):
    for number, call in enumerate(
        [
            lambda: shapes.var("half", "a"),
            lambda: shapes.var(x="half"),
            lambda: shapes.first("half"),
        ]
    ):
        call()
        fault = RecordedFault.beside(ek.last().to_pytest(tmp_path / f"test_{number}.py"))
        end = fault.run_again()
        assert (fault.is_back(end), end.value) == (True, "Half.")


def test_words_of_an_answer_that_is_no_text_are_found_in_it(shapes, tmp_path):
    shapes.fields("q")
    run = ek.last()
    for number, words in enumerate(["30", "0.5", "thirty"]):
        test = run.to_pytest(tmp_path / f"test_{number}.py", span=words)
        fault = RecordedFault.beside(test)
        assert fault.is_back(fault.run_again())
    shapes.FARE["t"] = "forty"
    assert not fault.is_back(fault.run_again())


def test_none_may_be_the_right_answer(shapes, tmp_path):
    shapes.nothing("n")
    fault = RecordedFault.beside(ek.last().to_pytest(tmp_path / "test_none.py", expect=None))
    assert fault.is_back(fault.run_again())
    del shapes.FARE["n"]
    assert not fault.is_back(fault.run_again())


def test_a_test_that_could_not_be_called_or_be_red_is_not_written(shapes, tmp_path):
    def refused(match, error=RerunError, **settings):
        with pytest.raises(error, match=match):
            ek.last().to_pytest(tmp_path / "test_it.py", **settings)
        assert not (tmp_path / "test_it.py").exists()

    shapes.live("half", object())
    refused(r"'client' of 'shapes_desk:live' was not recorded whole.*into a function of a module")
    shapes.Desk().claim("half")
    refused(r"'self' of 'shapes_desk:Desk.claim' was not recorded")
    shapes.first("half")
    refused(r"expect=.*cannot be kept in a file whole", expect=object())
    refused(r"expect= is the answer that was recorded", expect="Half.")
    refused(r"no answer in the slot 'nope'", UnknownRecordError, slot="nope")


def test_a_runner_is_called_one_and_a_re_run_too(desk, tmp_path):
    Sequence(str.strip, str.title, name="steps").run_sync("hello")
    with pytest.raises(RerunError, match=r"it was a runner \(sequence\)"):
        ek.last().to_pytest(tmp_path / "test_steps.py")
    varied = failing(desk).whatif(remove="note").run
    with pytest.raises(RerunError, match="re-run of a what-if"):
        varied.to_pytest(tmp_path / "test_varied.py")


def test_a_failure_says_what_is_so(desk, tmp_path):
    span = {"span": "Half of the fare", "expect": "Nothing."}
    fault = RecordedFault.beside(failing(desk).to_pytest(tmp_path / "test_refund.py", **span))
    told = fault.words(fault.run_again())
    assert "wrong as recorded (40 is below 60): still says 'Half of the fare'" in told
    assert "expected 'Nothing.'" in told
    desk.NOTE = ""
    end = fault.run_again()
    told = fault.words(end)
    assert fault.is_back(end)  # the words are gone, and what was expected did not come
    assert told.startswith("answered 'Nothing is paid back.'")
    assert "another answer than the recorded one, which was wrong (40 is below 60)" in told
    assert "still says" not in told
    assert "same answer" not in told
    assert "expected 'Nothing.'" in told


def test_where_a_loop_runs_it_is_awaited(desk, tmp_path):
    fault = RecordedFault.beside(failing(desk, "later").to_pytest(tmp_path / "test_later.py"))
    plain = RecordedFault.beside(failing(desk).to_pytest(tmp_path / "test_plain.py"))

    async def notebook():
        with pytest.raises(RerunError, match=r"await fault\.run_again_async"):
            fault.run_again()
        return [await each.run_again_async() for each in (fault, plain)]

    assert [end.value for end in asyncio.run(notebook())] == ["Half of the fare is paid back."] * 2


def test_a_name_that_no_folder_takes_is_said(desk, tmp_path):
    with pytest.raises(WriteError, match="cannot be written"):
        failing(desk).to_pytest(tmp_path / f"test_{'x' * 300}.py")
