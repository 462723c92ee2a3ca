"""`run.watch()` in a real kernel: updates while a cell is busy, forms, nothing left over."""

import pytest

from tests.magics.kernels import kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

SETUP = """
%load_ext explainkit
import threading
import time
import explainkit as ek
from ipywidgets.widgets.widget import _instances

@ek.link(kind="tool")
def step(x):
    return x

def seen(watch, text):
    "Wait, without letting the event loop run, until the watch shows a text."
    end = time.monotonic() + 30
    while text not in watch.text() and time.monotonic() < end:
        time.sleep(0.01)
    return text in watch.text()
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    with kernel(tmp_path_factory.mktemp("kernel"), SETUP) as running:
        running.checked(
            "ek.trace('warm').__enter__().watch().stop()\nek.last().active.end('answered')"
        )
        yield running


def said(shell, kind):
    return [message for message in shell.heard if message["msg_type"] == kind]


def states(shell):
    """Values that widgets were given, in order."""
    updates = [m["content"]["data"] for m in said(shell, "comm_msg")]
    return [u["state"]["value"] for u in updates if "value" in u.get("state", {})]


def test_updates_come_while_a_long_cell_runs_and_a_text_stays(shell):
    before = shell.value("len(_instances)")
    shell.heard.clear()
    ran = shell.checked(
        "%%trace long\nwatch = ek.last().watch()\nshown = []\n"
        "for word in ('first', 'second'):\n"
        "    ek.link(lambda x: x, name=word)(1)\n"
        "    shown.append(seen(watch, f'function {word}: answered'))\n"
        "ek.answer('the <answer>')"
    )
    assert shell.value("[shown, watch.wait(30), repr(watch.problem)]") == [[True] * 2, True, "None"]
    updates = states(shell)
    assert any(text.startswith("long is running") for text in updates)
    assert "function first: answered" in updates
    [first] = [m for m in ran.messages if m["msg_type"] == "display_data"]
    assert "long is running" in first["content"]["data"]["text/plain"]
    [final] = said(shell, "update_display_data")
    assert final["content"]["transient"] == first["content"]["transient"]
    assert "long is over, answered" in final["content"]["data"]["text/plain"]
    assert "Answer: the &lt;answer&gt;" in final["content"]["data"]["text/html"]
    opened = {m["content"]["comm_id"] for m in said(shell, "comm_open")}
    assert {m["content"]["comm_id"] for m in said(shell, "comm_close")} == opened
    assert shell.value("len(_instances)") == before


def test_rounds_leave_no_widget_behind(shell):
    before = shell.value("len(_instances)")
    shell.checked(
        "for n in range(20):\n    with ek.trace(f'round {n}') as run:\n"
        "        watch = run.watch()\n        step(n)\n    assert watch.wait(30)"
    )
    assert shell.value("[len(_instances), repr(watch.problem)]") == [before, "None"]
    assert shell.value("[t.name for t in threading.enumerate() if 'watch' in t.name]") in (
        [],
        ["explainkit-watchdog"],
    )


def test_a_watch_waits_for_the_next_run(shell):
    shell.checked("watch = ek.watch()")
    assert shell.value("watch.text()") == "Waits for the next run to open"
    shell.checked("%%trace comes\nstep(1)\nek.answer('came')")
    assert shell.value("[watch.wait(30), watch.text().splitlines()[-1]]") == [True, "Answer: came"]


def test_lines_are_written_to_a_stream_instead(shell):
    shell.heard.clear()
    shell.checked(
        "import io\nlines = io.StringIO()\n"
        "with ek.trace('told') as run:\n    watch = run.watch(stream=lines)\n    step(1)\n"
        "watch.wait(30)"
    )
    assert "told is over, answered" in shell.value("lines.getvalue()")
    assert said(shell, "comm_open") == []


def test_what_goes_wrong_with_the_display_stops_the_watch_only(shell):
    ran = shell.checked(
        "%%trace unharmed\n"
        "from explainkit.view.watching_widgets import WidgetScreen\n"
        "draw = WidgetScreen.draw\n"
        "watch = ek.last().watch()\n"
        "def broken(*args): raise RuntimeError('the display is gone')\n"
        "WidgetScreen.draw = broken\n"
        "watch.wait(30)\nWidgetScreen.draw = draw\n"
        "step(1)\nek.answer('whole')"
    )
    assert not [m for m in ran.messages if m["msg_type"] == "error"]
    assert "the display is gone" in shell.value("repr(watch.problem)")
    assert shell.value("[ek.last().status, ek.last().answer]") == ["answered", "whole"]


GATE = """
from explainkit.flow import define_event, final, gate, invoke, machine, state, to
desk = machine("desk", initial="asked", actors={"review": gate(define_event("approve"))},
    states={"asked": state(invoke=invoke("review"), on={"approve": to("done")}), "done": final()})
running = desk.begin()
watch = running.record.watch()
"""


def test_a_gate_is_shown_as_a_form_and_answered_there(shell):
    shell.heard.clear()
    shell.checked(GATE)
    assert shell.value("seen(watch, 'Waits for a person at: review')") is True
    shell.checked("time.sleep(0)\nwhile not watch._screen._forms: time.sleep(0.01)")
    [button] = [
        m["content"]["comm_id"]
        for m in said(shell, "comm_open")
        if m["content"]["data"]["state"].get("_model_name") == "ButtonModel"
    ]
    shell.click(button)
    shell.checked("await running.outcome()")
    assert shell.value("[watch.wait(30), running.record.status, repr(watch.problem)]") == [
        True,
        "answered",
        "None",
    ]
