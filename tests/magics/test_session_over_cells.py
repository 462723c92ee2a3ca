"""Runs over cells, awaits, tasks, threads, interrupts and restarts, in a real kernel."""

import pytest

from tests.magics.kernels import kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SETUP = "%load_ext explainkit"
STEPS = """
import asyncio
import threading
import time
import explainkit as ek
from explainkit.tracing.current import CURRENT, OPEN

@ek.link(kind="tool")
def step(x):
    return x

@ek.link(kind="tool")
async def later(x):
    await asyncio.sleep(0)
    return x

def told(run):
    return [run.status, list(run.links["name"]), list(run.links["status"])]

def unlinked(run):
    return [bool(row.get("unlinked")) for row in run.recording.rows("link_opened")]

def lost(run):
    return [[row["reason"], row["count"]] for row in run.recording.rows("lost")]
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    with kernel(tmp_path_factory.mktemp("kernel"), SETUP, STEPS) as running:
        yield running


def test_a_with_block_in_one_cell_is_whole_whatever_it_awaits(shell):
    shell.checked(
        "async with ek.trace('block') as run:\n    step(1)\n    await later(2)\n    step(3)"
    )
    assert shell.value("told(run)") == ["answered", ["step", "later", "step"], ["answered"] * 3]
    assert shell.value("unlinked(run)") == [False] * 3
    assert shell.value("[CURRENT.get() is None, len(OPEN)]") == [True, 0]


def test_a_run_that_one_cell_opens_goes_on_in_the_next(shell):
    shell.checked("opened = ek.trace('over cells')\nrun = opened.__enter__()\nstep(1)")
    shell.checked("step(2)")
    shell.checked("await later(3)")
    shell.checked("step(4)\nopened.__exit__(None, None, None)")
    assert shell.value("told(run)")[:2] == ["answered", ["step", "step", "later", "step"]]
    assert shell.value("unlinked(run)") == [False] * 4
    shell.checked("step(5)")
    assert shell.value("len(run.links)") == 4


def test_a_run_that_is_opened_after_an_await_is_found_but_flagged_in_the_next_cell(shell):
    shell.checked(
        "await asyncio.sleep(0)\nopened = ek.trace('lost')\nrun = opened.__enter__()\nstep(1)"
    )
    shell.checked("step(2)")
    shell.checked("opened.__exit__(None, None, None)")
    assert shell.value("told(run)")[:2] == ["answered", ["step", "step"]]
    assert shell.value("unlinked(run)") == [False, True]
    lines = shell.value("list(run.backtrack().untracked)")
    assert any("found without its context" in line for line in lines)
    assert shell.value("[CURRENT.get() is None, len(OPEN)]") == [True, 0]


def test_of_two_runs_whose_context_is_lost_neither_takes_the_link(shell):
    shell.checked(
        "await asyncio.sleep(0)\n"
        "first, second = ek.trace('first'), ek.trace('second')\n"
        "one = first.__enter__()\nCURRENT.set(None)\ntwo = second.__enter__()"
    )
    shell.checked("value = step(2)")
    shell.checked("second.__exit__(None, None, None)\nfirst.__exit__(None, None, None)")
    assert shell.value("[value, len(one.links), len(two.links)]") == [2, 0, 0]
    for run in ("one", "two"):
        assert shell.value(f"lost({run})") == [
            ["recording calls in threads that belong to no run; use run.bind", 1]
        ]


def test_a_task_goes_on_unrecorded_when_its_cell_is_over(shell):
    shell.checked(
        "%%trace starts a task\n"
        "go, done = asyncio.Event(), asyncio.Event()\n"
        "async def goes_on():\n"
        "    kept.append(await later(1))\n"
        "    await waits(go)\n"
        "    kept.append(await later(2))\n"
        "    try:\n"
        "        ek.context('late', 'too late')\n"
        "    except ek.NoRunError as error:\n"
        "        kept.append(type(error).__name__)\n"
        "    done.set()\n"
        "@ek.link\n"
        "async def waits(event):\n"
        "    await event.wait()\n"
        "kept = []\n"
        "task = asyncio.create_task(goes_on())\n"
        "while not kept:\n"
        "    await asyncio.sleep(0)\n"
        "await asyncio.sleep(0)\n"
        "ek.answer('before the task was done')"
    )
    shell.checked("%%trace another\ngo.set()\nawait done.wait()\nawait task\nstep(3)")
    shell.checked("runs = [ek.last()]")
    assert shell.value("kept") == [1, 2, "NoRunError"]
    assert shell.value("told(ek.last())") == ["answered", ["step"], ["answered"]]


def test_what_a_task_left_open_is_abandoned_when_its_cell_is_over(shell):
    shell.checked(
        "%%trace leaves a link open\n"
        "release = asyncio.Event()\n"
        "@ek.link\nasync def held():\n    await release.wait()\n    return 'late'\n"
        "task = asyncio.create_task(held())\nawait asyncio.sleep(0)"
    )
    assert shell.value("told(ek.last())") == ["answered", ["held"], ["abandoned"]]
    shell.checked("run = ek.last()\nrelease.set()\nlate = await task")
    assert shell.value("late") == "late"
    assert shell.value("[run.doctor() == [], told(run)]")[0] is True
    assert shell.value("len(OPEN)") == 0


def test_a_thread_is_found_but_flagged_and_linked_with_bind(shell):
    shell.checked(
        "%%trace threads\n"
        "for target in (step, ek.last().bind(step)):\n"
        "    thread = threading.Thread(target=target, args=(1,))\n"
        "    thread.start()\n    thread.join()\n"
        "await asyncio.to_thread(step, 2)"
    )
    assert shell.value("told(ek.last())")[:2] == ["answered", ["step"] * 3]
    assert shell.value("unlinked(ek.last())") == [True, False, False]


def test_a_thread_that_goes_on_after_its_cell_is_not_recorded(shell):
    shell.checked(
        "%%trace starts a thread\n"
        "ready, after = threading.Event(), []\n"
        "def work():\n    ready.wait()\n    after.append(step(1))\n"
        "thread = threading.Thread(target=ek.last().bind(work))\nthread.start()"
    )
    shell.checked("run = ek.last()\nready.set()\nthread.join()")
    assert shell.value("[after, told(run)]") == [[1], ["answered", [], []]]


@pytest.mark.parametrize(
    ("magic", "wait"),
    [
        (
            "%%trace stopped --to runs",
            "while True: print('going on', flush=True); time.sleep(0.01)",
        ),
        (
            "%%trace stopped --to runs",
            "while True: print('going on', flush=True); await asyncio.sleep(0.01)",
        ),
        (
            "%%time\n%%trace stopped --to runs",
            "while True: print('going on', flush=True); time.sleep(0.01)",
        ),
    ],
)
def test_an_interrupted_cell_leaves_a_closed_run_marked_cancelled(shell, magic, wait):
    body = f"step(1)\n{wait}\nstep(2)"
    request = shell.send(f"{magic}\n{body}")
    shell.result(request, until="going on")
    shell.manager.interrupt_kernel()
    ran = shell.result(request)
    assert ran.error in {"KeyboardInterrupt", "CancelledError"}
    assert 'run "stopped" cancelled' in ran.text
    assert shell.value("told(ek.last())") == ["cancelled", ["step"], ["answered"]]
    assert shell.value("[ek.load(ek.last().path).status, len(OPEN)]") == ["cancelled", 0]
    shell.checked("%%trace after\nawait later(1)")
    assert shell.value("told(ek.last())") == ["answered", ["later"], ["answered"]]


def test_an_interrupt_inside_of_a_link_closes_it_too(shell):
    request = shell.send(
        "%%trace stopped inside\n"
        "@ek.link\nasync def waits():\n    while True:\n        print('waits', flush=True)\n"
        "        await asyncio.sleep(0.01)\n"
        "await waits()"
    )
    shell.result(request, until="waits")
    shell.manager.interrupt_kernel()
    shell.result(request)
    assert shell.value("told(ek.last())") == ["cancelled", ["waits"], ["cancelled"]]


def test_a_restart_in_the_middle_leaves_a_file_that_opens_as_crashed(tmp_path):
    with kernel(tmp_path, SETUP, STEPS) as running:
        request = running.send(
            "%%trace killed --to runs\nstep('kept')\n"
            "@ek.link\ndef hangs():\n    time.sleep(0.1)\n    print('hangs', flush=True)\n"
            "    time.sleep(60)\nhangs()"
        )
        running.result(request, until="hangs")
        running.restart()
        running.checked(SETUP)
        running.checked(STEPS)
        running.checked("[info] = ek.runs('runs')\nrun = ek.load(info.path)")
        assert running.value(
            "[run.status, list(run.links['name']), list(run.links['status'])]"
        ) == [
            "crashed",
            ["step", "hangs"],
            ["answered", "crashed"],
        ]
        running.checked("%%trace fresh\nstep(1)")
        assert running.value("told(ek.last())") == ["answered", ["step"], ["answered"]]


def test_backtrack_without_a_run_says_how_to_get_one(tmp_path):
    with kernel(tmp_path, SETUP) as running:
        ran = running.run("%backtrack")
        assert ran.error == "UsageError"
        assert "No run was traced in this process yet" in ran.message


def test_backtrack_walks_from_the_words_that_are_given(shell):
    shell.checked(
        "%%trace tariff\n"
        "rule = ek.context('tariff', 'From 60 minutes half of the fare is paid back.')\n"
        "ek.answer(ek.link(kind='model')(lambda prompt: 'half of the fare')(rule))"
    )
    assert "“half of the fare”" in shell.checked("%backtrack half of the fare").value
    assert "“half of”" in shell.checked('%backtrack "half of"').value
    assert "the whole answer" in shell.checked("%backtrack").value
    assert shell.value("(lambda b: [c.name for c in b.contexts])(_)") == ["tariff"]
    ran = shell.run("%backtrack twice the fare")
    assert ran.error == "UsageError"
    assert "twice the fare" in ran.message
