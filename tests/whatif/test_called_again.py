"""How a recorded run is called again, and what is said where it cannot be."""

import asyncio
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

import explainkit as ek
from explainkit.errors import RerunError
from tests.whatif.programs import HALF, ask, claim, recorded, undeclared_claim


def saved(run, tmp_path):
    run.save(tmp_path / "run.ek.jsonl")
    return ek.load(tmp_path / "run.ek.jsonl")


def test_a_loaded_run_is_called_by_the_name_of_its_function(tmp_path, monkeypatch):
    module = _module(monkeypatch, "claims_module", _SOURCE)
    module.program("late?", 1, 2, size=3)
    loaded = saved(ek.last(), tmp_path)
    found = loaded.whatif(remove="note")
    assert (found.word, found.after) == ("cause", "Nothing is paid back. late? (1, 2) {'size': 3}")


def test_code_that_changed_since_is_refused(tmp_path, monkeypatch):
    module = _module(monkeypatch, "claims_module", _SOURCE)
    module.program("late?")
    loaded = saved(ek.last(), tmp_path)
    _module(monkeypatch, "claims_module", _SOURCE.replace("paid back", "paid out"))
    found = loaded.whatif(remove="note")  # a link of another code runs again, and answers otherwise
    assert found.word == "inconclusive"
    assert "unchanged run flips 5 in 5" in found.reason or "2 in 2" in found.reason
    _module(monkeypatch, "claims_module", _SOURCE.replace('"{n} {q}', '"{n}  {q}'))
    with pytest.raises(RerunError, match=r"code of 'claims_module:program' has changed"):
        loaded.whatif(remove="note")


def test_a_function_that_is_gone_is_refused(tmp_path, monkeypatch):
    module = _module(monkeypatch, "claims_module", _SOURCE)
    module.program("late?")
    loaded = saved(ek.last(), tmp_path)
    del module.program
    with pytest.raises(RerunError, match=r"cannot be imported here.*call="):
        loaded.whatif(remove="note")
    monkeypatch.delitem(sys.modules, "claims_module")
    with pytest.raises(RerunError, match=r"cannot be imported here"):
        loaded.whatif(remove="note")


def test_a_record_is_no_reason_to_call_what_was_never_traced(tmp_path):
    run = recorded(claim, "q")
    run.save(tmp_path / "run.ek.jsonl")
    text = (tmp_path / "run.ek.jsonl").read_text("utf-8")
    started = next(run.recording.rows("run_started"))
    hostile = text.replace(started["callable"], "os:abort").replace(
        f'"code":"{started["code"]}"', '"code":null', 1
    )
    (tmp_path / "hostile.ek.jsonl").write_text(hostile, "utf-8")
    with pytest.raises(RerunError, match=r"'os:abort'.*not decorated with @ek.traced"):
        ek.load(tmp_path / "hostile.ek.jsonl").whatif(remove="note")


def test_a_function_that_was_defined_inside_of_another_needs_call(tmp_path):
    @ek.traced("local")
    def program(question):
        return ask(ek.context("note", HALF))

    loaded = saved(recorded(program, "q"), tmp_path)
    with pytest.raises(RerunError, match=r"cannot be imported"):
        loaded.whatif(remove="note")
    assert loaded.whatif(remove="note", call=program).word == "cause"


def test_an_argument_that_was_not_recorded_whole_needs_call(tmp_path, monkeypatch):
    module = _module(monkeypatch, "claims_module", _SOURCE)
    module.program("late?", size=object())
    loaded = saved(ek.last(), tmp_path)
    with pytest.raises(
        RerunError, match=r"'named' of 'claims_module:program' was not recorded whole"
    ):
        loaded.whatif(remove="note")
    again = {"call": lambda: module.program("late?"), "judge": lambda answer: "Half" in answer}
    assert loaded.whatif(remove="note", **again).word == "cause"


@pytest.mark.parametrize(
    "call",
    [
        lambda: undeclared_claim("q"),
        undeclared_claim,
        lambda question: undeclared_claim(question),
        lambda anything: undeclared_claim(anything),
    ],
)
def test_a_function_of_the_user_is_given_what_it_takes(call):
    found = recorded(claim, "q").whatif(remove="rules", call=call)
    assert found.word == "cause"
    assert "q" in found.run.prompt().text


def test_a_function_that_needs_more_is_refused():
    with pytest.raises(
        RerunError, match=r"needs 'client', which is no recorded argument.*question"
    ):
        recorded(claim, "q").whatif(remove="rules", call=lambda question, client: None)
    with pytest.raises(RerunError, match=r"call= takes a function"):
        recorded(claim, "q").whatif(remove="rules", call="claim")


def test_a_run_that_goes_on_is_refused():
    with ek.trace("open") as run:
        ek.context("note", HALF)
        with pytest.raises(RerunError, match=r"'open' still goes on"):
            run.whatif(remove="note")


def test_an_open_run_around_stays_as_it_is():
    run = recorded(claim, "q")
    with ek.trace("around") as around:
        assert run.whatif(remove="rules").word == "cause"
        assert ek.last().id == around.id
    assert [row["kind"] for row in around.recording.rows()] == ["run_started", "run_ended"]


def test_re_runs_write_no_files_and_are_not_the_last_run(tmp_path, monkeypatch):
    monkeypatch.setenv("EXPLAINKIT_RUNS", str(tmp_path))
    run = recorded(claim, "q")
    before = sorted(each.name for each in tmp_path.iterdir())
    found = run.whatif(remove="rules")
    assert ek.last() is run
    after = sorted(each.name for each in tmp_path.iterdir())
    assert [name for name in after if name not in before] == [
        f"{run.path.stem.split('.')[0]}.notes.ek.jsonl"
    ]
    assert found.run.path is None


def test_redaction_holds_in_re_runs():
    @ek.traced("secret", secrets=["hunter2"])
    def program(question):
        return ask(ek.assemble("{n} {s}", n=ek.context("note", HALF), s="hunter2"))

    found = recorded(program, "q").whatif(remove="note")
    assert found.word == "cause"
    lines = b"".join(found.run.recording.lines())
    assert b"hunter2" not in lines


def test_what_is_awaited_says_so_and_works_in_a_running_loop():
    @ek.link(kind="model", deterministic=True)
    async def reply(prompt):
        await asyncio.sleep(0)
        return ask(prompt)

    @ek.traced("async")
    async def program(question):
        return await reply(ek.context("note", HALF))

    async def main():
        await program("q")
        run = ek.last()
        with pytest.raises(RerunError, match=r"await run.whatif_async\(\.\.\.\)"):
            run.whatif(remove="note")
        assert list(run.recording.rows("finding")) == []
        plain = recorded(claim, "q")
        assert plain.whatif(remove="rules").word == "cause"
        assert (await plain.whatif_async(remove="rules")).word == "cause"
        return await run.whatif_async(remove="note")

    assert asyncio.run(main()).word == "cause"


def test_a_call_that_turns_out_to_be_awaited_says_so():
    async def later(question):
        return HALF

    run = recorded(claim, "q")

    async def main():
        with pytest.raises(RerunError, match=r"whatif_async"):
            run.whatif(remove="rules", call=lambda: later("q"))

    asyncio.run(main())
    assert run.whatif(remove="rules", call=lambda: later("q")).word == "not applied"


def test_what_is_awaited_is_driven_here_where_no_loop_runs():
    @ek.link(kind="model", deterministic=True)
    async def reply(prompt):
        await asyncio.sleep(0)
        return ask(prompt)

    @ek.traced("async")
    async def program(question):
        return await reply(ek.context("note", HALF))

    asyncio.run(program("q"))
    run = ek.last()
    assert run.whatif(remove="note").word == "cause"
    with ThreadPoolExecutor(2) as pool:
        assert run.whatif(remove="note", executor=pool).word == "cause"


def test_a_block_is_called_again_by_the_function_around_it():
    def block():
        with ek.trace("block") as run:
            ek.answer(ask(f"{ek.context('note', HALF)} How much?"))
        return run

    run = block()
    with pytest.raises(RerunError, match=r"it was a block.*\n.*@ek.traced"):
        run.whatif(remove="note")
    assert run.whatif(remove="note", call=block).word == "cause"


def test_an_argument_that_was_read_to_its_end_is_refused():
    @ek.traced("reads a generator")
    def program(lines):
        return ask(ek.assemble("{l} {n}", l=list(lines), n=ek.context("note", HALF)))

    run = recorded(program, iter(["a", "b"]))
    with pytest.raises(RerunError, match=r"argument 'lines' was read to its end.*Give a list"):
        run.whatif(remove="note")


def test_a_re_run_is_asked_through_the_run_that_it_varies():
    found = recorded(claim, "q").whatif(remove="note")
    with pytest.raises(RerunError, match=r"itself the re-run of a what-if.*both changes"):
        found.run.whatif(remove="rules")


def test_threads_that_belong_to_no_run_are_only_run_again_alone():
    sent = []

    @ek.link(kind="effect")
    def mail(text):
        sent.append(text)
        return "sent"

    @ek.traced("strays")
    def program(question):
        reply = ask(ek.context("note", HALF))
        with ThreadPoolExecutor(1) as pool:
            pool.submit(mail, reply).result()
        return reply

    run = recorded(program, "q")
    assert run.whatif(remove="note").reason.startswith(
        "effect mail would have to run again. allow_effects=True"
    )
    with (
        ThreadPoolExecutor(2) as pool,
        pytest.raises(RerunError, match=r"threads that belong to no run.*run.bind"),
    ):
        run.whatif(remove="note", executor=pool)
    with ek.trace("around"), pytest.raises(RerunError, match=r"while another run is open"):
        run.whatif(remove="note")
    assert len(sent) == 1


def test_runs_inside_of_a_re_run_write_no_files_and_repeat_no_effect(tmp_path, monkeypatch):
    sent = []

    @ek.link(kind="effect")
    def mail(text):
        sent.append(text)

    @ek.traced("inner")
    def inner(text):
        mail(text)
        return ask(text)

    @ek.traced("outer")
    def outer(question):
        return inner(ek.context("note", HALF))

    monkeypatch.setenv("EXPLAINKIT_RUNS", str(tmp_path))
    outer("q")
    run = ek.load(next(each.path for each in ek.runs(tmp_path) if each.name == "outer"))
    before = {each.name for each in tmp_path.iterdir()}
    found = run.whatif(remove="note", call=outer)
    assert (found.word, len(sent)) == ("inconclusive", 1)
    assert "effect mail" in found.reason
    assert run.whatif(remove="note", call=outer, allow_effects=True).word == "cause"
    assert {n for n in {e.name for e in tmp_path.iterdir()} - before if ".notes." not in n} == set()


_SOURCE = """
import explainkit as ek

@ek.link(kind="model", deterministic=True)
def ask(prompt):
    return "Half is paid back." if "half" in prompt else "Nothing is paid back."

@ek.traced("claim")
def program(question, *more, **named):
    note = ek.context("note", "We pay half.")
    reply = ask(ek.assemble("{n} {q}", n=note, q=question))
    return f"{reply} {question} {more} {named}"
"""


def _module(monkeypatch, name, source):
    module = types.ModuleType(name)
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, name, module)
    return module
