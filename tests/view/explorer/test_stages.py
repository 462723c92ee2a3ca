"""Where an explorer is displayed, found out without importing anything, and what is left there."""

import base64
import html
import os
import re
import sys
import types

import pytest

from explainkit.demos.claims_desk import run_demo
from explainkit.session.explorer import Explorer
from explainkit.view.explorer import picture, stage

# One transparent point.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


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


def test_without_dot_a_line_says_that_there_is_no_picture(explorer, monkeypatch):
    monkeypatch.setattr(picture.shutil, "which", lambda name: None)
    said = picture.picture_of(explorer.run.evidence, explorer.backtrack.walk)
    assert "Graphviz's dot is not installed here" in html.unescape(said)


@pytest.mark.parametrize(
    ("wrote", "shown"), [(PNG, "drawn by Graphviz dot"), (b"GIF", "dot failed")]
)
def test_with_dot_the_path_is_a_picture_that_names_its_engine(
    explorer, monkeypatch, tmp_path, wrote, shown
):
    (tmp_path / "picture").write_bytes(wrote)
    dot = tmp_path / "dot"
    dot.write_text(f"#!/bin/sh\ncat > {tmp_path}/source\ncat {tmp_path}/picture\n", "utf-8")
    dot.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    said = picture.picture_of(explorer.run.evidence, explorer.select("half").backtrack.walk)
    assert shown in said
    assert ("data:image/png;base64," in said) == (wrote is PNG)
    assert "campaign-note" in (tmp_path / "source").read_text("utf-8")


def test_a_path_of_too_many_boxes_is_no_picture(explorer, monkeypatch):
    monkeypatch.setattr(picture.shutil, "which", lambda name: "dot")
    monkeypatch.setattr(picture, "MOST_BOXES", 2)
    said = picture.picture_of(explorer.run.evidence, explorer.backtrack.walk)
    assert "No picture of the graph here: it would have" in said
