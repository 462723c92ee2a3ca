"""The widget side in process: traits, messages, and a pool that is closed whole."""

import json

import comm
import ipywidgets
import pytest
from ipywidgets.widgets.widget import _instances

from explainkit.demos.claims_desk import run_demo
from explainkit.session.explorer import Explorer
from explainkit.view.explorer.controls import ExplorerControls


@pytest.fixture
def explorer():
    made = Explorer(run_demo().run.backtrack())
    yield made
    made.close()


@pytest.fixture
def canvas(explorer):
    """The canvas, with everything that it sends to a front end kept in `sent`."""
    shown = explorer._widgets().canvas
    shown.sent = []
    shown.send = shown.sent.append
    return shown


def asks(canvas, **request):
    """Let a front end ask; gives the reply."""
    canvas._handle_custom_msg(request, [])
    return canvas.sent[-1]


def test_the_traits_hold_what_the_explorer_shows(explorer, canvas):
    assert canvas.scene["run"]["name"] == "delay-claim"
    explorer.select("half of the fare")
    assert canvas.shown["at"]["start"] == 28
    explorer.focus("tariff")
    assert canvas.cursor == explorer.cursor
    with pytest.raises(LookupError):
        explorer.focus("no such record")
    assert canvas.status == explorer.status != ""


def test_all_that_is_sent_is_plain_json(explorer, canvas):
    asks(canvas, id=1, ask="chart", opened=[], only="run")
    state = canvas.get_state()
    for name in ("scene", "chart", "shown", "cursor", "status"):
        assert json.loads(json.dumps(state[name], allow_nan=False)) == state[name]


def test_a_walk_that_the_front_end_asks_for_is_the_selection_in_python(explorer, canvas):
    heard = []
    explorer.on_select(lambda told: heard.append((told.selection, len(canvas.sent))))
    at = {"slot": "answer", "version": 2, "start": 28, "end": 44, "grade": "value"}
    reply = asks(canvas, id=7, ask="walk", **at)
    assert (reply["id"], reply["ok"]) == (7, True)
    assert canvas.shown == reply["answer"]
    assert explorer.selection == "half of the fare"
    assert heard == [("half of the fare", 1)]  # the reply goes out before anybody is called


@pytest.mark.parametrize(
    "request_", [None, "walk", 7, [], {}, {"id": 1}, {"id": 1, "ask": "walk", "start": "x"},
                 {"id": [1], "ask": "rows", "count": 10**12}, {"id": 1, "ask": "__class__"}],
)  # fmt: skip
def test_no_message_raises_into_the_kernel(explorer, canvas, request_):
    before = explorer.selection
    canvas._handle_custom_msg(request_, [])
    assert canvas.sent[-1]["ok"] is False or request_["ask"] == "rows"
    assert explorer.selection == before


def test_only_the_cursor_is_the_front_ends_to_set(explorer, canvas):
    scene, shown = canvas.scene, canvas.shown
    canvas.set_state({"scene": {}, "shown": {}, "status": "x", "_esm": "x", "cursor": 5})
    assert (canvas.scene, canvas.shown, canvas.status) == (scene, shown, "")
    assert canvas._esm != "x"
    assert explorer.cursor == canvas.cursor == 5
    canvas.set_state({"cursor": "nowhere"})
    assert explorer.cursor == canvas.cursor == 5
    assert "cursor" in explorer.status


@pytest.mark.parametrize("miss", [10**30, 10**6, -7, True, False, [1], {}])
def test_a_number_of_no_record_moves_no_cursor_and_is_said(explorer, canvas, miss):
    canvas.set_state({"cursor": 5})
    canvas.set_state({"cursor": miss})
    assert (explorer.cursor, type(explorer.cursor)) == (5, int)
    assert (canvas.cursor, type(canvas.cursor)) == (5, int)
    assert explorer.status == canvas.status != ""


def test_a_front_end_puts_the_cursor_on_every_record_and_away(explorer, canvas):
    for seq in range(len(explorer.run.recording)):
        canvas.set_state({"cursor": seq})
        assert explorer.cursor == canvas.cursor == seq
    canvas.set_state({"cursor": None})
    assert explorer.cursor is canvas.cursor is None
    assert explorer.status == ""


def test_a_listener_that_leaves_the_process_stops_no_click(explorer, canvas):
    @explorer.on_select
    def leaves(told):
        raise SystemExit(2)

    at = {"slot": "answer", "version": 2, "start": 28, "end": 44, "grade": "value"}
    assert asks(canvas, id=7, ask="walk", **at)["ok"]
    assert explorer.selection == "half of the fare"
    assert explorer.status == "on_select: leaves raised SystemExit: 2"


def test_fifty_rounds_leave_no_widget_and_no_comm():
    run = run_demo().run
    ipywidgets.Button().close()  # what the first widget of a process leaves
    manager = comm.get_comm_manager()
    before = set(_instances), set(manager.comms)
    counts = set()
    for _ in range(50):
        explorer = Explorer(run.backtrack())
        explorer._widgets()
        counts.add(len(set(_instances) - before[0]))
        explorer.close()
    assert len(counts) == 1
    assert counts.pop() > 0
    assert (set(_instances), set(manager.comms)) == before


def test_the_button_closes_the_pool(explorer):
    explorer._widgets()
    controls = explorer._controls
    button = next(each for each in controls.root.children if isinstance(each, ipywidgets.Button))
    button.click()
    assert explorer._controls is None
    assert controls.canvas.comm is None
    assert explorer.select("half").selection == "half"


def test_closing_that_fails_is_said_and_not_raised(explorer):
    def fails():
        raise OSError("no such comm")

    controls = ExplorerControls(explorer._exchange, explorer._exploration.scene(), on_close=fails)
    next(each for each in controls.root.children if isinstance(each, ipywidgets.Button)).click()
    assert explorer.status == "no such comm"
    controls.close()
