"""In a real kernel: which cell defined what ran, which was edited or run again since."""

import pytest

from tests.magics.kernels import kernel

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

FIRST = "@ek.link(kind='tool')\ndef step(x):\n    return f'{x}: the first words of it'"
SECOND = FIRST.replace("first", "second")
TRACED = "@ek.traced\ndef whole(question):\n    return step(question)"


@pytest.fixture
def shell(tmp_path):
    with kernel(tmp_path, "%load_ext explainkit\nimport explainkit as ek\nLIMIT = 60") as running:
        yield running


def lines(shell, expression="ek.last().backtrack()"):
    """What a backtrack names outside of its record."""
    return shell.value(f"list({expression}.untracked)")


def test_a_link_says_which_cell_ran_it_and_which_defined_it(shell):
    shell.checked(FIRST, cell_id="cell-a")
    shell.checked("%%trace t\nek.answer(step(1))", cell_id="cell-b")
    link = shell.value("next(ek.last().recording.rows('link_opened'))")
    assert [link[key]["count"] for key in ("cell", "defined")] == [3, 2]
    assert [link[key]["id"] for key in ("cell", "defined")] == ["cell-b", "cell-a"]
    assert "redefined" not in link
    assert lines(shell) == []


def test_a_function_that_is_held_while_its_cell_is_edited_is_called_stale(shell):
    shell.checked(FIRST, cell_id="cell-a")
    shell.checked("held = step")
    shell.checked(SECOND, cell_id="cell-a")
    shell.checked("%%trace t\nek.answer(held(1))")
    told = (
        "step ran as cell [2] defined it; that cell, edited and run again as [4], "
        "had defined it anew, with other code (on this path)"
    )
    assert lines(shell) == [told]
    shown = " ".join(shell.checked("ek.last().backtrack()").value.split())
    assert f"Outside the record: {told}" in shown
    shell.checked("ek.last().save('stale.ek.jsonl')\nloaded = ek.load('stale.ek.jsonl')")
    assert lines(shell, "loaded.backtrack()") == [told]
    shell.checked("%%trace fresh\nek.answer(step(1))")
    assert lines(shell) == []


def test_a_front_end_without_ids_of_cells_is_told_the_counts(shell):
    shell.checked(FIRST)
    shell.checked("held = step")
    shell.checked(FIRST + "\n")
    shell.checked("%%trace t\nek.answer(held(1))")
    assert lines(shell) == [
        (
            "step ran as cell [2] defined it; cell [4] had defined it anew, with the same code "
            "(on this path)"
        )
    ]


def test_a_run_over_an_edit_says_that_it_ran_both(shell):
    shell.checked(FIRST, cell_id="cell-a")
    shell.checked("opened = ek.trace('t')\nrun = opened.__enter__()\na = step(1)", cell_id="cell-b")
    shell.checked(SECOND, cell_id="cell-a")
    shell.checked("b = step(1)", cell_id="cell-c")
    shell.checked("ek.answer(b)\nopened.__exit__(None, None, None)")
    assert lines(shell, "run.backtrack()") == [
        (
            "step was defined in cells [2] and [4], each time other code: this run ran them all "
            "(on this path)"
        )
    ]


def test_a_cell_that_is_edited_or_run_again_within_a_run_is_named(shell):
    shell.checked(FIRST)
    shell.checked("opened = ek.trace('t')\nrun = opened.__enter__()")
    shell.checked("a = step('one')", cell_id="cell-a")
    shell.checked("a = step('two')", cell_id="cell-a")
    shell.checked("b = step('three')", cell_id="cell-b")
    shell.checked("b = step('three')", cell_id="cell-b")
    shell.checked("b = step('three')", cell_id="cell-c")
    shell.checked("ek.answer(a)\nopened.__exit__(None, None, None)")
    assert lines(shell, "run.backtrack()") == [
        "one cell ran as [4][5]: edited and run again within this run (on this path)",
        "one cell ran as [6][7]: run again within this run (not on this path)",
    ]


def test_a_traced_function_is_told_apart_too(shell):
    shell.checked(FIRST)
    shell.checked(TRACED, cell_id="cell-a")
    shell.checked("held = whole")
    shell.checked(TRACED.replace("step(", "step('!' + "), cell_id="cell-a")
    shell.checked("_ = held('q')")
    started = shell.value("next(ek.last().recording.rows('run_started'))")
    assert [started[key]["count"] for key in ("cell", "defined", "redefined")] == [6, 3, 5]
    assert lines(shell) == [
        (
            "whole ran as cell [3] defined it; that cell, edited and run again as [5], "
            "had defined it anew, with other code"
        )
    ]


def test_functions_of_functions_and_lambdas_replace_nothing(shell):
    shell.checked(
        "def make(n):\n    @ek.link\n    def inner(x):\n        return x + n\n    return inner"
    )
    shell.checked("one, two, three = make(1), make(2), ek.link(lambda x: x)")
    shell.checked("four = ek.link(lambda x: x)")
    shell.checked("%%trace t\nek.answer(one(two(three(four(1000)))))")
    rows = shell.value("list(ek.last().recording.rows('link_opened'))")
    assert len(rows) == 4
    assert not [row for row in rows if "defined" in row]


def test_what_a_link_reads_from_outside_is_named(shell):
    shell.checked("import os\nimport random\nimport time\nOTHER = ['list']")
    shell.checked(
        "@ek.link\ndef reads(x):\n"
        "    return f'{x} {BELOW} {os.environ.get(\"HOME\")} {time.time()} {random.random()}'\n"
        "@ek.link\ndef beside(x):\n    return OTHER\n"
        "BELOW = 12345678"
    )
    shell.checked("%%trace t\nbeside(1)\nek.answer(reads('the answer'))")
    found = lines(shell)
    read = "environment os, global BELOW, randomness random, time time"
    assert found == [
        f"read, not recorded, by reads: {read} (on this path)",
        "read, not recorded, by beside: global OTHER (not on this path)",
    ]
    shown = " ".join(shell.checked("print(ek.last().backtrack().text())").text.split())
    assert all(f"Outside the record: {line}" in shown for line in found)
