"""Where an explorer is displayed, found out without importing anything, and what is left there."""

import html
import re
import sys
import types

import pytest

from explainkit.demos.claims_desk import run_demo
from explainkit.session.explorer import Explorer
from explainkit.view.explorer import stage


@pytest.fixture
def shell(monkeypatch):
    """An IPython shell with a kernel that keeps what is displayed; `displays`, `count`."""
    here = types.SimpleNamespace(kernel=object(), execution_count=3)
    module = types.ModuleType("IPython")
    module.get_ipython = lambda: here
    shown = types.ModuleType("IPython.display")
    here.displays = []
    shown.display = lambda data, *, raw, metadata: here.displays.append((data, metadata))
    monkeypatch.setattr(stage, "_shell", lambda: here)
    import IPython.display

    monkeypatch.setattr(IPython.display, "display", shown.display)
    return here


@pytest.fixture
def explorer():
    made = Explorer(run_demo().run.backtrack())
    yield made
    made.close()


def test_a_script_is_told_from_a_terminal_and_a_kernel(monkeypatch):
    assert stage.front_end() == "script"
    monkeypatch.setattr(stage, "_shell", lambda: types.SimpleNamespace(execution_count=1))
    assert stage.front_end() == "terminal"
    monkeypatch.setattr(stage, "_shell", lambda: types.SimpleNamespace(kernel=object()))
    assert stage.front_end() == "jupyter"


def test_the_board_comes_first_and_the_widget_apart_from_it(explorer, shell):
    explorer.show()
    (board, _), (widget, _) = shell.displays
    assert set(board) == {"text/plain", "text/html"}
    assert set(widget) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
    assert "run this cell again" in widget["text/plain"]
    assert "failed, says reviewer" in html.unescape(re.sub("<[^>]*>", "", board["text/html"]))
    assert "\n" not in board["text/html"]
    assert "<script" not in board["text/html"]
    assert " id=" not in board["text/html"]


def test_as_the_last_expression_it_is_not_displayed_twice(explorer, shell):
    explorer.show()
    explorer._ipython_display_()
    assert len(shell.displays) == 2
    shell.execution_count += 1
    explorer._ipython_display_()
    assert len(shell.displays) == 4


def test_in_colab_it_says_what_to_do(explorer, shell, monkeypatch):
    assert stage.hint() is None
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    explorer.show()
    assert "output.enable_custom_widget_manager()" in shell.displays[0][0]["text/html"]


def test_in_marimo_the_board_and_the_canvas_are_the_display(explorer, monkeypatch, capsys):
    marimo = types.ModuleType("marimo")
    marimo.running_in_notebook = lambda: True
    marimo.vstack = tuple
    marimo.Html = lambda text: ("html", text)
    marimo.ui = types.SimpleNamespace(anywidget=lambda widget: ("anywidget", widget))
    monkeypatch.setitem(sys.modules, "marimo", marimo)
    assert stage.front_end() == "marimo"
    explorer.show()
    assert capsys.readouterr().out == ""
    (_, board), (_, canvas) = explorer._display_()
    assert "campaign-note" in board
    assert canvas is explorer._controls.canvas
