"""Who waits for a page is told how far it is."""

import io
import time

import pytest

from explainkit.demos.claims_desk import run_demo


@pytest.fixture(scope="module")
def run():
    return run_demo().run


def test_each_part_is_told_to_the_last(run, tmp_path):
    told = []
    run.to_html(tmp_path / "run.html", progress=lambda done, total: told.append((done, total)))
    total = told[0][1]
    assert told == [(number, total) for number in range(1, total + 1)]


def test_a_function_that_raises_loses_no_page(run):
    def failing(done, total):
        raise ValueError("no")

    assert run.to_html(progress=failing) == run.to_html()


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("slow", [True, False])
def test_a_bar_is_drawn_in_a_terminal_once_it_takes_a_second(run, monkeypatch, slow):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    ticks = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks) if slow else 0)
    run.to_html()
    drawn = terminal.getvalue()
    assert ("page [" in drawn) == slow
    assert drawn.endswith("\n") == slow
