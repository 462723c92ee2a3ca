"""A runner that stands in a module under a name becomes a test; a failure ends on one sentence."""

import asyncio
import importlib
import subprocess
import sys

import pytest

import explainkit as ek
from explainkit.errors import RerunError
from explainkit.flow import Sequence
from explainkit.flow.checks import OperationContext
from explainkit.testing import RecordedFault

POOL = """
import re

import explainkit as ek
from explainkit.answering import (
    AnswerFlowDefinition, AnswerItem, Recovery, define_answer_flow, names_and_numbers_from,
)
from explainkit.flow import Agent, Sequence, final, machine, state, to
from explainkit.flow.models import CallableModel

PRICES = "The pool costs 7 euros."
OLD = "The pool costs 5 euros."
FEE = [1]


def generate(*, items, repairs, previous, context):
    return {each.id: each.data["mail"] for each in items}


checker = names_and_numbers_from([PRICES, OLD])
flow = define_answer_flow(
    AnswerFlowDefinition(
        max_items=20,
        max_repairs=0,
        can_invoke=lambda context: True,
        generate=generate,
        check=lambda *, item, value, context: checker.check(value, context),
        fallback=lambda **_: Recovery(True, "Please ask at the desk."),
    ),
    name="pool",
)


def items():
    return [AnswerItem("pool", ["q1"], "ready", {"mail": OLD})]


def reply(messages):
    found = re.findall(r"costs (\\d+)", " ".join(str(each["content"]) for each in messages))
    return f"It costs {int(found[0]) + 1} euros."


desk = Agent(CallableModel(reply, deterministic=True), "Answer briefly.", name="desk")
steps = Sequence(str.strip, lambda text: f"{text}: {FEE[0]} euros", name="steps")
waiting = machine(
    "waiting",
    initial="on",
    states={"on": state(on={"go": to("done")}), "done": final()},
)
"""


@pytest.fixture
def pool(tmp_path, monkeypatch):
    """A module of a user that has runners, and faults in them."""
    (tmp_path / "pool_desk.py").write_text(POOL, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("pool_desk")
    sys.modules.pop("pool_desk", None)


def run_pytest(path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)


def test_an_answer_flow_becomes_a_test_that_turns_green(pool, tmp_path):
    pool.flow.run_sync(input_ids=["q1"], items=pool.items())
    run = ek.last()
    run.verdict("failed", judge="reviewer", reason="OLD is a mail of last year", slot="item:pool")
    test = run.to_pytest(tmp_path / "test_pool.py", span="5 euros", slot="item:pool")
    assert "FAULT.assert_mended(pool_desk.flow)" in test.read_text("utf-8")
    failed = run_pytest(test)
    assert failed.returncode == 1
    errors = [line for line in failed.stdout.splitlines() if line.startswith("E ")]
    told = "answered 'The pool costs 5 euros.'; wrong as recorded (OLD is a mail of last year)"
    assert errors == [f"E       AssertionError: {told}: still says '5 euros'"]
    assert "recorded_faults.py" not in failed.stdout
    source = tmp_path / "pool_desk.py"
    source.write_text(POOL.replace("[PRICES, OLD]", "[PRICES]"), "utf-8")
    assert run_pytest(test).returncode == 0


def test_agents_and_compositions_become_tests(pool, tmp_path):
    pool.desk.run_sync("The pool costs 4 euros. What does it cost?")
    fault = RecordedFault.beside(ek.last().to_pytest(tmp_path / "test_desk.py", span="5 euros"))
    assert fault.is_back(fault.run_again(pool.desk))
    pool.desk._parts.model.function = lambda messages: "It costs 4 euros."
    assert not fault.is_back(fault.run_again())  # the runner is found under its name
    pool.steps.run_sync(" pool ")
    fault = RecordedFault.beside(ek.last().to_pytest(tmp_path / "test_steps.py", span="1 euros"))
    with pytest.raises(AssertionError, match=r"answered 'pool: 1 euros'; wrong as recorded"):
        fault.assert_mended(pool.steps)
    pool.FEE[0] = 2
    fault.assert_mended(pool.steps)


def test_a_runner_without_a_name_in_a_module_is_refused_with_what_to_do(pool, tmp_path):
    Sequence(str.strip, str.title, name="steps").run_sync("hello")
    with pytest.raises(RerunError, match=r"it was a runner.*Give it a name in a module"):
        ek.last().to_pytest(tmp_path / "test_steps.py")
    ek.last().save(tmp_path / "run.ek.jsonl")
    with pytest.raises(RerunError, match=r"a runner \(sequence\) of another process"):
        ek.load(tmp_path / "run.ek.jsonl").to_pytest(tmp_path / "test_steps.py")


def test_what_a_runner_was_given_has_to_be_on_record(pool, tmp_path):
    context = OperationContext(app="live")
    pool.flow.run_sync(input_ids=["q1"], items=pool.items(), context=context)
    with pytest.raises(RerunError, match=r"it was given context=, which no record holds"):
        ek.last().to_pytest(tmp_path / "test_pool.py", slot="item:pool")
    Sequence.run_sync(pool.steps, _Text("pool"))
    with pytest.raises(RerunError, match="was not recorded whole"):
        ek.last().to_pytest(tmp_path / "test_steps.py")


def test_events_from_outside_are_sent_by_no_test(pool, tmp_path):
    async def sent():
        running = pool.waiting.begin()
        running.send("go")
        await running.outcome()

    asyncio.run(sent())
    with pytest.raises(RerunError, match="events came to its machine from outside"):
        ek.last().to_pytest(tmp_path / "test_waiting.py")


class _Text(str):
    """A text of a class of one's own."""


def test_a_record_names_no_runner_that_is_not_imported(pool, tmp_path):
    pool.steps.run_sync(" pool ")
    test = ek.last().to_pytest(tmp_path / "test_steps.py", span="1 euros")
    data = test.with_suffix(".json")
    data.write_text(data.read_text("utf-8").replace("pool_desk:steps", "antigravity:steps"))
    with pytest.raises(RerunError, match=r"by a record.*import antigravity"):
        RecordedFault.beside(test).run_again()
